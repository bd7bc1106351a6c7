import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import pg from 'pg'
import { reasonOf } from './errors.ts'
import { type Between, type Gateway, type Reply, startGateway, type Work } from './gateway.ts'
import { answer, readBody } from './gateway-server.ts'
import {
  abandon,
  type BatchOptions,
  errorJson,
  isPostgresError,
  type Running,
  resultJson,
  runBatch,
  type Statement,
} from './neon-batch.ts'

type Server = { host: string; port: number }

const LIMIT_BYTES = 10 * 1024 * 1024
/** As Neon's proxy keeps them (`sql_over_http_idle_timeout`): the first queries of a connection cost a tenth of a second. */
const IDLE_TIMEOUT_MS = 5 * 60_000

const message = (text: string, more: object = {}) => JSON.stringify({ message: text, ...more })

/** What Neon answers where it refuses a call by itself. The last one is Postgres's own, as Neon passes it on. */
export const neonRefusals: Readonly<Record<'413' | '507' | 'rate-limit' | '53300', Reply>> = {
  '413': [413, message(`request is too large (max is ${LIMIT_BYTES} bytes)`)],
  '507': [507, message(`response is too large (max is ${LIMIT_BYTES} bytes)`)],
  'rate-limit': [
    500,
    message('Too many connections to this endpoint. Please try again later.', { code: null }),
  ],
  '53300': [
    400,
    message('sorry, too many clients already', { code: '53300', severity: 'FATAL', detail: null }),
  ],
}

export type NeonOptions = {
  readonly postgres: Server
  /** Neon's limit for each database: a bucket of so many calls, of which as many leak in a second. Absent: no limit. */
  readonly callsPerSecondMax?: number | undefined
  /** Of each role to a database; further calls wait for one. Default 40. */
  readonly connectionsMax?: number | undefined
}

/**
 * A stand-in for Neon's SQL-over-HTTP proxy, in front of one PostgreSQL. Same protocol, same limits, same error shapes.
 * Its `url` is for `neonConfig.fetchEndpoint`.
 */
export async function startNeonGateway(
  { postgres, callsPerSecondMax, connectionsMax = 40 }: NeonOptions,
  between?: Between,
): Promise<Gateway> {
  const databases = new Map<string, Target>()
  const hasRoom = callsPerSecondMax === undefined ? () => true : leakyBuckets(callsPerSecondMax)
  const behind = { postgres, connectionsMax, databases, hasRoom }
  const gateway = await startGateway((request, response) => read(behind, request, response), between)
  return {
    ...gateway,
    url: `${gateway.url}/sql`,
    stop: async () => {
      await gateway.stop()
      await Promise.all([...databases.values()].map((target) => target.pool.end()))
    },
  }
}

type Target = { pool: pg.Pool; database: string; role: string }

type Behind = {
  postgres: Server
  connectionsMax: number
  databases: Map<string, Target>
  hasRoom: (database: string) => boolean
}

/** Counts the calls of each database; a call that finds its bucket full is not counted. */
export function leakyBuckets(callsPerSecondMax: number, nowMs = () => performance.now()) {
  const buckets = new Map<string, { calls: number; atMs: number }>()
  return (database: string): boolean => {
    const atMs = nowMs()
    const before = buckets.get(database) ?? { calls: 0, atMs }
    const leaked = ((atMs - before.atMs) * callsPerSecondMax) / 1000
    const calls = Math.max(0, before.calls - leaked)
    const fits = calls + 1 <= callsPerSecondMax
    buckets.set(database, { calls: fits ? calls + 1 : calls, atMs })
    return fits
  }
}

async function read(
  behind: Behind,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Work | undefined> {
  const refuseWith = (...reply: Reply) => {
    answer(response, ...reply)
    return undefined
  }
  const refuse = (status: number, text: string) => refuseWith(status, message(text))
  if (request.method !== 'POST' || request.url !== '/sql') return refuse(404, 'not found')
  const body = await readBody(request, LIMIT_BYTES)
  if (body === undefined) return refuseWith(...neonRefusals['413'])
  const target = targetOf(behind, request.headers)
  if (!target) return refuse(400, 'missing or malformed Neon-Connection-String')
  if (!behind.hasRoom(target.database)) return refuseWith(...neonRefusals['rate-limit'])
  const batch = batchOf(body, request.headers)
  if (!batch) return refuse(400, 'malformed request body')
  return {
    database: target.database,
    role: target.role,
    statements: batch.statements.map((statement) => statement.query),
    execute: () => execute(target, batch),
    serve: () => serve(behind.postgres, target, batch, response),
  }
}

type Batch = { statements: Statement[]; options: BatchOptions }

/** A client that disconnects cancels its query, as at Neon. */
async function serve(
  postgres: Server,
  target: Target,
  batch: Batch,
  response: ServerResponse,
): Promise<Reply> {
  const running: Running = { abandoned: false }
  response.once('close', () => {
    if (!response.writableFinished) abandon(running, postgres)
  })
  const reply = await execute(target, batch, running)
  answer(response, ...reply)
  return reply
}

/** The outcome as Neon would answer it. */
async function execute(target: Target, batch: Batch, running?: Running): Promise<Reply> {
  const { statements, options } = batch
  try {
    const results = await runBatch(target.pool, statements, options, running ?? { abandoned: false })
    const parts = results.map((result) => resultJson(result, options.arrayMode))
    const body = options.transaction ? `{"results":[${parts.join(',')}]}` : (parts[0] ?? '{}')
    if (Buffer.byteLength(body) > LIMIT_BYTES) return neonRefusals['507']
    return [200, body]
  } catch (cause) {
    if (isPostgresError(cause)) return [400, errorJson(cause)]
    return [500, message(`Couldn't connect to compute node: ${reasonOf(cause)}`, { code: null })]
  }
}

function targetOf(behind: Behind, headers: IncomingHttpHeaders): Target | undefined {
  const { postgres, connectionsMax, databases } = behind
  const connectionString = headers['neon-connection-string']
  if (typeof connectionString !== 'string') return undefined
  const known = databases.get(connectionString)
  if (known) return known
  if (!URL.canParse(connectionString)) return undefined
  const url = new URL(connectionString)
  const name = decodeURIComponent(url.pathname.slice(1))
  const role = decodeURIComponent(url.username)
  const pool = new pg.Pool({
    ...postgres,
    user: role,
    password: decodeURIComponent(url.password),
    database: name,
    application_name: 'neon-gateway',
    pipeline: true,
    max: connectionsMax,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    allowExitOnIdle: true,
  })
  pool.on('error', () => {})
  // When the server ends a connection in use, the running query reports it.
  pool.on('connect', (client) => client.on('error', () => {}))
  const target = { pool, role, database: name.replace(/^spindle_/, '') }
  databases.set(connectionString, target)
  return target
}

function batchOf(body: string, headers: IncomingHttpHeaders): Batch | undefined {
  let parsed: { query?: unknown; params?: unknown[]; queries?: { query: string; params?: unknown[] }[] }
  try {
    parsed = JSON.parse(body)
  } catch {
    return undefined
  }
  const transaction = Array.isArray(parsed?.queries)
  const queries = transaction ? (parsed.queries ?? []) : [parsed]
  if (!queries.every((one) => typeof one?.query === 'string')) return undefined
  return {
    statements: queries.map((one) => ({ query: one.query as string, params: one.params ?? [] })),
    options: {
      transaction,
      readOnly: headers['neon-batch-read-only'] === 'true',
      arrayMode: headers['neon-array-mode'] === 'true',
    },
  }
}
