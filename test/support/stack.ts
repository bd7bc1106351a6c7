import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { isPostgresError } from '../../local/neon-batch.ts'
import { callOf, type Signature } from '../../src/platform/postgres.ts'
import { type Control, controlAt, type GatewayName, type Sequences } from './control.ts'
import type { Call } from './gateways/call-log.ts'
import type { FaultOrder } from './gateways/faults.ts'
import type { NeonFaultMode } from './gateways/neon.ts'
import type { RedisFaultMode } from './gateways/redis.ts'
import type { StackAddresses } from './global-setup.ts'
import { hostHere, inProcess } from './isolate.ts'
import { Client } from './postgres.ts'
import { isForMails, sequentialTrips } from './trips.ts'

/**
 * The stack of this file. How files share one:
 * - Each test makes a tenant of its own and looks only at that tenant's data; nothing is cleaned up.
 * - Counts, latency, faults, crashes, settings and `trigger` affect every test. A file that uses them is named
 *   `*.exclusive.test.ts` or lies in `test/faults/`: such files run after all others, as many at a time as there are
 *   stacks for them, each with one to itself. `*.timed.test.ts` measure time: they run last, with nothing beside them.
 *   `faults.…` with a `match` that only the file's own statements fit, and `trigger`, may be used anywhere.
 */
export const stack: StackAddresses = await stackOf(Number(process.env.VITEST_POOL_ID))

/** Asks again each minute: on a busy machine the stacks that start before it take longer than `fetch` waits for a reply. */
async function stackOf(worker: number): Promise<StackAddresses> {
  const url = `${inject('stacksUrl')}/${((worker - 1) % inject('stacksMax')) + 1}`
  let response: Response | undefined
  while (!response)
    response = await fetch(url, { signal: AbortSignal.timeout(60_000) }).catch((error: Error) => {
      if (error.name !== 'TimeoutError') throw error
      return undefined
    })
  const answered = (await response.json()) as StackAddresses & { error?: string }
  if (answered.error !== undefined) throw new Error(answered.error)
  return answered
}

const onStack = controlAt(stack.controlUrl)

const inProcessOrOnStack: Pick<Control, 'crash' | 'trigger' | 'reconfigure' | 'workerLines'> = {
  crash: (environment) => hostOf(environment)?.crash() ?? onStack.crash(environment),
  trigger: (environment, caller) => hostOf(environment)?.trigger() ?? onStack.trigger(environment, caller),
  reconfigure: (environment, settings) =>
    hostOf(environment)?.reconfigure(settings) ?? onStack.reconfigure(environment, settings),
  workerLines: async (environment) => hostOf(environment)?.lines ?? onStack.workerLines(environment),
}

/** Every request that the stack takes; the helpers below cover the common cases. */
export const control: Control = new Proxy(onStack, {
  get: (_, method: keyof Control) =>
    inProcessOrOnStack[method as keyof typeof inProcessOrOnStack] ?? onStack[method],
})

const hostOf = (environment: Environment) => (environment === 'sandbox' ? hostHere() : undefined)

/** Does `work` with the sandbox's Worker in this process; see isolate.ts. Only for exclusive files. */
export const withWorkerHere = async <T>(work: () => Promise<T>): Promise<T> =>
  inProcess(await onStack.upload('sandbox'), stack.sandbox.directUrl, work)

/** The bucket of the Worker in this process; undefined where workerd has its own. */
export const bucketHere = () => hostHere()?.bucket

export type Database = 'sandbox' | 'live' | 'identity'
type Role = 'adminUrl' | 'ownerUrl' | 'workerUrl'

const pools = new Map<string, pg.Pool>()
/** Else the first five runs of a statement are each planned. */
const keepsPlans = '-c plan_cache_mode=force_generic_plan'

function rowsAs(role: Role, database: Database) {
  return async <Row extends pg.QueryResultRow = Record<string, unknown>>(
    text: string,
    params: unknown[] = [],
  ) => {
    const url = stack.databases[database][role]
    // Planning the rules of the books takes longer than they do: one connection keeps the plan of each long statement.
    const name =
      text.length > 2_000 ? createHash('sha256').update(text).digest('hex').slice(0, 60) : undefined
    const key = `${url} ${name !== undefined}`
    let pool = pools.get(key)
    if (!pool) {
      // Files that share a stack keep their connections: each new one costs the server more than most queries.
      const idleTimeoutMillis = inject('isAlone') ? 10_000 : 0
      // As the Worker's role: a table that was small when another file analyzed it is not scanned for each row of a seed.
      const options = `-c enable_seqscan=off ${name ? keepsPlans : ''}`
      const max = name ? 1 : 4
      pool = new pg.Pool({
        Client,
        connectionString: url,
        max,
        idleTimeoutMillis,
        allowExitOnIdle: true,
        options,
      })
      pool.on('error', () => {}) // an idle connection that ends with its server
      pools.set(key, pool)
    }
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      return (await client.query<Row>({ text, values: params, ...(name && { name }) })).rows
    } catch (cause) {
      // What Postgres refuses ends no connection; the pool's own `query` would open another after each refusal.
      if (!isPostgresError(cause) || cause.severity === 'FATAL') broken = cause as Error
      throw cause
    } finally {
      client.release(broken)
    }
  }
}

/** Rows as the superuser sees them: past row-level security. */
export const adminSql = (database: Database) => rowsAs('adminUrl', database)
/** Rows as the owner of the tables sees them: under forced row-level security. */
export const ownerSql = (database: Database) => rowsAs('ownerUrl', database)
/** Rows as the Workers' own role sees them. */
export const workerSql = (database: Database) => rowsAs('workerUrl', database)

type Environment = 'sandbox' | 'live'

/** What the Worker adds to the queries that it sends. */
export const proofOf = (environment: Environment): string =>
  (JSON.parse(stack[environment].doorSecrets) as Record<string, string>)['1']!

/** Calls a function behind door.call as the Worker does. */
export const workerCall = async (
  signature: Signature,
  values: readonly unknown[],
): Promise<string | null> => {
  const text = `select door.call($1, '${callOf(signature)}', $2::jsonb) as answer`
  const [row] = await workerSql('sandbox')<{ answer: string | null }>(text, [
    proofOf('sandbox'),
    JSON.stringify(values),
  ])
  return row!.answer
}

/** Pins a tenant of the sandbox for the open transaction, as the Worker does for scheduled work. */
export const pin = (worker: pg.ClientBase, tenantId: string) =>
  worker.query('select door.authorize($1::jsonb, $2)', [
    JSON.stringify({ kind: 'system', tenantId, proof: proofOf('sandbox') }),
    'payments.settle',
  ])

/** Only for exclusive files: the calls that reach the gateways. */
export const counts = {
  start: (): Promise<Sequences> => control.sequences(),
  since: (start: Sequences): Promise<Record<GatewayName, Call[]>> => control.callsSince(start),
  /** Runs `work` and returns its result with the calls that were made meanwhile. */
  async during<T>(
    work: () => Promise<T>,
  ): Promise<{ result: T; calls: Record<GatewayName, Call[]>; trips: number }> {
    const start = await control.sequences()
    const result = await work()
    const endedAtMs = performance.timeOrigin + performance.now()
    const { neon, redis } = await control.callsSince(start)
    const calls = { neon: neon.filter((each) => !isForMails(each)), redis }
    return { result, calls, trips: sequentialTrips([...calls.neon, ...calls.redis], endedAtMs) }
  },
}

type Injected = { hits(): Promise<number>; hit(times?: number): Promise<void>; withdraw(): Promise<void> }

/** Far longer than any call takes: a request that ended without it would leave its test waiting. */
const missingMs = 90_000

const missing = async (gateway: GatewayName): Promise<void> => {
  await delay(missingMs, undefined, { ref: false })
  throw new Error(`no call to ${gateway} matched the fault within ${missingMs} ms`)
}

function injected(gateway: GatewayName, id: number): Injected {
  return {
    hits: () => control.hits(gateway, id),
    hit: (times = 1) => Promise.race([control.hit(gateway, id, times), missing(gateway)]),
    withdraw: () => control.withdraw(gateway, id),
  }
}

export const faults = {
  neon: async (order: FaultOrder<NeonFaultMode>): Promise<Injected> =>
    injected('neon', await control.injectNeon(order)),
  redis: async (order: FaultOrder<RedisFaultMode>): Promise<Injected> =>
    injected('redis', await control.injectRedis(order)),
  clear: (): Promise<void> => control.clearFaults(),
}

export const latency = {
  /** Milliseconds added once to every call. Set both to 0 afterwards. */
  set: async ({ neonMs = 0, redisMs = 0 }: { neonMs?: number; redisMs?: number }): Promise<void> => {
    await control.setLatency('neon', neonMs)
    await control.setLatency('redis', redisMs)
  },
}

/** Runs the scheduled work (reconcilers, sweeps) of one environment once, for all tenants. Files take turns. */
export const trigger = (environment: 'sandbox' | 'live'): Promise<void> =>
  control.trigger(environment, process.env.VITEST_POOL_ID)
