import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Death } from './children.ts'
import type { FaultOrder } from './faults.ts'
import { type Gateway, startGateway, type Work } from './gateway.ts'
import { answer, answerHalf, cut, HTML_ERROR_PAGE, readBody, untilGone } from './gateway-server.ts'
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
  onDeath?: (death: Death) => void
}

/** Its `url` is for UPSTASH_REDIS_REST_URL. */
export type RedisGateway = Gateway<RedisFaultMode> & {
  kind: string
  /** Empties one logical database. */
  flush(database: string): Promise<void>
  /** Runs commands directly, neither counted nor spoilt, to see what is stored. */
  ask(database: string, commands: readonly string[][]): Promise<RedisReply[]>
}

/** A stand-in for Upstash's REST API: POST / with one command. */
export async function startRedisGateway(options: RedisGatewayOptions): Promise<RedisGateway> {
  const backend = await startRedis(options.url, options.onDeath)
  const databases = Object.keys(options.tokens)
  const byToken = new Map(databases.map((name, index) => [options.tokens[name], { name, index }]))
  const behind: Behind = { backend, byToken, memory: new Memory() }
  const gateway = await startGateway((request, response) => read(behind, request, response))
  return {
    ...gateway,
    kind: backend.kind,
    flush: (database) => backend.flush(databases.indexOf(database)),
    ask: (database, commands) => backend.run(databases.indexOf(database), commands),
    stop: async () => {
      await gateway.stop()
      await backend.stop()
    },
  }
}

type Database = { name: string; index: number }

type Behind = { backend: RedisBackend; byToken: Map<string | undefined, Database>; memory: Memory }

type Order = { command: string[]; database: Database }

async function read(
  behind: Behind,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Work<RedisFaultMode> | undefined> {
  const refuse = (status: number, error: string) => {
    answer(response, status, JSON.stringify({ error }))
    return undefined
  }
  const body = await readBody(request, 10 * 1024 * 1024)
  if (request.method !== 'POST' || request.url !== '/' || body === undefined)
    return refuse(404, 'ERR no such path')
  const database = behind.byToken.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1])
  if (!database) return refuse(401, 'WRONGPASS invalid or missing auth token')
  const command = commandOf(body)
  if (!command) return refuse(400, 'ERR failed to parse command')
  const order = { command, database }
  return {
    database: database.name,
    role: '',
    statements: [command.slice(0, 2).join(' ')],
    behave: async () => answer(response, ...encode(await execute(behind, order))),
    misbehave: (fault) => misbehave(behind, fault, order, response),
  }
}

async function execute({ backend, memory }: Behind, { command, database }: Order): Promise<RedisReply> {
  const [reply = { error: 'ERR no reply' }] = await backend.run(database.index, [command])
  memory.remember(database.name, command, reply)
  return reply
}

async function misbehave(
  behind: Behind,
  fault: FaultOrder<RedisFaultMode>,
  order: Order,
  response: ServerResponse,
): Promise<void> {
  switch (fault.mode) {
    case 'refuse':
      return cut(response)
    case 'hang':
      await untilGone(response, fault.delayMs)
      return cut(response)
    case 'reset':
      if (fault.executed !== false) await execute(behind, order)
      return cut(response)
    case 'truncated':
      return answerHalf(response, encode(await execute(behind, order))[1])
    case 'stale':
    case 'swapped': {
      const falsify = behind.memory.lie(fault.mode, order.database.name, order.command)
      return answer(response, ...encode(falsify(await execute(behind, order))))
    }
  }
  if (fault.executed) await execute(behind, order)
  if (fault.mode === '5xx') return answer(response, 503, HTML_ERROR_PAGE, 'text/html')
  answer(response, 200, nonsense())
}

function commandOf(body: string): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    return Array.isArray(parsed) && parsed.length > 0 ? parsed.map(String) : undefined
  } catch {
    return undefined
  }
}

const encode = (reply: RedisReply): [status: number, body: string] =>
  'error' in reply ? [400, JSON.stringify(reply)] : [200, JSON.stringify({ result: reply.result ?? null })]

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

/** Valid JSON, each time another kind of wrong: a result of the wrong type, or none at all. */
function nonsense(): string {
  const turn = nonsenseTurn++
  if (turn % 7 === 5) return '"hello"'
  if (turn % 7 === 6) return '[]'
  return JSON.stringify({ result: NONSENSE[turn % NONSENSE.length] })
}

const KEPT_ANSWERS = 5_000

/** Earlier answers to GET, to falsify later ones with. */
class Memory {
  #answers = new Map<string, { key: string; result: unknown }>()

  remember(database: string, [name = '', key = '']: readonly string[], reply: RedisReply): void {
    if (name.toUpperCase() !== 'GET' || 'error' in reply) return
    this.#answers.set(`${database} ${key}`, { key, result: reply.result })
    if (this.#answers.size > KEPT_ANSWERS) this.#answers.delete(this.#answers.keys().next().value ?? '')
  }

  /** How to falsify the true reply to a command. Call it before the command runs. */
  lie(
    mode: 'stale' | 'swapped',
    database: string,
    [name = '', key = '', ...options]: readonly string[],
  ): (truth: RedisReply) => RedisReply {
    const isClaim = name.toUpperCase() === 'SET' && options.some((part) => part.toUpperCase() === 'NX')
    if (mode === 'stale' && isClaim) return () => ({ result: 'OK' })
    if (name.toUpperCase() !== 'GET') return (truth) => truth
    if (mode === 'stale') {
      const earlier = this.#answers.get(`${database} ${key}`)
      return () => ({ result: earlier?.result ?? null })
    }
    const others = [...this.#answers.values()].filter((each) => each.key !== key && each.result !== null)
    return (truth) => (others.length > 0 ? { result: others.at(-1)?.result } : truth)
  }
}
