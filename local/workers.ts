import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Log, LogLevel, Miniflare, Log as MiniflareLog, type MiniflareOptions } from 'miniflare'
import { type BuiltWorker, modulesOf } from './build.ts'
import { type Death, hold, release } from './children.ts'
import { reasonOf, StackError } from './errors.ts'
import { freePort } from './ports.ts'
import { type RateLimit, rateLimitBinding } from './rate-limit-plugin.ts'

const run = promisify(execFile)

export type WorkerSettings = {
  /** Added to or replacing the vars of wrangler.toml, secrets included; null removes one. */
  vars?: Record<string, string | null>
  /** Replacing the limits of wrangler.toml. */
  rateLimits?: Record<string, RateLimit>
  /** Where its buckets are kept; absent: `stop` deletes them. */
  filesFolder?: string
  /** Queues accept messages and never deliver them, like a queue that loses everything. */
  queuesLose?: boolean
}

/** A line the Worker wrote to its console. */
export type WorkerLine = { level: string; message: string; atMs: number }

export type RunningWorker = {
  /** workerd's own socket, without anything in between. It never changes. */
  directUrl: string
  /** The process that runs the Worker; another one after `crash`. */
  pid(): number
  /** The latest lines of its console. */
  lines(): readonly WorkerLine[]
  /** Where its modules lie, and its variables as they are now. */
  upload(): { folder: string; vars: Record<string, unknown> }
  /** Runs the Worker's `scheduled` once and waits for it. */
  trigger(): Promise<void>
  /** Puts a message into the queue of a producer's binding, beside those of the Worker. */
  enqueue(binding: string, message: unknown): Promise<void>
  /** Kills workerd with SIGKILL, like a failing machine, and waits until it runs again. */
  crash(): Promise<void>
  /** Restarts it with other settings; without an argument, with its first ones. */
  reconfigure(settings?: WorkerSettings): Promise<void>
  stop(): Promise<void>
}

type Scheduled = { scheduled(event: { cron: string }): Promise<{ outcome: string }> }

const KEPT_LINES = 2_000
const ASSETS_WORKER = 'assets'

/** Runs one built Worker in a workerd of its own, as wrangler.toml describes it. */
export async function startWorker(
  built: BuiltWorker,
  settings: WorkerSettings,
  onLine: (line: WorkerLine) => void = () => {},
  onDeath: (death: Death) => void = () => {},
): Promise<RunningWorker> {
  const lines: WorkerLine[] = []
  const keep = (level: string, message: string, atMs: number) => {
    const line = { level, message, atMs }
    lines.push(line)
    if (lines.length > KEPT_LINES) lines.splice(0, KEPT_LINES / 2)
    onLine(line)
  }
  // Chosen here, so that they stay the same across restarts.
  const [port, entryPort] = [await freePort(), await freePort()]
  let asked: (() => void) | undefined
  let current = settings
  const { name, crons } = built.config
  const options = (changed: WorkerSettings) => ({
    ...instanceOptions(keep, entryPort),
    ...(settings.filesFolder && { resourcePersistencePath: settings.filesFolder }),
    // Miniflare restarts a workerd that died, and calls this once it runs.
    unsafeHandleRuntimeRestart: () => (asked ? asked() : died()),
    workers: [workerOptions(built, changed, port), assetsOptions(built)],
  })
  const miniflare = new Miniflare(options(settings) as MiniflareOptions)
  try {
    await miniflare.ready
  } catch (cause) {
    await miniflare.dispose().catch(() => {})
    const said = lines.map((line) => line.message).join('\n')
    throw new StackError(`The Worker ${name} does not start: ${said || reasonOf(cause)}`)
  }
  let pid = await processOf(entryPort)
  hold(pid, 'SIGKILL')
  let latest: Promise<unknown> = Promise.resolve()
  /** Runs changes that replace the workerd process, one after the other, and finds the new process. */
  const replaceProcess = (change: () => Promise<unknown>) => {
    const changed = async () => {
      await change()
      release(pid)
      pid = await processOf(entryPort, pid)
      hold(pid, 'SIGKILL')
    }
    const done = latest.then(changed, changed)
    latest = done.catch(() => {})
    return done
  }
  const died = () => {
    void replaceProcess(async () => {}).then(
      () => onDeath({ server: `The Worker ${name}`, how: 'workerd died', restarted: true }),
      (cause) => onDeath({ server: `The Worker ${name}`, how: reasonOf(cause), restarted: false }),
    )
  }
  return {
    directUrl: `http://127.0.0.1:${port}`,
    pid: () => pid,
    lines: () => lines,
    upload: () => ({ folder: built.folder, vars: varsOf(built, current) }),
    trigger: async () => {
      // Miniflare does not declare this method of its fetchers.
      const worker = (await miniflare.getWorker(name)) as unknown as Scheduled
      const { outcome } = await worker.scheduled({ cron: crons[0] ?? '* * * * *' })
      if (outcome !== 'ok') throw new Error(`scheduled of ${name} ended with ${outcome}`)
    },
    enqueue: async (binding, message) => {
      const producer = await miniflare.getQueueProducer(binding, name)
      await producer.send(message, { contentType: 'json' })
    },
    crash: () =>
      replaceProcess(async () => {
        const again = new Promise<void>((resolve) => {
          asked = resolve
        })
        process.kill(pid, 'SIGKILL')
        await again
        asked = undefined
      }),
    reconfigure: (changed) =>
      replaceProcess(() => {
        current = { ...settings, ...changed, vars: { ...settings.vars, ...changed?.vars } }
        return miniflare.setOptions(options(current) as MiniflareOptions)
      }),
    stop: async () => {
      await miniflare.dispose()
      release(pid)
    },
  }
}

function instanceOptions(keep: (level: string, message: string, atMs: number) => void, port: number) {
  return {
    host: '127.0.0.1',
    port,
    log: new CollectedLog(keep) as Log,
    handleStructuredLogs: (line: { level: string; message: string; timestamp: number }) =>
      keep(line.level, line.message, line.timestamp),
    logRequests: false,
    enableDevRegistry: false,
    telemetry: { enabled: false },
    cf: false, // otherwise it asks the network where we are
  }
}

class CollectedLog extends MiniflareLog {
  #keep: (level: string, message: string, atMs: number) => void
  constructor(keep: (level: string, message: string, atMs: number) => void) {
    super(LogLevel.WARN)
    this.#keep = keep
  }
  protected override log(message: string): void {
    this.#keep('miniflare', message, Date.now())
  }
}

function workerOptions(built: BuiltWorker, settings: WorkerSettings, port: number) {
  const { config } = built
  const limits = Object.entries({ ...config.rateLimits, ...settings.rateLimits })
  return {
    config: {
      name: config.name,
      compatibilityDate: config.compatibilityDate,
      compatibilityFlags: config.compatibilityFlags,
      manifest: { mainModule: 'worker.js', modulesRoot: built.folder, modules: modulesOf(built.folder) },
      triggers: [
        ...config.crons.map((schedule) => ({ type: 'scheduled', schedule })),
        ...(settings.queuesLose ? [] : config.queues.consumers).map((each) => ({ type: 'queue', ...each })),
      ],
      env: {
        ...Object.fromEntries(
          Object.entries(varsOf(built, settings)).map(([name, value]) => [name, variable(value)]),
        ),
        ...Object.fromEntries(limits.map(([name, limit]) => [name, rateLimitBinding(limit)])),
        ...Object.fromEntries(
          Object.entries(config.queues.producers).map(([binding, name]) => [
            binding,
            { type: 'queue', name },
          ]),
        ),
        ...Object.fromEntries(
          Object.entries(config.buckets).map(([binding, name]) => [binding, { type: 'r2', name }]),
        ),
        ASSETS: { type: 'worker', worker: ASSETS_WORKER },
      },
    },
    dev: { unsafeDirectSockets: [{ host: '127.0.0.1', port }] },
  }
}

const varsOf = ({ config }: BuiltWorker, settings: WorkerSettings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ ...config.vars, ...settings.vars }).filter(([, value]) => value !== null),
  )

function variable(value: unknown) {
  return typeof value === 'string' ? { type: 'text', value } : { type: 'json', value }
}

/**
 * `run_worker_first` means that only `env.ASSETS` reaches the assets. With the assets on the Worker itself, Miniflare
 * would put its asset router before every request; on a Worker of their own they cost nothing until requested.
 */
function assetsOptions(built: BuiltWorker) {
  const nothing = 'export default { fetch() { return new Response(null, { status: 404 }) } }'
  return {
    config: {
      name: ASSETS_WORKER,
      compatibilityDate: built.config.compatibilityDate,
      manifest: {
        mainModule: 'none.js',
        modulesRoot: built.folder,
        modules: { 'none.js': { type: 'esm', contents: nothing } },
      },
      assets: { directory: built.assetsFolder, hasUserWorker: false },
    },
  }
}

/** Miniflare does not say which process it started: find our child that listens on `entryPort` and is not `before`. */
async function processOf(entryPort: number, before?: number): Promise<number> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=,args='], { maxBuffer: 16 * 1024 * 1024 })
  const pids = stdout.split('\n').flatMap((line) => {
    const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    const isOurs =
      Number(parent) === process.pid && args.includes(` --socket-addr=entry=127.0.0.1:${entryPort} `)
    return isOurs && Number(pid) !== before ? [Number(pid)] : []
  })
  if (pids[0] === undefined) throw new StackError('workerd is not running')
  return pids[0]
}
