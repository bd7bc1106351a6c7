import { expect, test } from 'vitest'
import { brokenRules, journalsOf } from '../../support/books.ts'
import { dispute, disputeIs, disputeOf, resolve } from '../../support/disputes.ts'
import { newMerchant } from '../../support/merchant.ts'
import {
  moveBalance,
  paidByCard,
  paymentOf,
  refund,
  refundedAtProcessor,
  refundOf,
  settleRefunds,
} from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'

test('a refund that waits for the balance gives way to a dispute: the money goes back once', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { amount: 2_000_000 })
  await moveBalance(merchant.tenantId, -1_500_000n)
  const { body } = await refund(merchant, { payment_id: payment, amount: '1500000' })
  expect(body.status).toBe('pending')
  const { body: opened } = await dispute(merchant, payment)
  expect((await disputeOf(merchant, opened.id)).amount_held).toBe('2000000')
  expect((await refundOf(merchant, body.id)).status).toBe('canceled')

  await moveBalance(merchant.tenantId, 1_500_000n)
  await settleRefunds(merchant.tenantId)
  expect((await refundOf(merchant, body.id)).status).toBe('canceled')
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(0n)
  await resolve(merchant, opened.id, 'lost')
  await disputeIs(merchant, opened.id, 'lost')
  expect(await paymentOf(merchant, payment)).toMatchObject({
    amount_refunded: '0',
    amount_disputed: '2000000',
  })
  expect(await journalsOf(merchant.tenantId)).not.toHaveProperty('refund')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('so it does to one that we learn of only when it is lost', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { amount: 2_000_000 })
  await moveBalance(merchant.tenantId, -1_500_000n)
  const { body } = await refund(merchant, { payment_id: payment, amount: '2000000' })
  expect(body.status).toBe('pending')
  const [attempt] = await adminSql('sandbox')<{ id: string }>(
    `select id from payment_attempts where tenant_id = $1 and payment_id = $2`,
    [merchant.tenantId, payment],
  )
  // At the bank it was opened and lost before any notification; the scheduled job finds it then.
  await adminSql('sandbox')(
    `insert into simulator.disputes (dispute_ref, reference, state, amount_minor, currency, reason, opens_at, evidence_due_by)
     values ('dp_' || gen_random_uuid(), $1, 'lost', 2000000, 'mxn', 'fraudulent', now() - interval '9 days',
       now() - interval '2 days')`,
    [attempt!.id],
  )
  await trigger('sandbox')
  expect((await refundOf(merchant, body.id)).status).toBe('canceled')
  expect(await paymentOf(merchant, payment)).toMatchObject({
    amount_refunded: '0',
    amount_disputed: '2000000',
  })
  await moveBalance(merchant.tenantId, 1_500_000n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
