import { describe, expect, test } from 'vitest'
import { paymentLinks } from '../../../drizzle/schema/payment-links.ts'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { planCancelIntent, planCaptureIntent } from '../../../functions/money/payments/plan-authorization.ts'
import { planOutcome } from '../../../functions/money/payments/plan-outcome.ts'
import { presentAttempt } from '../../../functions/money/payments/present.ts'
import type { AttemptRow, PaymentRow } from '../../../functions/money/payments/store.ts'
import { expect as condition, isRefusal, type Plan, type Write } from '../../../src/kernel/plan.ts'
import type { ProcessorState } from '../../../src/processors/port.ts'
import { card, clockAt, now, order, schedule, submission } from './samples.ts'

const captureBefore = new Date('2026-06-19T18:00:00.000Z')
const processorRef = 'sim_1'
const facts = { currency: 'mxn', card, processorRef }

const answers = {
  authorized: { state: 'authorized', amountMinor: 120_000n, captureBefore, ...facts },
  'authorized, ≠ amount': { state: 'authorized', amountMinor: 119_999n, captureBefore, ...facts },
  'authorized, ≠ currency': {
    state: 'authorized',
    amountMinor: 120_000n,
    captureBefore,
    ...facts,
    currency: 'usd',
  },
  'captured, all': { state: 'captured', amountMinor: 120_000n, ...facts },
  'captured, 500.00': { state: 'captured', amountMinor: 50_000n, ...facts },
  'captured, 500.01': { state: 'captured', amountMinor: 50_001n, ...facts },
  canceled: { state: 'canceled' },
  declined: { state: 'declined', code: 'card_declined', category: 'soft', card },
  unknown: { state: 'unknown' },
} as const satisfies Record<string, ProcessorState>

type Answer = keyof typeof answers

const manual = (attempt: Partial<AttemptRow> = {}, payment: Partial<PaymentRow> = {}) =>
  submission({ captureMethod: 'manual', ...attempt }, { captureMethod: 'manual', ...payment })

const key = 'key-of-the-merchant'
const stands = {
  submitting: manual(),
  unknown: manual({ status: 'unknown' }),
  challenged: manual({ status: 'pending_customer' }, { status: 'requires_action' }),
  'challenged, being canceled': manual(
    { status: 'pending_customer', intent: 'cancel', intentKey: key },
    { status: 'requires_action' },
  ),
  authorized: authorized(),
  'authorized, 500.00 being captured': authorized({
    intent: 'capture',
    intentAmountMinor: 50_000n,
    intentKey: key,
  }),
  'authorized, being canceled': authorized({ intent: 'cancel', intentKey: key }),
  captured: manual({ status: 'captured' }, { status: 'succeeded' }),
  canceled: manual({ status: 'canceled', resolvedAt: now }, { status: 'canceled' }),
  expired: manual({ status: 'expired', resolvedAt: now }, { status: 'expired' }),
} as const

function authorized(attempt: Partial<AttemptRow> = {}, payment: Partial<PaymentRow> = {}) {
  return manual(
    { status: 'authorized', expiresAt: captureBefore, nextCheckAt: captureBefore, processorRef, ...attempt },
    { status: 'requires_capture', captureBefore, amountAuthorizedMinor: 120_000n, ...payment },
  )
}

const nothing = () => ({ writes: [], events: [] })
const outcome = (stand: keyof typeof stands, answer: Answer) =>
  planOutcome(stands[stand], answers[answer], schedule, nothing, clockAt(now, 10))

const changed = (plan: Plan<unknown> | null, table: object) =>
  plan?.writes.find(
    (write): write is Extract<Write, { kind: 'change' }> => write.kind === 'change' && write.table === table,
  )?.set as Partial<AttemptRow & PaymentRow> | undefined

describe('a manual capture: where it stands × what the processor says: attempt, payment', () => {
  const breach = 'amount_mismatch'
  const first = {
    authorized: 'authorized, requires_capture',
    'authorized, ≠ amount': breach,
    'authorized, ≠ currency': breach,
    'captured, all': 'captured, succeeded',
    'captured, 500.00': breach,
    'captured, 500.01': breach,
    canceled: 'canceled, requires_payment_method',
    declined: 'declined, requires_payment_method',
  }
  const over = {}
  const table: Record<keyof typeof stands, Partial<Record<Answer, string>>> = {
    submitting: { ...first, unknown: 'unknown' },
    unknown: first,
    challenged: { ...first, canceled: 'expired, requires_payment_method' },
    'challenged, being canceled': {
      ...first,
      canceled: 'canceled, canceled',
      declined: 'declined, canceled',
    },
    authorized: {
      'authorized, ≠ amount': breach,
      'authorized, ≠ currency': breach,
      'captured, all': 'captured, succeeded',
      'captured, 500.00': breach,
      'captured, 500.01': breach,
      canceled: 'expired, expired',
    },
    'authorized, 500.00 being captured': {
      'authorized, ≠ amount': breach,
      'authorized, ≠ currency': breach,
      'captured, all': breach,
      'captured, 500.00': 'captured, partially_captured',
      'captured, 500.01': breach,
      canceled: 'expired, expired',
    },
    'authorized, being canceled': {
      'authorized, ≠ amount': breach,
      'authorized, ≠ currency': breach,
      'captured, all': 'captured, succeeded',
      'captured, 500.00': breach,
      'captured, 500.01': breach,
      canceled: 'canceled, canceled',
    },
    captured: over,
    canceled: over,
    expired: over,
  }
  const names = Object.keys(stands) as (keyof typeof stands)[]
  test.each(names)('%s', (stand) => {
    const got = Object.fromEntries(
      (Object.keys(answers) as Answer[]).flatMap((answer) => {
        const plan = outcome(stand, answer)
        const statuses = [changed(plan, paymentAttempts)?.status, changed(plan, payments)?.status]
        return plan ? [[answer, statuses.filter(Boolean).join(', ')]] : []
      }),
    )
    expect(got).toEqual(table[stand])
  })

  test('an authorized answer to an attempt with automatic capture goes to review', () => {
    const automatic = submission()
    const plan = planOutcome(automatic, answers.authorized, schedule, nothing, clockAt())
    expect(changed(plan, paymentAttempts)?.status).toBe('amount_mismatch')
    expect(plan?.writes.filter(({ kind }) => kind === 'post')).toEqual([])
  })
})

test('an authorization holds the money until it lapses; nothing is booked', () => {
  const plan = outcome('submitting', 'authorized')
  expect(changed(plan, paymentAttempts)).toEqual({
    status: 'authorized',
    processorRef,
    nextAction: null,
    expiresAt: captureBefore,
    nextCheckAt: captureBefore,
    checksCount: 0,
    updatedAt: now,
  })
  expect(changed(plan, payments)).toEqual({
    status: 'requires_capture',
    amountAuthorizedMinor: 120_000n,
    captureBefore,
    declineCode: null,
    updatedAt: now,
  })
  expect(plan?.events.map(({ type }) => type)).toEqual(['payment.authorized'])
  expect(plan?.writes.filter(({ kind }) => kind === 'post')).toEqual([])
})

test.each([
  // 500.00 at 3.6 % is 18.00; twelve months are 11.95 %, 59.75; IVA of both 12.44.
  [1, { processing: 1_800n, installments: 0n, iva: 288n, net: 47_912n }],
  [12, { processing: 1_800n, installments: 5_975n, iva: 1_244n, net: 40_981n }],
] as const)('a part captured in %s payments: fees, IVA and net of what was captured', (months, money) => {
  const { payment, attempt } = stands['authorized, 500.00 being captured']
  const plan = planOutcome(
    { payment, attempt: { ...attempt, installmentMonths: months } },
    answers['captured, 500.00'],
    schedule,
    nothing,
    clockAt(now, 10),
  )
  expect(changed(plan, payments)).toMatchObject({
    status: 'partially_captured',
    amountAuthorizedMinor: 120_000n,
    amountCapturedMinor: 50_000n,
    feeProcessingMinor: money.processing,
    feeInstallmentsMinor: money.installments,
    feeIvaMinor: money.iva,
    netMinor: money.net,
    fundsStatus: 'pending',
    succeededAt: now,
  })
  expect(plan?.writes.find(({ kind }) => kind === 'post')).toMatchObject({
    entryKind: 'capture',
    postings: [
      { account: 'merchant_pending', amountMinor: money.net },
      { account: 'fee_expense', amountMinor: money.processing + money.installments },
      { account: 'iva_on_fees', amountMinor: money.iva },
      { account: 'processor_clearing', amountMinor: -50_000n },
    ],
  })
  expect(plan?.events.map(({ type }) => type)).toEqual(['payment.partially_captured'])
})

const origin = condition(paymentLinks, order.originId, {})
const wished = (stand: ReturnType<typeof manual>, as = key) => ({
  payment: stand.payment,
  submission: stand,
  key: as,
  schedule,
  origin,
})
const told = (step: object) =>
  isRefusal(step)
    ? `${step.refused}${step.param ? ` (${step.param})` : ''}`
    : String((step as { next: string }).next)

test.each([
  ['authorized', null],
  ['authorized, 500.00 being captured', 'capture'],
  ['authorized, being canceled', 'cancel'],
] as const)('an attempt shows the change under way: %s', (stand, pending) => {
  expect(presentAttempt(stands[stand].attempt).pending_change).toEqual(pending)
})

describe('a request to capture', () => {
  const late = new Date(captureBefore.getTime())
  const done = manual(
    { status: 'captured', intentKey: key },
    { status: 'partially_captured', amountCapturedMinor: 50_000n, captureBefore },
  )
  const lapsed = manual({ status: 'expired' }, { status: 'expired', captureBefore })
  const capturing = stands['authorized, 500.00 being captured']
  test.each([
    ['all', stands.authorized, undefined, key, now, 'intend'],
    ['all, by its amount', stands.authorized, '120000', key, now, 'intend'],
    ['a part', stands.authorized, '50000', key, now, 'intend'],
    ['one too many', stands.authorized, '120001', key, now, 'capture_exceeds_authorized (amount)'],
    ['very many', stands.authorized, '9'.repeat(18), key, now, 'capture_exceeds_authorized (amount)'],
    ['nothing', stands.authorized, '0', key, now, 'capture_amount_not_positive (amount)'],
    ['less than nothing', stands.authorized, '-1', key, now, 'capture_amount_not_positive (amount)'],
    ['too late', stands.authorized, undefined, key, late, 'authorization_expired'],
    ['lapsed', lapsed, undefined, key, now, 'authorization_expired'],
    ['not authorized yet', stands.challenged, undefined, key, now, 'payment_not_capturable'],
    ['captured', stands.captured, undefined, key, now, 'payment_not_capturable'],
    ['canceled', stands.canceled, undefined, key, now, 'payment_not_capturable'],
    ['going on', capturing, '50000', key, now, 'ask'],
    ['going on, after its time', capturing, '50000', key, late, 'ask'],
    ['the same key, another amount', capturing, '50001', key, now, 'idempotency_key_reused'],
    ['another key', capturing, '50000', 'another-key', now, 'payment_change_in_progress'],
    ['another key, another amount', capturing, undefined, 'another-key', now, 'payment_change_in_progress'],
    [
      'a cancel under way',
      stands['authorized, being canceled'],
      undefined,
      key,
      now,
      'payment_change_in_progress',
    ],
    ['done, the reply lost', done, '50000', key, now, 'publish'],
    ['done, another amount', done, '50001', key, now, 'payment_not_capturable'],
    ['done, another key', done, '50000', 'another-key', now, 'payment_not_capturable'],
  ] as const)('%s', (_, stand, amount, as, at, result) => {
    expect(told(planCaptureIntent(wished(stand, as), amount, clockAt(at)))).toBe(result)
  })

  test('less than the fees is refused', () => {
    const fixed = { ...schedule, card: { rateBps: 360, fixedMinor: 300n } }
    const results = ['363', '364'].map((amount) =>
      told(planCaptureIntent({ ...wished(stands.authorized), schedule: fixed }, amount, clockAt())),
    )
    expect(results).toEqual(['capture_below_fees (amount)', 'intend'])
  })

  test('the intent is recorded on the attempt, with its key and a lease; the origin is locked first', () => {
    const step = planCaptureIntent(wished(stands.authorized), '50000', clockAt())
    if (isRefusal(step) || step.next !== 'intend') throw new Error('no intent')
    expect(step.plan).toEqual({
      writes: [
        origin,
        {
          kind: 'change',
          table: paymentAttempts,
          id: stands.authorized.attempt.id,
          version: 1,
          fromStatus: 'authorized',
          set: {
            intent: 'capture',
            intentAmountMinor: 50_000n,
            intentKey: key,
            checksCount: 0,
            nextCheckAt: new Date('2026-06-12T18:01:00.000Z'),
            updatedAt: now,
          },
        },
      ],
      events: [],
      reply: {},
    })
    expect(step.intended.attempt).toMatchObject({ version: 2, intentAmountMinor: 50_000n })
  })
})

test('an attempt that the bank declines after all says why, though the payment is canceled', () => {
  const plan = outcome('challenged, being canceled', 'declined')
  const { code, category } = answers.declined
  expect(changed(plan, paymentAttempts)).toMatchObject({
    status: 'declined',
    declineCode: code,
    declineCategory: category,
  })
})

test.each([
  ['declined', 'declined, requires_payment_method', 'payment.declined'],
  ['canceled', 'canceled, canceled', 'payment.canceled'],
] as const)(
  'what waits at a device and is being canceled ends as its processor says: %s',
  (answer, ends, type) => {
    const { payment, attempt } = stands['challenged, being canceled']
    const about = { payment, attempt: { ...attempt, method: 'card_present' as const } }
    const plan = planOutcome(about, answers[answer], schedule, nothing, clockAt(now, 10))!
    expect([changed(plan, paymentAttempts)?.status, changed(plan, payments)?.status].join(', ')).toBe(ends)
    expect(plan.events.map((event) => event.type)).toEqual([type])
  },
)

describe('a request to cancel', () => {
  const waiting = manual({ status: 'declined' }, { status: 'requires_payment_method' })
  const canceled = manual({ status: 'canceled', intentKey: key }, { status: 'canceled' })
  test.each([
    ['an authorization', stands.authorized, key, 'intend'],
    ['a challenge', stands.challenged, key, 'intend'],
    ['a payment without a card', waiting, key, 'publish'],
    ['a charge on its way', stands.submitting, key, 'payment_not_cancelable'],
    ['a captured payment', stands.captured, key, 'payment_not_cancelable'],
    ['an expired payment', stands.expired, key, 'payment_not_cancelable'],
    ['a canceled payment', stands.canceled, key, 'payment_not_cancelable'],
    ['going on', stands['authorized, being canceled'], key, 'ask'],
    ['another key', stands['authorized, being canceled'], 'another-key', 'payment_change_in_progress'],
    ['a capture under way', stands['authorized, 500.00 being captured'], key, 'payment_change_in_progress'],
    ['done, the reply lost', canceled, key, 'publish'],
    ['done, another key', canceled, 'another-key', 'payment_not_cancelable'],
    [
      'numbers that contradict',
      manual({ status: 'amount_mismatch' }, { status: 'requires_capture' }),
      key,
      'payment_under_review',
    ],
  ] as const)('%s', (_, stand, as, result) => {
    expect(told(planCancelIntent(wished(stand, as), clockAt()))).toBe(result)
  })
})
