import * as fc from 'fast-check'
import Stripe from 'stripe'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { admit, breakerRule, type Health, healthy, noted } from '../../../src/processors/stripe/breaker.ts'
import { type Budget, full, spend } from '../../../src/processors/stripe/budget.ts'
import { declineOf, refundFailureOf } from '../../../src/processors/stripe/declines.ts'
import { readStripeNotification } from '../../../src/processors/stripe/index.ts'
import { fromStripeAmount, toStripeAmount } from '../../../src/processors/stripe/money.ts'
import { notifyingTypes } from '../../../src/processors/stripe/notifications.ts'
import { ownedRef, readOwnedRef } from '../../../src/processors/stripe/owned-ref.ts'
import { stateOf as refundStateOf } from '../../../src/processors/stripe/refunds.ts'
import { refundOf } from '../../support/stripe-aftermath.ts'

describe('amounts become numbers in one place', () => {
  test('and come back unchanged', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, BigInt(Number.MAX_SAFE_INTEGER)), (amount) => {
        expect(fromStripeAmount(toStripeAmount(amount))).toBe(amount)
      }),
    )
  })
  test.each([-1n, 2n ** 53n, 10n ** 20n])('%s is refused', (amount) => {
    expect(() => toStripeAmount(amount)).toThrow(RangeError)
  })
  test.each([0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])('%s is refused', (amount) => {
    expect(() => fromStripeAmount(amount)).toThrow(RangeError)
  })
})

describe('the allowance for questions', () => {
  const rule = { perSecond: 5, burst: 10 }
  const asked = (times: number, from: Budget, nowMs: number) => {
    let [budget, granted] = [from, 0]
    for (let at = 0; at < times; at++) {
      const spent = spend(budget, rule, nowMs)
      budget = spent.budget
      if (spent.granted) granted++
    }
    return { budget, granted }
  }

  test.each([
    [20, 0, 10],
    [20, 200, 1],
    [20, 1_000, 5],
    [20, 3_600_000, 10],
    [20, -5_000, 0],
  ])('of %s more questions after %s ms it grants %s', (times, laterMs, granted) => {
    const before = asked(laterMs === 0 ? 0 : 10, full(rule, 0), 0)
    expect(asked(times, before.budget, laterMs).granted).toBe(granted)
  })
})

describe('the breaker', () => {
  const failed = (times: number, atMs: number): Health => {
    let health = healthy
    for (let at = 0; at < times; at++) health = noted(health, false, breakerRule, atMs)
    return health
  }
  const { failuresMax, openMs } = breakerRule

  test.each([
    ['nothing failed', healthy, 0, true],
    ['one failure less', failed(failuresMax - 1, 0), 0, true],
    ['enough failures', failed(failuresMax, 0), 1, false],
    ['just before the pause ends', failed(failuresMax, 0), openMs - 1, false],
    ['the pause is over', failed(failuresMax, 0), openMs, true],
  ])('%s', (_, health, nowMs, admitted) => {
    expect(admit(health, breakerRule, nowMs).admitted).toBe(admitted)
  })

  test('after the pause one call tries, and the others wait for it', () => {
    const trial = admit(failed(failuresMax, 0), breakerRule, openMs)
    expect(admit(trial.health, breakerRule, openMs + 1).admitted).toBe(false)
    expect(noted(trial.health, true, breakerRule, openMs + 2)).toEqual(healthy)
    const again = noted(trial.health, false, breakerRule, openMs + 2)
    expect(admit(again, breakerRule, openMs + 3).admitted).toBe(false)
  })
})

test.each([
  ['insufficient_funds', 'card_declined', 'insufficient_funds', 'soft'],
  ['lost_card', 'card_declined', 'suspected_fraud', 'fraud'],
  ['fraudulent', 'card_declined', 'suspected_fraud', 'fraud'],
  ['do_not_try_again', 'card_declined', 'card_declined', 'hard'],
  ['try_again_later', 'card_declined', 'processing_error', 'soft'],
  ['authentication_required', 'card_declined', 'authentication_failed', 'auth'],
  [undefined, 'expired_card', 'expired_card', 'hard'],
  [undefined, 'incorrect_cvc', 'card_declined', 'soft'],
  [undefined, 'payment_intent_authentication_failure', 'authentication_failed', 'auth'],
  ['a_code_of_tomorrow', 'card_declined', 'card_declined', 'soft'],
  [undefined, 'an_error_of_tomorrow', 'processing_error', 'soft'],
  ['constructor', undefined, 'card_declined', 'soft'],
])('declined with %s, error %s: %s, %s', (decline_code, code, ours, category) => {
  expect(declineOf({ decline_code, code })).toEqual({ code: ours, category })
})

test.each([
  ['declined', 'declined_by_bank'],
  ['expired_or_canceled_card', 'account_closed'],
  [undefined, 'processing_error'],
])('a refund that failed for %s: %s', (reason, ours) => {
  expect(refundFailureOf(reason)).toBe(ours)
})

test.each([
  ['requires_action', { state: 'processing' }],
  ['canceled', { state: 'failed', code: 'processing_error' }],
  ['a_status_of_tomorrow', { state: 'unknown' }],
])('a refund that is %s', (status, ours) => {
  expect(refundStateOf(refundOf('re_1', 100, 'pi_1', {}, status))).toMatchObject(ours)
})

test.each([undefined, null])('a refund of a card whose instructions_email is %s has failed', (email) => {
  const refund = refundOf('re_1', 100, 'pi_1', {}, 'failed')
  expect(refundStateOf({ ...refund, instructions_email: email as never })).toMatchObject({ state: 'failed' })
})

test("Stripe's ids are distinguished by the merchant's account", () => {
  expect(readOwnedRef(ownedRef('dp_1', 'a1'))).toEqual({ id: 'dp_1', accountId: 'a1' })
  expect(readOwnedRef(ownedRef('cus_1/ccsbtxn_1', null))).toEqual({ id: 'cus_1/ccsbtxn_1', accountId: null })
})

describe('notifications are hints', () => {
  afterEach(() => vi.useRealTimers())
  const id = '0190a6d2-7c3e-7b1a-9f00-000000000003'
  const secret = 'stand-in-webhook-secret'
  const endpoints = [{ accountId: null, webhookSecret: secret }]
  const signed = async (type: string, object: object, livemode = true) => {
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, livemode, data: { object } })
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret })
    return [payload, signature] as const
  }
  const attempt = { kind: 'attempt', reference: id }

  test.each([
    ['payment_intent.succeeded', { metadata: { attempt_id: id } }, attempt],
    ['payment_intent.payment_failed', { metadata: { attempt_id: id } }, attempt],
    ['payment_intent.amount_capturable_updated', { metadata: { attempt_id: id } }, attempt],
    ['payment_intent.succeeded', { metadata: {} }, null],
    ['payment_intent.succeeded', { metadata: { attempt_id: "'; drop" } }, null],
    ['payment_intent.succeeded', { metadata: { attempt_id: '-'.repeat(36) } }, null],
    [
      'refund.updated',
      { id: 're_1', metadata: { refund_id: id, attempt_id: id } },
      { kind: 'refund', reference: id },
    ],
    ['refund.created', { id: 're_1', metadata: null }, { kind: 'processor_refund', reference: 're_1' }],
    [
      'refund.failed',
      { id: 're_1', metadata: { refund_id: id } },
      { kind: 'processor_refund', reference: 're_1' },
    ],
    ['charge.dispute.created', { id: 'dp_1' }, { kind: 'dispute', reference: 'dp_1' }],
    ['radar.early_fraud_warning.updated', { id: 'issfr_1' }, { kind: 'fraud_warning', reference: 'issfr_1' }],
    [
      'customer_cash_balance_transaction.created',
      { id: 'ccsbtxn_1', customer: 'cus_1', type: 'funded' },
      { kind: 'deposit', reference: 'cus_1/ccsbtxn_1' },
    ],
    [
      'customer_cash_balance_transaction.created',
      { id: 'ccsbtxn_2', customer: 'cus_1', type: 'funding_reversed' },
      { kind: 'deposit', reference: 'cus_1/ccsbtxn_2' },
    ],
    [
      'customer_cash_balance_transaction.created',
      { id: 'x', customer: 'cus_1', type: 'applied_to_payment' },
      null,
    ],
    // What the environment's own account is paid.
    ['payout.paid', { id: 'po_1' }, null],
    ['invoice.paid', {}, null],
  ])('%s with %o', async (type, object, hint) => {
    const told = await readStripeNotification(...(await signed(type, object)), endpoints)
    expect(told).toEqual({
      signed: true,
      eventId: 'evt_1',
      kind: type,
      accountId: null,
      hint: hint && { eventId: 'evt_1', ...hint },
    })
  })

  test('while the signing secret is rolled and Stripe signs with both, either one is enough', async () => {
    const payload = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'refund.updated',
      data: { object: {} },
    })
    const [rolled, former] = await Promise.all(
      ['the one that comes', secret].map((each) =>
        Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: each }),
      ),
    )
    const both = `${rolled},${former!.slice(former!.indexOf('v1='))}`
    expect((await readStripeNotification(payload, both, endpoints)).signed).toBe(true)
    expect((await readStripeNotification(payload, rolled!, endpoints)).signed).toBe(false)
  })

  test('what happened without money says nothing, whichever secret signed it', async () => {
    const told = await readStripeNotification(
      ...(await signed('refund.created', { id: 're_1', metadata: {} }, false)),
      endpoints,
    )
    expect(told).toMatchObject({ signed: true, hint: null })
  })

  test.each([
    ['evt_1', 'du_1@another'],
    ['evt_1', 'du_\0'],
    ['evt_1', '..'],
    ['evt_1', 'd'.repeat(256)],
    ['evt_1', { id: 'du_1' }],
    ['e'.repeat(256), 'du_1'],
    [undefined, 'du_1'],
  ])('what its owner signed and Stripe did not send says nothing: event %o about %o', async (eventId, id) => {
    const payload = JSON.stringify({
      id: eventId,
      object: 'event',
      livemode: true,
      type: 'charge.dispute.created',
      data: { object: { id } },
    })
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret })
    const told = await readStripeNotification(payload, signature, endpoints)
    expect(told).toMatchObject({ signed: true, hint: null })
  })

  test.each([{}, { data: {} }, { data: { object: null } }])(
    'an event without its object says nothing: %o',
    async (rest) => {
      const payload = JSON.stringify({
        id: 'evt_1',
        object: 'event',
        livemode: true,
        type: 'refund.created',
        ...rest,
      })
      const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret })
      const told = await readStripeNotification(payload, signature, endpoints)
      expect(told).toMatchObject({ signed: true, hint: null })
    },
  )

  test("a dispute at a merchant's account says which account: the one whose secret fits", async () => {
    const told = await readStripeNotification(...(await signed('charge.dispute.closed', { id: 'dp_1' })), [
      { accountId: null, webhookSecret: 'another' },
      { accountId: 'a1', webhookSecret: secret },
    ])
    expect(told).toMatchObject({ accountId: 'a1', hint: { reference: 'dp_1@a1' } })
  })

  test("so does a refund that was made in a merchant's dashboard", async () => {
    const told = await readStripeNotification(
      ...(await signed('refund.created', { id: 're_1', metadata: {} })),
      [{ accountId: 'a1', webhookSecret: secret }],
    )
    expect(told).toMatchObject({ accountId: 'a1', hint: { kind: 'processor_refund', reference: 're_1@a1' } })
  })

  test.each(['created', 'updated', 'paid', 'failed', 'canceled', 'reconciliation_completed'])(
    "so does a payout of a merchant's account that is %s",
    async (what) => {
      const told = await readStripeNotification(...(await signed(`payout.${what}`, { id: 'po_1' })), [
        { accountId: 'a1', webhookSecret: secret },
      ])
      expect(told).toMatchObject({ accountId: 'a1', hint: { kind: 'payout', reference: 'po_1@a1' } })
    },
  )

  test('at most as many types are listed as Stripe lists at once', () => {
    expect(notifyingTypes.length).toBeLessThanOrEqual(20)
  })

  test.each(['another-secret', ''])('signed with "%s": not ours', async (other) => {
    const [payload, signature] = await signed('invoice.paid', {})
    expect(
      await readStripeNotification(payload, signature, [{ accountId: null, webhookSecret: other || 'x' }]),
    ).toEqual({ signed: false })
    expect(await readStripeNotification(payload, '', endpoints)).toEqual({ signed: false })
    expect(await readStripeNotification(`${payload} `, signature, endpoints)).toEqual({ signed: false })
  })

  test('six minutes later it is no longer valid', async () => {
    const notification = await signed('invoice.paid', {})
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 })
    expect(await readStripeNotification(...notification, endpoints)).toEqual({ signed: false })
  })
})
