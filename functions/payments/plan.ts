import { paymentAttempts, payments } from '../../drizzle/schema/payments.ts'
import { event } from '../../src/kernel/events.ts'
import { canMove } from '../../src/kernel/lifecycle.ts'
import { change, type EventDraft, insert, type Plan, post, type Write } from '../../src/kernel/plan.ts'
import { captureJournal, releaseJournal } from '../../src/ledger/journals.ts'
import type { CardFacts, ProcessorState } from '../../src/processors/port.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { attemptLifecycle } from './lifecycle.ts'
import { presentPayment } from './present.ts'
import { availableOn, cardFees } from './pricing.ts'
import type { AttemptRow, PaymentRow } from './store.ts'

/** A Worker that died in the middle of a processor call is given this long before the janitor looks. */
export const callLeaseMs = 60_000
/** How long a buyer may take over the bank's challenge. */
export const challengeMs = 30 * 60_000
/** How long a declined payment waits for another card. */
export const retryMs = 24 * 3_600_000

const checkFirstMs = 3_000
const checkLongestMs = 3_600_000

/** Something to sell, as a surface offers it to a buyer. */
export interface Order {
  readonly surface: 'payment_link'
  readonly originId: string
  /** One payment only: then no two live payments share the origin. */
  readonly exclusive: boolean
  readonly description: string | null
  /** What the buyer pays, markup included. */
  readonly totalMinor: bigint
  readonly markupMinor: bigint
  readonly currency: string
  readonly installmentMonths: number
}

export interface Submission {
  readonly payment: PaymentRow
  readonly attempt: AttemptRow
}

export interface Clock {
  readonly now: Date
  readonly newId: () => string
}

const about = (payment: PaymentRow) => ({ type: 'payment', id: payment.id })

/** The first attempt at an order: the payment and its attempt, recorded before the processor hears of it. */
export function newSubmission(
  order: Order,
  publicId: string,
  card: CardFacts,
  processor: string,
  schedule: FeeSchedule,
  { now, newId }: Clock,
): Submission {
  const payment: PaymentRow = {
    tenantId: '',
    id: newId(),
    publicId,
    status: 'processing',
    amountMinor: order.totalMinor,
    currency: order.currency,
    amountAuthorizedMinor: 0n,
    amountCapturedMinor: 0n,
    amountRefundedMinor: 0n,
    amountDisputedMinor: 0n,
    tipAmountMinor: 0n,
    method: 'card',
    methodDetails: card,
    installmentMonths: order.installmentMonths,
    markupMinor: order.markupMinor,
    feeScheduleVersion: schedule.version,
    feeProcessingMinor: 0n,
    feeInstallmentsMinor: 0n,
    feeIvaMinor: 0n,
    netMinor: 0n,
    availableOn: null,
    fundsStatus: 'none',
    originSurface: order.surface,
    originId: order.originId,
    exclusive: order.exclusive,
    customerId: null,
    description: order.description,
    declineCode: null,
    succeededAt: null,
    expiresAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  return { payment, attempt: newAttempt(payment, 1, card, processor, { now, newId }) }
}

function newAttempt(
  payment: PaymentRow,
  number: number,
  card: CardFacts,
  processor: string,
  clock: Clock,
): AttemptRow {
  return {
    tenantId: '',
    id: clock.newId(),
    paymentId: payment.id,
    number,
    status: 'submitting',
    processor,
    processorRef: null,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    installmentMonths: payment.installmentMonths,
    methodDetails: card,
    nextAction: null,
    declineCode: null,
    declineCategory: null,
    threeDs: null,
    nextCheckAt: new Date(clock.now.getTime() + callLeaseMs),
    checksCount: 0,
    resolvedAt: null,
    version: 1,
    createdAt: clock.now,
    updatedAt: clock.now,
  }
}

/** Records a first attempt. `condition` is what the surface's row must still be. */
export function planSubmission({ payment, attempt }: Submission, condition: Write, newId: () => string) {
  const { tenantId: _, ...paymentFields } = payment
  const { tenantId: __, ...attemptFields } = attempt
  return {
    writes: [condition, insert(payments, paymentFields), insert(paymentAttempts, attemptFields)],
    events: [event(newId(), 'payment.created', about(payment), presentPayment(payment))],
    reply: { public_id: payment.publicId },
    subjectId: payment.id,
  } satisfies Plan<unknown>
}

/** Another card for a payment that was declined: the same payment, its next attempt. */
export function planRetry(
  before: PaymentRow,
  order: Order,
  number: number,
  card: CardFacts,
  processor: string,
  schedule: FeeSchedule,
  condition: Write,
  clock: Clock,
): { submission: Submission; plan: Plan<{ public_id: string }> } {
  const set = {
    status: 'processing',
    amountMinor: order.totalMinor,
    markupMinor: order.markupMinor,
    installmentMonths: order.installmentMonths,
    feeScheduleVersion: schedule.version,
    methodDetails: card,
    declineCode: null,
    expiresAt: null,
    updatedAt: clock.now,
  }
  const payment: PaymentRow = { ...before, ...set, version: before.version + 1 }
  const attempt = newAttempt(payment, number, card, processor, clock)
  const { tenantId: _, ...attemptFields } = attempt
  const plan = {
    writes: [condition, change(payments, before, set), insert(paymentAttempts, attemptFields)],
    events: [
      event(clock.newId(), 'payment.processing', about(payment), presentPayment(payment), {
        status: before.status,
      }),
    ],
    reply: { public_id: payment.publicId },
    subjectId: payment.id,
  }
  return { submission: { payment, attempt }, plan }
}

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
  { payment, attempt }: Submission,
  answer: ProcessorState,
  schedule: FeeSchedule,
  onSuccess: OnSuccess,
  clock: Clock,
): Plan<{ public_id: string }> | null {
  const step = stepOf(attempt, answer)
  if (!step || !canMove(attemptLifecycle, attempt.status as AttemptStatus, step)) return null
  const outcome = { payment, attempt, answer, clock }
  if (step === 'capture') return planCapture(outcome, schedule, onSuccess)
  if (step === 'decline' || step === 'cancel' || step === 'expire') return planDecline(outcome, step)
  return planWait(outcome, step)
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
    case 'not_found':
      return null
  }
}

interface Outcome {
  readonly payment: PaymentRow
  readonly attempt: AttemptRow
  readonly answer: ProcessorState
  readonly clock: Clock
}

function planCapture({ payment, attempt, clock }: Outcome, schedule: FeeSchedule, onSuccess: OnSuccess) {
  const { now, newId } = clock
  const fees = cardFees({ amountMinor: attempt.amountMinor, months: attempt.installmentMonths, schedule })
  const set = {
    status: 'succeeded',
    amountAuthorizedMinor: attempt.amountMinor,
    amountCapturedMinor: attempt.amountMinor,
    feeProcessingMinor: fees.processingMinor,
    feeInstallmentsMinor: fees.installmentsMinor,
    feeIvaMinor: fees.ivaMinor,
    netMinor: fees.netMinor,
    availableOn: availableOn(now, schedule),
    fundsStatus: 'pending',
    declineCode: null,
    succeededAt: now,
    updatedAt: now,
  }
  const paid = { ...payment, ...set }
  const surface = onSuccess(paid)
  const journal = captureJournal(
    { journalId: newId(), paymentId: payment.id, currency: payment.currency, now },
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

/** The attempt is not over: the bank asks the buyer, the processor is silent, or its numbers contradict ours. */
function planWait({ payment, attempt, answer, clock }: Outcome, step: 'lose' | 'challenge' | 'breach') {
  const { now, newId } = clock
  const status = { lose: 'unknown', challenge: 'pending_customer', breach: 'integrity_failure' }[step]
  const nextAction =
    answer.state === 'pending_customer' ? { type: 'redirect' as const, url: answer.actionUrl } : null
  // Contradicting numbers are for people to look into: no money is booked and nobody is charged again.
  const nextCheckAt = step === 'breach' ? null : nextCheck(attempt, now)
  const waiting = { status, nextAction, nextCheckAt, updatedAt: now }
  const asks = step === 'challenge'
  const acting = { ...payment, status: 'requires_action', updatedAt: now }
  return {
    writes: [
      change(paymentAttempts, attempt, waiting),
      ...(asks ? [change(payments, payment, { status: 'requires_action', updatedAt: now })] : []),
    ],
    events: asks
      ? [
          event(newId(), 'payment.requires_action', about(payment), presentPayment(acting), {
            status: payment.status,
          }),
        ]
      : step === 'breach'
        ? [event(newId(), 'payment.integrity_failure', about(payment), presentPayment(payment))]
        : [],
    reply: { public_id: payment.publicId },
  }
}

/** The processor still does not say: look again later, and ever later. */
export function planLookLater(attempt: AttemptRow, now: Date): Plan<object> {
  const set = { checksCount: attempt.checksCount + 1, nextCheckAt: nextCheck(attempt, now), updatedAt: now }
  return { writes: [change(paymentAttempts, attempt, set)], events: [], reply: {} }
}

const nextCheck = (attempt: AttemptRow, now: Date) =>
  new Date(now.getTime() + Math.min(checkFirstMs * 2 ** attempt.checksCount, checkLongestMs))

/** The bank days have passed: pending becomes available. */
export function planRelease(payment: PaymentRow, { now, newId }: Clock): Plan<object> | null {
  if (payment.fundsStatus !== 'pending') return null
  const released = { ...payment, fundsStatus: 'available', updatedAt: now }
  const journal = releaseJournal(
    { journalId: newId(), paymentId: payment.id, currency: payment.currency, now },
    payment.netMinor,
  )
  return {
    writes: [change(payments, payment, { fundsStatus: 'available', updatedAt: now }), post(journal)],
    events: [
      event(newId(), 'payment.funds_available', about(payment), presentPayment(released), {
        funds_status: 'pending',
      }),
    ],
    reply: {},
  }
}

/** Nobody came with another card. */
export function planExpire(payment: PaymentRow, { now, newId }: Clock): Plan<object> | null {
  if (payment.status !== 'requires_payment_method') return null
  const expired = { ...payment, status: 'expired', updatedAt: now }
  return {
    writes: [change(payments, payment, { status: 'expired', updatedAt: now })],
    events: [
      event(newId(), 'payment.expired', about(payment), presentPayment(expired), { status: payment.status }),
    ],
    reply: {},
  }
}
