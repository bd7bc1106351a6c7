import { type Contradiction, paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { canMove } from '../../../src/kernel/lifecycle.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import { flowOf, hasFlow, isPush } from '../../../src/kernel/payment-methods.ts'
import { change, expect, type Plan } from '../../../src/kernel/plan.ts'
import { nextPoll } from '../../../src/kernel/poll-schedule.ts'
import type { CustomerAction, ProcessorState } from '../../../src/processors/port.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { attemptLifecycle } from './lifecycle.ts'
import { about, agreed, challengeMs, isClosed, resolved, retryMs, type Submission } from './plan.ts'
import { planAuthorize, planEnd } from './plan-authorization.ts'
import { assignClabe } from './plan-bank-transfer.ts'
import { type OnSuccess, planCapture } from './plan-capture.ts'
import { instructionsFor } from './plan-mails.ts'
import { type Issued, nextPushCheck } from './plan-push.ts'
import { planUnpaid } from './plan-push-end.ts'
import { issueVoucher } from './plan-voucher.ts'
import { type PresentedPayment, presentPayment } from './present.ts'
import type { AttemptRow, PaymentRow, VoucherRow } from './store.ts'

/**
 * What an answer of the processor changes; null when it changes nothing. The ledger takes its numbers from our own
 * attempt, and only when the processor's agree with them.
 */
export function planOutcome(
  { payment, attempt, voucher = null, bankTransfer = null }: Submission,
  answer: ProcessorState,
  schedule: FeeSchedule,
  onSuccess: OnSuccess,
  clock: Clock,
): Plan<PresentedPayment> | null {
  const step = stepOf(attempt, answer)
  if (!step || !canMove(attemptLifecycle, attempt.status, step)) return null
  // The merchant closed the review or gives the money back: the processor's answer no longer counts.
  if (attempt.intent === 'void_or_refund' || isClosed(attempt.resolution)) return null
  // An attempt that was over before its numbers contradicted ours stays over.
  if (attempt.status === 'amount_mismatch' && attempt.resolvedAt !== null) return null
  // A till may take cash after the end; the processor's end of a card attempt is final.
  if (!isPush(attempt) && attempt.resolvedAt !== null) return null
  const outcome = { payment, attempt, voucher, answer, clock }
  const submission = { payment, attempt, voucher, bankTransfer }
  if (step === 'capture' && answer.state === 'captured') {
    // A person has decided against it, and decides again whether what the processor would not give back is booked.
    if (attempt.contradiction?.void_or_refund_failure) return null
    const { processorRef, threeDs, settledOn, card } = answer
    const captured = { capturedMinor: askedMinor(attempt), processorRef, threeDs, settledOn, card }
    return planCapture(submission, captured, schedule, onSuccess, clock)
  }
  if (answer.state === 'authorized' && step === 'authorize') return planAuthorize(submission, answer, clock)
  const ends = endings[step]
  if (ends) return planEnding(submission, answer, ends, clock)
  if (answer.state === 'pending_customer') return planAction(outcome, answer.action, answer.processorRef)
  if (answer.state === 'unknown') return planLose(outcome, answer)
  return planBreach(outcome, contradictionOf(attempt, answer))
}

type Step = 'lose' | 'challenge' | 'authorize' | 'capture' | 'decline' | 'cancel' | 'expire' | 'breach'

type Ending = 'declined' | 'canceled' | 'expired'

const endings: Readonly<Partial<Record<Step, Ending>>> = {
  decline: 'declined',
  cancel: 'canceled',
  expire: 'expired',
}

/** The amount asked of the processor: all of it, or the part that the merchant captures, also once that wish is given up. */
const askedMinor = ({ status, intentAmountMinor, amountMinor, contradiction }: AttemptRow) =>
  intentAmountMinor ??
  (status === 'amount_mismatch' && contradiction ? BigInt(contradiction.asked) : amountMinor)

function stepOf(attempt: AttemptRow, answer: ProcessorState): Step | null {
  switch (answer.state) {
    case 'captured':
      // The transfers are booked, not this answer.
      if (flowOf(attempt.method) === 'bank_transfer') return null
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
      if (attempt.status === 'amount_mismatch') return isPush(attempt) ? 'expire' : 'cancel'
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

/** Ends the attempt without money. A merchant's cancel, a lapse or unpaid cash also ends the payment. */
function planEnding(submission: Submission, answer: ProcessorState, ends: Ending, clock: Clock) {
  const { payment, attempt } = submission
  const wanted = attempt.intent === 'cancel'
  if (isPush(attempt) && (wanted || ends === 'expired')) return planUnpaid(submission, clock)
  const isPresented = hasFlow(attempt.method, 'presented')
  // The buyer has gone: no other card is awaited, and that no card came is no decline.
  if (isPresented && ends !== 'declined') {
    const isLate = !wanted && attempt.expiresAt !== null && attempt.expiresAt <= clock.now
    const deviceFailure = (!isLate && answer.state === 'canceled' && answer.deviceFailure) || null
    return planEnd(submission, { status: isLate ? 'expired' : 'canceled', deviceFailure }, clock)
  }
  // A device's action ends as its attempt: what was declined first is not canceled.
  if ((wanted && !isPresented) || payment.status === 'requires_capture') {
    if (answer.state !== 'declined')
      return planEnd(submission, { status: ends === 'declined' ? 'expired' : ends }, clock)
    return planEnd(submission, { status: 'declined', code: answer.code, category: answer.category }, clock)
  }
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
    status: 'requires_payment_method' as const,
    declineCode,
    expiresAt: new Date(now.getTime() + retryMs),
    updatedAt: now,
  }
  const presented = presentPayment({ ...payment, ...set })
  return {
    writes: [
      change(paymentAttempts, attempt, {
        ...resolved(status, now),
        ...agreed(attempt),
        declineCode,
        declineCategory,
      }),
      change(payments, payment, set),
    ],
    events: [event(newId(), 'payment.declined', about(payment), presented, presentPayment(payment))],
    reply: presented,
  }
}

/** The processor did not answer. It is asked by the id that it has there, where that is known. */
function planLose(
  { payment, attempt, clock: { now } }: Outcome,
  { processorRef }: Extract<ProcessorState, { state: 'unknown' }>,
): Plan<PresentedPayment> {
  const set = {
    status: 'unknown' as const,
    ...(processorRef === undefined ? {} : { processorRef }),
    nextAction: null,
    nextCheckAt: nextCheck(attempt, now),
    updatedAt: now,
  }
  return { writes: [change(paymentAttempts, attempt, set)], events: [], reply: presentPayment(payment) }
}

/**
 * The processor has taken a payment that waits for transfers, and all that arrived are booked: what it took contradicts
 * them. Null where the payment does not wait any more.
 */
export function planUnexplained(
  { payment, attempt, voucher = null }: Submission,
  answer: ProcessorState,
  clock: Clock,
): Plan<PresentedPayment> | null {
  if (answer.state !== 'captured' || attempt.status !== 'pending_customer') return null
  return planBreach({ payment, attempt, voucher, answer, clock }, contradictionOf(attempt, answer))
}

/**
 * The processor's numbers contradict ours: nothing is booked and the buyer is not charged again. The reconciler asks at
 * growing intervals whether they agree now, and the merchant decides (plan-review.ts).
 */
function planBreach(
  { payment, attempt, clock: { now, newId } }: Outcome,
  contradicting: Contradicting | null,
): Plan<PresentedPayment> {
  const presented = presentPayment(payment)
  const found = contradicting && {
    contradiction: contradicting.contradiction,
    processorRef: contradicting.processorRef,
  }
  const set = {
    status: 'amount_mismatch' as const,
    nextAction: null,
    nextCheckAt: nextPoll(0, now),
    checksCount: 1,
    ...found,
    updatedAt: now,
  }
  return {
    // The event shows the payment as it is now.
    writes: [
      change(paymentAttempts, attempt, set),
      expect(payments, payment.id, { version: payment.version }),
    ],
    events: [event(newId(), 'payment.amount_mismatch', about(payment), presented)],
    reply: presented,
  }
}

interface Contradicting {
  readonly contradiction: Contradiction
  readonly processorRef: string
}

/** The numbers in an answer that contradict our books; null where it names no money. */
function contradictionOf(attempt: AttemptRow, answer: ProcessorState): Contradicting | null {
  if (answer.state !== 'captured' && answer.state !== 'authorized') return null
  const { state, amountMinor, currency, processorRef } = answer
  return {
    processorRef,
    contradiction: {
      state,
      amount: toMinorString(amountMinor),
      currency,
      asked: toMinorString(state === 'captured' ? askedMinor(attempt) : attempt.amountMinor),
      void_or_refund_failure: attempt.contradiction?.void_or_refund_failure ?? null,
    },
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
        nextCheckAt: nextPushCheck(issued.graceEndsAt, now),
      }
    : waitingUntil(attempt, action, now)
  const nextAction = action.type === 'redirect' ? { type: 'redirect' as const, url: action.url } : null
  const set = {
    status: 'requires_action' as const,
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
      ...instructionsFor(payment, issued?.details ?? null, 'payment_instructions', clock),
    ],
    events: [
      event(newId(), 'payment.requires_action', about(payment), presented, presentPayment(payment)),
      ...(issued?.events ?? []),
    ],
    reply: presented,
  }
}

/** A buyer at the bank's page, or a device that waits for a card: nothing is asked after its end. */
function waitingUntil(attempt: AttemptRow, action: CustomerAction, now: Date) {
  const look = nextCheck(attempt, now)
  if (action.type !== 'present_card')
    return { expiresAt: new Date(now.getTime() + challengeMs), nextCheckAt: look }
  const { expiresAt } = action
  return { expiresAt, nextCheckAt: expiresAt < look ? expiresAt : look }
}

/** The voucher or CLABE that the processor issued, with the rows that its method stores; null for a page to visit or a card to present. */
function issuedBy(submission: Submission, action: CustomerAction, clock: Clock): Issued | null {
  switch (action.type) {
    case 'redirect':
    case 'present_card':
      return null
    case 'voucher':
      return issueVoucher(submission, action, clock)
    case 'clabe':
      return assignClabe(submission, action, clock)
  }
}

/** Contradicting numbers that the processor did not report before; null when there are none. */
function newsOf(attempt: AttemptRow, answer: ProcessorState): Contradiction | null {
  const { status, contradiction: known } = attempt
  if (status !== 'amount_mismatch') return null
  const contradiction = contradictionOf(attempt, answer)?.contradiction
  const isKnown =
    contradiction && known && contradictionFields.every((field) => contradiction[field] === known[field])
  return contradiction && !isKnown ? contradiction : null
}

const contradictionFields = ['state', 'amount', 'currency', 'asked', 'void_or_refund_failure'] as const

/** Records new contradicting numbers of an answer that moves nothing; null when there are none. */
export function planContradicted(
  attempt: AttemptRow,
  answer: ProcessorState,
  now: Date,
): Plan<object> | null {
  const contradiction = newsOf(attempt, answer)
  if (!contradiction) return null
  const set = { contradiction, updatedAt: now }
  return { writes: [change(paymentAttempts, attempt, set)], events: [], reply: {} }
}

/**
 * The processor still does not answer, or still contradicts us: look again at growing intervals; null when the attempt
 * is over. Publishes no event.
 */
export function planNextPoll(attempt: AttemptRow, answer: ProcessorState, now: Date): Plan<object> | null {
  if (attempt.nextCheckAt === null) return null
  const contradiction = newsOf(attempt, answer)
  const set = {
    checksCount: attempt.checksCount + 1,
    nextCheckAt: nextCheck(attempt, now),
    ...(contradiction ? { contradiction, updatedAt: now } : {}),
  }
  return { writes: [change(paymentAttempts, attempt, set)], events: [], reply: {} }
}

function nextCheck(attempt: AttemptRow, now: Date): Date {
  const { status, graceEndsAt, intent, expiresAt } = attempt
  // Nothing happens to an authorization by itself before it lapses.
  if (status === 'authorized' && intent === null && expiresAt && expiresAt > now) return expiresAt
  if (status === 'pending_customer' && graceEndsAt && graceEndsAt > now)
    return nextPushCheck(graceEndsAt, now)
  const look = nextPoll(attempt.checksCount, now)
  // An unanswered challenge ends at its expiry, not at the look after it.
  const isOpen = status === 'pending_customer' && expiresAt !== null && expiresAt > now
  return isOpen && expiresAt < look ? expiresAt : look
}
