import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type BuiltWorker, modulesOf } from '../local/build.ts'
import { hold, release } from '../local/children.ts'
import { freePort } from '../local/ports.ts'
import { SOURCE as RATE_LIMIT } from '../local/rate-limit-plugin.ts'
import { postmasterOf } from './postgres-cpu.ts'

// Miniflare sends every subrequest through a Worker of its own, which costs more than the subrequest and does not exist
// in production: it would distort the figures. Here workerd runs the built Worker by itself.

/** `tick` runs its `scheduled` once; `postgresPid` is the postmaster of its database. */
export type Bare = {
  url: string
  pid: number
  postgresPid: number
  tick(): Promise<void>
  stop(): Promise<void>
}

const CLOCK = `export default {
  async fetch(_request, env) {
    const { outcome } = await env.MAIN.scheduled({ cron: '* * * * *' })
    return new Response(outcome)
  },
}`

/** The one that Miniflare runs. */
const { default: WORKERD } = createRequire(import.meta.url)('workerd') as { default: string }

const RATE_LIMIT_MODULE = 'bench-internal:rate-limit'
const LIMIT = { limit: 100_000_000, period: 60 }

/** Runs a built Worker in a workerd with nothing else in it. `vars` replace those of wrangler.toml. */
export async function startBare(
  built: BuiltWorker,
  vars: Record<string, string>,
  scratch: string,
): Promise<Bare> {
  const [port, clockPort] = [await freePort(), await freePort()]
  const folder = join(scratch, built.config.name)
  await mkdir(folder, { recursive: true })
  for (const [name, { contents }] of Object.entries(modulesOf(built.folder))) {
    await writeFile(join(folder, name), contents)
  }
  await writeFile(join(folder, 'rate-limit.js'), RATE_LIMIT)
  await writeFile(join(folder, 'clock.js'), CLOCK)
  await writeFile(join(folder, 'config.capnp'), configOf(built, vars, port, clockPort))
  const child = spawn(WORKERD, ['serve', 'config.capnp', '--experimental'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const pid = child.pid ?? 0
  hold(pid, 'SIGKILL')
  await listening(child, port)
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    postgresPid: postmasterOf(vars.DATABASE_URL ?? ''),
    tick: async () => {
      const outcome = await (await fetch(`http://127.0.0.1:${clockPort}`)).text()
      if (outcome !== 'ok') throw new Error(`scheduled ended with ${outcome}`)
    },
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
      release(pid)
    },
  }
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 300 && child.exitCode === null; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port }, () => resolve(true))
      socket.once('error', () => resolve(false)).once('connect', () => socket.destroy())
    })
    if (open) return
    await delay(50)
  }
  throw new Error('workerd does not start')
}

function configOf(
  { folder, config }: BuiltWorker,
  vars: Record<string, string>,
  port: number,
  clockPort: number,
): string {
  const others = Object.keys(modulesOf(folder)).filter((name) => name !== 'worker.js')
  const modules = ['worker.js', ...others].map(
    (name) => `(name = ${text(name)}, esModule = embed ${text(name)})`,
  )
  const bindings = [
    ...Object.entries({ ...config.vars, ...vars }).map(([name, value]) =>
      typeof value === 'string'
        ? `(name = ${text(name)}, text = ${text(value)})`
        : `(name = ${text(name)}, json = ${text(JSON.stringify(value))})`,
    ),
    ...Object.keys(config.rateLimits).map((name) => rateLimit(name)),
  ]
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${modules.join(', ')}],
      compatibilityDate = ${text(config.compatibilityDate)},
      compatibilityFlags = [${config.compatibilityFlags.map(text).join(', ')}],
      bindings = [${bindings.join(',\n        ')}],
      globalOutbound = "internet",
    )),
    (name = "clock", worker = (
      modules = [(name = "clock.js", esModule = embed "clock.js")],
      compatibilityDate = ${text(config.compatibilityDate)},
      compatibilityFlags = ["service_binding_extra_handlers"],
      bindings = [(name = "MAIN", service = "main")],
    )),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [
    (name = "http", address = "127.0.0.1:${port}", http = (), service = "main"),
    (name = "clock", address = "127.0.0.1:${clockPort}", http = (), service = "clock"),
  ],
  extensions = [(modules = [(name = ${text(RATE_LIMIT_MODULE)}, internal = true, esModule = embed "rate-limit.js")])],
);
`
}

const rateLimit = (name: string) =>
  `(name = ${text(name)}, wrapped = (moduleName = ${text(RATE_LIMIT_MODULE)}, innerBindings = [${Object.entries(
    LIMIT,
  )
    .map(([key, value]) => `(name = ${text(key)}, json = "${value}")`)
    .join(', ')}]))`

/** A string as Cap'n Proto's text format writes it. */
const text = (value: string) =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
