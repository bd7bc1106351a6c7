import { expect, test } from 'vitest'
import { capture } from '../../support/authorized.ts'
import { brokenRules, paymentsOf, settleAttempts } from '../../support/books.ts'
import type { Reply } from '../../support/merchant.ts'
import { paymentOf, refund, refundedAtProcessor, refundsOf, settleRefunds } from '../../support/refunds.ts'
import {
  type Guarded,
  manual,
  newReviewing,
  readyTo,
  readyToReject,
  reviewed,
  seen,
} from '../../support/risk.ts'

const copies = 50
type Send = () => Promise<Reply<{ status: string; error?: { code: string } }>>

/** Half of one and half of the other, all at once: how many replies there were of each kind. */
async function race(one: (at: number) => Promise<Send>, other = one): Promise<Record<string, number>> {
  const ready = await Promise.all(
    Array.from({ length: copies }, (_, at) => (at % 2 === 0 ? one(at) : other(at))),
  )
  const counts: Record<string, number> = {}
  for (const { body } of await Promise.all(ready.map((send) => send()))) {
    const told = body.error?.code ?? body.status
    counts[told] = (counts[told] ?? 0) + 1
  }
  return counts
}

const rejecting = (guarded: Guarded, id: string) => () => readyToReject(guarded, id)
const approving = (guarded: Guarded, id: string) => () => readyTo(guarded, `reviews/${id}/approve`)

async function settled({ merchant }: Guarded, id: string) {
  await settleAttempts(merchant.tenantId)
  await settleRefunds(merchant.tenantId)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  const { status } = (await paymentsOf(merchant.tenantId)).find((payment) => payment.id === id)!
  const { amount_refunded } = await paymentOf(merchant, id)
  return { status, amount_refunded, back: await refundedAtProcessor(merchant.tenantId) }
}

test('fifty rejections at once: the money goes back once', async () => {
  const guarded = await newReviewing()
  const paid = await reviewed(guarded)
  expect(await race(rejecting(guarded, paid.review.id))).toEqual({
    rejected: 1,
    risk_review_ended: copies - 1,
  })
  expect(await settled(guarded, paid.id)).toMatchObject({ amount_refunded: '120000', back: 120_000n })
  expect(await refundsOf(guarded.merchant.tenantId)).toHaveLength(1)
})

test.each([
  ['captured', {}, ['succeeded', '120000'], ['succeeded', '0']],
  ['authorized', manual, ['canceled', '0'], ['requires_capture', '0']],
])(
  'approved and rejected at once, %s: one decision, and the money follows it',
  async (_, fields, gone, kept) => {
    const guarded = await newReviewing()
    const paid = await reviewed(guarded, fields)
    const counts = await race(rejecting(guarded, paid.review.id), approving(guarded, paid.review.id))
    const { body } = await seen(guarded, `reviews/${paid.review.id}`)
    expect(counts).toEqual({ [body.status]: 1, risk_review_ended: copies - 1 })
    const { status, amount_refunded } = await settled(guarded, paid.id)
    expect([status, amount_refunded]).toEqual(body.status === 'rejected' ? gone : kept)
  },
)

const ofReviews = ['rejected', 'risk_review_ended', 'risk_review_nothing_left']
const ofRefunds = [...ofReviews, 'processing', 'pending', 'succeeded', 'refund_exceeds_captured']
const ofCaptures = [
  ...ofReviews,
  'succeeded',
  'canceled',
  'payment_change_in_progress',
  'payment_not_capturable',
]

test.each(['40000', undefined])(
  'rejections and refunds of %s at once never give back more than was paid',
  async (amount) => {
    const guarded = await newReviewing()
    const paid = await reviewed(guarded)
    const refunding = async () => () =>
      refund(guarded.merchant, { payment_id: paid.id, ...(amount ? { amount } : {}) })
    const counts = await race(rejecting(guarded, paid.review.id), refunding as never)
    expect(Object.keys(counts).filter((told) => !ofRefunds.includes(told))).toEqual([])
    expect(await settled(guarded, paid.id)).toMatchObject({ amount_refunded: '120000', back: 120_000n })
    const { body } = await seen(guarded, `reviews/${paid.review.id}`)
    expect(['rejected', 'refunded']).toContain(body.status)
    expect(counts.rejected ?? 0).toBe(body.status === 'rejected' ? 1 : 0)
  },
)

test('rejections and captures at once: the money is taken or let go, and a review that is rejected gives it back', async () => {
  const guarded = await newReviewing()
  const held = await reviewed(guarded, manual)
  const capturing = async () => () => capture(guarded.merchant, held.id)
  const counts = await race(rejecting(guarded, held.review.id), capturing as never)
  const { body } = await seen(guarded, `reviews/${held.review.id}`)
  const { status, amount_refunded, back } = await settled(guarded, held.id)
  expect(counts.rejected ?? 0).toBe(body.status === 'rejected' ? 1 : 0)
  expect(Object.keys(counts).filter((told) => !ofCaptures.includes(told))).toEqual([])
  if (status === 'canceled') expect([body.status, back]).toEqual(['rejected', 0n])
  else expect([status, amount_refunded]).toEqual(['succeeded', body.status === 'rejected' ? '120000' : '0'])
})
