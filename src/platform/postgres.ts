import {
  type CustomTypesConfig,
  NeonDbError,
  type NeonQueryFunction,
  neon,
  neonConfig,
} from '@neondatabase/serverless'
import type { Settings } from '../env/settings.ts'
import { Fault } from '../kernel/fault.ts'
import type { EventDraft, Journal, Write } from '../kernel/plan.ts'
import { type BoundQuery, namesOf } from './query.ts'

/** Who asks the database for something: src/http/access makes these. What each kind may do is in door_operations. */
export type Credential = { readonly kind: string } & Readonly<
  Record<string, string | Readonly<Record<string, string>>>
>

export interface Principal {
  readonly kind: string
  readonly tenantId: string
  readonly actorId: string
  readonly role?: string
  /** Of an API key. */
  readonly scopes?: readonly string[]
}

/** What a publish answers: the caller, and the rows that `expect` relied on, values as text by column name. */
export interface Published extends Principal {
  readonly expected: readonly Readonly<Record<string, string | null>>[]
  /** Webhook endpoints for which this publish made deliveries. */
  readonly woken?: readonly string[] | null
}

/** An Idempotency-Key and the reply that it stands for. */
export interface Claim {
  /** Its digest under each version of the secret, the oldest first: the claim is written under all of them. */
  readonly keys: readonly string[]
  readonly fingerprint: string
  readonly status: number
  /** The reply as it will be sent. */
  readonly body: string
  /** In characters. A replay omits a longer body: the Worker reads it from Redis. Without a bound it omits none. */
  readonly bodyLengthMax?: number
}

export interface Publication {
  readonly operation: string
  readonly credential: Credential
  readonly publishId: string
  readonly requestId: string
  readonly now: Date
  readonly claim?: Claim
  readonly stepUp?: Readonly<Record<string, string | readonly string[]>>
  /** The plan refused: publish nothing, only check whether the claim's key is free. */
  readonly refused?: boolean
  /** Everything is done and undone: only to learn whether it would be refused. */
  readonly rehearsed?: boolean
  readonly subjectId?: string
  readonly writes: readonly Write[]
  readonly events: readonly EventDraft[]
}

/** The database's definite no: one of the door's SQLSTATEs, or the name of the constraint that refused. */
export class Refused extends Error {
  readonly sqlState: string
  readonly reason: string
  readonly detail: Readonly<Record<string, unknown>>
  readonly constraint: string | null
  /** This was the second try of a publication whose first outcome is unknown. */
  readonly retried: boolean

  constructor(said: Pick<Refused, 'sqlState' | 'reason' | 'detail' | 'constraint' | 'retried'>) {
    super(`refused by the database: ${said.sqlState} ${said.constraint ?? said.reason}`)
    this.sqlState = said.sqlState
    this.reason = said.reason
    this.detail = said.detail
    this.constraint = said.constraint
    this.retried = said.retried
  }
}

/** The publish broke this constraint, or a trigger raised its name. */
export const isRefusedBy = (error: unknown, constraint: string): boolean =>
  error instanceof Refused && error.constraint === constraint

/** The database or a processor did not answer, so the outcome is unknown. The same call may be repeated. */
export class OutcomeUnknown extends Error {
  readonly code = 'outcome_unknown'
}

/** Neon's proxy refused the size of a call, which did nothing, or of what a read found. It would refuse it again. */
export class TooLarge extends Error {
  /** The log names it. */
  readonly code: 'database_call_too_large' | 'database_rows_too_large'

  constructor(code: TooLarge['code'], cause: unknown) {
    super(code, { cause })
    this.code = code
  }
}

export interface Database {
  /** Authorizes, pins the tenant and runs the queries, in one transaction and one round trip. */
  read<Rows extends readonly unknown[]>(
    operation: string,
    credential: Credential,
    queries: Queries<Rows>,
    /** The Idempotency-Key of the change that this read prepares: refused as a replay if it has had its effect. */
    claim?: Omit<Claim, 'body'>,
  ): Promise<Reading<Rows>>
  /** Publishes in one transaction and one round trip; sent once more, after a moment, when the outcome was unknown. */
  publish(publication: Publication): Promise<Published>
  due(job: string, now: Date, limit: number): Promise<readonly { tenantId: string; id: string }[]>
  sweep(now: Date, limit: number): Promise<void>
  /** Calls a function that crosses tenants, or one of the sandbox's simulator; only the Worker has the proof. */
  call(signature: Signature, values: readonly (string | number | boolean | null)[]): Promise<string | null>
}

/** Such as `door.owner_of(text,uuid)`: each value is cast to the type named here. */
export type Signature = `${'door' | 'simulator'}.${string}(${string})`

/** The queries of one round trip, by the rows that each gives. */
export type Queries<Rows extends readonly unknown[]> = readonly [
  ...{ readonly [At in keyof Rows]: BoundQuery<Rows[At]> },
]
export type RowsOf<Rows extends readonly unknown[]> = { readonly [At in keyof Rows]: Rows[At][] }

export interface Reading<Rows extends readonly unknown[] = readonly unknown[]> {
  readonly principal: Principal
  readonly rows: RowsOf<Rows>
}

const noSuchFunction = '42883'

type Sql = NeonQueryFunction<true, true>
type Cells = readonly (readonly (string | null)[])[]

// Cells stay as Postgres prints them; each query decodes its own columns.
const asPrinted: CustomTypesConfig = { getTypeParser: () => (text: string) => text }
const options = { arrayMode: true, fullResults: true, types: asPrinted } as const
const authorize = 'select door.authorize($1::jsonb, $2)'
const enter = 'select door.enter($1::jsonb, $2, $3::jsonb)'
const publishDoor = 'select door.publish($1::jsonb)'

/** The environment's database, over the Neon driver. One per isolate. */
export function database(settings: Settings): Database {
  const sql = connect(settings, settings.databaseUrl)
  // Sent with every credential but an API key, whose digest is its own proof.
  const proof = settings.doorSecrets.byVersion[settings.doorSecrets.current]!
  // While a version is deployed, the database may not have its functions yet, or no longer the former ones.
  let arePlanned = true
  const proven = (credential: Credential) =>
    credential.kind === 'api_key' ? credential : { ...credential, proof }
  const call: Database['call'] = async (signature, values) => {
    const text = `select door.call($1, '${callOf(signature)}', $2::jsonb)`
    return cellOf(await sendTwice(() => sql.query(text, [proof, JSON.stringify(values)], options)))
  }
  return {
    call,
    async read<Rows extends readonly unknown[]>(
      operation: string,
      credential: Credential,
      queries: Queries<Rows>,
      claim?: Omit<Claim, 'body'>,
    ) {
      const values = [JSON.stringify(proven(credential)), operation]
      const send = () =>
        sendTwice(
          () =>
            sql.transaction(
              [
                claim
                  ? sql.query(enter, [...values, JSON.stringify(claim)], options)
                  : sql.query(authorize, values, options),
                ...queries.map(({ text, planned, values }) =>
                  sql.query((arePlanned && planned) || text, values as unknown[], options),
                ),
              ],
              { ...options, readOnly: true },
            ),
          true,
        )
      const [principal, ...results] = await send().catch((error) => {
        if (!(error instanceof Refused) || error.sqlState !== noSuchFunction) throw error
        arePlanned = false
        return send()
      })
      return {
        principal: JSON.parse(cellOf(principal!)!) as Principal,
        rows: results.map((result, at) => queries[at]!.rows(result.rows as unknown as Cells)) as RowsOf<Rows>,
      }
    },
    async publish(publication) {
      const payload = JSON.stringify({
        ...payloadOf(publication),
        credential: proven(publication.credential),
      })
      try {
        const result = await sendTwice(() => sql.query(publishDoor, [payload], options))
        return JSON.parse(cellOf(result)!) as Published
      } catch (error) {
        // Sent twice and refused for a row that only this publish could have written: the first try did commit.
        if (error instanceof Refused && error.retried && error.constraint?.endsWith('_pk'))
          return { kind: publication.credential.kind, tenantId: '', actorId: '', expected: [] }
        throw error
      }
    },
    async due(job, now, limit) {
      const found = await call('door.due(text,timestamptz,int)', [job, now.toISOString(), limit])
      return JSON.parse(found!) as { tenantId: string; id: string }[]
    },
    async sweep(now, limit) {
      await call('door.sweep(timestamptz,int)', [now.toISOString(), limit])
    },
  }
}

/** Plain SQL by column name over the identity database: one HTTP round trip a call. */
export function identitySql(settings: Settings) {
  const sql = connect(settings, settings.identityDatabaseUrl)
  return async (text: string, values: readonly unknown[]): Promise<readonly Record<string, unknown>[]> => {
    const result = await classified(
      () => sql.query(text, values as unknown[], { arrayMode: false, fullResults: true }),
      {},
    )
    return result.rows as unknown as Record<string, unknown>[]
  }
}

function connect(settings: Settings, url: string): Sql {
  if (settings.neonFetchEndpoint) neonConfig.fetchEndpoint = settings.neonFetchEndpoint
  neonConfig.fetchFunction = (input: string, init: RequestInit) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(settings.databaseTimeoutMs) })
  return neon(url, { arrayMode: true, fullResults: true })
}

/**
 * How long a second try waits, at random: long enough for a limit of calls per second to have room again, and what failed
 * together does not come again together.
 */
const waitMs = { min: 50, max: 500 }

/** Sends once more, unchanged, when the outcome is unknown: every call through here is safe to repeat. */
async function sendTwice<T>(send: () => PromiseLike<T>, reads = false): Promise<T> {
  try {
    return await classified(send, { reads })
  } catch (error) {
    if (!(error instanceof OutcomeUnknown) || (reads && wasStopped(error))) throw error
    const wait = waitMs.min + Math.random() * (waitMs.max - waitMs.min)
    await new Promise((over) => setTimeout(over, wait))
    return classified(send, { reads, retried: true })
  }
}

/** A read that Postgres stopped at its time limit would only be stopped again. */
const wasStopped = ({ cause }: OutcomeUnknown): boolean =>
  cause instanceof NeonDbError && cause.code === '57014'

async function classified<T>(
  send: () => PromiseLike<T>,
  { reads = false, retried = false }: { readonly reads?: boolean; readonly retried?: boolean },
): Promise<T> {
  try {
    return await send()
  } catch (error) {
    const code = error instanceof NeonDbError ? error.code : undefined
    if (isStatus(error, 413)) throw new TooLarge('database_call_too_large', error)
    // A change may be committed all the same: its second try says.
    if (reads && isStatus(error, 507)) throw new TooLarge('database_rows_too_large', error)
    // 28: the password or DOOR_SECRETS is being changed, so a retry may succeed. 57: server shutdown or time-out.
    // 55P03: lock. 53: no connection is free. 58 and XX: an error of the server itself. No code: the proxy or the network;
    // Neon answers 500 without one over its limit of calls per endpoint.
    if (!code || /^(08|28|57|58|XX|40003|53|55P03|25006)/.test(code))
      throw new OutcomeUnknown('the database did not say', { cause: error })
    const { detail, constraint, message } = error as NeonDbError
    const parsed = parseDetail(detail)
    const reason = String(parsed.reason ?? message)
    throw new Refused({ sqlState: code, reason, detail: parsed, constraint: constraint ?? null, retried })
  }
}

/** The driver names a status other than 400 in its message alone. */
const isStatus = (error: unknown, status: number): boolean =>
  error instanceof NeonDbError && error.message.startsWith(`Server error (HTTP status ${status})`)

function parseDetail(detail: string | undefined): Record<string, unknown> {
  if (!detail?.startsWith('{')) return {}
  return JSON.parse(detail) as Record<string, unknown>
}

/** `door.owner_of(text,uuid)` as door.call takes it: each value by its index in the list, cast to its type. */
export const callOf = (signature: Signature): string => {
  const [name, types] = signature.slice(0, -1).split('(') as [string, string]
  const values = types === '' ? [] : types.split(',').map((type, at) => `($1->>${at})::${type}`)
  return `${name}(${values.join(', ')})`
}

const cellOf = (result: { rows: unknown }): string | null => (result.rows as Cells)[0]?.[0] ?? null

/** What door.publish takes. */
export function payloadOf(publication: Publication): object {
  return { ...publication, writes: publication.writes.map(writeOf), events: publication.events.map(eventOf) }
}

function eventOf({ counted, ...event }: EventDraft): object {
  if (!counted) return event
  const names = namesOf(counted.table)
  const fields = Object.entries(counted.fields).map(([field, { column, delta, before, whole }]) => [
    field,
    {
      column: names.columns[column],
      delta: delta?.toString() ?? null,
      before,
      ...(whole ? { whole: names.columns[whole] } : {}),
    },
  ])
  return { ...event, counted: { table: names.table, id: counted.id, fields: Object.fromEntries(fields) } }
}

function writeOf(write: Write): object {
  if (write.kind === 'post') return { ...journalOf(write), kind: 'post', table: 'ledger_journals' }
  if (write.kind === 'postEach')
    return { kind: 'postEach', table: 'ledger_journals', journals: write.journals.map(journalOf) }
  const { table, columns } = namesOf(write.table)
  switch (write.kind) {
    case 'insert':
      return { ...write, table, rows: write.rows.map((row) => renamed(row, columns)) }
    case 'change':
    case 'changeEach':
      return { ...write, table, set: renamed(write.set, columns) }
    case 'adjust':
      return { ...write, table, deltas: renamed(write.deltas, columns) }
    case 'expect': {
      const unexpired = write.unexpired === null ? null : columns[write.unexpired]
      return { ...write, table, where: renamed(write.where, columns), unexpired }
    }
  }
}

const journalOf = ({ postings, leaves, ...journal }: Journal): object => ({
  ...journal,
  postings: postings.map(({ account, amountMinor }) => ({ account, amountMinor: amountMinor.toString() })),
  ...(leaves && { leaves: { ...leaves, balanceMinorMin: leaves.balanceMinorMin.toString() } }),
})

/** A row under the database's column names, its values as JSON carries them. */
function renamed(row: object, columns: Record<string, string>): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(row)) {
    const column = columns[key]
    if (column === undefined) throw new Fault('a plan names no column')
    if (value !== undefined) out[column] = typeof value === 'bigint' ? value.toString() : value
  }
  return out
}
