import pg from 'pg'
import { expect } from 'vitest'
import type { Merchant } from './merchant.ts'
import { adminSql, stack } from './stack.ts'

/** How many sessions of the sandbox's database wait for one, by a lock of its own or behind another that waits for it. */
export const waitingBehind = async (pid: number): Promise<number> =>
  (
    await adminSql('sandbox')(
      `with recursive held (pid) as (
         select $1::int union select a.pid from held h join pg_stat_activity a on h.pid = any (pg_blocking_pids(a.pid)))
       select pid from held where pid <> $1`,
      [pid],
    )
  ).length

/**
 * Begins `first`, holds its publish back just before its commit, begins `next` meanwhile, and lets both go on once `next`
 * waits too, for `first` or at the same place. Both must publish something of this workspace.
 */
export async function overtaking<First, Next>(
  { tenantId }: Pick<Merchant, 'tenantId'>,
  first: () => Promise<First>,
  next: () => Promise<Next>,
): Promise<[First, Next]> {
  const gate = new pg.Client({ connectionString: stack.databases.sandbox.adminUrl })
  await gate.connect()
  try {
    await gate.query('begin')
    const { rows } = await gate.query<{ pid: number }>(
      'select pg_backend_pid() as pid from audit_heads where tenant_id = $1 for update',
      [tenantId],
    )
    const waiting = () => waitingBehind(rows[0]!.pid)
    const begun = first()
    await expect.poll(waiting, { interval: 10 }).toBeGreaterThan(0)
    const follows = next()
    await expect.poll(waiting, { interval: 10 }).toBeGreaterThan(1)
    await gate.query('commit')
    return await Promise.all([begun, follows])
  } finally {
    await gate.end()
  }
}
