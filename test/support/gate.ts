import { expect } from 'vitest'
import type { Merchant } from './merchant.ts'
import { Client } from './postgres.ts'
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
  const gate = new Client({ connectionString: stack.databases.sandbox.adminUrl })
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

/** Changes rows in a transaction that stays open until `work` waits for it, and answers what `work` does. */
export async function behindChange<Result>(
  change: string,
  values: readonly unknown[],
  work: () => Promise<Result>,
): Promise<Result> {
  const changing = new Client({ connectionString: stack.databases.sandbox.adminUrl })
  await changing.connect()
  try {
    await changing.query('begin')
    await changing.query(change, [...values])
    const { rows } = await changing.query<{ pid: number }>('select pg_backend_pid() as pid')
    let isOver = false
    const begun = work().finally(() => {
      isOver = true
    })
    const waits = async () => (await waitingBehind(rows[0]!.pid)) > 0
    await expect.poll(async () => isOver || (await waits()), { interval: 10 }).toBe(true)
    expect(isOver, 'waits for the change').toBe(false)
    await changing.query('commit')
    return await begun
  } finally {
    await changing.end()
  }
}
