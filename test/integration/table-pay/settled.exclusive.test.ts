import { expect, test } from 'vitest'
import { overtaking } from '../../support/gate.ts'
import { newMerchant } from '../../support/merchant.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { billOf } from '../../support/table-pay.ts'

const settledOf = ({ tenantId }: { readonly tenantId: string }) =>
  adminSql('sandbox')(`select id from events where tenant_id = $1 and type = 'table_session.settled'`, [
    tenantId,
  ])

test('a bill of which a payment is canceled while it is announced is not announced', async () => {
  const bill = await billOf(await newMerchant(), [10_000])
  const cash = { method: 'cash', amount: '10000' }
  const recorded = await bill.ask<{ id: string }>('POST', '/external-payments', cash)
  const [canceled] = await overtaking(
    bill.merchant,
    () => bill.cancelCash(recorded.body.id),
    () => trigger('sandbox'),
  )
  expect(canceled.status).toBe(200)
  expect(await settledOf(bill.merchant)).toEqual([])
  await bill.ask('POST', '/external-payments', cash)
  await trigger('sandbox')
  expect(await settledOf(bill.merchant)).toHaveLength(1)
})
