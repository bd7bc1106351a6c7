import { appendFileSync, writeFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ENVIRONMENTS } from './build.ts'
import type { Death } from './children.ts'
import type { Demo } from './demo.ts'
import { reasonOf, StackError } from './errors.ts'
import { removePostgresData } from './postgres.ts'
import { progressTo } from './progress.ts'
import { PROJECT } from './project.ts'
import type { Stack } from './stack.ts'

const HELP = `npm start [-- options]

Starts Spindle on this machine, until Ctrl-C: PostgreSQL, the gateways before it and before Redis, and both Workers.

  --reset              begin with empty databases
  --port-sandbox=8787  port of the sandbox environment
  --port-live=8788     port of the live environment
  --folder=.local      where data, secrets and logs are kept
  --neon-limit=500     as Neon does, refuse more calls per second and database (without it there is no limit)
  --help               this text

Variables: DATABASE_URL uses a PostgreSQL that runs already (its role must be allowed to make roles and databases),
REDIS_URL a Redis that runs already.`

type Options = {
  reset: boolean
  folder: string
  ports: { sandbox: number; live: number }
  neonLimit: number | undefined
}

async function main(): Promise<void> {
  const options = readOptions()
  if (!options) return console.log(HELP)
  const { folder } = options
  const log = join(folder, 'workers.log')
  const note = (text: string) => appendFileSync(log, `${text}\n`)
  if (options.reset) await reset(folder)
  await mkdir(folder, { recursive: true }).catch((cause) => {
    throw new StackError(`${folder} cannot be used as a folder: ${reasonOf(cause)}`)
  })
  endAtOnce()
  let end = async (code: number) => process.exit(code)
  const onDeath = ({ server, how, restarted }: Death) => {
    progress.fail()
    console.error(`${server} died (${how})${restarted ? ' and runs again.' : ': without it nothing works.'}`)
    if (!restarted) void end(1)
  }
  const { startStack } = await import('./stack.ts') // takes most of a second: --help should not wait for it
  const stack = await startStack({
    folder,
    ports: options.ports,
    neonCallsPerSecondMax: options.neonLimit,
    databaseUrl: process.env.DATABASE_URL,
    redisUrl: process.env.REDIS_URL,
    onBegin: (step) => progress.begin(nameOf(step)),
    onStep: (step, tookMs) => {
      // Only now is the folder ours: before, this may be the log of another running stack.
      if (step === 'PostgreSQL') writeFileSync(log, '')
      progress.done(nameOf(step), tookMs)
    },
    onLine: (environment, line) => note(`${environment} ${line.level}: ${line.message}`),
    onDeath,
    commandWith,
  })
  end = endInOrder(stack, startTicker(stack, note))
  endWithParent(end)
  const { demoTenant } = await import('./demo.ts')
  const started = performance.now()
  progress.begin('demo tenant')
  const demo = await demoTenant(stack.sandbox.baseUrl, stack.mailbox.url, folder)
  progress.done('demo tenant', performance.now() - started)
  const facts = {
    sandbox: addressesOf(stack, 'sandbox'),
    live: addressesOf(stack, 'live'),
    mailbox_url: stack.mailbox.url,
    demo,
  }
  const file = join(folder, 'stack.json')
  await rm(file, { force: true }) // an existing file would keep its mode
  await writeFile(file, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 })
  console.log(summary(stack, demo, log))
}

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        reset: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        'port-sandbox': { type: 'string', default: '8787' },
        'port-live': { type: 'string', default: '8788' },
        'neon-limit': { type: 'string' },
        folder: { type: 'string', default: join(PROJECT, '.local') },
      },
    })
    if (values.help) return undefined
    const ports = { sandbox: portOf(values['port-sandbox']), live: portOf(values['port-live']) }
    if (ports.sandbox === ports.live) throw new StackError('The two environments need two ports')
    return {
      reset: values.reset,
      folder: resolve(values.folder),
      ports,
      neonLimit: limitOf(values['neon-limit']),
    }
  } catch (cause) {
    throw cause instanceof StackError
      ? cause
      : new StackError(`${reasonOf(cause).split('. ')[0]}: see npm start -- --help`)
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new StackError(`"${text}" is not a port`)
  return port
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new StackError(`"${text}" is not a number of calls per second`)
  return Number(text)
}

/** This `npm start` command with one option added or replaced. */
function commandWith(option: string): string {
  const name = option.split('=')[0] as string
  const others = process.argv.slice(2).filter((given) => given !== name && !given.startsWith(`${name}=`))
  return ['npm start --', ...[...others, option].map(quoted)].join(' ')
}

const quoted = (word: string): string => (/^[\w=.,:/-]+$/.test(word) ? word : `'${word}'`)

/** What a run leaves in its folder, beside the data. */
const KEPT = ['files', 'secrets.json', 'certificate.json', 'demo.json', 'stack.json', 'workers.log']

async function reset(folder: string): Promise<void> {
  await removePostgresData(join(folder, 'postgres'))
  for (const name of KEPT) await rm(join(folder, name), { force: true, recursive: true })
  if (process.env.DATABASE_URL) {
    console.log(
      '  The server of DATABASE_URL is left as it is: drop its databases spindle_* yourself to empty it.',
    )
  }
}

const NAMES: Record<string, string> = {
  PostgreSQL: process.env.DATABASE_URL ? 'PostgreSQL of DATABASE_URL' : 'PostgreSQL',
}

const nameOf = (step: string) => NAMES[step] ?? step

const progress = progressTo(process.stdout)

/** Runs the scheduled work about every second, as the cron trigger does every minute. */
function startTicker(stack: Stack, note: (text: string) => void): () => void {
  let timer: NodeJS.Timeout
  let stopped = false
  const tick = async () => {
    for (const environment of ENVIRONMENTS) {
      await stack[environment].trigger().catch((cause) => note(`${environment} cron: ${reasonOf(cause)}`))
    }
    if (!stopped) timer = setTimeout(tick, 1_000)
  }
  timer = setTimeout(tick, 1_000)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** During the start a signal ends the process at once; the guardian cleans up. */
function endAtOnce(): void {
  for (const signal of SIGNALS) process.once(signal, () => process.exit(130))
}

function endInOrder(stack: Stack, stopTicker: () => void): (code: number) => Promise<never> {
  let askedAtMs = 0
  const end = async (code: number) => {
    askedAtMs = Date.now()
    console.log('\nStopping …')
    stopTicker()
    await stack.stop()
    process.exit(code)
  }
  const onSignal = () => {
    if (askedAtMs === 0) return end(0)
    // A terminal and npm may both pass on one Ctrl-C; one after more than a second is a second Ctrl-C.
    if (Date.now() - askedAtMs > 1_000) process.exit(130)
  }
  for (const signal of SIGNALS) {
    process.removeAllListeners(signal) // endAtOnce's, and Miniflare's, which would end the process at once
    process.on(signal, onSignal)
  }
  return end
}

/** A killed npm cannot pass the signal on: then this process gets another parent. */
function endWithParent(end: (code: number) => Promise<never>): void {
  if (process.env.npm_lifecycle_event !== 'start') return
  const npm = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(timer)
    void end(1)
  }, 1_000)
}

function addressesOf(stack: Stack, environment: 'sandbox' | 'live') {
  const { baseUrl, linkBaseUrl } = stack[environment]
  return { base_url: baseUrl, link_base_url: linkBaseUrl }
}

function summary(stack: Stack, demo: Demo, log: string): string {
  return `
Spindle runs. Ctrl-C stops it.

  Sandbox        ${stack.sandbox.baseUrl}
  Live           ${stack.live.baseUrl}
  API reference  ${stack.sandbox.baseUrl}/docs
  Mailbox        ${stack.mailbox.url}
  Redis          ${stack.redis.kind}
  Workers' log   ${relative(process.cwd(), log)}

  Demo login     ${demo.email}  password ${demo.password}
                 authenticator secret ${demo.totp_secret}
  API key        ${demo.api_key}
  Payment link   ${demo.payment_link_url}

  curl -s ${stack.sandbox.baseUrl}/v1/payment-operations/payments -H 'Authorization: Bearer ${demo.api_key}'
`
}

main().catch((cause) => {
  progress.fail()
  console.error(cause instanceof StackError ? cause.message : cause)
  process.exit(1)
})
