import { expect, test } from 'vitest'
import { brokenRules, journalsOf } from '../../support/books.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { expectWaits } from '../../support/polls.ts'
import { ends, eventsOf, paymentOf, refundOf } from '../../support/refunds.ts'
import { newContradictedRefund, reports, resolveRefund } from '../../support/review.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const sql = adminSql('sandbox')
const lookNow = async ({ tenantId }: Merchant) => {
  await sql(`update refunds set next_check_at = now() - interval '1 second' where tenant_id = $1`, [tenantId])
  await trigger('sandbox')
}
const refunded = async (merchant: Merchant, id: string) => {
  const { payment_id: payment } = await refundOf(merchant, id)
  return (await paymentOf(merchant, payment!)).amount_refunded
}

test('both amounts are shown, the reconciler asks at growing intervals, and it completes once they agree', async () => {
  const merchant = await newMerchant()
  const id = await newContradictedRefund(merchant)
  expect(await refundOf(merchant, id)).toMatchObject({
    status: 'processing',
    failure_code: 'amount_mismatch',
    review: {
      ours: { amount: '10000', currency: 'mxn' },
      theirs: { amount: '9999', currency: 'mxn' },
    },
  })
  await expectWaits('refunds', id, () => lookNow(merchant), [6, 12])
  await reports(id, 10_000)
  await lookNow(merchant)
  expect(await refundOf(merchant, id)).toMatchObject({ status: 'succeeded', failure_code: null })
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 1, refund_paid: 1 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('recheck asks the processor at once', async () => {
  const merchant = await newMerchant()
  const id = await newContradictedRefund(merchant)
  await reports(id, 10_000)
  expect((await resolveRefund(merchant, id, 'recheck')).status).toBe(200)
  await ends(merchant, id, 'succeeded')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('succeeded: the books follow our amount', async () => {
  const merchant = await newMerchant()
  const id = await newContradictedRefund(merchant)
  const { status, body, text } = await resolveRefund(merchant, id, 'succeeded')
  expect([status, body.status, body.failure_code], text).toEqual([200, 'succeeded', null])
  expect(body).toEqual(await refundOf(merchant, id))
  expect(await refunded(merchant, id)).toBe('10000')
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 1, refund_paid: 1 })
})

test('failed: the amount can be refunded again', async () => {
  const merchant = await newMerchant()
  const id = await newContradictedRefund(merchant)
  const { status, body, text } = await resolveRefund(merchant, id, 'failed')
  expect([status, body.status, body.failure_code], text).toEqual([200, 'failed', 'amount_mismatch'])
  expect(body).toEqual(await refundOf(merchant, id))
  expect(await refunded(merchant, id)).toBe('0')
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 1, refund_reversed: 1 })
})

test('fifty decisions at once, for and against: one of them counts', async () => {
  const merchant = await newMerchant()
  const id = await newContradictedRefund(merchant)
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => resolveRefund(merchant, id, n % 2 === 0 ? 'succeeded' : 'failed')),
  )
  const told = replies.map(({ status, body }) => body.error?.code ?? status)
  expect(told.filter((each) => each === 200)).toHaveLength(1)
  expect(told.filter((each) => each === 'refund_not_under_review')).toHaveLength(49)
  const types = (await eventsOf(merchant.tenantId, id)).map(({ type }) => type)
  expect(types.filter((type) => type === 'refund.succeeded' || type === 'refund.failed')).toHaveLength(1)
})
