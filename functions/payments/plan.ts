import { paymentAttempts, payments } from '../../drizzle/schema/payments.ts'
import { event } from '../../src/kernel/events.ts'
import { change, insert, type Plan, type Write } from '../../src/kernel/plan.ts'
import type { CaptureMethod, CardFacts } from '../../src/processors/port.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { presentPayment } from './present.ts'
import type { AttemptRow, PaymentRow } from './store.ts'

/** A Worker that died in the middle of a processor call is given this long before the janitor looks. */
export const callLeaseMs = 60_000
/** How long a buyer may take over the bank's challenge. */
export const challengeMs = 30 * 60_000
/** How long a declined payment waits for another card. */
export const retryMs = 24 * 3_600_000

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
  readonly captureMethod: CaptureMethod
}

export interface Submission {
  readonly payment: PaymentRow
  readonly attempt: AttemptRow
}

export interface Clock {
  readonly now: Date
  readonly newId: () => string
}

export const about = (payment: PaymentRow) => ({ type: 'payment', id: payment.id })

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
    amountReceivedMinor: 0n,
    captureMethod: order.captureMethod,
    captureBefore: null,
    installmentMonths: order.installmentMonths,
    markupMinor: order.markupMinor,
    feeScheduleVersion: schedule.version,
    feeProcessingMinor: 0n,
    feeInstallmentsMinor: 0n,
    feeIvaMinor: 0n,
    netMinor: 0n,
    availableOn: null,
    fundsStatus: 'none',
    reserveMinor: 0n,
    reserveReleaseOn: null,
    openDisputesCount: 0,
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
    method: payment.method,
    processorRef: null,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    installmentMonths: payment.installmentMonths,
    captureMethod: payment.captureMethod,
    intent: null,
    intentAmountMinor: null,
    methodDetails: card,
    nextAction: null,
    declineCode: null,
    declineCategory: null,
    threeDs: null,
    expiresAt: null,
    graceEndsAt: null,
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
    method: 'card',
    methodDetails: card,
    captureMethod: order.captureMethod,
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
