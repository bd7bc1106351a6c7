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

/**
 * A stand-in for Neon's SQL-over-HTTP proxy, in front of one PostgreSQL. Same protocol, same limits, same error shapes.
 * Its `url` is for `neonConfig.fetchEndpoint`.
 */
export async function startNeonGateway(
  { postgres }: { postgres: Server },
  between?: Between,
): Promise<Gateway> {
  const databases = new Map<string, Target>()
  const behind = { postgres, databases }
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

type Behind = { postgres: Server; databases: Map<string, Target> }

async function read(
  behind: Behind,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Work | undefined> {
  const refuse = (status: number, message: string) => {
    answer(response, status, JSON.stringify({ message }))
    return undefined
  }
  if (request.method !== 'POST' || request.url !== '/sql') return refuse(404, 'not found')
  const body = await readBody(request, LIMIT_BYTES)
  if (body === undefined) return refuse(413, `request is too large (max is ${LIMIT_BYTES} bytes)`)
  const target = targetOf(behind, request.headers)
  if (!target) return refuse(400, 'missing or malformed Neon-Connection-String')
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
    if (body.length > LIMIT_BYTES) return [507, '{"message":"response is too large (max is 10485760 bytes)"}']
    return [200, body]
  } catch (cause) {
    if (isPostgresError(cause)) return [400, errorJson(cause)]
    return [
      500,
      JSON.stringify({ message: `Couldn't connect to compute node: ${reasonOf(cause)}`, code: null }),
    ]
  }
}

function targetOf({ postgres, databases }: Behind, headers: IncomingHttpHeaders): Target | undefined {
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
    max: 40,
    idleTimeoutMillis: 60_000,
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
