import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newMerchant } from '../../support/merchant.ts'
import { adminSql, trigger, workerCall } from '../../support/stack.ts'

const sql = adminSql('sandbox')

/** A row of each table that is swept, long after its time. */
async function old(tenantId: string): Promise<void> {
  await sql(
    `insert into insight_hours (tenant_id, id, begins_at, payments_count) values ($1, $2, date_trunc('hour', now() - interval '71 days', 'UTC'), 1)`,
    [tenantId, randomUUID()],
  )
  await sql(
    `insert into due_failures (job, tenant_id, id, failures_count, next_try_at) values ('claims', $1, $2, 1, now() - interval '2 days')`,
    [tenantId, randomUUID()],
  )
}

const left = async (tenantId: string) =>
  (
    await sql<{ hours: number; failures: number }>(
      `select (select count(*)::int from insight_hours where tenant_id = $1) as hours,
         (select count(*)::int from due_failures where tenant_id = $1) as failures`,
      [tenantId],
    )
  )[0]

test('what is over is swept, as the Worker calls it', async () => {
  const { tenantId } = await newMerchant()
  await old(tenantId)
  const waiting = (await workerCall('door.waiting_jobs(timestamptz)', [new Date().toISOString()]))!
  expect(JSON.parse(waiting)).toContain('claims')
  await expect.poll(() => trigger('sandbox').then(() => left(tenantId))).toEqual({ hours: 0, failures: 0 })
})
