import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import pg from 'pg'
import { reasonOf } from './errors.ts'
import type { FaultOrder } from './faults.ts'
import { type Gateway, startGateway, type Work } from './gateway.ts'
import { answer, answerHalf, cut, HTML_ERROR_PAGE, readBody, untilGone } from './gateway-server.ts'
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

/**
 * refuse, reset-before-send: the connection is cut, nothing ran · reset-after-commit: it ran and committed, then the
 * connection is cut · hang: nothing runs and nothing is answered · late-commit: it runs and commits after the client gave
 * up (or after `delayMs`) · 5xx-html, 400-without-sqlstate, 507: that answer; nothing ran unless `executed` ·
 * truncated-json: it ran unless `executed: false`, and half the answer arrives.
 */
export type NeonFaultMode =
  | 'refuse'
  | 'reset-before-send'
  | 'reset-after-commit'
  | 'hang'
  | 'late-commit'
  | '5xx-html'
  | '400-without-sqlstate'
  | '507'
  | 'truncated-json'

type Server = { host: string; port: number }

/** Its `url` is for `neonConfig.fetchEndpoint`. */
export type NeonGateway = Gateway<NeonFaultMode>

const LIMIT_BYTES = 10 * 1024 * 1024

/** A stand-in for Neon's SQL-over-HTTP proxy, in front of one PostgreSQL. Same protocol, same limits, same error shapes. */
export async function startNeonGateway({ postgres }: { postgres: Server }): Promise<NeonGateway> {
  const databases = new Map<string, Target>()
  const gateway = await startGateway((request, response) => read({ postgres, databases }, request, response))
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
): Promise<Work<NeonFaultMode> | undefined> {
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
    behave: () => behave(behind.postgres, target, batch, response),
    misbehave: (fault) => misbehave(fault, target, batch, response),
  }
}

type Batch = { statements: Statement[]; options: BatchOptions }

/** A client that disconnects cancels its query, as at Neon. */
async function behave(
  postgres: Server,
  target: Target,
  batch: Batch,
  response: ServerResponse,
): Promise<void> {
  const running: Running = { abandoned: false }
  response.once('close', () => {
    if (!response.writableFinished) abandon(running, postgres)
  })
  const [status, body] = await execute(target, batch, running)
  answer(response, status, body)
}

/** The outcome as Neon would answer it. */
async function execute(
  target: Target,
  batch: Batch,
  running?: Running,
): Promise<[status: number, body: string]> {
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

async function misbehave(
  fault: FaultOrder<NeonFaultMode>,
  target: Target,
  batch: Batch,
  response: ServerResponse,
): Promise<void> {
  switch (fault.mode) {
    case 'refuse':
    case 'reset-before-send':
      return cut(response)
    case 'reset-after-commit':
      await execute(target, batch)
      return cut(response)
    case 'hang':
      await untilGone(response, fault.delayMs)
      return cut(response)
    case 'late-commit': {
      await untilGone(response, fault.delayMs)
      const [status, body] = await execute(target, batch)
      return answer(response, status, body)
    }
    case 'truncated-json': {
      if (fault.executed === false) return answerHalf(response, '{"results":[{"command":"SELECT","rows":[[')
      const [, body] = await execute(target, batch)
      return answerHalf(response, body)
    }
  }
  if (fault.executed) await execute(target, batch)
  if (fault.mode === '5xx-html') return answer(response, 502, HTML_ERROR_PAGE, 'text/html')
  if (fault.mode === '507')
    return answer(response, 507, '{"message":"response is too large (max is 10485760 bytes)"}')
  answer(response, 400, '{"message":"Control plane request failed","code":null}')
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
