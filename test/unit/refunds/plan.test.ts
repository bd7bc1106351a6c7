import { describe, expect, test } from 'vitest'
import { refundLifecycle } from '../../../functions/money/refunds/lifecycle.ts'
import { covers, planCreate, type RefundRequest } from '../../../functions/money/refunds/plan.ts'
import { fromBank, planNextPoll, planOutcome } from '../../../functions/money/refunds/plan-outcome.ts'
import type { SourceRow } from '../../../functions/money/refunds/plan-source.ts'
import type { RefundablePayment } from '../../../functions/money/refunds/store.ts'
import { allMoves, statusesOf } from '../../../src/kernel/lifecycle.ts'
import { isRefusal, type Plan, type Write } from '../../../src/kernel/plan.ts'
import { clockAt, now } from '../payments/samples.ts'
import {
  answers,
  back,
  bound,
  cover,
  destination,
  funds,
  fundsId,
  ofPayment,
  payment,
  paymentId,
  plenty,
  refundId,
  refundRow,
  request,
  routes,
  summary,
} from './samples.ts'

describe('the lifecycle', () => {
  test('has these moves and no other', () => {
    expect(allMoves(refundLifecycle).map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      'amount_mismatch -> failed',
      'amount_mismatch -> kept',
      'amount_mismatch -> processing',
      'amount_mismatch -> succeeded',
      'pending -> canceled',
      'pending -> processing',
      'pending_approval -> canceled',
      'pending_approval -> pending',
      'pending_approval -> processing',
      'processing -> failed',
      'processing -> kept',
      'processing -> succeeded',
      'requires_destination -> canceled',
      'requires_destination -> pending',
      'requires_destination -> pending_approval',
      'requires_destination -> processing',
      'succeeded -> failed',
      'succeeded -> kept',
    ])
  })
})

const counted = (amount: string) => [
  `adjust amountRefundedMinor ${amount}`,
  'expect openDisputesCount 0, version 3',
]
/** To the buyer who asked for mails. */
const mailed = 'insert waiting'
const taken = 'post refund merchant_available -6000, refunds_in_flight 6000, leaves 0'

describe('a refund begins', () => {
  const begins: [
    what: string,
    of: Partial<RefundablePayment>,
    asked: Partial<RefundRequest>,
    writes: string[],
    bounds?: typeof plenty,
  ][] = [
    ['a card', {}, { amount: '6000' }, [...counted('6000'), 'insert processing', taken, 'refund.created']],
    [
      'all that is left',
      { amountRefundedMinor: 3_000n, amountDisputedMinor: 1_000n },
      {},
      [...counted('6000'), 'insert processing', taken, 'refund.created'],
    ],
    [
      'cash, to a CLABE',
      { method: 'oxxo' },
      { amount: '6000', destination },
      [...counted('6000'), 'count 6000', 'insert processing', taken, 'refund.created'],
    ],
    [
      'cash, to a CLABE, more than the key may send: nothing is booked, and the payment counts it',
      { method: 'oxxo' },
      { amount: '6000', destination },
      [...counted('6000'), 'insert pending_approval', 'refund.created', 'refund.pending_approval'],
      bound,
    ],
    [
      'a card, whatever the key may send',
      {},
      { amount: '6000' },
      [...counted('6000'), 'insert processing', taken, 'refund.created'],
      bound,
    ],
    [
      'cash, without one: nothing is booked',
      { method: 'spei' },
      { amount: '6000' },
      [...counted('6000'), 'insert requires_destination', 'refund.created'],
    ],
    [
      'recorded offline: nothing is booked',
      { method: 'oxxo' },
      { amount: '6000', method: 'recorded_offline' },
      [...counted('6000'), 'insert succeeded', mailed, 'refund.created', 'refund.succeeded'],
    ],
  ]
  test.each(begins)('%s', (_what, of, asked, writes, bounds = plenty) => {
    const planned = planCreate(payment(of), request(asked), routes, bounds, clockAt())
    if (isRefusal(planned)) throw new Error(planned.refused)
    expect(summary(planned.plan)).toEqual([...writes, 'payment.refunded'])
  })

  test('until the end of its last day in Mexico City a payment can be refunded', () => {
    const at = (iso: string) =>
      planCreate(payment(), request(), routes, { ...plenty, lastDay: '2026-06-14' }, clockAt(new Date(iso)))
    expect(isRefusal(at('2026-06-15T05:59:59Z'))).toBe(false)
    expect(at('2026-06-15T06:00:00Z')).toMatchObject({
      refused: 'refund_window_closed',
      param: 'payment_id',
      message: expect.stringContaining('2026-06-14'),
    })
  })

  test('more than the balance bears waits, and books nothing', () => {
    const planned = planCreate(payment(), request(), routes, cover([0n, 9_999n, 0n]), clockAt())
    if (isRefusal(planned)) throw new Error(planned.refused)
    expect(planned.refund).toMatchObject({ status: 'pending', pendingReason: 'insufficient_funds' })
    expect(summary(planned.plan)).toEqual([
      ...counted('10000'),
      'insert pending',
      'refund.created',
      'payment.refunded',
    ])
  })

  const refused: [
    code: string,
    param: string,
    of: Partial<RefundablePayment>,
    asked: Partial<RefundRequest>,
    available?: Partial<typeof routes>,
  ][] = [
    ['refund_amount_not_positive', 'amount', {}, { amount: '0' }],
    ['refund_amount_not_positive', 'amount', {}, { amount: '-1' }],
    ['refund_currency_mismatch', 'currency', {}, { currency: 'usd' }],
    ['payment_not_refundable', 'payment_id', { amountCapturedMinor: 0n }, {}],
    ['refund_blocked_by_dispute', 'payment_id', { openDisputesCount: 1 }, {}],
    ['refund_exceeds_captured', 'amount', {}, { amount: '10001' }],
    ['refund_exceeds_captured', 'amount', { amountRefundedMinor: 10_000n }, {}],
    ['refund_exceeds_captured', 'amount', { amountDisputedMinor: 4_001n }, { amount: '6000' }],
    ['refund_destination_not_accepted', 'destination', {}, { destination }],
    ['refund_card_not_offline', 'method', {}, { method: 'recorded_offline' }],
    ['refund_unavailable', 'payment_id', {}, {}, { original: false }],
    ['refund_unavailable', 'payment_id', { method: 'oxxo' }, {}, { spei: false }],
    ['refund_unavailable', 'payment_id', { attemptId: null }, {}],
    ['refund_unavailable', 'payment_id', { method: 'oxxo' }, {}, { transfers: true, spei: false }],
    [
      'refund_destination_not_accepted',
      'destination',
      { method: 'spei' },
      { destination },
      { transfers: true },
    ],
  ]
  test.each(refused)('%s %s (%o, %o)', (code, param, of, asked, available = {}) => {
    const planned = planCreate(payment(of), request(asked), { ...routes, ...available }, plenty, clockAt())
    expect(planned).toEqual({ refused: code, param })
  })
})

test('a transfer goes back as it came where the processor gives transfers back, else to a CLABE', () => {
  const planned = (transfers: boolean) =>
    planCreate(payment({ method: 'spei' }), request(), { ...routes, transfers }, plenty, clockAt())
  expect(planned(true)).toMatchObject({ refund: { method: 'original', status: 'processing' } })
  expect(planned(false)).toMatchObject({ refund: { method: 'spei_out', status: 'requires_destination' } })
})

describe('what the balance can bear', () => {
  const cases: [here: [bigint, bigint, bigint], overdraft: bigint, amount: bigint, borne: boolean][] = [
    [[6_000n, 0n, 0n], 0n, 6_000n, true],
    [[5_999n, 0n, 0n], 0n, 6_000n, false],
    [[1_000n, 2_000n, 3_000n], 0n, 6_000n, true],
    [[-1_000n, 7_000n, 0n], 0n, 6_001n, false],
    [[0n, 0n, 0n], 6_000n, 6_000n, true],
    [[0n, 0n, 0n], 5_999n, 6_000n, false],
    [[-6_000n, 0n, 0n], 6_000n, 1n, false],
  ]
  test.each(cases)('%o with an overdraft of %d, %d: %s', (here, overdraft, amount, borne) => {
    expect(covers(cover(here, overdraft), 'mxn', amount)).toBe(borne)
  })

  test('the publish carries the same bound for the database', () => {
    const planned = planCreate(payment(), request(), routes, cover([4_000n, 0n, 0n], 6_000n), clockAt())
    if (isRefusal(planned)) throw new Error(planned.refused)
    expect(planned.plan.writes.find(({ kind }) => kind === 'post')).toMatchObject({
      leaves: {
        accounts: ['merchant_available', 'merchant_pending', 'merchant_reserve'],
        balanceMinorMin: -6_000n,
      },
    })
  })
})

const paid = 'post refund_paid refunds_in_flight -6000, processor_clearing 6000'

describe('an answer', () => {
  const reversed = [
    'change processing -> failed',
    ...back,
    'post refund_reversed refunds_in_flight -6000, merchant_available 6000',
    'refund.failed',
    'payment.refund_reversed',
  ]
  const returned = [
    'change succeeded -> failed',
    ...back,
    'post refund_returned processor_clearing -6000, merchant_available 6000',
    'refund.failed',
    'payment.refund_reversed',
  ]
  const breach = ['change processing -> same', 'refund.amount_mismatch']
  const changes: Partial<Record<string, Partial<Record<keyof typeof answers, string[]>>>> = {
    processing: {
      succeeded: ['change processing -> succeeded', paid, mailed, 'refund.succeeded'],
      'succeeded, another amount': breach,
      'succeeded, another currency': breach,
      kept: ['change processing -> kept', paid, 'refund.kept'],
      failed: reversed,
    },
    succeeded: { failed: returned, kept: ['change succeeded -> kept', 'refund.kept'] },
  }
  const table = statusesOf(refundLifecycle).flatMap((status) =>
    (Object.keys(answers) as (keyof typeof answers)[]).map(
      (answer): [typeof status, keyof typeof answers, string[]] => [
        status,
        answer,
        changes[status]?.[answer] ?? [],
      ],
    ),
  )
  test.each(table)('%s, reported as %s', (status, answer, writes) => {
    const plan = planOutcome(refundRow({ status }), ofPayment, answers[answer], clockAt())
    expect(plan ? summary(plan) : []).toEqual(writes)
  })

  test('contradicting numbers make one event', () => {
    const seen = refundRow({ failureCode: 'amount_mismatch', nextCheckAt: null })
    const answer = answers['succeeded, another amount']
    expect(planOutcome(seen, ofPayment, answer, clockAt())).toBeNull()
    expect(planNextPoll(seen, answer, now)).toBeNull()
  })

  test('an offline refund ignores the processor', () => {
    const recorded = refundRow({ status: 'succeeded', method: 'recorded_offline' })
    expect(planOutcome(recorded, ofPayment, answers.failed, clockAt())).toBeNull()
  })

  test('funds get their amount back', () => {
    const refund = refundRow({ paymentId: null, unappliedFundsId: fundsId, method: 'spei_out' })
    const source: SourceRow = { kind: 'funds', funds: funds({ status: 'settled', remainingMinor: 0n }) }
    const plan = planOutcome(refund, source, answers.failed, clockAt())!
    expect(summary(plan)).toEqual([
      'change processing -> failed',
      'adjust remainingMinor 6000',
      'post refund_reversed refunds_in_flight -6000, unapplied_funds 6000',
      'refund.failed',
      'unapplied_funds.refund_reversed',
    ])
  })

  test('without news it is asked again after 3 s, then at growing intervals up to an hour', () => {
    const waits = [0, 1, 2, 10, 30].map((checksCount) => {
      const plan = planNextPoll(refundRow({ checksCount }), answers.unknown, now)!
      const { set } = plan.writes[0] as Extract<Write, { kind: 'change' }>
      return (set as { nextCheckAt: Date }).nextCheckAt.getTime() - now.getTime()
    })
    expect(waits).toEqual([3_000, 6_000, 12_000, 3_072_000, 3_600_000])
  })

  test('a paid refund is watched for five days, to an account or to a card', () => {
    const changed = (plan: Plan<object> | null) =>
      (plan!.writes[0] as Extract<Write, { kind: 'change' }>).set as { nextCheckAt: Date | null }
    const day = new Date(now.getTime() + 86_400_000)
    for (const method of ['spei_out', 'original'] as const) {
      const plan = planOutcome(refundRow({ method }), ofPayment, answers.succeeded, clockAt())
      expect(changed(plan)).toMatchObject({ nextCheckAt: day, checksCount: 0 })
    }
    const looks = [0, 3, 4].map((checksCount) => {
      const paid = refundRow({ method: 'spei_out', status: 'succeeded', checksCount, resolvedAt: now })
      return changed(planNextPoll(paid, answers.succeeded, now)).nextCheckAt
    })
    expect(looks).toEqual([day, day, null])
    const silent = refundRow({ method: 'spei_out', status: 'succeeded', checksCount: 4, resolvedAt: now })
    expect(changed(planNextPoll(silent, answers.unknown, now))).toMatchObject({
      nextCheckAt: new Date(now.getTime() + 3_600_000),
      checksCount: 4,
    })
  })

  const banks = [
    [{ state: 'paid', claveRastreo: 'SBX1' }, 'succeeded'],
    [{ state: 'processing' }, 'processing'],
    [{ state: 'failed', code: 'account_closed' }, 'failed'],
    [
      { state: 'returned', code: 'account_closed', claveRastreo: 'SBX1', returnClaveRastreo: 'DEV1' },
      'failed',
    ],
    [{ state: 'canceled' }, 'failed'],
    [{ state: 'not_found' }, 'not_found'],
    [{ state: 'unknown' }, 'unknown'],
  ] as const
  test.each(banks)('a bank that answers %o', (said, means) => {
    expect(fromBank(said, refundRow()).state).toBe(means)
  })
})

test("the reply has the refund's id and what was asked for", () => {
  const planned = planCreate(payment(), request({ metadata: { ticket: '88' } }), routes, plenty, clockAt())
  if (isRefusal(planned)) throw new Error(planned.refused)
  expect(planned.plan.reply).toMatchObject({
    id: planned.refund.id,
    payment_id: paymentId,
    amount: '10000',
    metadata: { ticket: '88' },
  })
  expect(planned.plan.subjectId).toBe(planned.refund.id)
  expect(planned.refund.id).not.toBe(refundId)
})
