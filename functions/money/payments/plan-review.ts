import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { paymentMethods } from '../../../src/kernel/payment-methods.ts'
import { change, expect, type Plan, type Refusal, refuse } from '../../../src/kernel/plan.ts'
import { callLeaseMs, nextPoll } from '../../../src/kernel/poll-schedule.ts'
import { about, resolved, type Submission } from './plan.ts'
import { type BankTransfer, endBankTransfer } from './plan-bank-transfer.ts'
import { endVoucher } from './plan-voucher.ts'
import { presentAttempt, presentPayment } from './present.ts'
import type { AttemptRow, PaymentRow, VoucherRow } from './store.ts'

/** The merchant's decision about contradicting numbers. */
export type Decision = 'recheck' | 'void_or_refund' | 'settled_elsewhere'

type PresentedAttempt = ReturnType<typeof presentAttempt>

/** Records a decision. `settled_elsewhere` is complete with it; the others are carried out after the reply. */
export function planResolve(
  submission: {
    readonly payment: PaymentRow
    readonly attempt: AttemptRow | undefined
    readonly voucher: VoucherRow | null
    readonly bankTransfer?: BankTransfer | null
  },
  decision: Decision,
  key: string,
  clock: Clock,
):
  | Plan<PresentedAttempt>
  | Refusal<'payment_not_under_review' | 'payment_change_in_progress' | 'void_or_refund_unavailable'> {
  const { payment, attempt } = submission
  if (attempt?.status !== 'amount_mismatch') return refuse('payment_not_under_review')
  if (decision === 'recheck') return planRecheck(attempt, clock)
  if (attempt.intent === 'void_or_refund') return refuse('payment_change_in_progress')
  if (decision === 'settled_elsewhere')
    return planReviewEnd({ ...submission, payment, attempt }, 'settled_elsewhere', clock)
  // Cash cannot be sent back the way it came.
  return paymentMethods[attempt.method].refund === 'original'
    ? planVoidOrRefund(attempt, key, clock)
    : refuse('void_or_refund_unavailable', { param: 'decision' })
}

/** After a refusal to give back it is the new decision: what agrees now is booked, unless a part went back. */
function planRecheck(attempt: AttemptRow, { now }: Clock): Plan<PresentedAttempt> {
  const { contradiction } = attempt
  const isPartlyBack = contradiction?.void_or_refund_failure === 'amount_mismatch'
  const set = {
    contradiction:
      contradiction && !isPartlyBack ? { ...contradiction, void_or_refund_failure: null } : contradiction,
    nextCheckAt: now,
    checksCount: 0,
    updatedAt: now,
  }
  return {
    writes: [change(paymentAttempts, attempt, set)],
    events: [],
    reply: presentAttempt({ ...attempt, ...set }),
    subjectId: attempt.paymentId,
  }
}

/** Replaces a capture or cancel that contradicted us; its caller gets `payment_under_review`. */
function planVoidOrRefund(attempt: AttemptRow, intentKey: string, { now }: Clock): Plan<PresentedAttempt> {
  const set = {
    intent: 'void_or_refund' as const,
    intentAmountMinor: null,
    intentKey,
    checksCount: 0,
    nextCheckAt: new Date(now.getTime() + callLeaseMs),
    updatedAt: now,
  }
  return {
    writes: [change(paymentAttempts, attempt, set)],
    events: [],
    reply: presentAttempt({ ...attempt, ...set }),
    subjectId: attempt.paymentId,
  }
}

const ended: readonly string[] = ['succeeded', 'partially_captured', 'canceled', 'expired', 'failed']

/**
 * Ends the review and the payment. What contradicted was not booked, so no journal is needed; transfers that were counted
 * are unapplied again.
 */
export function planReviewEnd(
  { payment, attempt, voucher = null, bankTransfer = null }: Submission,
  resolution: 'voided' | 'refunded' | 'settled_elsewhere',
  clock: Clock,
): Plan<PresentedAttempt> {
  const { now, newId } = clock
  const closed = { ...resolved('canceled', now), resolution }
  // The attempt was over before its numbers contradicted ours: the payment continues with another one, or is over too.
  const over = attempt.resolvedAt !== null || ended.includes(payment.status)
  const set = { status: 'canceled' as const, amountReceivedMinor: 0n, updatedAt: now }
  const presented = presentPayment({ ...payment, ...set })
  const received = endBankTransfer({ payment, attempt, bankTransfer: over ? null : bankTransfer }, clock)
  return {
    writes: [
      change(paymentAttempts, attempt, closed),
      ...(over ? [] : [change(payments, payment, set)]),
      ...(voucher?.status === 'issued' ? endVoucher(voucher, 'canceled', now) : []),
      ...received.writes,
    ],
    events: over
      ? []
      : [
          event(newId(), 'payment.canceled', about(payment), presented, presentPayment(payment)),
          ...received.events,
        ],
    reply: presentAttempt({ ...attempt, ...closed }),
    subjectId: payment.id,
  }
}

/** The processor's result of giving the money back. */
export type Reversal =
  | { readonly state: 'voided' | 'refunded' }
  | { readonly state: 'failed'; readonly code: string }
  | { readonly state: 'processing' | 'unknown' }

/** Null when another request has already recorded the end. */
export function planReversal(submission: Submission, given: Reversal, clock: Clock): Plan<object> | null {
  const { payment, attempt } = submission
  if (attempt.status !== 'amount_mismatch' || attempt.intent !== 'void_or_refund') return null
  if (given.state === 'voided' || given.state === 'refunded')
    return planReviewEnd(submission, given.state, clock)
  const { now, newId } = clock
  if (given.state !== 'failed') {
    const set = {
      checksCount: attempt.checksCount + 1,
      nextCheckAt: nextPoll(attempt.checksCount, now),
      updatedAt: now,
    }
    return { writes: [change(paymentAttempts, attempt, set)], events: [], reply: {} }
  }
  // The processor refuses for good to give it back: the attempt stays under review.
  const set = {
    intent: null,
    contradiction: attempt.contradiction && { ...attempt.contradiction, void_or_refund_failure: given.code },
    checksCount: 1,
    nextCheckAt: nextPoll(0, now),
    updatedAt: now,
  }
  return {
    writes: [
      change(paymentAttempts, attempt, set),
      expect(payments, payment.id, { version: payment.version }),
    ],
    events: [event(newId(), 'payment.reversal_failed', about(payment), presentPayment(payment))],
    reply: {},
  }
}
