import { paymentAttempts, payments } from '../../drizzle/schema/payments.ts'
import { event } from '../../src/kernel/events.ts'
import { canMove } from '../../src/kernel/lifecycle.ts'
import { nextLook } from '../../src/kernel/looks.ts'
import { change, type Plan } from '../../src/kernel/plan.ts'
import type { CustomerAction, ProcessorState } from '../../src/processors/port.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { attemptLifecycle } from './lifecycle.ts'
import { about, type Clock, resolved, retryMs, type Submission } from './plan.ts'
import { planAuthorize, planEnd } from './plan-authorization.ts'
import { type OnSuccess, planCapture } from './plan-capture.ts'
import { type Issued, nextCashCheck } from './plan-cash.ts'
import { planUnpaid } from './plan-cash-end.ts'
import { assignClabe } from './plan-spei.ts'
import { issueVoucher } from './plan-voucher.ts'
import { type PresentedPayment, presentPayment } from './present.ts'
import type { AttemptRow, PaymentRow, VoucherRow } from './store.ts'

type AttemptStatus = 'submitting' | 'unknown' | 'pending_customer' | 'authorized'

/**
 * What an answer of the processor changes; null when it changes nothing. The ledger takes its numbers from our own
 * attempt, and only when the processor's agree with them.
 */
export function planOutcome(
  { payment, attempt, voucher = null, spei = null }: Submission,
  answer: ProcessorState,
  schedule: FeeSchedule,
  onSuccess: OnSuccess,
  clock: Clock,
): Plan<PresentedPayment> | null {
  const step = stepOf(attempt, answer)
  if (!step || !canMove(attemptLifecycle, attempt.status as AttemptStatus, step)) return null
  // A till may take cash for what was over; a card's end is the processor's own.
  if (attempt.method === 'card' && attempt.resolvedAt !== null) return null
  const outcome = { payment, attempt, voucher, answer, clock }
  const submission = { payment, attempt, voucher, spei }
  if (step === 'capture' && answer.state === 'captured') {
    const { processorRef, threeDs } = answer
    const captured = { capturedMinor: askedMinor(attempt), processorRef, threeDs }
    return planCapture(submission, captured, schedule, onSuccess, clock)
  }
  if (answer.state === 'authorized' && step === 'authorize') return planAuthorize(submission, answer, clock)
  const ends = endings[step]
  if (ends) return planEnding(submission, answer, ends, clock)
  if (answer.state === 'pending_customer') return planAction(outcome, answer.action, answer.processorRef)
  return planWait(outcome, step === 'lose' ? 'lose' : 'breach')
}

type Step = 'lose' | 'challenge' | 'authorize' | 'capture' | 'decline' | 'cancel' | 'expire' | 'breach'

type Ending = 'declined' | 'canceled' | 'expired'

const endings: Readonly<Partial<Record<Step, Ending>>> = {
  decline: 'declined',
  cancel: 'canceled',
  expire: 'expired',
}

/** What was asked of the processor: all of it, or the part that the merchant takes. */
const askedMinor = ({ intentAmountMinor, amountMinor }: AttemptRow) => intentAmountMinor ?? amountMinor

function stepOf(attempt: AttemptRow, answer: ProcessorState): Step | null {
  switch (answer.state) {
    case 'captured':
      // Money by SPEI is booked from the transfers that brought it, each told by itself.
      if (attempt.method === 'spei') return null
      return answer.amountMinor === askedMinor(attempt) && answer.currency === attempt.currency
        ? 'capture'
        : 'breach'
    case 'authorized':
      return answer.amountMinor === attempt.amountMinor &&
        answer.currency === attempt.currency &&
        attempt.captureMethod === 'manual'
        ? 'authorize'
        : 'breach'
    case 'pending_customer':
      return 'challenge'
    case 'declined':
      return 'decline'
    case 'canceled':
      if (attempt.intent === 'cancel') return 'cancel'
      return attempt.status === 'submitting' || attempt.status === 'unknown' ? 'cancel' : 'expire'
    case 'unknown':
      return 'lose'
    case 'not_found':
      return null
  }
}

interface Outcome {
  readonly payment: PaymentRow
  readonly attempt: AttemptRow
  readonly voucher: VoucherRow | null
  readonly answer: ProcessorState
  readonly clock: Clock
}

/** Without money. What the merchant ended, what lapsed and cash that nobody paid end the payment too. */
function planEnding(submission: Submission, answer: ProcessorState, ends: Ending, clock: Clock) {
  const { attempt } = submission
  const wanted = attempt.intent === 'cancel'
  if (attempt.method !== 'card' && (wanted || ends === 'expired')) return planUnpaid(submission, clock)
  if (wanted || attempt.status === 'authorized') return planEnd(submission, ends, clock)
  return planDecline(submission, answer, ends, clock)
}

function planDecline(
  { payment, attempt }: Submission,
  answer: ProcessorState,
  status: Ending,
  { now, newId }: Clock,
) {
  const unanswered = status === 'expired' ? 'authentication_failed' : 'processing_error'
  const declineCode = answer.state === 'declined' ? answer.code : unanswered
  const declineCategory = answer.state === 'declined' ? answer.category : 'soft'
  const set = {
    status: 'requires_payment_method',
    declineCode,
    expiresAt: new Date(now.getTime() + retryMs),
    updatedAt: now,
  }
  const presented = presentPayment({ ...payment, ...set })
  return {
    writes: [
      change(paymentAttempts, attempt, { ...resolved(status, now), declineCode, declineCategory }),
      change(payments, payment, set),
    ],
    events: [event(newId(), 'payment.declined', about(payment), presented, { status: payment.status })],
    reply: presented,
  }
}

/** The attempt is not over: the processor is silent, or its numbers contradict ours. */
function planWait({ payment, attempt, clock }: Outcome, step: 'lose' | 'breach') {
  const { now, newId } = clock
  const status = { lose: 'unknown', breach: 'integrity_failure' }[step]
  // Contradicting numbers are for people to look into: no money is booked and nobody is charged again.
  const nextCheckAt = step === 'breach' ? null : nextCheck(attempt, now)
  return {
    writes: [change(paymentAttempts, attempt, { status, nextAction: null, nextCheckAt, updatedAt: now })],
    events:
      step === 'breach'
        ? [event(newId(), 'payment.integrity_failure', about(payment), presentPayment(payment))]
        : [],
    reply: presentPayment(payment),
  }
}

/** It is the buyer's turn: at the bank's page, at a till, at their own bank. */
function planAction({ payment, attempt, clock }: Outcome, action: CustomerAction, processorRef: string) {
  const { now, newId } = clock
  const issued = issuedBy({ payment, attempt }, action, clock)
  const waiting = issued
    ? {
        methodDetails: issued.details,
        expiresAt: issued.expiresAt,
        graceEndsAt: issued.graceEndsAt,
        nextCheckAt: nextCashCheck(issued.graceEndsAt, now),
      }
    : { nextCheckAt: nextCheck(attempt, now) }
  const nextAction = action.type === 'redirect' ? { type: 'redirect' as const, url: action.url } : null
  const set = {
    status: 'requires_action',
    ...(issued ? { methodDetails: issued.details } : {}),
    updatedAt: now,
  }
  const presented = presentPayment({ ...payment, ...set })
  return {
    writes: [
      change(paymentAttempts, attempt, {
        status: 'pending_customer',
        processorRef,
        nextAction,
        ...waiting,
        updatedAt: now,
      }),
      change(payments, payment, set),
      ...(issued?.writes ?? []),
    ],
    events: [
      event(newId(), 'payment.requires_action', about(payment), presented, { status: payment.status }),
      ...(issued?.events ?? []),
    ],
    reply: presented,
  }
}

/** What the processor gave the buyer to pay by, with the rows that its method keeps; null where it is a page to visit. */
function issuedBy(submission: Submission, action: CustomerAction, clock: Clock): Issued | null {
  switch (action.type) {
    case 'redirect':
      return null
    case 'voucher':
      return issueVoucher(submission, action, clock)
    case 'clabe':
      return assignClabe(submission, action, clock)
  }
}

/** The processor still does not say: look again later, and ever later. */
export function planLookLater(attempt: AttemptRow, now: Date): Plan<object> {
  const set = { checksCount: attempt.checksCount + 1, nextCheckAt: nextCheck(attempt, now), updatedAt: now }
  return { writes: [change(paymentAttempts, attempt, set)], events: [], reply: {} }
}

function nextCheck(attempt: AttemptRow, now: Date): Date {
  const { status, graceEndsAt, intent, expiresAt } = attempt
  // Nothing happens to an authorisation by itself before it lapses.
  if (status === 'authorized' && intent === null && expiresAt && expiresAt > now) return expiresAt
  if (status === 'pending_customer' && graceEndsAt && graceEndsAt > now)
    return nextCashCheck(graceEndsAt, now)
  return nextLook(attempt.checksCount, now)
}
