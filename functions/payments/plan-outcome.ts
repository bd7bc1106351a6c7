import { paymentAttempts, payments } from '../../drizzle/schema/payments.ts'
import { event } from '../../src/kernel/events.ts'
import { canMove } from '../../src/kernel/lifecycle.ts'
import { change, type EventDraft, type Plan, post, type Write } from '../../src/kernel/plan.ts'
import { captureJournal } from '../../src/ledger/journals.ts'
import type { CustomerAction, Method, ProcessorState } from '../../src/processors/port.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { attemptLifecycle } from './lifecycle.ts'
import { about, type Clock, retryMs, type Submission } from './plan.ts'
import { type Issued, nextCashCheck } from './plan-cash.ts'
import { planUnpaid } from './plan-cash-end.ts'
import { assignClabe } from './plan-spei.ts'
import { endVoucher, issueVoucher } from './plan-voucher.ts'
import { presentPayment } from './present.ts'
import { availableOn, feesOf, reserveOf } from './pricing.ts'
import type { AttemptRow, PaymentRow, VoucherRow } from './store.ts'

const checkFirstMs = 3_000
const checkLongestMs = 3_600_000

/** What a success means to the surface that sold: its writes and events, in the same publish. */
export type OnSuccess = (payment: PaymentRow) => {
  readonly writes: readonly Write[]
  readonly events: readonly EventDraft[]
}

type AttemptStatus = 'submitting' | 'unknown' | 'pending_customer'

/**
 * What an answer of the processor changes; null when it changes nothing. The ledger takes its numbers from our own
 * attempt, and only when the processor's agree with them.
 */
export function planOutcome(
  { payment, attempt, voucher = null }: Submission,
  answer: ProcessorState,
  schedule: FeeSchedule,
  onSuccess: OnSuccess,
  clock: Clock,
): Plan<{ public_id: string }> | null {
  const step = stepOf(attempt, answer)
  if (!step || !canMove(attemptLifecycle, attempt.status as AttemptStatus, step)) return null
  const outcome = { payment, attempt, voucher, answer, clock }
  if (step === 'capture') return planCapture(outcome, schedule, onSuccess)
  if (step === 'expire' && attempt.method !== 'card') return planUnpaid({ payment, attempt, voucher }, clock)
  if (step === 'decline' || step === 'cancel' || step === 'expire') return planDecline(outcome, step)
  if (answer.state === 'pending_customer') return planAction(outcome, answer.action, answer.processorRef)
  return planWait(outcome, step === 'lose' ? 'lose' : 'breach')
}

type Step = 'lose' | 'challenge' | 'capture' | 'decline' | 'cancel' | 'expire' | 'breach'

function stepOf(attempt: AttemptRow, answer: ProcessorState): Step | null {
  switch (answer.state) {
    case 'captured':
      return answer.amountMinor === attempt.amountMinor && answer.currency === attempt.currency
        ? 'capture'
        : 'breach'
    case 'pending_customer':
      return 'challenge'
    case 'declined':
      return 'decline'
    case 'canceled':
      return attempt.status === 'pending_customer' ? 'expire' : 'cancel'
    case 'unknown':
      return 'lose'
    case 'authorized':
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

function planCapture(
  { payment, attempt, voucher, clock }: Outcome,
  schedule: FeeSchedule,
  onSuccess: OnSuccess,
) {
  const { now, newId } = clock
  const method = payment.method as Method
  const fees = feesOf({
    method,
    amountMinor: attempt.amountMinor,
    months: attempt.installmentMonths,
    schedule,
  })
  const available = availableOn(now, schedule, method)
  const set = {
    status: 'succeeded',
    amountAuthorizedMinor: attempt.amountMinor,
    amountCapturedMinor: attempt.amountMinor,
    feeProcessingMinor: fees.processingMinor,
    feeInstallmentsMinor: fees.installmentsMinor,
    feeIvaMinor: fees.ivaMinor,
    netMinor: fees.netMinor,
    availableOn: available,
    fundsStatus: 'pending',
    ...reserveOf(fees.netMinor, available, schedule),
    declineCode: null,
    succeededAt: now,
    updatedAt: now,
  }
  const paid = { ...payment, ...set }
  const surface = onSuccess(paid)
  const journal = captureJournal(
    { journalId: newId(), sourceId: payment.id, currency: payment.currency, now },
    {
      grossMinor: attempt.amountMinor,
      feeMinor: fees.processingMinor + fees.installmentsMinor,
      ivaMinor: fees.ivaMinor,
    },
  )
  return {
    writes: [
      // What was sold comes first, as in a submission: both lock it before the payment, so that neither waits in a ring.
      ...surface.writes,
      change(paymentAttempts, attempt, {
        status: 'captured',
        nextCheckAt: null,
        resolvedAt: now,
        updatedAt: now,
      }),
      change(payments, payment, set),
      ...endVoucher(voucher, 'paid', now),
      post(journal),
    ],
    events: [
      event(newId(), 'payment.succeeded', about(payment), presentPayment(paid), { status: payment.status }),
      ...surface.events,
    ],
    reply: { public_id: payment.publicId },
  }
}

function planDecline({ payment, attempt, answer, clock }: Outcome, step: 'decline' | 'cancel' | 'expire') {
  const { now, newId } = clock
  const status = { decline: 'declined', cancel: 'canceled', expire: 'expired' }[step]
  const unanswered = step === 'expire' ? 'authentication_failed' : 'processing_error'
  const declineCode = answer.state === 'declined' ? answer.code : unanswered
  const declineCategory = answer.state === 'declined' ? answer.category : 'soft'
  const set = {
    status: 'requires_payment_method',
    declineCode,
    expiresAt: new Date(now.getTime() + retryMs),
    updatedAt: now,
  }
  const resolved = {
    status,
    declineCode,
    declineCategory,
    nextAction: null,
    nextCheckAt: null,
    resolvedAt: now,
    updatedAt: now,
  }
  const declined = { ...payment, ...set }
  return {
    writes: [change(paymentAttempts, attempt, resolved), change(payments, payment, set)],
    events: [
      event(newId(), 'payment.declined', about(payment), presentPayment(declined), {
        status: payment.status,
      }),
    ],
    reply: { public_id: payment.publicId },
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
    reply: { public_id: payment.publicId },
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
      event(newId(), 'payment.requires_action', about(payment), presentPayment({ ...payment, ...set }), {
        status: payment.status,
      }),
      ...(issued?.events ?? []),
    ],
    reply: { public_id: payment.publicId },
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
  const { status, graceEndsAt } = attempt
  if (status === 'pending_customer' && graceEndsAt && graceEndsAt > now)
    return nextCashCheck(graceEndsAt, now)
  return new Date(now.getTime() + Math.min(checkFirstMs * 2 ** attempt.checksCount, checkLongestMs))
}
