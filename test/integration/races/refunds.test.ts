import { describe, expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import { call, type Merchant, newMerchant, type Reply } from '../../support/merchant.ts'
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
  refundsOf,
  refundsWait,
  rejectRefund,
  settleRefunds,
} from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { approverOf } from '../../support/transfers.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))

const answersOf = (replies: readonly Reply<unknown>[]) => {
  const counted: Record<string, number> = {}
  for (const { status, body } of replies) {
    const { code, param } = (body as { error?: { code: string; param: string } }).error ?? {}
    const answer = code ? `${status} ${code} ${param}` : String(status)
    counted[answer] = (counted[answer] ?? 0) + 1
  }
  return counted
}

const allOver = (tenantId: string) =>
  expect
    .poll(async () => (await refundsOf(tenantId)).some(({ status }) => status === 'processing'))
    .toBe(false)

const destination = { clabe: '646180000000000012', holder: 'Ana Torres' }

test('50 refunds of 60 on 100: exactly one', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const replies = await times(() => refund(merchant, { payment_id: payment, amount: '6000' }))
  expect(answersOf(replies)).toEqual({ '201': 1, '422 refund_exceeds_captured amount': 49 })
  await allOver(merchant.tenantId)
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '6000' })
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(6_000n)
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 1, refund_paid: 1 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('all that is left beside ten of 2.00: it is asked for once, whoever comes first', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const parts = Array.from({ length: 10 }, () => refund(merchant, { payment_id: payment, amount: '200' }))
  const [whole, ...replies] = await Promise.all([refund(merchant, { payment_id: payment }), ...parts])
  expect(whole.status, whole.text).toBe(201)
  const sent = replies.filter(({ status }) => status === 201).length
  expect(whole.body.amount).toBe(String(10_000 - 200 * sent))
  expect(answersOf(replies)).toEqual({
    ...(sent > 0 ? { '201': sent } : {}),
    ...(sent < 10 ? { '422 refund_exceeds_captured amount': 10 - sent } : {}),
  })
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '10000' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test("50 refunds to a CLABE, each a tenth of the key's limit: ten go, forty wait for approval", async () => {
  const merchant = await newMerchant()
  const payment = await paidInCash(merchant, 10_000_000)
  const replies = await times(() => refund(merchant, { payment_id: payment, amount: '200000', destination }))
  expect(answersOf(replies)).toEqual({ '201': 50 })
  await settleRefunds(merchant.tenantId)
  const statuses = (await refundsOf(merchant.tenantId)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 'succeeded')).toHaveLength(10)
  expect(statuses.filter((status) => status === 'pending_approval')).toHaveLength(40)
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(2_000_000n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('approved, rejected and canceled 50 times at once: one of them, and sent at most once', async () => {
  const merchant = await newMerchant()
  await refundsWait(merchant)
  const customer = await approverOf(merchant)
  const payment = await paidInCash(merchant)
  const { body } = await refund(merchant, { payment_id: payment, destination })
  await times(
    (at): Promise<unknown> =>
      [
        () => approveRefund(customer, merchant, body),
        () => rejectRefund(customer, merchant, body.id),
        () => call('POST', `/v1/refunds/${body.id}/cancel`, { bearer: merchant.apiKey }),
      ][at % 3]!(),
  )
  await settleRefunds(merchant.tenantId)
  const { status } = (await refundsOf(merchant.tenantId))[0]!
  expect(['succeeded', 'canceled']).toContain(status)
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(status === 'succeeded' ? 10_000n : 0n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 refunds of 2.00 on 100.00: all of them, and every event says what it left', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const replies = await times(() => refund(merchant, { payment_id: payment, amount: '200' }))
  expect(answersOf(replies)).toEqual({ '201': 50 })
  await allOver(merchant.tenantId)
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '10000' })
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(10_000n)
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 50, refund_paid: 50 })
  expect((await balancesOf(merchant.tenantId))['mxn/refunds_in_flight']).toBe(0n)
  const told = (await eventsOf(merchant.tenantId, payment)).filter(({ type }) => type === 'payment.refunded')
  const steps = Array.from({ length: copies }, (_, at) => BigInt(at + 1) * 200n)
  expect(
    told.map(({ object, previous_attributes }) => [object.amount_refunded, previous_attributes]),
  ).toEqual(
    steps.map((after, at) => [
      String(after),
      {
        amount_refunded: String(after - 200n),
        ...(at === 0 ? { refund_status: 'none' } : {}),
        ...(at === copies - 1 ? { refund_status: 'partial' } : {}),
      },
    ]),
  )
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 refunds of all that is left: one', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const replies = await times(() => refund(merchant, { payment_id: payment }))
  expect(answersOf(replies)).toEqual({ '201': 1, '422 refund_exceeds_captured amount': 49 })
  await allOver(merchant.tenantId)
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(10_000n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('one key 50 times: one refund, one reply, byte for byte', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const headers = { 'idempotency-key': 'one refund, sent 50 times' }
  const replies = await times(() => refund(merchant, { payment_id: payment, amount: '6000' }, headers))
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(replies.filter(({ headers: h }) => h.get('idempotent-replayed') !== 'true')).toHaveLength(1)
  await allOver(merchant.tenantId)
  expect(await refundsOf(merchant.tenantId)).toHaveLength(1)
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(6_000n)
  // Long after its end, the same key still returns the same reply.
  const late = await refund(merchant, { payment_id: payment, amount: '6000' }, headers)
  expect([late.text, late.headers.get('idempotent-replayed')]).toEqual([replies[0]!.text, 'true'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 refunds that all fail: everything is refundable again, nothing twice', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { token: 'tok_sbx_refund_fails' })
  const replies = await times(() => refund(merchant, { payment_id: payment, amount: '200' }))
  // A refund that already failed makes room, so none may be refused.
  expect(answersOf(replies)).toEqual({ '201': 50 })
  await allOver(merchant.tenantId)
  await settleRefunds(merchant.tenantId)
  expect((await refundsOf(merchant.tenantId)).every(({ status }) => status === 'failed')).toBe(true)
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '0' })
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 50, refund_reversed: 50 })
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(0n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a waiting refund, canceled and given its CLABE 25 times each: only one of the two happens', async () => {
  const merchant = await newMerchant()
  const payment = await paidInCash(merchant)
  const { body } = await refund(merchant, { payment_id: payment })
  const replies = await times((at) =>
    at % 2
      ? call('POST', `/v1/refunds/${body.id}/cancel`, { bearer: merchant.apiKey })
      : call('POST', `/v1/refunds/${body.id}/destination`, { bearer: merchant.apiKey, body: destination }),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true)
  await settleRefunds(merchant.tenantId)
  const [ended] = await refundsOf(merchant.tenantId)
  const sent = ended!.status === 'succeeded'
  expect(sent || ended!.status === 'canceled').toBe(true)
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(sent ? 10_000n : 0n)
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: sent ? '10000' : '0' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 reconcilers at once over the same refunds: each ends once', async () => {
  const merchant = await newMerchant()
  const slow = await paidByCard(merchant, { token: 'tok_sbx_refund_timeout' })
  const replies = await Promise.all(
    ['1000', '2000', '3000'].map((amount) => refund(merchant, { payment_id: slow, amount })),
  )
  expect(answersOf(replies)).toEqual({ '201': 3 })
  await expect.poll(() => refundedAtProcessor(merchant.tenantId)).toBe(6_000n)
  await adminSql('sandbox')(
    `update refunds set next_check_at = now() - interval '1 minute' where tenant_id = $1`,
    [merchant.tenantId],
  )
  await times(() => trigger('sandbox'))
  await settleRefunds(merchant.tenantId)
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 3, refund_paid: 3 })
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(6_000n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('refunds by every method at once never exceed what was captured', async () => {
  const merchant = await newMerchant()
  const payment = await paidInCash(merchant)
  const replies: Reply<Refund>[] = await times((at) =>
    refund(merchant, {
      payment_id: payment,
      amount: String(700 + at),
      ...(at % 2 ? { destination } : { method: 'recorded_offline' }),
    }),
  )
  const taken = replies.filter(({ status }) => status === 201)
  const sum = taken.reduce((total, { body }) => total + BigInt(body.amount), 0n)
  expect(sum <= 10_000n && sum + 749n > 10_000n).toBe(true)
  await settleRefunds(merchant.tenantId, 2)
  await allOver(merchant.tenantId)
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: String(sum) })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

describe('a balance that bears one of 20 refunds', () => {
  const many = 20
  /** As low as the fee schedule lets a refund bring it. */
  const lowest = -1_000_000n
  const held = async (tenantId: string) => {
    const balances = await balancesOf(tenantId)
    return ['available', 'pending', 'reserve'].reduce(
      (sum, code) => sum + (balances[`mxn/merchant_${code}`] ?? 0n),
      0n,
    )
  }
  const statusesOf = async (tenantId: string) => {
    const counted: Record<string, number> = {}
    for (const { status } of await refundsOf(tenantId)) counted[status] = (counted[status] ?? 0) + 1
    return counted
  }
  const statusesIn = (replies: readonly Reply<Refund>[]) =>
    replies.map(({ status, body }) => `${status} ${body.status}`).sort()
  const oneOf = (status: string) => [
    ...Array<string>(many - 1).fill(`${status} pending`),
    `${status} processing`,
  ]

  async function paidMany(paid: (merchant: Merchant) => Promise<string>) {
    const merchant = await newMerchant()
    const payments = await Promise.all(Array.from({ length: many }, () => paid(merchant)))
    const moved: bigint[] = []
    const move = (amountMinor: bigint) =>
      moveBalance(merchant.tenantId, amountMinor).then(() => moved.push(amountMinor))
    return {
      merchant,
      payments,
      bearOne: async () => move(lowest + 10_000n - (await held(merchant.tenantId))),
      restore: () => move(-moved.reduce((sum, each) => sum + each, 0n)),
    }
  }

  test('asked for at once: one is sent, the others wait; the same again when one more is borne', async () => {
    const { merchant, payments, bearOne, restore } = await paidMany(paidByCard)
    const { tenantId } = merchant
    await bearOne()
    const replies = await Promise.all(payments.map((payment_id) => refund(merchant, { payment_id })))
    expect(statusesIn(replies)).toEqual(oneOf('201'))
    await allOver(tenantId)
    expect(await held(tenantId)).toBe(lowest)

    await bearOne()
    await adminSql('sandbox')(
      `update refunds set next_check_at = now() - interval '1 minute' where tenant_id = $1 and status = 'pending'`,
      [tenantId],
    )
    await Promise.all(Array.from({ length: many }, () => trigger('sandbox')))
    await allOver(tenantId)
    expect(await statusesOf(tenantId)).toEqual({ succeeded: 2, pending: many - 2 })
    expect(await held(tenantId)).toBe(lowest)
    expect(await refundedAtProcessor(tenantId)).toBe(20_000n)
    await restore()
    expect(await brokenRules(tenantId)).toEqual([])
  })

  test('given their CLABE at once: one is sent, the others wait', async () => {
    const { merchant, payments, bearOne, restore } = await paidMany(paidInCash)
    await bearOne()
    const waiting = await Promise.all(payments.map((payment_id) => refund(merchant, { payment_id })))
    const replies = await Promise.all(
      waiting.map(({ body: { id } }) =>
        call<Refund>('POST', `/v1/refunds/${id}/destination`, { bearer: merchant.apiKey, body: destination }),
      ),
    )
    expect(statusesIn(replies)).toEqual(oneOf('200'))
    await settleRefunds(merchant.tenantId, 2)
    expect(await statusesOf(merchant.tenantId)).toEqual({ succeeded: 1, pending: many - 1 })
    expect(await held(merchant.tenantId)).toBe(lowest)
    await restore()
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})
