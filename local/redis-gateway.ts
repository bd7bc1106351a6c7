import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Death } from './children.ts'
import { type Between, type Gateway, type Reply, startGateway, type Work } from './gateway.ts'
import { answer, readBody } from './gateway-server.ts'
import { type RedisBackend, type RedisReply, startRedis } from './redis-server.ts'

export type RedisGatewayOptions = {
  /** Bearer token of each logical database; their order gives the numbers of the Redis databases. */
  tokens: Record<string, string>
  url?: string
  onDeath?: (death: Death) => void
}

/** Its `url` is for UPSTASH_REDIS_REST_URL. */
export type RedisGateway = Gateway & {
  kind: string
  /** Empties one logical database. */
  flush(database: string): Promise<void>
  /** Runs commands directly, neither counted nor spoilt, to see what is stored. */
  ask(database: string, commands: readonly string[][]): Promise<RedisReply[]>
}

/** A stand-in for Upstash's REST API: POST / with one command. */
export async function startRedisGateway(
  options: RedisGatewayOptions,
  between?: Between,
): Promise<RedisGateway> {
  const backend = await startRedis(options.url, options.onDeath)
  const databases = Object.keys(options.tokens)
  const byToken = new Map(databases.map((name, index) => [options.tokens[name], { name, index }]))
  const behind = { backend, byToken }
  const gateway = await startGateway((request, response) => read(behind, request, response), between)
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

type Behind = { backend: RedisBackend; byToken: Map<string | undefined, Database> }

async function read(
  { backend, byToken }: Behind,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Work | undefined> {
  const refuse = (status: number, error: string) => {
    answer(response, status, JSON.stringify({ error }))
    return undefined
  }
  const body = await readBody(request, 10 * 1024 * 1024)
  if (request.method !== 'POST' || request.url !== '/' || body === undefined)
    return refuse(404, 'ERR no such path')
  const database = byToken.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1])
  if (!database) return refuse(401, 'WRONGPASS invalid or missing auth token')
  const command = commandOf(body)
  if (!command) return refuse(400, 'ERR failed to parse command')
  const execute = async (): Promise<Reply> => {
    const [reply = { error: 'ERR no reply' }] = await backend.run(database.index, [command])
    return 'error' in reply
      ? [400, JSON.stringify(reply)]
      : [200, JSON.stringify({ result: reply.result ?? null })]
  }
  return {
    database: database.name,
    role: '',
    statements: [command.slice(0, 2).join(' ')],
    command,
    execute,
    async serve() {
      const reply = await execute()
      answer(response, ...reply)
      return reply
    },
  }
}

function commandOf(body: string): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    return Array.isArray(parsed) && parsed.length > 0 ? parsed.map(String) : undefined
  } catch {
    return undefined
  }
}
