import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { ControlledStack } from '../test/support/gateways/stack.ts'

/** What one request costs the database. */
export type Touched = {
  what: string
  requests: number
  /** HTTP calls that reached the gateway, and the statements in them. */
  calls: number
  statements: number
  /** Rows of our tables and of the simulated processor's, as pg_stat counts them; read means found by an index. */
  inserted: number
  updated: number
  read: number
  /** What Postgres wrote to its log, and by how much its tables and indexes grew. */
  walBytes: number
  storedBytes: number
  /** Tables that were scanned, and how many of their rows per request. */
  scanned: Record<string, number>
}

type Table = { table: string; inserted: number; updated: number; read: number; scanned: number }

const QUIET_MS = 50

/** Waits until the gateway has been idle for a moment: background work after the replies has ended. */
export async function quiet({ neon }: ControlledStack): Promise<number> {
  let since = performance.now()
  for (;;) {
    if (neon.log.since(0).some(({ finishedAtMs }) => finishedAtMs === undefined)) since = performance.now()
    if (performance.now() - since >= QUIET_MS) return since
    await delay(5)
  }
}

/** Runs `work`, which answers how many requests it sent, and counts what Postgres did for each of them. */
export async function touched(
  stack: ControlledStack,
  what: string,
  work: () => Promise<number>,
): Promise<Touched> {
  const before = await tables(stack)
  const written = await writtenBy(stack)
  const [{ sequence } = { sequence: 0 }] = stack.neon.log.since(0).slice(-1)
  const requests = await work()
  await quiet(stack)
  const calls = stack.neon.log.since(sequence).filter(({ database }) => database === 'sandbox')
  const after = await tables(stack)
  const now = await writtenBy(stack)
  const each = (pick: (table: Table) => number) =>
    [...after].reduce((sum, [name, table]) => sum + pick(table) - pick(before.get(name)!), 0) / requests
  const scanned = [...after]
    .map(([name, table]) => [name, (table.scanned - before.get(name)!.scanned) / requests] as const)
    .filter(([, rows]) => rows > 0.5)
  return {
    what,
    requests,
    calls: calls.length / requests,
    statements: calls.reduce((sum, { statements }) => sum + statements.length, 0) / requests,
    inserted: each(({ inserted }) => inserted),
    updated: each(({ updated }) => updated),
    read: each(({ read }) => read),
    walBytes: (now.wal - written.wal) / requests,
    storedBytes: (now.stored - written.stored) / requests,
    scanned: Object.fromEntries(scanned),
  }
}

async function writtenBy({ postgres }: ControlledStack): Promise<{ wal: number; stored: number }> {
  const client = new pg.Client({ connectionString: postgres.adminUrl('sandbox') })
  await client.connect()
  try {
    const { rows } = await client.query<{ wal: string; stored: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal,
         (select sum(pg_total_relation_size(c.oid)) from pg_class c
          where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace) as stored`,
    )
    return { wal: Number(rows[0]!.wal), stored: Number(rows[0]!.stored) }
  } finally {
    await client.end()
  }
}

/** Backends report their counts when they end: ends the gateway's backends; it opens others. */
async function tables({ postgres }: ControlledStack): Promise<Map<string, Table>> {
  const client = new pg.Client({ connectionString: postgres.adminUrl('sandbox') })
  await client.connect()
  try {
    await client.query(
      `select pg_terminate_backend(pid, 1000) from pg_stat_activity where application_name = 'neon-gateway'`,
    )
    const { rows } = await client.query<Record<keyof Table, string>>(
      `select schemaname || '.' || relname as table, n_tup_ins as inserted, n_tup_upd as updated,
         coalesce(idx_tup_fetch, 0) as read, seq_tup_read as scanned
       from pg_stat_user_tables`,
    )
    return new Map(
      rows.map(({ table, inserted, updated, read, scanned }) => [
        table,
        {
          table,
          inserted: Number(inserted),
          updated: Number(updated),
          read: Number(read),
          scanned: Number(scanned),
        },
      ]),
    )
  } finally {
    await client.end()
  }
}
