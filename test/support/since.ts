import { createHash } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { StackAddresses } from './global-setup.ts'
import { Client } from './postgres.ts'

export type Environment = 'sandbox' | 'live'

/** The transaction at which this file begins. */
export const snapshotOf = async (stack: StackAddresses, environment: Environment): Promise<string> => {
  const [row] = await rowsOf<{ xmin: string }>(
    stack,
    environment,
    'select pg_snapshot_xmin(pg_current_snapshot())::text as xmin',
    [],
  )
  return row!.xmin
}

const pools = new Map<string, pg.Pool>()

/** Over a connection of its own, which files that share a stack keep; in other files tests may have killed it meanwhile. */
export async function rowsOf<Row extends pg.QueryResultRow>(
  stack: StackAddresses,
  environment: Environment,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const connectionString = stack.databases[environment].adminUrl
  let pool = pools.get(connectionString)
  if (!pool) {
    const idleTimeoutMillis = inject('isAlone') ? 1 : 0
    // Planning the rules of the books takes longer than they do.
    const options = '-c plan_cache_mode=force_generic_plan'
    pool = new pg.Pool({
      Client,
      connectionString,
      max: 1,
      idleTimeoutMillis,
      allowExitOnIdle: true,
      options,
    })
    pool.on('error', () => {})
    pools.set(connectionString, pool)
  }
  const name = createHash('sha256').update(text).digest('hex').slice(0, 60)
  return (await pool.query<Row>({ name, text, values })).rows
}
