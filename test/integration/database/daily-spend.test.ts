import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

const add = (tenantId: string, kid: string, day: string, sumMinor: number, limitMinor = 100) =>
  adminSql('sandbox')(
    `insert into daily_spend (tenant_id, id, kid, kind, currency, day, sum_minor, limit_minor, updated_at)
     values ($1, $2, $3, 'transfers', 'mxn', $4, $5, $6, now())`,
    [tenantId, randomUUID(), kid, day, sumMinor, limitMinor],
  )

const kept = async (tenantId: string) =>
  (
    await adminSql('sandbox')<{ row: string }>(
      `select kid || ' ' || day || ' ' || sum_minor || '/' || limit_minor as row from daily_spend
       where tenant_id = $1 order by kid`,
      [tenantId],
    )
  ).map(({ row }) => row)

test('one row per key: a day adds up, the next begins at zero, and a late addition counts as of today', async () => {
  const { tenantId } = await newMerchant()
  const steps: [day: string, sum: number, kept: string][] = [
    ['2026-06-13', 60, 'a 2026-06-13 60/100'],
    ['2026-06-13', 40, 'a 2026-06-13 100/100'],
    ['2026-06-14', 30, 'a 2026-06-14 30/100'],
    ['2026-06-13', 50, 'a 2026-06-14 80/100'],
  ]
  for (const [day, sum, row] of steps) {
    await add(tenantId, 'a', day, sum)
    expect(await kept(tenantId)).toEqual([row])
  }
  await add(tenantId, 'b', '2026-06-14', 100)
  expect(await kept(tenantId)).toEqual(['a 2026-06-14 80/100', 'b 2026-06-14 100/100'])
})

test('the sum never exceeds the limit, even a lowered one', async () => {
  const { tenantId } = await newMerchant()
  const over = /daily_spend_within_limit/
  await expect(add(tenantId, 'a', '2026-06-13', 101)).rejects.toThrow(over)
  await add(tenantId, 'a', '2026-06-13', 60)
  await expect(add(tenantId, 'a', '2026-06-13', 41)).rejects.toThrow(over)
  await expect(add(tenantId, 'a', '2026-06-13', 1, 50)).rejects.toThrow(over)
  expect(await kept(tenantId)).toEqual(['a 2026-06-13 60/100'])
})

test('50 first additions at once: one row, and as many as fit', async () => {
  const { tenantId } = await newMerchant()
  const added = await Promise.allSettled(
    Array.from({ length: 50 }, () => add(tenantId, 'a', '2026-06-13', 3)),
  )
  const refused = added.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(refused).toHaveLength(17)
  for (const reason of refused) expect(reason).toMatch(/daily_spend_within_limit/)
  expect(await kept(tenantId)).toEqual(['a 2026-06-13 99/100'])
})
