import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import { dispute, disputeOf, resolve as resolveDispute } from '../../support/disputes.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { availableOf, entriesOf, funded, payOut, settlesAs } from '../../support/payouts.ts'
import { expectWaits } from '../../support/polls.ts'
import {
  eventsOf,
  madeIs,
  moveBalance,
  paidByCard,
  paidInCash,
  paymentOf,
  type Refund,
  refund,
  refundAtProcessor,
  refundOf,
  settleRefunds,
  unseenExternalRefunds,
} from '../../support/refunds.ts'
import { newContradicted, resolve as resolvePayment, resolveRefund } from '../../support/review.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const sql = adminSql('sandbox')

const madeOf = async (merchant: Merchant) =>
  (await call<{ data: Refund[] }>('GET', '/v1/refunds', { bearer: merchant.apiKey })).body.data.filter(
    ({ origin }) => origin === 'processor',
  )

const typesOf = async ({ tenantId }: Merchant, id: string) =>
  (await eventsOf(tenantId, id)).map(({ type }) => type)

/** The reconciler looks, as it would over the coming minutes. */
async function look(table: 'refunds' | 'disputes', id: string): Promise<void> {
  await sql(`update ${table} set next_check_at = now() where id = $1 and next_check_at is not null`, [id])
  await trigger('sandbox')
}

test('a refund in the dashboard is a refund like any other, and says where it was made', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const part = await refundAtProcessor(merchant, payment, '4000')
  expect([part.status, part.body], part.text).toMatchObject([
    201,
    {
      payment_id: payment,
      origin: 'processor',
      status: 'succeeded',
      method: 'original',
      amount: '4000',
      currency: 'mxn',
      reason: 'other',
      metadata: {},
      failure_code: null,
      review: null,
    },
  ])
  expect(await refundOf(merchant, part.body.id)).toEqual(part.body)
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '4000' })
  const ours = await refund(merchant, { payment_id: payment, amount: '1000' })
  expect([ours.status, ours.body.origin]).toEqual([201, 'api'])
  await settleRefunds(merchant.tenantId)
  const rest = await refundAtProcessor(merchant, payment)
  expect([rest.status, rest.body.amount]).toEqual([201, '5000'])
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 3, refund_paid: 3 })
  expect(await typesOf(merchant, part.body.id)).toEqual(['refund.created', 'refund.succeeded'])
  expect(
    (await eventsOf(merchant.tenantId, payment))
      .filter(({ type }) => type === 'payment.refunded')
      .map(({ object, previous_attributes }) => [object.amount_refunded, previous_attributes]),
  ).toEqual([
    ['4000', { amount_refunded: '0', refund_status: 'none' }],
    ['5000', { amount_refunded: '4000' }],
    ['10000', { amount_refunded: '5000', refund_status: 'partial' }],
  ])
  for (const again of [
    await refund(merchant, { payment_id: payment, amount: '1' }),
    await refundAtProcessor(merchant, payment, '1'),
  ])
    expect(again.body).toMatchObject({ error: { code: 'refund_exceeds_captured' } })
  expect(await madeOf(merchant)).toHaveLength(2)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('it cannot be canceled here, and cash has none', async () => {
  const merchant = await newMerchant()
  const { body } = await refundAtProcessor(merchant, await paidByCard(merchant))
  const canceled = await call('POST', `/v1/refunds/${body.id}/cancel`, { bearer: merchant.apiKey })
  expect(canceled.body).toMatchObject({ error: { code: 'refund_not_cancelable' } })
  expect((await refundAtProcessor(merchant, await paidInCash(merchant))).body).toMatchObject({
    error: { code: 'payment_not_refundable' },
  })
  expect((await refundAtProcessor(merchant, randomUUID())).body).toMatchObject({
    error: { code: 'payment_not_found' },
  })
})

test('without a notification the scheduled job finds it, and the balance below zero comes off the next payout', async () => {
  const { merchant, payments } = await funded([10_000, 30_000])
  const before = BigInt((await availableOf(merchant))!)
  await payOut(merchant).then(({ body }) => settlesAs(merchant, body.id, 'paid'))
  expect(await availableOf(merchant)).toBe('0')
  await unseenExternalRefunds(payments[0]!, 10_000)
  await trigger('sandbox')
  const [made] = await madeOf(merchant)
  expect(made).toMatchObject({ status: 'succeeded', amount: '10000' })
  expect(await availableOf(merchant)).toBe('-10000')
  await moveBalance(merchant.tenantId, before)
  const { body: next } = await payOut(merchant)
  expect(BigInt(next.amount)).toBe(before - 10_000n)
  expect(await entriesOf(merchant, next.id)).toContainEqual(
    expect.objectContaining({
      kind: 'refund',
      source: { type: 'refund', id: made!.id },
      amount_net: '-10000',
    }),
  )
  await moveBalance(merchant.tenantId, -before)
})

test('one that takes time: on its way, there, and sent back by the bank; reported again in any order', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const ref = await unseenExternalRefunds(payment, 4_000, 'processing')
  await trigger('sandbox')
  const [{ id } = { id: '' }] = await madeOf(merchant)
  expect(await refundOf(merchant, id)).toMatchObject({ status: 'processing', amount: '4000' })
  expect(await balancesOf(merchant.tenantId)).toMatchObject({ 'mxn/refunds_in_flight': 4_000n })
  // The reconciler asks by the processor's name for it, and sends nothing.
  await look('refunds', id)
  expect(await sql('select 1 from simulator.refunds where reference = $1', [id])).toEqual([])
  await madeIs(ref, `state = 'succeeded'`)
  await look('refunds', id)
  expect((await refundOf(merchant, id)).status).toBe('succeeded')
  await madeIs(ref, `confirmed_state = null`)
  await trigger('sandbox')
  const back = await call<Refund>('POST', `/v1/sandbox/refunds/${id}/return`, { bearer: merchant.apiKey })
  expect([back.status, back.body.status, back.body.failure_code], back.text).toEqual([
    200,
    'failed',
    'account_closed',
  ])
  await madeIs(ref, `state = 'succeeded', confirmed_state = null`)
  await trigger('sandbox')
  expect((await refundOf(merchant, id)).status).toBe('failed')
  await madeIs(ref, `state = 'failed'`)
  expect(await journalsOf(merchant.tenantId)).toEqual({
    capture: 1,
    refund: 1,
    refund_paid: 1,
    refund_returned: 1,
  })
  expect(await typesOf(merchant, id)).toEqual(['refund.created', 'refund.succeeded', 'refund.failed'])
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '0' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('one that failed on its way is reversed; one that had failed when we first learned of it is not recorded', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const ref = await unseenExternalRefunds(payment, 4_000, 'processing')
  await unseenExternalRefunds(payment, 6_000, 'failed')
  await trigger('sandbox')
  await madeIs(ref, `state = 'failed', failure_code = 'declined_by_bank'`)
  await trigger('sandbox')
  expect(await madeOf(merchant)).toMatchObject([{ status: 'failed', failure_code: 'declined_by_bank' }])
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 1, refund_reversed: 1 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('reported before its payment is captured here: nothing is booked, and it is reported again', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { token: 'tok_sbx_timeout_then_paid' })
  const later = (when: string) =>
    sql(
      `update payment_attempts set next_check_at = ${when} where tenant_id = $1 and status = 'unknown' returning id`,
      [merchant.tenantId],
    )
  expect(await later(`now() + interval '1 hour'`)).toHaveLength(1)
  await unseenExternalRefunds(payment, 1_000)
  await trigger('sandbox')
  expect(await madeOf(merchant)).toEqual([])
  await later('now()')
  await trigger('sandbox')
  await trigger('sandbox')
  expect(await madeOf(merchant)).toMatchObject([{ status: 'succeeded', amount: '1000' }])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('of a payment whose review was closed, nothing is booked, then or later', async () => {
  const merchant = await newMerchant()
  const { paymentId } = await newContradicted(merchant)
  const ref = await unseenExternalRefunds(paymentId, 1_000)
  await trigger('sandbox')
  expect(await madeOf(merchant)).toEqual([])
  expect((await resolvePayment(merchant, paymentId, 'settled_elsewhere')).status).toBe(200)
  await trigger('sandbox')
  expect(await madeOf(merchant)).toEqual([])
  expect(await sql('select confirmed_state from simulator.refunds where made_ref = $1', [ref])).toEqual([
    { confirmed_state: 'succeeded' },
  ])
  expect(await journalsOf(merchant.tenantId)).toEqual({})
})

test('a refund that only waits here gives way to it', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { amount: 2_000_000 })
  await moveBalance(merchant.tenantId, -1_500_000n)
  const small = await refund(merchant, { payment_id: payment, amount: '1500000' })
  expect(small.body.status).toBe('pending')
  await refundAtProcessor(merchant, payment, '500000')
  expect((await refundOf(merchant, small.body.id)).status).toBe('pending')
  const made = await refundAtProcessor(merchant, payment, '1500000')
  expect(made.body.status).toBe('succeeded')
  expect((await refundOf(merchant, small.body.id)).status).toBe('canceled')
  await moveBalance(merchant.tenantId, 1_500_000n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('beside an open dispute: what the buyer got by it, the bank cannot take again', async () => {
  for (const outcome of ['won', 'lost'] as const) {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const { id } = (await dispute(merchant, payment)).body
    const made = await refundAtProcessor(merchant, payment, '4000')
    expect([made.status, made.body.status], made.text).toEqual([201, 'succeeded'])
    expect((await disputeOf(merchant, id)).amount_held).toBe('6000')
    expect(await paymentOf(merchant, payment)).toMatchObject({
      amount_refunded: '4000',
      amount_disputed: '6000',
    })
    const told = (await eventsOf(merchant.tenantId, id)).at(-1)!
    const before = { amount_held: '10000', amount_uncovered: '0' }
    expect([told.type, told.previous_attributes]).toEqual(['dispute.hold_decreased', before])
    expect((await eventsOf(merchant.tenantId, payment)).at(-1)!.previous_attributes).toEqual({
      amount_refunded: '0',
      refund_status: 'none',
      amount_disputed: '10000',
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    await resolveDispute(merchant, id, outcome)
    expect(await paymentOf(merchant, payment)).toMatchObject({
      amount_refunded: '4000',
      amount_disputed: outcome === 'won' ? '0' : '6000',
    })
    expect(await journalsOf(merchant.tenantId)).toEqual({
      capture: 1,
      fee: 1,
      hold: 1,
      reduced: 1,
      refund: 1,
      refund_paid: 1,
      ...(outcome === 'won' ? { fee_returned: 1, release: 1 } : { lost: 1 }),
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  }
})

test('of what a dispute lost: the merchant pays it once, and the rest of the claim is not covered', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const { id } = (await dispute(merchant, payment)).body
  await resolveDispute(merchant, id, 'lost')
  const before = await balancesOf(merchant.tenantId)
  const made = await refundAtProcessor(merchant, payment, '4000')
  expect([made.status, made.body.status], made.text).toEqual([201, 'succeeded'])
  expect(await disputeOf(merchant, id)).toMatchObject({
    status: 'lost',
    amount_held: '6000',
    amount_uncovered: '4000',
  })
  expect(await paymentOf(merchant, payment)).toMatchObject({
    amount_refunded: '4000',
    amount_disputed: '6000',
  })
  expect(await balancesOf(merchant.tenantId)).toEqual({ ...before, 'mxn/refunds_in_flight': 0n })
  expect((await eventsOf(merchant.tenantId, id)).at(-1)!.type).toBe('dispute.hold_decreased')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

/** The processor refused 70.00 of ours, without our knowing yet, and refunded 40.00 there. */
async function contradicted() {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { token: 'tok_sbx_refund_timeout' })
  const ours = (await refund(merchant, { payment_id: payment, amount: '7000' })).body
  const unanswered = () =>
    sql(
      `update refunds set next_check_at = now() + interval '1 day' where id = $1 and checks_count = 1 returning id`,
      [ours.id],
    )
  await expect.poll(unanswered).toHaveLength(1)
  await sql(
    `update simulator.refunds set state = 'failed', failure_code = 'declined_by_bank' where reference = $1`,
    [ours.id],
  )
  const made = await refundAtProcessor(merchant, payment, '4000')
  return { merchant, payment, ours: ours.id, made: made.body }
}

test('more than the payment has left is not booked: an event says so, and it is booked once the payment bears it', async () => {
  const { merchant, payment, ours, made } = await contradicted()
  const { id } = made
  expect(made).toMatchObject({
    status: 'amount_mismatch',
    failure_code: 'amount_mismatch',
    amount: '4000',
    review: { ours: { amount: '3000', currency: 'mxn' }, theirs: { amount: '4000', currency: 'mxn' } },
  })
  expect(await typesOf(merchant, id)).toEqual(['refund.created', 'refund.amount_mismatch'])
  await expectWaits('refunds', id, () => look('refunds', id), [6, 12])
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '7000' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  await look('refunds', ours)
  await look('refunds', id)
  expect(await refundOf(merchant, id)).toMatchObject({ status: 'succeeded', failure_code: null })
  expect(await typesOf(merchant, id)).toEqual([
    'refund.created',
    'refund.amount_mismatch',
    'refund.succeeded',
  ])
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '4000' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

const orders = [
  ['ours', 'made', 'dispute'],
  ['ours', 'dispute', 'made'],
  ['dispute', 'ours', 'made', 'dispute'],
  ['made', 'dispute', 'ours', 'dispute', 'made'],
] as const
test.each(orders.map((order) => [order]))(
  'a dispute is lost while it waits, and ours fails: learned as %j',
  async (heard) => {
    const { merchant, payment, ours, made } = await contradicted()
    const { id } = (await dispute(merchant, payment)).body
    await resolveDispute(merchant, id, 'lost')
    for (const which of heard)
      if (which === 'dispute') await look('disputes', id)
      else await look('refunds', which === 'ours' ? ours : made.id)
    expect([(await refundOf(merchant, ours)).status, (await refundOf(merchant, made.id)).status]).toEqual([
      'failed',
      'succeeded',
    ])
    expect(await paymentOf(merchant, payment)).toMatchObject({
      amount_refunded: '4000',
      amount_disputed: '6000',
    })
    expect(await disputeOf(merchant, id)).toMatchObject({ amount_held: '6000', amount_uncovered: '4000' })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  },
)

test('another currency is not booked', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const ref = await unseenExternalRefunds(payment, 4_000)
  await madeIs(ref, `currency = 'usd'`)
  await trigger('sandbox')
  expect(await madeOf(merchant)).toMatchObject([
    {
      status: 'amount_mismatch',
      currency: 'usd',
      review: { ours: { amount: '10000', currency: 'mxn' }, theirs: { amount: '4000', currency: 'usd' } },
    },
  ])
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('an authorized person decides: closed without a journal, or booked once the payment bears it', async () => {
  const { merchant, made } = await contradicted()
  const early = await resolveRefund(merchant, made.id, 'succeeded')
  expect(early.body).toMatchObject({ error: { code: 'refund_exceeds_captured' } })
  expect((await resolveRefund(merchant, made.id, 'recheck')).status).toBe(200)
  const closed = await resolveRefund(merchant, made.id, 'failed')
  expect([closed.status, closed.body.status], closed.text).toEqual([200, 'failed'])
  await look('refunds', made.id)
  expect(await refundOf(merchant, made.id)).toEqual(closed.body)
  expect((await resolveRefund(merchant, made.id, 'failed')).body.error?.code).toBe('refund_not_under_review')
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 1 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])

  const other = await contradicted()
  await sql(`update refunds set next_check_at = now() + interval '1 day' where id = $1`, [other.made.id])
  await look('refunds', other.ours)
  const booked = await resolveRefund(other.merchant, other.made.id, 'succeeded')
  expect([booked.status, booked.body.status], booked.text).toEqual([200, 'succeeded'])
  expect(await paymentOf(other.merchant, other.payment)).toMatchObject({ amount_refunded: '4000' })
})
