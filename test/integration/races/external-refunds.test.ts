import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenRules, journalsOf } from '../../support/books.ts'
import { dispute, disputeOf } from '../../support/disputes.ts'
import { newMerchant, type Reply } from '../../support/merchant.ts'
import {
  paidByCard,
  paymentOf,
  refund,
  refundAtProcessor,
  refundedAtProcessor,
  refundsOf,
  settleRefunds,
  unseenExternalRefunds,
} from '../../support/refunds.ts'
import { adminSql, control } from '../../support/stack.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))
const codeOf = ({ status, body }: Reply<unknown>) =>
  (body as { error?: { code: string } }).error?.code ?? String(status)

test('the same notification 50 times at once: one refund, counted and booked once', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const key = { 'idempotency-key': randomUUID() }
  const replies = await times(() => refundAtProcessor(merchant, payment, '4000', key))
  expect(new Set(replies.map(codeOf))).toEqual(new Set(['201']))
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  expect(await refundsOf(merchant.tenantId)).toMatchObject([{ status: 'succeeded', amount_minor: '4000' }])
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 1, refund_paid: 1 })
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '4000' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 made at the processor at once, of 3.00 on 100.00: we record those that it made, and no other', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const replies = await times(() => refundAtProcessor(merchant, payment, '300'))
  const answers = replies.map(codeOf)
  expect(answers.filter((answer) => answer === '201')).toHaveLength(33)
  expect(answers.filter((answer) => answer === 'refund_exceeds_captured')).toHaveLength(17)
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '9900' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('25 here and 25 at the processor at once, of 3.00 on 100.00: never above what was captured, and the same money on both sides', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const replies = await times((at) =>
    at % 2
      ? refund(merchant, { payment_id: payment, amount: '300' })
      : refundAtProcessor(merchant, payment, '300'),
  )
  for (const reply of replies) expect(['201', 'refund_exceeds_captured']).toContain(codeOf(reply))
  // A refund counted here and refused there is given back; one there that waited for its amount is booked then.
  await settleRefunds(merchant.tenantId)
  const rows = await refundsOf(merchant.tenantId)
  expect(rows.filter(({ status }) => !['succeeded', 'failed'].includes(status))).toEqual([])
  const refunded = await refundedAtProcessor(merchant.tenantId)
  expect(refunded).toBeLessThanOrEqual(10_000n)
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: String(refunded) })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a dispute of the whole opens beside 50 of 1.00 that were made at the processor: it holds what they leave', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const [opened, ...replies] = await Promise.all([
    dispute(merchant, payment),
    ...Array.from({ length: copies }, () => refundAtProcessor(merchant, payment, '100')),
  ])
  expect(new Set(replies.map(codeOf))).toEqual(new Set(['201']))
  expect(replies.every(({ body }) => body.status === 'succeeded')).toBe(true)
  expect((await disputeOf(merchant, opened.body.id)).amount_held).toBe('5000')
  expect(await paymentOf(merchant, payment)).toMatchObject({
    amount_refunded: '5000',
    amount_disputed: '5000',
  })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('two Workers handle the same unconfirmed news, five times over: each refund is booked once', async () => {
  const merchant = await newMerchant()
  const payments = await Promise.all([1, 2, 3].map(() => paidByCard(merchant)))
  await Promise.all(payments.map((payment) => unseenExternalRefunds(payment, 4_000)))
  await Promise.all(Array.from({ length: 5 }, () => control.trigger('sandbox')))
  await adminSql('sandbox')(
    `update simulator.refunds set confirmed_state = null where charge_reference in
       (select id from payment_attempts where tenant_id = $1)`,
    [merchant.tenantId],
  )
  await Promise.all(Array.from({ length: 5 }, () => control.trigger('sandbox')))
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 3, refund: 3, refund_paid: 3 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
