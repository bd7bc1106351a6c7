import { describe, expect, test } from 'vitest'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { planOutcome } from '../../../functions/money/payments/plan-outcome.ts'
import {
  type Decision,
  planResolve,
  planReversal,
  type Reversal,
} from '../../../functions/money/payments/plan-review.ts'
import type { AttemptRow, PaymentRow } from '../../../functions/money/payments/store.ts'
import { isRefusal, type Plan, type Refusal } from '../../../src/kernel/plan.ts'
import { answers, attemptStatuses, clockAt, now, schedule, submission } from './samples.ts'

const contradiction = {
  state: 'captured',
  amount: '120001',
  currency: 'mxn',
  asked: '120000',
  void_or_refund_failure: null,
} as const

const reviewed = (attempt: Partial<AttemptRow> = {}, payment: Partial<PaymentRow> = {}) => ({
  ...submission({ status: 'amount_mismatch', contradiction, ...attempt }, payment),
  voucher: null,
})
const setOf = (plan: Plan<unknown> | null, table: unknown) =>
  plan?.writes.flatMap((write) => (write.kind === 'change' && write.table === table ? [write.set] : []))[0] as
    | Partial<AttemptRow & PaymentRow>
    | undefined
const decide = (standing: ReturnType<typeof reviewed>, decision: Decision) =>
  planResolve(standing, decision, 'key-1', clockAt())
const decisions: readonly Decision[] = ['recheck', 'void_or_refund', 'settled_elsewhere']
const told = (plan: Plan<unknown> | Refusal) =>
  isRefusal(plan)
    ? plan.refused
    : (setOf(plan, paymentAttempts)?.intent ?? setOf(plan, paymentAttempts)?.status ?? 'asked')

describe("a review's state × the decision", () => {
  const elsewhere = attemptStatuses.filter((status) => status !== 'amount_mismatch')
  test.each(elsewhere)('%s: there is nothing to decide', (status) => {
    for (const decision of decisions)
      expect(told(decide(reviewed({ status }), decision))).toBe('payment_not_under_review')
  })

  //                                             recheck  void_or_refund  settled_elsewhere
  test.each([
    ['under review', reviewed(), ['asked', 'void_or_refund', 'canceled']],
    [
      'under review over a capture',
      reviewed(
        { intent: 'capture', intentAmountMinor: 500n, intentKey: 'k' },
        { status: 'requires_capture' },
      ),
      ['asked', 'void_or_refund', 'canceled'],
    ],
    [
      'being given back',
      reviewed({ intent: 'void_or_refund', intentKey: 'k' }),
      ['asked', 'payment_change_in_progress', 'payment_change_in_progress'],
    ],
    ['cash', reviewed({ method: 'oxxo' }), ['asked', 'void_or_refund_unavailable', 'canceled']],
  ] as const)('%s', (_, standing, results) => {
    expect(decisions.map((decision) => told(decide(standing, decision)))).toEqual(results)
  })
})

test('nothing is booked, whatever the decision and its outcome', () => {
  const ends: Reversal[] = [{ state: 'voided' }, { state: 'refunded' }, { state: 'unknown' }]
  const plans = [
    ...decisions.map((decision) => decide(reviewed(), decision) as Plan<unknown>),
    ...ends.map((given) =>
      planReversal(reviewed({ intent: 'void_or_refund', intentKey: 'k' }), given, clockAt()),
    ),
  ]
  for (const plan of plans) expect(plan?.writes.filter(({ kind }) => kind === 'post')).toEqual([])
})

describe('the outcome of giving back', () => {
  const giving = (payment: Partial<PaymentRow> = {}) =>
    reviewed({ intent: 'void_or_refund', intentKey: 'k' }, payment)

  test.each(['voided', 'refunded'] as const)('%s: attempt and payment are canceled', (state) => {
    const plan = planReversal(giving(), { state }, clockAt())
    expect(setOf(plan, paymentAttempts)).toMatchObject({
      status: 'canceled',
      resolution: state,
      intent: null,
      nextCheckAt: null,
      resolvedAt: now,
    })
    expect(setOf(plan, payments)?.status).toBe('canceled')
    expect(plan?.events.map(({ type }) => type)).toEqual(['payment.canceled'])
  })

  test('a payment that was over before keeps its status', () => {
    const plan = planReversal(giving({ status: 'expired' }), { state: 'refunded' }, clockAt())
    expect([setOf(plan, payments), plan?.events]).toEqual([undefined, []])
  })

  test('refused: under review again, with the reason', () => {
    const plan = planReversal(giving(), { state: 'failed', code: 'expired' }, clockAt())
    expect(setOf(plan, paymentAttempts)).toMatchObject({
      intent: null,
      contradiction: { ...contradiction, void_or_refund_failure: 'expired' },
    })
    expect(plan?.events.map(({ type }) => type)).toEqual(['payment.reversal_failed'])
  })

  test.each(['processing', 'unknown'] as const)('%s: asked again, at growing intervals', (state) => {
    const plan = planReversal(giving(), { state }, clockAt())
    expect(setOf(plan, paymentAttempts)).toEqual({
      checksCount: 1,
      nextCheckAt: new Date(now.getTime() + 3_000),
      updatedAt: now,
    })
  })

  test('recorded by another request meanwhile: nothing more', () => {
    for (const attempt of [{ status: 'canceled' }, { intent: null }] as const)
      expect(
        planReversal(reviewed({ intent: 'void_or_refund', ...attempt }), { state: 'refunded' }, clockAt()),
      ).toBeNull()
  })
})

describe('a capture of 500.00 that became one of 1,200.00, which the processor would not give back', () => {
  const standing = (attempt: Partial<AttemptRow> = {}) =>
    reviewed(
      { contradiction: { ...contradiction, amount: '120000', asked: '50000' }, intentKey: 'k', ...attempt },
      { status: 'requires_capture' },
    )
  const refused = (code: string) => {
    const given = { state: 'failed', code } as const
    const { contradiction: found } = setOf(
      planReversal(standing({ intent: 'void_or_refund' }), given, clockAt()),
      paymentAttempts,
    )!
    return standing({ contradiction: found! })
  }
  const rechecked = (code: string) => {
    const { contradiction: found } = setOf(
      decide(refused(code), 'recheck') as Plan<unknown>,
      paymentAttempts,
    )!
    return standing({ contradiction: found! })
  }
  const booked = (of: ReturnType<typeof standing>, amountMinor: bigint) => {
    const answer = { ...answers.captured, amountMinor }
    const plan = planOutcome(of, answer, schedule, () => ({ writes: [], events: [] }), clockAt())
    return setOf(plan, payments)?.amountCapturedMinor ?? null
  }

  test('1,200.00 never is what was asked for', () => {
    for (const each of [standing(), refused('expired'), rechecked('expired')])
      expect(booked(each, 120_000n)).toBeNull()
    expect(booked(standing(), 50_000n)).toBe(50_000n)
  })

  test('500.00 is booked once a person decides again', () => {
    expect([booked(refused('expired'), 50_000n), booked(rechecked('expired'), 50_000n)]).toEqual([
      null,
      50_000n,
    ])
  })

  test('nothing is booked of what went back in part', () => {
    expect(booked(rechecked('amount_mismatch'), 50_000n)).toBeNull()
  })
})
