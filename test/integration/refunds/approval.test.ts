import { describe, expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import type { Customer } from '../../support/customer.ts'
import { dispute, disputeOf } from '../../support/disputes.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import {
  approveRefund,
  eventsOf,
  moveBalance,
  paidByCard,
  paidInCash,
  paymentOf,
  type Refund,
  refund,
  refundedAtProcessor,
  refundOf,
  refundsWait,
  rejectRefund,
  settleRefunds,
} from '../../support/refunds.ts'
import { deposit, fundsOf, unappliedFundsOf } from '../../support/spei.ts'
import { approverOf } from '../../support/transfers.ts'

const destination = { clabe: '646180000000000012', holder: 'Ana Torres' }
const typesOf = async ({ tenantId }: Merchant, id: string) =>
  (await eventsOf(tenantId, id)).map(({ type }) => type)
const cancel = (merchant: Merchant, id: string) =>
  call<Refund>('POST', `/v1/refunds/${id}/cancel`, { bearer: merchant.apiKey })

/** A refund to a CLABE that waits for approval. */
async function waiting(amount = 10_000) {
  const merchant = await newMerchant()
  await refundsWait(merchant)
  const payment = await paidInCash(merchant, amount)
  const { body, text } = await refund(merchant, { payment_id: payment, destination })
  expect(body.status, text).toBe('pending_approval')
  return { merchant, payment, seen: body }
}

describe('more than the key may send to CLABEs in a day', () => {
  test('20,000.00 by default: it waits and nothing is booked until an owner approves it, then it is sent', async () => {
    const merchant = await newMerchant()
    const payment = await paidInCash(merchant, 2_100_000)
    const { body } = await refund(merchant, { payment_id: payment, amount: '2000001', destination })
    expect(body).toMatchObject({ status: 'pending_approval', destination, approved_at: null })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
    // What waits cannot be refunded by another request.
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '2000001' })
    const more = await refund(merchant, { payment_id: payment, amount: '100000', destination })
    expect(more.body).toMatchObject({ error: { code: 'refund_exceeds_captured' } })

    const approved = await approveRefund(await approverOf(merchant), merchant, body)
    expect(approved.status, approved.text).toBe(200)
    expect(approved.body).toMatchObject({ status: 'processing', approved_at: expect.any(String) })
    await settleRefunds(merchant.tenantId)
    expect((await refundOf(merchant, body.id)).status).toBe('succeeded')
    expect(await refundedAtProcessor(merchant.tenantId)).toBe(2_000_001n)
    expect(await typesOf(merchant, body.id)).toEqual([
      'refund.created',
      'refund.pending_approval',
      'refund.approved',
      'refund.processing',
      'refund.succeeded',
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test("the day's sum counts, approved refunds do not; a card is refunded to the card, whatever the sum", async () => {
    const merchant = await newMerchant()
    const cash = await paidInCash(merchant, 9_000_000)
    const card = await paidByCard(merchant, { amount: 3_000_000 })
    const statusOf = async (amount: string) =>
      (await refund(merchant, { payment_id: cash, amount, destination })).body.status
    expect(await statusOf('1500000')).toBe('processing')
    expect(await statusOf('500001')).toBe('pending_approval')
    const { body } = await refund(merchant, { payment_id: cash, amount: '3000000', destination })
    expect((await approveRefund(await approverOf(merchant), merchant, body)).status).toBe(200)
    expect(await statusOf('500000')).toBe('processing')
    expect(await statusOf('1')).toBe('pending_approval')
    expect((await refund(merchant, { payment_id: card })).body.status).toBe('processing')
    const clock = { bearer: merchant.apiKey, body: { advance: 'P1D' } }
    await call('POST', '/v1/sandbox/clock', clock)
    expect(await statusOf('1')).toBe('processing')
    await settleRefunds(merchant.tenantId)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a CLABE given later waits like one given at once', async () => {
    const merchant = await newMerchant()
    await refundsWait(merchant)
    const payment = await paidInCash(merchant)
    const { body } = await refund(merchant, { payment_id: payment })
    expect(body.status).toBe('requires_destination')
    const path = `/v1/refunds/${body.id}/destination`
    const told = await call<Refund>('POST', path, { bearer: merchant.apiKey, body: destination })
    expect(told.body).toMatchObject({ status: 'pending_approval', destination })
    // What awaits approval cannot be changed.
    const other = { clabe: '646180000000000025', holder: 'Somebody else' }
    const again = await call('POST', path, { bearer: merchant.apiKey, body: other })
    expect(again.body).toMatchObject({ error: { code: 'refund_destination_not_awaited' } })
    await approveRefund(await approverOf(merchant), merchant, told.body)
    await settleRefunds(merchant.tenantId)
    expect((await refundOf(merchant, body.id)).status).toBe('succeeded')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('more than the balance bears: approved, it waits for the balance and needs no second approval', async () => {
    const { merchant, seen } = await waiting(2_000_000)
    await moveBalance(merchant.tenantId, -1_500_000n)
    const approved = await approveRefund(await approverOf(merchant), merchant, seen)
    expect(approved.body).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds' })
    await moveBalance(merchant.tenantId, 1_500_000n)
    await settleRefunds(merchant.tenantId)
    expect((await refundOf(merchant, seen.id)).status).toBe('succeeded')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('what waits for approval', () => {
  test.each([
    ['canceled by the merchant', (merchant: Merchant, id: string) => cancel(merchant, id)],
    [
      'rejected by an owner',
      (merchant: Merchant, id: string, owner: Customer) => rejectRefund(owner, merchant, id),
    ],
  ])('%s: the amount is refundable again, and the refund is over', async (_what, ended) => {
    const { merchant, payment, seen } = await waiting()
    const owner = await approverOf(merchant)
    const { status, body } = await ended(merchant, seen.id, owner)
    expect([status, body.status]).toEqual([200, 'canceled'])
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '0' })
    const late = await approveRefund(owner, merchant, seen)
    expect([late.status, late.body.error?.code]).toEqual([409, 'refund_not_pending_approval'])
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('gives way to a dispute', async () => {
    const { merchant, payment, seen } = await waiting()
    const { body: opened } = await dispute(merchant, payment)
    expect((await disputeOf(merchant, opened.id)).amount_held).toBe('10000')
    expect((await refundOf(merchant, seen.id)).status).toBe('canceled')
    const late = await approveRefund(await approverOf(merchant), merchant, seen)
    expect(late.body.error?.code).toBe('refund_not_pending_approval')
    expect(await refundedAtProcessor(merchant.tenantId)).toBe(0n)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('is approved as it was seen, with a proof of exactly that', async () => {
    const { merchant, seen } = await waiting()
    const owner = await approverOf(merchant)
    for (const [changes, param] of [
      [{ amount: '1' }, 'amount'],
      [{ currency: 'usd' }, 'currency'],
    ] as const) {
      const { status, body } = await approveRefund(owner, merchant, { ...seen, ...changes })
      expect([status, body.error?.code, body.error?.param]).toEqual([422, 'refund_terms_mismatch', param])
    }
    for (const proved of [{ amount: '1' }, { currency: 'usd' }, { refund_id: seen.payment_id! }]) {
      const { status, body } = await approveRefund(owner, merchant, seen, proved)
      expect([status, body.error?.code]).toEqual([401, 'step_up_params_mismatch'])
    }
    expect((await refundOf(merchant, seen.id)).status).toBe('pending_approval')
    expect(await refundedAtProcessor(merchant.tenantId)).toBe(0n)
  })
})

describe('unapplied funds', () => {
  const from = '012180000118359713'
  const refundFunds = (merchant: Merchant, id: string, clabe: string, amount: string) =>
    call<Refund>('POST', `/v1/payment-operations/unapplied-funds/${id}/refund`, {
      bearer: merchant.apiKey,
      body: { destination: { clabe, holder: 'Ana Torres' }, amount },
    })

  test('back to the CLABE that they came from: sent at once; to any other one: a person approves', async () => {
    const merchant = await newMerchant()
    await refundsWait(merchant)
    await deposit(merchant, '012914002014112176', 50_000, { sender_clabe: from })
    const { id } = (await fundsOf(merchant))[0]!
    const back = await refundFunds(merchant, id, from, '20000')
    expect(back.body.status, back.text).toBe('processing')
    const [first, second] = [
      await refundFunds(merchant, id, destination.clabe, '10000'),
      await refundFunds(merchant, id, destination.clabe, '20000'),
    ]
    expect([first.body.status, second.body.status]).toEqual(['pending_approval', 'pending_approval'])
    // Set apart while it waits.
    expect(await unappliedFundsOf(merchant)).toEqual(['unknown_clabe 0/50000'])
    expect((await cancel(merchant, first.body.id)).body.status).toBe('canceled')
    expect(await unappliedFundsOf(merchant)).toEqual(['unknown_clabe 10000/50000'])
    await approveRefund(await approverOf(merchant), merchant, second.body)
    await settleRefunds(merchant.tenantId)
    expect((await refundOf(merchant, second.body.id)).status).toBe('succeeded')
    expect(await refundedAtProcessor(merchant.tenantId)).toBe(40_000n)
    expect((await balancesOf(merchant.tenantId))['mxn/unapplied_funds']).toBe(10_000n)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})
