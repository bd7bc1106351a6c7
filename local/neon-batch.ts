import { connect, type Socket } from 'node:net'
import type pg from 'pg'

export type Statement = { query: string; params: unknown[] }

export type BatchOptions = {
  /** Whether the statements run in one transaction; a single query commits by itself. */
  transaction: boolean
  readOnly: boolean
  arrayMode: boolean
}

/** What is needed to stop the work of a client that disconnects. */
export type Running = { abandoned: boolean; backend?: Backend; cancelling?: Promise<void> }

/** Undeclared properties of a pg client. */
type Backend = { processID: number; secretKey: number; connection: { stream: Socket } }

type Result = {
  command: string
  rowCount: number | null
  rows: unknown[]
  fields: pg.FieldDef[]
}

// The driver asks for all values as Postgres prints them.
const asPrinted = {
  getTypeParser: () => (value: string | Buffer) => value,
} as unknown as pg.CustomTypesConfig

/**
 * Runs the statements in order on one connection, each through the extended protocol with text parameters. A
 * transaction goes out in one piece, BEGIN and COMMIT included: after a refused statement Postgres refuses the rest and
 * turns the COMMIT into a rollback. So the outcome equals Neon's, which waits for each answer, for a fraction of the
 * work.
 * @param pool of connections with `pipeline` on
 * @throws the error of pg: with `code` when Postgres refused, without when the connection failed
 */
export async function runBatch(
  pool: pg.Pool,
  statements: readonly Statement[],
  options: BatchOptions,
  running: Running,
): Promise<Result[]> {
  const client = await pool.connect()
  const backend = client as unknown as Backend
  running.backend = backend
  let broken: Error | undefined
  try {
    if (running.abandoned) return []
    const { transaction } = options
    backend.connection.stream.cork() // pg writes each message by itself; five a statement
    const begun = transaction ? [client.query(options.readOnly ? 'BEGIN READ ONLY' : 'BEGIN')] : []
    const work = statements.map((statement) => runOne(client, statement, options))
    const ended = transaction ? [client.query('COMMIT')] : []
    backend.connection.stream.uncork()
    const outcomes = await Promise.allSettled([...begun, ...work, ...ended])
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
    return await Promise.all(work)
  } catch (cause) {
    // After a fatal error the server closes the connection: the pool must not reuse it.
    if (!isPostgresError(cause) || cause.severity === 'FATAL') broken = cause as Error
    throw cause
  } finally {
    delete running.backend
    // Released earlier, the connection's next query could be the one that the cancel hits.
    await running.cancelling
    client.release(broken)
  }
}

const CANCEL_REQUEST_CODE = 80_877_102

/** Stops the work: the statement under way is canceled (PostgreSQL's CancelRequest) and a transaction is rolled back. */
export function abandon(running: Running, postgres: { host: string; port: number }): void {
  running.abandoned = true
  const { backend } = running
  if (!backend) return
  const message = Buffer.alloc(16)
  for (const [index, value] of [16, CANCEL_REQUEST_CODE, backend.processID, backend.secretKey].entries()) {
    message.writeInt32BE(value, index * 4)
  }
  running.cancelling = new Promise((resolve) => {
    const socket = connect(postgres, () => socket.write(message))
    socket.once('close', () => resolve())
    socket.once('error', () => resolve())
    socket.resume()
  })
}

async function runOne(client: pg.PoolClient, statement: Statement, options: BatchOptions): Promise<Result> {
  const query = {
    text: statement.query,
    values: statement.params,
    types: asPrinted,
    queryMode: 'extended',
  }
  return options.arrayMode
    ? await client.query<unknown[]>({ ...query, rowMode: 'array' })
    : await client.query<Record<string, unknown>>(query)
}

/** One query's result in Neon's format. */
export function resultJson(result: Result, arrayMode: boolean): string {
  const { command, rowCount, rows, fields } = result
  return JSON.stringify({ command, fields, rowAsArray: arrayMode, rowCount, rows, viaNeonFetch: true })
}

export function isPostgresError(cause: unknown): cause is pg.DatabaseError {
  const code = cause instanceof Error ? (cause as { code?: unknown }).code : undefined
  return typeof code === 'string' && code.length === 5 && cause instanceof Error && 'severity' in cause
}

/** A Postgres error in Neon's format: its fields as pg names them. */
export const errorJson = (error: pg.DatabaseError): string =>
  JSON.stringify({ ...error, message: error.message })
