import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { CallLog } from './call-log.ts'
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

export type NeonGatewayOptions = {
  postgres: { host: string; port: number }
  port?: number
  /** Connections kept per connection string. */
  poolSize?: number
  /** Whether a client that disconnects cancels its query, as at Neon. Default true. */
  cancelOnHangUp?: boolean
}

export type NeonGateway = {
  /** For `neonConfig.fetchEndpoint`. */
  url: string
  log: CallLog
  faults: Faults<NeonFaultMode>
  /** Added once to every HTTP call, before the work. */
  setLatencyMs(latencyMs: number): void
  stop(): Promise<void>
}

const LIMIT_BYTES = 10 * 1024 * 1024

/** A stand-in for Neon's SQL-over-HTTP proxy, in front of one PostgreSQL. Same protocol, same limits, same error shapes. */
export async function startNeonGateway(options: NeonGatewayOptions): Promise<NeonGateway> {
  const log = new CallLog()
  const faults = new Faults<NeonFaultMode>()
  const databases = new Map<string, Target>()
  const shared: Shared = { options, log, faults, databases, latencyMs: 0 }
  const server = await listenOnLoopback((request, response) => {
    serve(shared, request, response).catch((cause) =>
      answer(response, 500, JSON.stringify({ message: reasonOf(cause) })),
    )
  }, options.port)
  return {
    url: `http://127.0.0.1:${server.port}/sql`,
    log,
    faults,
    setLatencyMs: (latencyMs) => {
      shared.latencyMs = latencyMs
    },
    stop: async () => {
      await server.close()
      await Promise.all([...databases.values()].map((target) => target.pool.end()))
    },
  }
}

type Target = { pool: pg.Pool; database: string; role: string }

type Shared = {
  options: NeonGatewayOptions
  log: CallLog
  faults: Faults<NeonFaultMode>
  databases: Map<string, Target>
  latencyMs: number
}

async function serve(shared: Shared, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/sql')
    return answer(response, 404, '{"message":"not found"}')
  const body = await readBody(request, LIMIT_BYTES)
  if (body === undefined)
    return answer(response, 413, '{"message":"request is too large (max is 10485760 bytes)"}')
  const target = targetOf(shared, request.headers)
  if (!target) return answer(response, 400, '{"message":"missing or malformed Neon-Connection-String"}')
  const work = workOf(body, request.headers)
  if (!work) return answer(response, 400, '{"message":"malformed request body"}')

  const texts = work.statements.map((statement) => statement.query)
  const call = shared.log.begin(target.database, target.role, texts)
  try {
    if (shared.latencyMs > 0) await delay(shared.latencyMs)
    const fault = shared.faults.take(target.database, texts)
    if (fault) await misbehave(fault, target, work, response)
    else await behave(shared, target, work, response)
  } finally {
    shared.log.finish(call)
  }
}

type Work = { statements: Statement[]; options: BatchOptions }

async function behave(shared: Shared, target: Target, work: Work, response: ServerResponse): Promise<void> {
  const running: Running = { abandoned: false }
  if (shared.options.cancelOnHangUp !== false) {
    response.once('close', () => {
      if (!response.writableFinished) abandon(running, shared.options.postgres)
    })
  }
  const [status, body] = await execute(target, work, running)
  answer(response, status, body)
}

/** The outcome as Neon would answer it. */
async function execute(
  target: Target,
  work: Work,
  running?: Running,
): Promise<[status: number, body: string]> {
  const { statements, options } = work
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
  work: Work,
  response: ServerResponse,
): Promise<void> {
  switch (fault.mode) {
    case 'refuse':
    case 'reset-before-send':
      return cut(response)
    case 'reset-after-commit':
      await execute(target, work)
      return cut(response)
    case 'hang':
      await untilGone(response, fault.delayMs)
      return cut(response)
    case 'late-commit': {
      await untilGone(response, fault.delayMs)
      const [status, body] = await execute(target, work)
      return answer(response, status, body)
    }
    case 'truncated-json': {
      if (fault.executed === false) return answerHalf(response, '{"results":[{"command":"SELECT","rows":[[')
      const [, body] = await execute(target, work)
      return answerHalf(response, body)
    }
  }
  if (fault.executed) await execute(target, work)
  if (fault.mode === '5xx-html') return answer(response, 502, HTML_ERROR_PAGE, 'text/html')
  if (fault.mode === '507')
    return answer(response, 507, '{"message":"response is too large (max is 10485760 bytes)"}')
  answer(response, 400, '{"message":"Control plane request failed","code":null}')
}

function targetOf(shared: Shared, headers: IncomingHttpHeaders): Target | undefined {
  const connectionString = headers['neon-connection-string']
  if (typeof connectionString !== 'string') return undefined
  const known = shared.databases.get(connectionString)
  if (known) return known
  if (!URL.canParse(connectionString)) return undefined
  const url = new URL(connectionString)
  const name = decodeURIComponent(url.pathname.slice(1))
  const role = decodeURIComponent(url.username)
  const pool = new pg.Pool({
    ...shared.options.postgres,
    user: role,
    password: decodeURIComponent(url.password),
    database: name,
    application_name: 'neon-gateway',
    pipeline: true,
    max: shared.options.poolSize ?? 40,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
  })
  pool.on('error', () => {})
  // When the server ends a connection in use, the running query reports it.
  pool.on('connect', (client) => client.on('error', () => {}))
  const target = { pool, role, database: name.replace(/^spindle_/, '') }
  shared.databases.set(connectionString, target)
  return target
}

function workOf(body: string, headers: IncomingHttpHeaders): Work | undefined {
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
