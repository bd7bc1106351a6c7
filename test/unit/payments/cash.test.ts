import { describe, expect, test } from 'vitest'
import { outgoingMails } from '../../../drizzle/schema/mails.ts'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { unappliedFunds, vouchers } from '../../../drizzle/schema/push-payments.ts'
import { newSubmission, type Submission } from '../../../functions/money/payments/plan.ts'
import { planOutcome } from '../../../functions/money/payments/plan-outcome.ts'
import { byPush, graceEnd, nextPushCheck } from '../../../functions/money/payments/plan-push.ts'
import { planLate, planReplaced } from '../../../functions/money/payments/plan-push-end.ts'
import type { AttemptRow, PaymentRow, VoucherRow } from '../../../functions/money/payments/store.ts'
import type { Plan, Write } from '../../../src/kernel/plan.ts'
import type { ProcessorState } from '../../../src/processors/port.ts'
import { clockAt, idOf, now, order, publicId, schedule } from './samples.ts'

/** An instant on the wall of Mexico City. */
const local = (time: string) => new Date(`${time}-06:00`)

describe('until when a voucher can be paid', () => {
  // taken at, the link expires at, the voucher expires, payments made in time may be reported until
  const cases: [string, string | null, string, string][] = [
    // A Friday; Monday is the 15th, the grace is its two bank days.
    ['2026-06-12T12:00:00', null, '2026-06-15T23:59:59', '2026-06-17T23:59:59'],
    ['2026-06-12T23:59:59', null, '2026-06-15T23:59:59', '2026-06-17T23:59:59'],
    ['2026-06-13T00:00:00', null, '2026-06-16T23:59:59', '2026-06-18T23:59:59'],
    // A weekend in the grace, and Christmas Eve's expiry before a weekend.
    ['2026-06-09T12:00:00', null, '2026-06-12T23:59:59', '2026-06-16T23:59:59'],
    ['2026-12-21T12:00:00', null, '2026-12-24T23:59:59', '2026-12-29T23:59:59'],
    // A link that expires later changes nothing; one that expires earlier ends the voucher on its own last day, but
    // never on the day of issue.
    ['2026-06-12T12:00:00', '2027-01-01T00:00:00', '2026-06-15T23:59:59', '2026-06-17T23:59:59'],
    ['2026-06-12T12:00:00', '2026-06-14T08:00:00', '2026-06-14T23:59:59', '2026-06-16T23:59:59'],
    ['2026-06-12T12:00:00', '2026-06-12T12:05:00', '2026-06-13T23:59:59', '2026-06-16T23:59:59'],
  ]
  test.each(cases)('taken %s, link until %s: %s, reported until %s', (taken, closes, expires, told) => {
    const instrument = byPush(
      'oxxo',
      { closesAt: closes === null ? null : local(closes), days: 3 },
      local(taken),
    )
    expect(instrument).toEqual({
      method: 'oxxo',
      accountId: null,
      details: null,
      expiresAt: local(expires),
      graceEndsAt: local(told),
    })
    expect(graceEnd('oxxo', local(expires))).toEqual(local(told))
  })

  test('the reconciler looks every six hours, and at the end of its grace', () => {
    const grace = local('2026-06-17T23:59:59')
    expect(nextPushCheck(grace, local('2026-06-12T12:00:00'))).toEqual(local('2026-06-12T18:00:00'))
    expect(nextPushCheck(grace, local('2026-06-17T20:00:00'))).toEqual(grace)
  })
})

const expiresAt = local('2026-06-15T23:59:59')
const graceEndsAt = local('2026-06-17T23:59:59')
const cash = { ...schedule, oxxo: { ...terms(), availabilityBankDays: 1 } }

function terms() {
  return { rateBps: 390, fixedMinor: 0n, minimumAmountMinor: 1_000n, maximumAmountMinor: 1_000_000n }
}

const voucherRow = (changed: Partial<VoucherRow> = {}): VoucherRow => ({
  tenantId: 'tn_demo',
  id: idOf(7),
  paymentId: idOf(1),
  attemptId: idOf(2),
  reference: '98012345678904',
  status: 'issued',
  amountMinor: 120_000n,
  currency: 'mxn',
  expiresAt,
  graceEndsAt,
  paidAt: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
  ...changed,
})

/** The payment of a voucher; by default the voucher is issued. */
function submission(
  attempt: Partial<AttemptRow> = {},
  payment: Partial<PaymentRow> = {},
  voucher: VoucherRow | null = voucherRow(),
): Submission {
  const fresh = newSubmission(
    order,
    publicId,
    byPush('oxxo', { closesAt: null, days: 3 }, now),
    'simulator',
    cash,
    clockAt(),
  )
  return {
    payment: { ...fresh.payment, status: 'requires_action', ...payment },
    attempt: { ...fresh.attempt, status: 'pending_customer', graceEndsAt, ...attempt },
    voucher,
  }
}

const paid: ProcessorState = {
  state: 'captured',
  amountMinor: 120_000n,
  currency: 'mxn',
  card: null,
  processorRef: 'x',
}
const answers = {
  issued: {
    state: 'pending_customer',
    action: { type: 'voucher', reference: '98012345678904', expiresAt },
    processorRef: 'x',
  },
  paid,
  'another amount': { ...paid, amountMinor: 119_999n },
  canceled: { state: 'canceled' },
  unknown: { state: 'unknown' },
} as const satisfies Record<string, ProcessorState>

const nothing = () => ({ writes: [], events: [] })
const outcome = (about: Submission, answer: ProcessorState) =>
  planOutcome(about, answer, cash, nothing, clockAt(now, 10))

/** The status that a plan gives the rows of a table. */
const statusIn = (plan: Plan<unknown> | null, table: object): string =>
  (plan?.writes ?? [])
    .filter((write: Write) => write.kind !== 'expect' && 'table' in write && write.table === table)
    .map((write) => (write.kind === 'insert' ? write.rows[0] : (write as { set: object }).set))
    .map((row) => (row as { status?: string }).status ?? '')
    .join(' ')

const told = (plan: Plan<unknown> | null) => [
  statusIn(plan, paymentAttempts),
  statusIn(plan, payments),
  statusIn(plan, vouchers),
  (plan?.writes ?? []).flatMap((write) => (write.kind === 'post' ? [write.entryKind] : [])).join(),
  (plan?.events ?? []).map(({ type }) => type).join(),
]

describe('the changes of an answer: attempt, payment, voucher, journal, event', () => {
  const before = { status: 'submitting' as const }
  const cases: [string, Submission, keyof typeof answers, string[]][] = [
    [
      'asked for',
      submission(before, { status: 'processing' }, null),
      'issued',
      ['pending_customer', 'requires_action', 'issued', '', 'payment.requires_action'],
    ],
    [
      'asked for in vain',
      submission(before, { status: 'processing' }, null),
      'canceled',
      ['canceled', 'requires_payment_method', '', '', 'payment.declined'],
    ],
    [
      'not answered for',
      submission(before, { status: 'processing' }, null),
      'unknown',
      ['unknown', '', '', '', ''],
    ],
    ['out', submission(), 'paid', ['captured', 'succeeded', 'paid', 'capture', 'payment.succeeded']],
    ['out', submission(), 'another amount', ['amount_mismatch', '', '', '', 'payment.amount_mismatch']],
    ['out', submission(), 'canceled', ['expired', 'expired', 'expired', '', 'payment.expired']],
    ['out', submission(), 'issued', ['', '', '', '', '']],
    ['out', submission(), 'unknown', ['', '', '', '', '']],
    [
      'over',
      submission({ status: 'expired' }, { status: 'expired' }, voucherRow({ status: 'expired' })),
      'another amount',
      ['amount_mismatch', '', '', '', 'payment.amount_mismatch'],
    ],
  ]
  test('an event about an unchanged payment requires its current version', () => {
    const about = submission()
    const plan = outcome(about, answers['another amount'])
    expect(plan?.writes.at(-1)).toMatchObject({
      kind: 'expect',
      id: about.payment.id,
      where: { version: about.payment.version },
    })
  })

  test.each(cases)('a voucher %s #%#, the processor says %s', (_what, about, answer, expected) => {
    expect(told(outcome(about, answers[answer]))).toEqual(expected)
  })
})

test("issued: the voucher's row, and both rows that show it", () => {
  const plan = outcome(submission({ status: 'submitting' }, { status: 'processing' }, null), answers.issued)
  const details = { reference: '98012345678904', expires_at: expiresAt.toISOString() }
  expect(plan?.writes).toMatchObject([
    {
      table: paymentAttempts,
      set: { methodDetails: details, expiresAt, graceEndsAt, nextCheckAt: nextPushCheck(graceEndsAt, now) },
    },
    { table: payments, set: { methodDetails: details } },
    {
      table: vouchers,
      rows: [{ reference: '98012345678904', expiresAt, graceEndsAt, amountMinor: 120_000n }],
    },
    {
      table: outgoingMails,
      rows: [
        {
          kind: 'payment_instructions',
          recipient: null,
          data: { amount: '120000', number: '98012345678904' },
        },
      ],
    },
  ])
})

test('paid: the fees of OXXO, available by its own bank days', () => {
  const set = outcome(submission(), paid)?.writes.find(
    (write) => write.kind === 'change' && write.table === payments,
  )
  // 1,200.00 at 3.9 % is 46.80, IVA of it 7.49; a Friday's cash is available on Monday.
  expect(set).toMatchObject({
    set: { feeProcessingMinor: 4_680n, feeIvaMinor: 749n, netMinor: 114_571n, availableOn: '2026-06-15' },
  })
})

describe('late cash from a till', () => {
  const over = (
    attempt: AttemptRow['status'],
    payment: PaymentRow['status'],
    voucher: VoucherRow['status'],
  ) => submission({ status: attempt }, { status: payment }, voucherRow({ status: voucher }))
  const cases: [string, Submission, string | null][] = [
    ['after its expiry', over('expired', 'expired', 'expired'), 'paid_late'],
    ['after the payment was canceled', over('canceled', 'canceled', 'canceled'), 'paid_late'],
    ['after a card paid', over('canceled', 'succeeded', 'canceled'), 'already_paid'],
    ['while a card is asked', over('canceled', 'processing', 'canceled'), 'paid_late'],
    ['that was recorded before', over('expired', 'expired', 'paid'), null],
    ['of an attempt that is not over', over('pending_customer', 'requires_action', 'issued'), null],
    ['of an attempt that paid', over('captured', 'succeeded', 'paid'), null],
    ['of a payment that other money paid', over('captured', 'succeeded', 'expired'), 'already_paid'],
    ['without a voucher', submission({ status: 'expired' }, { status: 'expired' }, null), null],
  ]
  test.each(cases)('%s', (_when, about, reason) => {
    const plan = planLate(about, paid, clockAt(now, 20))
    if (reason === null) return expect(plan).toBeNull()
    expect(told(plan)).toEqual(['', '', 'paid', 'deposit', 'unapplied_funds.created'])
    expect(plan?.writes.find((write) => 'table' in write && write.table === unappliedFunds)).toMatchObject({
      rows: [{ reason, method: 'oxxo', remainingMinor: 120_000n, voucherId: idOf(7), paymentId: idOf(1) }],
    })
    const journal = plan?.writes.find((write) => write.kind === 'post')
    expect(journal).toMatchObject({
      sourceType: 'voucher',
      sourceId: idOf(7),
      postings: [
        { account: 'processor_clearing', amountMinor: -120_000n },
        { account: 'unapplied_funds', amountMinor: 120_000n },
      ],
    })
  })

  test('of another amount than was asked for books nothing', () => {
    const other = { ...paid, amountMinor: 119_999n } as ProcessorState
    expect(planLate(over('captured', 'succeeded', 'expired'), other, clockAt())).toBeNull()
  })

  test.each(['unknown', 'canceled', 'issued'] as const)('"%s" changes nothing', (answer) => {
    expect(planLate(over('expired', 'expired', 'expired'), answers[answer], clockAt())).toBeNull()
  })
})

test('replaced: the voucher is closed, and its payment ends', () => {
  expect(told(planReplaced(submission(), clockAt(now, 30)))).toEqual([
    'canceled',
    'canceled',
    'canceled',
    '',
    'payment.canceled',
  ])
})
