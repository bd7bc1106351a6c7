import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { CallLog } from './call-log.ts'
import type { Death } from './children.ts'
import { reasonOf } from './errors.ts'
import { type FaultOrder, Faults } from './faults.ts'
import {
  answer,
  answerHalf,
  cut,
  HTML_ERROR_PAGE,
  listenOnLoopback,
  readBody,
  untilGone,
} from './gateway-server.ts'
import { type RedisBackend, type RedisReply, startRedis } from './redis-server.ts'

/**
 * refuse: the connection is cut, nothing ran · hang: nothing runs and nothing is answered · reset: it ran (unless
 * `executed: false`), then the connection is cut · 5xx: an HTML error page; nothing ran unless `executed` · nonsense:
 * well-formed JSON that answers something else; nothing ran unless `executed` · stale: reads answer what they answered
 * before, SET NX succeeds on a key that exists · swapped: reads answer with another key's value · truncated: it ran, half
 * the answer arrives.
 */
export type RedisFaultMode =
  | 'refuse'
  | 'hang'
  | 'reset'
  | '5xx'
  | 'nonsense'
  | 'stale'
  | 'swapped'
  | 'truncated'

export type RedisGatewayOptions = {
  /** Bearer token of each logical database; their order gives the numbers of the Redis databases. */
  tokens: Record<string, string>
  url?: string
  port?: number
  onDeath?: (death: Death) => void
}

export type RedisGateway = {
  /** For UPSTASH_REDIS_REST_URL. */
  url: string
  kind: string
  log: CallLog
  faults: Faults<RedisFaultMode>
  /** Added once to every HTTP call, before the work. */
  setLatencyMs(latencyMs: number): void
  /** Empties one logical database. */
  flush(database: string): Promise<void>
  /** Runs commands directly, neither counted nor spoilt, to see what is stored. */
  ask(database: string, commands: readonly string[][]): Promise<RedisReply[]>
  stop(): Promise<void>
}

/** A stand-in for Upstash's REST API: POST / (one command), /pipeline and /multi-exec, with base64 answers on request. */
export async function startRedisGateway(options: RedisGatewayOptions): Promise<RedisGateway> {
  const backend = await startRedis(options.url, options.onDeath)
  const databases = Object.keys(options.tokens)
  const byToken = new Map(databases.map((name, index) => [options.tokens[name], { name, index }]))
  const shared: Shared = {
    backend,
    byToken,
    log: new CallLog(),
    faults: new Faults(),
    memory: new Memory(),
    latencyMs: 0,
  }
  const server = await listenOnLoopback((request, response) => {
    serve(shared, request, response).catch((cause) =>
      answer(response, 500, JSON.stringify({ error: reasonOf(cause) })),
    )
  }, options.port)
  return {
    url: `http://127.0.0.1:${server.port}`,
    kind: backend.kind,
    log: shared.log,
    faults: shared.faults,
    setLatencyMs: (latencyMs) => {
      shared.latencyMs = latencyMs
    },
    flush: (database) => backend.flush(databases.indexOf(database)),
    ask: (database, commands) => backend.run(databases.indexOf(database), commands, false),
    stop: async () => {
      await server.close()
      await backend.stop()
    },
  }
}

type Shared = {
  backend: RedisBackend
  byToken: Map<string | undefined, { name: string; index: number }>
  log: CallLog
  faults: Faults<RedisFaultMode>
  memory: Memory
  latencyMs: number
}

type Shape = 'single' | 'pipeline' | 'multi-exec'
type Work = { shape: Shape; commands: string[][]; base64: boolean; database: { name: string; index: number } }

const SHAPES: Record<string, Shape> = { '/': 'single', '/pipeline': 'pipeline', '/multi-exec': 'multi-exec' }

async function serve(shared: Shared, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const shape = request.method === 'POST' ? SHAPES[request.url ?? ''] : undefined
  const body = await readBody(request, 10 * 1024 * 1024)
  if (!shape || body === undefined) return answer(response, 404, '{"error":"ERR no such path"}')
  const database = shared.byToken.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1])
  if (!database) return answer(response, 401, '{"error":"WRONGPASS invalid or missing auth token"}')
  const commands = commandsOf(body, shape)
  if (!commands) return answer(response, 400, '{"error":"ERR failed to parse command"}')
  const work: Work = { shape, commands, base64: request.headers['upstash-encoding'] === 'base64', database }

  const names = commands.map((command) => command.slice(0, 2).join(' '))
  const call = shared.log.begin(database.name, '', names)
  try {
    if (shared.latencyMs > 0) await delay(shared.latencyMs)
    const fault = shared.faults.take(database.name, names)
    if (fault) await misbehave(shared, fault, work, response)
    else answer(response, ...encode(work, await execute(shared, work)))
  } finally {
    shared.log.finish(call)
  }
}

async function execute(shared: Shared, work: Work): Promise<RedisReply[]> {
  const replies = await shared.backend.run(work.database.index, work.commands, work.shape === 'multi-exec')
  shared.memory.remember(work.database.name, work.commands, replies)
  return replies
}

async function misbehave(
  shared: Shared,
  fault: FaultOrder<RedisFaultMode>,
  work: Work,
  response: ServerResponse,
): Promise<void> {
  switch (fault.mode) {
    case 'refuse':
      return cut(response)
    case 'hang':
      await untilGone(response, fault.delayMs)
      return cut(response)
    case 'reset':
      if (fault.executed !== false) await execute(shared, work)
      return cut(response)
    case 'truncated':
      return answerHalf(response, encode(work, await execute(shared, work))[1])
    case 'stale':
    case 'swapped': {
      const before = shared.memory.lie(fault.mode, work.database.name, work.commands)
      const replies = await execute(shared, work)
      return answer(
        response,
        ...encode(
          work,
          replies.map((reply, index) => before[index]?.(reply) ?? reply),
        ),
      )
    }
  }
  if (fault.executed) await execute(shared, work)
  if (fault.mode === '5xx') return answer(response, 503, HTML_ERROR_PAGE, 'text/html')
  answer(response, 200, nonsense(work))
}

function commandsOf(body: string, shape: Shape): string[][] | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return undefined
  }
  const commands = shape === 'single' ? [parsed] : parsed
  if (!Array.isArray(commands) || commands.length === 0) return undefined
  if (!commands.every((command) => Array.isArray(command) && command.length > 0)) return undefined
  return commands.map((command: unknown[]) =>
    command.map((part) =>
      typeof part === 'string' ? part : typeof part === 'object' ? JSON.stringify(part) : String(part),
    ),
  )
}

function encode(work: Work, replies: readonly RedisReply[]): [status: number, body: string] {
  const worded = replies.map((reply) =>
    'error' in reply ? reply : { result: encodeValue(reply.result, work.base64) },
  )
  if (work.shape !== 'single') return [200, JSON.stringify(worded)]
  const [only = { error: 'ERR no reply' }] = worded
  return ['error' in only ? 400 : 200, JSON.stringify(only)]
}

function encodeValue(value: unknown, base64: boolean): unknown {
  if (typeof value === 'string')
    return base64 && value !== 'OK' ? Buffer.from(value).toString('base64') : value
  if (Array.isArray(value)) return value.map((each) => encodeValue(each, base64))
  // The clients turn the flat reply of HGETALL into an object; Upstash answers flat.
  if (value && typeof value === 'object') return encodeValue(Object.entries(value).flat(), base64)
  return value ?? null
}

const NONSENSE = [
  'bm90IHdoYXQgeW91IGFza2VkIGZvcg==',
  12345,
  [],
  { result: null },
  '%%%',
  true,
  'eyJicm9rZW4iOiA=',
  -1,
  'OK',
  '',
]
let nonsenseTurn = 0

/** Valid JSON, each time another kind of wrong: results of wrong types, too few of them, or no results at all. */
function nonsense(work: Work): string {
  const turn = nonsenseTurn++
  if (turn % 7 === 5) return '"hello"'
  if (turn % 7 === 6) return work.shape === 'single' ? '[]' : '{"result":"T0s="}'
  const results = work.commands.map((_, index) => ({ result: NONSENSE[(turn + index) % NONSENSE.length] }))
  return JSON.stringify(work.shape === 'single' ? results[0] : results)
}

const READS = new Set(['GET', 'MGET', 'HGET', 'HMGET', 'HGETALL', 'EXISTS', 'GETEX', 'GETDEL', 'TTL', 'PTTL'])
const KEPT_ANSWERS = 5_000

/** Earlier answers to reads, to falsify later ones with. */
class Memory {
  #answers = new Map<string, { name: string; key: string; result: unknown }>()

  remember(database: string, commands: readonly string[][], replies: readonly RedisReply[]): void {
    for (const [index, command] of commands.entries()) {
      const [name = '', key = ''] = command
      const reply = replies[index]
      if (!READS.has(name.toUpperCase()) || !reply || 'error' in reply) continue
      this.#answers.set(`${database} ${command.join(' ')}`, {
        name: name.toUpperCase(),
        key,
        result: reply.result,
      })
      if (this.#answers.size > KEPT_ANSWERS) this.#answers.delete(this.#answers.keys().next().value ?? '')
    }
  }

  /** For each command, how to falsify its true reply. Call it before the command runs. */
  lie(
    mode: 'stale' | 'swapped',
    database: string,
    commands: readonly string[][],
  ): ((truth: RedisReply) => RedisReply)[] {
    return commands.map((command) => {
      const name = (command[0] ?? '').toUpperCase()
      if (mode === 'stale' && name === 'SET' && command.some((part) => part.toUpperCase() === 'NX')) {
        return () => ({ result: 'OK' })
      }
      if (!READS.has(name)) return (truth) => truth
      if (mode === 'stale') {
        const earlier = this.#answers.get(`${database} ${command.join(' ')}`)
        return () => ({ result: earlier?.result ?? null })
      }
      const others = [...this.#answers.values()].filter(
        (answer) => answer.name === name && answer.key !== command[1] && answer.result !== null,
      )
      return (truth) => (others.length > 0 ? { result: others.at(-1)?.result } : truth)
    })
  }
}
