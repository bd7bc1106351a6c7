import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import RedisMock from 'ioredis-mock'
import { type Death, hold, keepRunning, release, temporaryFolder } from './children.ts'
import { reasonOf, StackError } from './errors.ts'
import { freePort } from './ports.ts'

export type RedisReply = { result: unknown } | { error: string }

export type RedisBackend = {
  /** Which Redis answers: 'REDIS_URL', 'redis-server' or 'in process'. */
  kind: string
  /** Runs the commands in order on logical database `index`. */
  run(index: number, commands: readonly string[][]): Promise<RedisReply[]>
  flush(index: number): Promise<void>
  stop(): Promise<void>
}

/**
 * The Redis behind the gateway: that of `url`, else a `redis-server` from the PATH, started on a free port without
 * persistence, else one in this process (`memory:` forces that one).
 */
export async function startRedis(
  url: string | undefined,
  onDeath?: (death: Death) => void,
): Promise<RedisBackend> {
  if (url === 'memory:') return inProcess()
  if (url) {
    const backend = overNetwork('REDIS_URL', url, async () => {})
    await backend.run(0, [['PING']]).then(([reply]) => {
      if (!reply || 'error' in reply) throw new StackError(`REDIS_URL does not answer: ${reply?.error}`)
    })
    return backend
  }
  return (await ownServer(onDeath)) ?? inProcess()
}

/** The `redis-server` of the PATH, or undefined where there is none. */
async function ownServer(onDeath?: (death: Death) => void): Promise<RedisBackend | undefined> {
  const port = await freePort()
  const folder = temporaryFolder('redis')
  try {
    const server = await keepRunning('Redis', () => serve(port, folder.path), 'SIGTERM', onDeath)
    return overNetwork('redis-server', `redis://127.0.0.1:${port}`, async () => {
      await server.stop()
      await folder.drop()
    })
  } catch {
    await folder.drop()
    return undefined
  }
}

async function serve(port: number, folder: string): Promise<ChildProcess> {
  const settings = { bind: '127.0.0.1', port: String(port), save: '', appendonly: 'no', dir: folder }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn('redis-server', args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  await new Promise<void>((ready, failed) => {
    child.once('error', failed)
    child.once('exit', () => failed(new StackError('redis-server did not start')))
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Ready to accept connections')) ready()
    })
  })
  const pid = child.pid as number
  hold(pid, 'SIGKILL')
  child.once('exit', () => release(pid))
  return child
}

function overNetwork(kind: string, url: string, stopServer: () => Promise<void>): RedisBackend {
  const base = Number(new URL(url).pathname.slice(1) || 0)
  const connect = (index: number) => {
    const client = new Redis(url, { db: base + index, maxRetriesPerRequest: 1 })
    return client.on('error', () => {})
  }
  return backendOf(kind, connect, stopServer)
}

function inProcess(): RedisBackend {
  const host = randomUUID() // each has data of its own
  return backendOf('in process', (index) => new RedisMock({ host, db: index }))
}

type AnyCommand = Record<string, ((...args: string[]) => Promise<unknown>) | undefined>

function backendOf(
  kind: string,
  connect: (index: number) => Redis,
  stopServer?: () => Promise<void>,
): RedisBackend {
  const clients: Redis[] = []
  const client = (index: number) => {
    clients[index] ??= connect(index)
    return clients[index]
  }
  const run = async (index: number, [word = '', ...rest]: readonly string[]): Promise<RedisReply> => {
    const name = word.toLowerCase()
    const command = (client(index) as unknown as AnyCommand)[name]
    if (!command) return { error: `ERR unknown command '${word}'` }
    // ioredis-mock knows the options of SET in capitals only.
    const args = name === 'set' ? rest.map((part, at) => (at < 2 ? part : part.toUpperCase())) : rest
    return command.apply(client(index), args).then(
      (result) => ({ result }),
      (cause) => ({ error: reasonOf(cause) }),
    )
  }
  return {
    kind,
    run: (index, commands) => Promise.all(commands.map((command) => run(index, command))),
    flush: async (index) => {
      await client(index).flushdb()
    },
    stop: async () => {
      for (const each of clients) each?.disconnect()
      await stopServer?.()
    },
  }
}
