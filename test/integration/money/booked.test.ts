import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { newWorld, take } from './world.ts'

const sql = adminSql('sandbox')

/* When a journal is booked: by the database, so that a moment that has passed is complete once its transactions are. */

test('an activity is booked with its journal, whatever time its Worker gave', async () => {
  const world = await newWorld()
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 90_000, months: 1 })
  await take(world, { kind: 'clock', hours: 168 })
  const activity = await sql<{ same: boolean; ordered: boolean }>(
    `select (a.commit_order, a.booked_at) = (j.commit_order, j.booked_at) as same, a.commit_order > 0 as ordered
     from balance_activity a join ledger_journals j using (tenant_id, id) where a.tenant_id = $1`,
    [world.merchant.tenantId],
  )
  expect(activity).toEqual([{ same: true, ordered: true }])
})

test('a journal of a transaction that is still open lies below the number of every transaction after it', async () => {
  const { tenantId } = await newMerchant()
  const client = new Client(stack.databases.sandbox.adminUrl)
  await client.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query(
      `insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at, commit_order,
         booked_at)
       values ($1, $2, 'payment', $2, 'capture', 'mxn', '2020-01-01', 1, '2020-01-01')
       returning commit_order::text, booked_at > now() - interval '1 hour' as now`,
      [tenantId, randomUUID()],
    )
    const order = BigInt(rows[0].commit_order)
    expect(rows[0].now).toBe(true)
    const moment = async () => {
      const [read] = await sql<{ next: string; horizon: string }>(
        `select door.commit_order(pg_current_xact_id())::text as next,
           door.events_horizon()::text as horizon`,
      )
      return { next: BigInt(read!.next), horizon: BigInt(read!.horizon) }
    }
    const { next, horizon } = await moment()
    expect(order).toBeLessThan(next)
    expect(horizon).toBeLessThanOrEqual(order)
    await client.query('rollback')
    await expect.poll(async () => (await moment()).horizon).toBeGreaterThan(order)
  } finally {
    await client.end()
  }
})
