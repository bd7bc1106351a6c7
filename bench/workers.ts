import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { BuiltWorker, WorkerConfig } from '../local/build.ts'
import { modulesOf } from '../local/build.ts'
import { modulesAtStart, modulesReached } from '../local/bundle.ts'
import { PROJECT } from '../local/project.ts'

const run = promisify(execFile)
const WRANGLER = join(PROJECT, 'node_modules', 'wrangler', 'bin', 'wrangler.js')
const FLOOR = join(PROJECT, 'bench', 'floor')
const COMPATIBILITY = {
  compatibilityDate: '2026-11-17',
  compatibilityFlags: ['nodejs_compat', 'global_fetch_strictly_public'],
}

export type Bundle = { totalGzip: number; atStartGzip: number; ownGzip: number }

async function wrangler(cwd: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1', NO_COLOR: '1' }
  return (await run(process.execPath, [WRANGLER, ...args], { cwd, env })).stdout
}

/** The floor Worker as wrangler builds it. */
export async function buildFloor(assetsFolder: string): Promise<BuiltWorker> {
  const folder = join(PROJECT, 'dist', 'bench', 'floor')
  await wrangler(FLOOR, 'deploy', '--dry-run', '--outdir', folder)
  const config: WorkerConfig = {
    name: 'spindle-floor',
    ...COMPATIBILITY,
    vars: {},
    rateLimits: {},
    crons: [],
    buckets: {},
    queues: { producers: {}, consumers: [] },
  }
  return { folder, assetsFolder, config }
}

/** Beside our own: modules that sign-in loads, and those that import Stripe's library. */
const LIBRARIES = /^(identity|identity-calls|passkey-factor|second-factor|adapter)-/

/** Bytes as uploaded, gzip: all modules of the Worker, those loaded at start, and all areas without libraries. */
export function bundleSizes(worker: BuiltWorker): Bundle {
  const modules = textsOf(worker)
  const gzipOfThose = (names: readonly string[]) => gzipOf(names.map((name) => modules.get(name) ?? ''))
  return {
    totalGzip: gzipOf([...modules.values()]),
    atStartGzip: gzipOfThose(modulesAtStart(modules)),
    ownGzip: gzipOfThose(modulesReached(modules, (name) => !LIBRARIES.test(name))),
  }
}

const textsOf = ({ folder }: BuiltWorker) =>
  new Map(Object.entries(modulesOf(folder)).map(([name, { contents }]) => [name, String(contents)]))

/** As wrangler counts what it uploads. */
const gzipOf = (modules: readonly string[]) => gzipSync(modules.join('')).byteLength

export type StartUp = { oursMs: number; emptyMs: number; floorMs: number }

/**
 * The active milliseconds of `wrangler check startup`. Other load on the machine only adds to them, so the result is
 * the least of several runs, ours and the others in turn.
 */
export async function startUp(runs: number, scratch: string): Promise<StartUp> {
  const empty = join(scratch, 'empty')
  await mkdir(empty, { recursive: true })
  const { compatibilityDate, compatibilityFlags } = COMPATIBILITY
  await writeFile(
    join(empty, 'wrangler.toml'),
    `name = "empty"\nmain = "worker.js"\ncompatibility_date = "${compatibilityDate}"\ncompatibility_flags = ${JSON.stringify(compatibilityFlags)}\n`,
  )
  await writeFile(join(empty, 'worker.js'), `export default { fetch: () => new Response('') }\n`)
  const least: StartUp = { oursMs: Infinity, emptyMs: Infinity, floorMs: Infinity }
  for (let round = 0; round < runs; round++) {
    least.oursMs = Math.min(least.oursMs, await activeMsOf(scratch, PROJECT, '--args=--env sandbox'))
    least.emptyMs = Math.min(least.emptyMs, await activeMsOf(scratch, empty))
    least.floorMs = Math.min(least.floorMs, await activeMsOf(scratch, FLOOR))
  }
  return least
}

/** The active milliseconds of `wrangler check startup` in the given folder. */
export async function activeMsOf(scratch: string, folder: string, ...args: string[]): Promise<number> {
  const profile = join(scratch, 'startup.cpuprofile')
  const out = await wrangler(folder, 'check', 'startup', '--outfile', profile, ...args)
  const active = /Active: ([\d.]+) ms/.exec(out)?.[1]
  if (active === undefined) throw new Error(`wrangler check startup said nothing of it:\n${out}`)
  return Number(active)
}
