import { expect, test } from 'vitest'
import { disputedPayment, takingDisputesOf } from '../../../functions/money/disputes/store.ts'
import {
  appliedFunds,
  attemptsByPublicId,
  paymentOfContact,
} from '../../../functions/money/payments/store.ts'
import { fundsOfRefund, paymentOfAttempt, paymentOfRefund } from '../../../functions/money/refunds/store.ts'
import { depositOfFunds } from '../../../functions/money/unapplied-funds/store.ts'
import { explained } from '../../support/explain.ts'
import { newMerchant } from '../../support/merchant.ts'
import { paidByCard } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

// A session keeps the plan that it made while the tables were small: where the tables were joined, it began with all
// attempts of the workspace.
test('the attempts of a payment are found by its id, which is found first', async () => {
  const merchant = await newMerchant()
  const id = await paidByCard(merchant)
  const [payment] = await adminSql('sandbox')<{ public_id: string }>(
    'select public_id from payments where id = $1',
    [id],
  )
  const query = attemptsByPublicId({ publicId: payment!.public_id })
  expect(query.text).not.toContain('join')
  const { nodes } = await explained(merchant.tenantId, query)
  const [attempts] = nodes.filter((node) => node['Relation Name'] === 'payment_attempts')
  expect(attempts?.['Index Cond']).toMatch(/payment_id = /)
})

const [id, attemptId, contactId] = Array.from({ length: 3 }, () => '0199d2f0-0000-7000-8000-000000000000')

test.each([
  ['a payment of a contact', paymentOfContact({ contactId }), 'payments'],
  ['a payment of a disputed attempt', disputedPayment({ attemptId }), 'payments'],
  ['a payment of a refunded attempt', paymentOfAttempt({ attemptId }), 'payments'],
  ['a payment of a refund', paymentOfRefund({ id }), 'payments'],
  ['funds of a refund', fundsOfRefund({ id }), 'unapplied_funds'],
  ['funds applied to an attempt', appliedFunds({ attemptId }), 'unapplied_funds'],
  ['a transfer of funds', depositOfFunds({ id }), 'spei_deposits'],
  ['disputes of an attempt', takingDisputesOf({ attemptId }), 'disputes'],
] as const)('%s: by an id that is found first', async (_, query, table) => {
  const column = table === 'disputes' ? 'payment_id' : 'id'
  expect(query.text).toMatch(
    new RegExp(`"${table}"\\."${column}" = (any \\(array)?\\(select|"${column}" = \\(select`),
  )
  const { nodes } = await explained((await newMerchant()).tenantId, query)
  const read = nodes.filter((node) => node['Relation Name'] === table)
  expect(read.length).toBeGreaterThan(0)
  for (const { 'Index Cond': by } of read) expect(by).toMatch(/\bid = |payment_id = /)
})
