import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { hasFlow } from '../../../src/kernel/payment-methods.ts'
import { change, type Plan, type Refusal, refuse, type Write } from '../../../src/kernel/plan.ts'
import { callLeaseMs } from '../../../src/kernel/poll-schedule.ts'
import type { ProcessorState } from '../../../src/processors/port.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { about, agreed, resolved, type Submission } from './plan.ts'
import { toldNow } from './plan-capture.ts'
import { endVoucher } from './plan-voucher.ts'
import { type PresentedPayment, presentPayment } from './present.ts'
import { feesOf } from './pricing.ts'
import type { AttemptRow, PaymentRow } from './store.ts'

type Authorized = Extract<ProcessorState, { state: 'authorized' }>

/** The bank holds the money until `captureBefore`; the merchant captures or voids it. */
export function planAuthorize(
  { payment, attempt }: Submission,
  { captureBefore, processorRef, threeDs, card }: Authorized,
  { now, newId }: Clock,
): Plan<PresentedPayment> {
  const set = {
    status: 'requires_capture' as const,
    amountAuthorizedMinor: attempt.amountMinor,
    captureBefore,
    declineCode: null,
    ...toldNow(payment, card),
    updatedAt: now,
  }
  const presented = presentPayment({ ...payment, ...set })
  return {
    writes: [
      change(paymentAttempts, attempt, {
        status: 'authorized',
        ...toldNow(attempt, card),
        ...agreed(attempt),
        processorRef,
        ...(threeDs ? { threeDs: { ...threeDs } } : {}),
        nextAction: null,
        expiresAt: captureBefore,
        // A cancel that overlapped the buyer's answer is still unfinished.
        nextCheckAt: attempt.intent === null ? captureBefore : attempt.nextCheckAt,
        checksCount: 0,
        updatedAt: now,
      }),
      change(payments, payment, set),
    ],
    events: [event(newId(), 'payment.authorized', about(payment), presented, presentPayment(payment))],
    reply: presented,
  }
}

/** How an attempt ended without money; as declined with why, or why a device did not take it. */
export type Ends =
  | ({ readonly status: 'canceled' | 'expired' } & Partial<Pick<AttemptRow, 'deviceFailure'>>)
  | ({ readonly status: 'declined' } & Declined)
type Declined = Pick<Extract<ProcessorState, { state: 'declined' }>, 'code' | 'category'>

/** The attempt ended without money and the payment with it: it was canceled, no card was presented, the authorization lapsed. */
export function planEnd(
  { payment, attempt, voucher = null }: Submission,
  ends: Ends,
  { now, newId }: Clock,
): Plan<PresentedPayment> {
  const isCanceled =
    attempt.intent === 'cancel' || (ends.status === 'canceled' && hasFlow(attempt.method, 'presented'))
  const status = isCanceled ? 'canceled' : 'expired'
  const set: Partial<PaymentRow> = { status, updatedAt: now }
  const presented = presentPayment({ ...payment, ...set })
  return {
    writes: [
      change(paymentAttempts, attempt, {
        ...resolved(ends.status, now),
        ...agreed(attempt),
        ...(ends.status === 'declined'
          ? { declineCode: ends.code, declineCategory: ends.category }
          : { deviceFailure: ends.deviceFailure ?? null }),
      }),
      change(payments, payment, set),
      ...endVoucher(voucher, status, now),
    ],
    events: [event(newId(), `payment.${status}`, about(payment), presented, presentPayment(payment))],
    reply: presented,
  }
}

/** The merchant's request for an uncaptured payment. `amount` as it was sent; absent: all of it. */
export type Wish =
  | { readonly kind: 'capture'; readonly amount: string | undefined }
  | { readonly kind: 'cancel' }

/** The next step of a request. */
export type NextStep =
  /** Record this, then ask the processor. */
  | { readonly next: 'intend'; readonly plan: Plan<unknown>; readonly intended: Submission }
  /** The intent is recorded already under this key: ask the processor (again). */
  | { readonly next: 'ask' }
  /** No processor call needed: publish this. */
  | { readonly next: 'publish'; readonly plan: Plan<PresentedPayment> }

export interface Wished {
  readonly payment: PaymentRow
  /** The payment's last attempt; null when there is none. */
  readonly submission: Submission | null
  /** The Idempotency-Key: a retry with it resumes the request. */
  readonly key: string
  readonly schedule: FeeSchedule
  /** Locks what was sold, first as in every plan. */
  readonly origin: Write
}

/**
 * Begins, resumes or refuses a capture. One intent at a time: it stays with the attempt until the processor has
 * answered. Its key stays after that, so that a retry gets a lost reply.
 */
export function planCaptureIntent(
  wished: Wished,
  amount: string | undefined,
  clock: Clock,
):
  | NextStep
  | Refusal<
      | 'payment_not_capturable'
      | 'payment_under_review'
      | 'payment_change_in_progress'
      | 'authorization_expired'
      | 'idempotency_key_reused'
      | 'capture_amount_not_positive'
      | 'capture_exceeds_authorized'
      | 'capture_below_fees'
    > {
  const { payment, submission, key, schedule } = wished
  const attempt = submission?.attempt
  if (amount !== undefined && BigInt(amount) <= 0n)
    return refuse('capture_amount_not_positive', { param: 'amount' })
  const amountMinor = amount === undefined ? (attempt?.amountMinor ?? 0n) : BigInt(amount)
  if (attempt?.intentKey === key && amountMinor === payment.amountCapturedMinor) return repeated(payment)
  if (attempt?.status === 'amount_mismatch') return refuse('payment_under_review')
  if (payment.status === 'expired' && payment.captureBefore !== null) return refuse('authorization_expired')
  if (!submission || !attempt || payment.status !== 'requires_capture')
    return refuse('payment_not_capturable')
  if (amountMinor > attempt.amountMinor) return refuse('capture_exceeds_authorized', { param: 'amount' })
  if (attempt.intent !== null) return underWay(attempt, { intent: 'capture', amountMinor, key })
  if (payment.captureBefore !== null && payment.captureBefore <= clock.now)
    return refuse('authorization_expired')
  if (!leavesSomething(attempt, amountMinor, schedule))
    return refuse('capture_below_fees', { param: 'amount' })
  return intend(wished.origin, submission, { intent: 'capture', intentAmountMinor: amountMinor }, key, clock)
}

const leavesSomething = (attempt: AttemptRow, amountMinor: bigint, schedule: FeeSchedule) =>
  feesOf({ method: attempt.method, amountMinor, months: attempt.installmentMonths, schedule }).netMinor > 0n

/** Begins, resumes or refuses a cancel. A payment that only waits for another card needs no processor call. */
export function planCancelIntent(
  wished: Wished,
  clock: Clock,
):
  | NextStep
  | Refusal<
      | 'payment_not_cancelable'
      | 'payment_under_review'
      | 'payment_change_in_progress'
      | 'idempotency_key_reused'
    > {
  const { payment, submission, key } = wished
  const attempt = submission?.attempt
  if (payment.status === 'canceled' && attempt?.intentKey === key) return repeated(payment)
  if (payment.status === 'requires_payment_method')
    return { next: 'publish', plan: planCancel(payment, clock) }
  if (attempt?.status === 'amount_mismatch') return refuse('payment_under_review')
  if (!submission || !attempt || !['requires_capture', 'requires_action'].includes(payment.status))
    return refuse('payment_not_cancelable')
  if (attempt.intent !== null) return underWay(attempt, { intent: 'cancel', amountMinor: null, key })
  return intend(wished.origin, submission, { intent: 'cancel', intentAmountMinor: null }, key, clock)
}

function underWay(
  attempt: AttemptRow,
  wish: { intent: string; amountMinor: bigint | null; key: string },
): NextStep | Refusal<'payment_change_in_progress' | 'idempotency_key_reused'> {
  const same = attempt.intent === wish.intent && attempt.intentAmountMinor === wish.amountMinor
  if (attempt.intentKey !== wish.key || attempt.intent !== wish.intent)
    return refuse('payment_change_in_progress')
  return same ? { next: 'ask' } : refuse('idempotency_key_reused')
}

function intend(
  origin: Write,
  submission: Submission,
  intent: Pick<AttemptRow, 'intent' | 'intentAmountMinor'>,
  intentKey: string,
  { now }: Clock,
): NextStep {
  const { attempt } = submission
  const set = {
    ...intent,
    intentKey,
    checksCount: 0,
    nextCheckAt: new Date(now.getTime() + callLeaseMs),
    updatedAt: now,
  }
  return {
    next: 'intend',
    plan: { writes: [origin, change(paymentAttempts, attempt, set)], events: [], reply: {} },
    intended: { ...submission, attempt: { ...attempt, ...set, version: attempt.version + 1 } },
  }
}

const repeated = (payment: PaymentRow): NextStep => ({
  next: 'publish',
  plan: { writes: [], events: [], reply: presentPayment(payment) },
})

function planCancel(payment: PaymentRow, { now, newId }: Clock): Plan<PresentedPayment> {
  const set = { status: 'canceled' as const, expiresAt: null, updatedAt: now }
  const presented = presentPayment({ ...payment, ...set })
  return {
    writes: [change(payments, payment, set)],
    events: [event(newId(), 'payment.canceled', about(payment), presented, presentPayment(payment))],
    reply: presented,
  }
}
