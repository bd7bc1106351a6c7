import { expect, test } from 'vitest'
import { cancel, capture } from '../../support/authorized.ts'
import { brokenRules, paymentsOf, settleAttempts } from '../../support/books.ts'
import { dispute, resolve } from '../../support/disputes.ts'
import { call, newLink, openLink, pay } from '../../support/merchant.ts'
import { moveBalance, paymentOf, refund, refundsOf, settleRefunds } from '../../support/refunds.ts'
import {
  addItem,
  approve,
  decide,
  type Guarded,
  inForce,
  manual,
  newGuarded,
  newList,
  newReviewing,
  reject,
  reviewed,
  reviewsOf,
  riskOf,
  seen,
  shadowed,
  tried,
} from '../../support/risk.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const anyVisa = { type: 'card_brand', is: 'visa' }
const statusOf = async ({ merchant }: Guarded, id: string) =>
  (await paymentsOf(merchant.tenantId)).find((payment) => payment.id === id)!.status

const review = async (guarded: Guarded, id: string) => (await seen(guarded, `reviews/${id}`)).body

const events = async ({ merchant }: Guarded) =>
  adminSql('sandbox')<{ type: string; object: Record<string, unknown>; previous_attributes: object }>(
    `select type, object, previous_attributes from events where tenant_id = $1 and type like 'risk_review.%'
     order by commit_order, position`,
    [merchant.tenantId],
  )

test('what a rule sends to review goes on to the bank, and is open with its money', async () => {
  const guarded = await newReviewing()
  const paid = await reviewed(guarded)
  expect([paid.status, paid.risk.decision, paid.review]).toMatchObject([
    'succeeded',
    'review',
    {
      object: 'risk_review',
      status: 'open',
      payment_id: paid.id,
      attempt_id: paid.risk.evaluations[0]!.attempt_id,
      amount: '120000',
      currency: 'mxn',
      score: 0,
      level: 'low',
      expires_at: null,
      note: null,
      decided_by: null,
      ended_at: null,
    },
  ])
  const held = await reviewed(guarded, manual)
  const [payment] = await adminSql('sandbox')<{ capture_before: Date }>(
    'select capture_before from payments where id = $1',
    [held.id],
  )
  expect([held.status, held.review.expires_at]).toEqual([
    'requires_capture',
    payment!.capture_before.toISOString(),
  ])
})

test('a list sends to review too; a rule in shadow, a declined card and what is allowed do not', async () => {
  const guarded = await newGuarded()
  await shadowed(guarded, anyVisa, 'review')
  await tried(guarded)
  const list = await newList(guarded, 'email', 'review')
  await addItem(guarded, list, { value: 'ana@example.com' })
  await tried(guarded, 'tok_sbx_decline_funds', 'ana@example.com')
  expect(await reviewsOf(guarded)).toEqual([])
  const { id, risk } = await tried(guarded, 'tok_sbx_approve', 'ana@example.com')
  expect([risk.decision, (await reviewsOf(guarded)).map(({ payment_id }) => payment_id)]).toEqual([
    'review',
    [id],
  ])
  await inForce(guarded, anyVisa, 'allow')
  expect((await tried(guarded, 'tok_sbx_approve', 'ana@example.com')).risk.decision).toBe('allow')
  expect(await reviewsOf(guarded)).toHaveLength(1)
})

test('what blocks or confirms comes before what reviews', async () => {
  const guarded = await newReviewing()
  await inForce(guarded, anyVisa, 'confirm')
  expect((await tried(guarded)).risk.decision).toBe('confirm')
  await inForce(guarded, anyVisa, 'block')
  expect((await tried(guarded)).risk.decision).toBe('block')
})

test('another card that pays after the reviewed one failed is not reviewed', async () => {
  const guarded = await newGuarded()
  await inForce(guarded, { type: 'network_cards_hour', lte: 1 }, 'review')
  const { public_id } = await newLink(guarded.merchant)
  await pay(public_id, await openLink(public_id), 'tok_sbx_decline_funds')
  const [declined] = await paymentsOf(guarded.merchant.tenantId)
  expect((await riskOf(guarded, declined!.id)).decision).toBe('review')
  await pay(public_id, await openLink(public_id, `?retry=${declined!.public_id}`), 'tok_sbx_approve')
  expect(await statusOf(guarded, declined!.id)).toBe('succeeded')
  expect(await reviewsOf(guarded)).toEqual([])
})

test('approving ends the review and captures nothing', async () => {
  const guarded = await newReviewing()
  const held = await reviewed(guarded, manual)
  const { body } = await approve(guarded, held.review.id, 'Called her.')
  expect(body).toMatchObject({ status: 'approved', note: null, decided_by: { email: expect.any(String) } })
  expect(await review(guarded, held.review.id)).toMatchObject({
    status: 'approved',
    note: 'Called her.',
    expires_at: held.review.expires_at,
  })
  expect(await statusOf(guarded, held.id)).toBe('requires_capture')
  expect((await reject(guarded, held.review.id)).body.error?.code).toBe('risk_review_ended')
  expect((await capture(guarded.merchant, held.id)).body.status).toBe('succeeded')
})

test('rejecting an authorized payment cancels it', async () => {
  const guarded = await newReviewing()
  const held = await reviewed(guarded, manual)
  expect((await reject(guarded, held.review.id)).body).toMatchObject({ status: 'rejected' })
  await settleAttempts(guarded.merchant.tenantId)
  expect(await statusOf(guarded, held.id)).toBe('canceled')
  expect((await review(guarded, held.review.id)).status).toBe('rejected')
  expect(await brokenRules(guarded.merchant.tenantId)).toEqual([])
})

test('rejecting a captured payment refunds what is left of it', async () => {
  const guarded = await newReviewing()
  const paid = await reviewed(guarded)
  await refund(guarded.merchant, { payment_id: paid.id, amount: '20000' })
  expect((await reject(guarded, paid.review.id)).status).toBe(200)
  await settleRefunds(guarded.merchant.tenantId)
  const made = await refundsOf(guarded.merchant.tenantId)
  expect(made.map(({ amount_minor, status }) => `${amount_minor} ${status}`).sort()).toEqual([
    '100000 succeeded',
    '20000 succeeded',
  ])
  expect(await paymentOf(guarded.merchant, paid.id)).toMatchObject({ amount_refunded: '120000' })
  expect((await review(guarded, paid.review.id)).status).toBe('rejected')
})

test('a capture by the merchant takes the money, and the review waits without an end', async () => {
  const guarded = await newReviewing()
  const held = await reviewed(guarded, manual)
  expect((await capture(guarded.merchant, held.id, { amount: '50000' })).status).toBe(200)
  expect(await review(guarded, held.review.id)).toMatchObject({ status: 'open', expires_at: null })
  expect((await reject(guarded, held.review.id)).status).toBe(200)
  await settleRefunds(guarded.merchant.tenantId)
  expect(await paymentOf(guarded.merchant, held.id)).toMatchObject({ amount_refunded: '50000' })
})

test.each([
  [
    'refunded in full',
    {},
    ({ merchant }: Guarded, id: string) => refund(merchant, { payment_id: id }),
    'refunded',
  ],
  ['canceled', manual, ({ merchant }: Guarded, id: string) => cancel(merchant, id), 'refunded'],
  [
    'left to lapse',
    manual,
    async ({ merchant }: Guarded) => {
      const { apiKey: bearer, tenantId } = merchant
      await call('POST', '/v1/sandbox/clock', { bearer, body: { advance: 'P8D' } })
      await settleAttempts(tenantId)
    },
    'expired',
  ],
])('what is %s by others ends its review', async (_, fields, end, status) => {
  const guarded = await newReviewing()
  const paid = await reviewed(guarded, fields)
  await end(guarded, paid.id)
  expect(await review(guarded, paid.review.id)).toMatchObject({
    status,
    decided_by: null,
    ended_at: expect.any(String),
  })
  for (const ask of [approve, reject])
    expect((await ask(guarded, paid.review.id)).body.error?.code).toBe('risk_review_ended')
})

test('a rejected payment whose money has left the balance is refunded once the balance covers it', async () => {
  const guarded = await newReviewing()
  const { tenantId } = guarded.merchant
  const paid = await reviewed(guarded, { manual_amount: 2_000_000, payment_method_types: ['card'] })
  await moveBalance(tenantId, -1_500_000n)
  expect((await reject(guarded, paid.review.id)).body.status).toBe('rejected')
  expect((await refundsOf(tenantId)).map(({ status }) => status)).toEqual(['pending'])
  await moveBalance(tenantId, 1_500_000n)
  await adminSql('sandbox')('update refunds set next_check_at = now() where tenant_id = $1', [tenantId])
  await settleRefunds(tenantId)
  expect((await refundsOf(tenantId)).map(({ status }) => status)).toEqual(['succeeded'])
})

test('a refund that is canceled opens the review that it ended, which events say', async () => {
  const guarded = await newReviewing()
  const { tenantId, apiKey: bearer } = guarded.merchant
  const paid = await reviewed(guarded, { manual_amount: 2_000_000, payment_method_types: ['card'] })
  await moveBalance(tenantId, -1_500_000n)
  const { body: made } = await refund(guarded.merchant, { payment_id: paid.id })
  expect(made.status).toBe('pending')
  expect((await review(guarded, paid.review.id)).status).toBe('refunded')
  await trigger('sandbox')
  expect((await call('POST', `/v1/refunds/${made.id}/cancel`, { bearer })).status).toBe(200)
  expect(await review(guarded, paid.review.id)).toMatchObject({ status: 'open', ended_at: null })
  await trigger('sandbox')
  const told = await events(guarded)
  expect(told.map(({ type, object }) => [type, object.status])).toEqual([
    ['risk_review.opened', 'open'],
    ['risk_review.closed', 'refunded'],
    ['risk_review.opened', 'open'],
  ])
  expect(told.at(-1)!.previous_attributes).toEqual({ status: 'refunded' })
  await moveBalance(tenantId, 1_500_000n)
  expect((await approve(guarded, paid.review.id)).status).toBe(200)
})

test('a decision about a review that a failed refund opened again says that it was open', async () => {
  const guarded = await newReviewing()
  const { tenantId, apiKey: bearer } = guarded.merchant
  const paid = await reviewed(guarded, { manual_amount: 2_000_000, payment_method_types: ['card'] })
  await moveBalance(tenantId, -1_500_000n)
  const { body: made } = await refund(guarded.merchant, { payment_id: paid.id })
  await trigger('sandbox')
  await call('POST', `/v1/refunds/${made.id}/cancel`, { bearer })
  await approve(guarded, paid.review.id)
  await moveBalance(tenantId, 1_500_000n)
  const told = await events(guarded)
  expect(told.map(({ type, object }) => [type, object.status]).slice(1)).toEqual([
    ['risk_review.closed', 'refunded'],
    ['risk_review.opened', 'open'],
    ['risk_review.approved', 'approved'],
  ])
})

test('what a review is of stays: the database refuses another amount, payment or score', async () => {
  const guarded = await newReviewing()
  const paid = await reviewed(guarded)
  for (const set of ['amount_minor = 1', `currency = 'usd'`, 'score = 99', 'payment_id = gen_random_uuid()'])
    await expect(
      adminSql('sandbox')(`update risk_reviews set ${set} where id = $1`, [paid.review.id]),
    ).rejects.toThrow()
})

test('a refund of a part ends nothing, and money that a bank claims does not go back twice', async () => {
  const guarded = await newReviewing()
  const paid = await reviewed(guarded)
  await refund(guarded.merchant, { payment_id: paid.id, amount: '20000' })
  await settleRefunds(guarded.merchant.tenantId)
  const { body } = await dispute(guarded.merchant, paid.id)
  expect((await reject(guarded, paid.review.id)).body.error?.code).toBe('refund_blocked_by_dispute')
  await resolve(guarded.merchant, body.id, 'lost')
  expect((await reject(guarded, paid.review.id)).body.error?.code).toBe('risk_review_nothing_left')
  expect((await approve(guarded, paid.review.id)).status).toBe(200)
})

test('events tell of a review that opened, was decided, or ended by others', async () => {
  const guarded = await newReviewing()
  const held = await reviewed(guarded, manual)
  await trigger('sandbox')
  const { review: paid, id } = await reviewed(guarded)
  await approve(guarded, held.review.id, 'Called her.')
  await refund(guarded.merchant, { payment_id: id })
  await trigger('sandbox')
  const told = await events(guarded)
  expect(told.map(({ type, object }) => [type, object.id, object.status])).toEqual([
    ['risk_review.opened', held.review.id, 'open'],
    ['risk_review.approved', held.review.id, 'approved'],
    ['risk_review.opened', paid.id, 'open'],
    ['risk_review.closed', paid.id, 'refunded'],
  ])
  const shown = (await review(guarded, paid.id)) as unknown as { version: number }
  expect(told.at(-1)!.object.version).toBe(shown.version)
  expect(told[1]!.previous_attributes).toEqual({ status: 'open', decided_by: null, ended_at: null })
  expect(told.every(({ object }) => !('note' in object))).toBe(true)
})

test('reviews are listed by status, and another workspace has none of them', async () => {
  const [guarded, other] = [await newReviewing(), await newReviewing()]
  const [first, second] = [await reviewed(guarded), await reviewed(guarded)]
  await approve(guarded, first.review.id)
  const ids = async (query: string) => (await reviewsOf(guarded, query)).map(({ id }) => id)
  expect(await ids('')).toEqual([second.review.id, first.review.id])
  expect([await ids('?status=open'), await ids('?status=approved')]).toEqual([
    [second.review.id],
    [first.review.id],
  ])
  expect(await reviewsOf(other)).toEqual([])
  for (const asked of [
    seen(other, `reviews/${first.review.id}`),
    approve(other, second.review.id),
    reject(other, second.review.id),
  ])
    expect((await asked).body.error?.code).toBe('risk_review_not_found')
  const long = await decide(guarded, `reviews/${second.review.id}/approve`, { note: 'x'.repeat(501) })
  expect(long.body.error).toMatchObject({ code: 'parameter_invalid', param: 'note' })
})
