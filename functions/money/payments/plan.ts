import { type MethodDetails, paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import type { RateTax } from '../../../src/kernel/iva.ts'
import type { Order as Bought } from '../../../src/kernel/order.ts'
import { cardMethod, type Method } from '../../../src/kernel/payment-methods.ts'
import { change, type Expect, insert, type Plan } from '../../../src/kernel/plan.ts'
import { callLeaseMs } from '../../../src/kernel/poll-schedule.ts'
import type { StoredCard } from '../../../src/kernel/stored-card.ts'
import type { CaptureMethod, CardFacts } from '../../../src/processors/port.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import type { BankTransfer } from './plan-bank-transfer.ts'
import { presentPayment } from './present.ts'
import type { AttemptRow, PaymentRow, VoucherRow } from './store.ts'

/** How long a buyer may take over the bank's challenge. */
export const challengeMs = 30 * 60_000
/** How long a declined payment waits for another card. */
export const retryMs = 24 * 3_600_000

/** Something to sell, as an origin offers it to a buyer. */
export interface Order {
  readonly originType: string
  readonly originId: string
  /** Allows one payment only: no two live payments share the origin. */
  readonly exclusive: boolean
  readonly description: string | null
  /** How many the buyer takes, where that is theirs to choose. */
  readonly quantity?: number
  /** Of this visit; null: the origin's, if it has one. */
  readonly clientReferenceId: string | null
  /** What the buyer pays, markup included. */
  readonly totalMinor: bigint
  readonly markupMinor: bigint
  /** The part of it that is a tip. */
  readonly tipMinor: bigint
  /** Its lines, discounts and shipping; null where it has no lines. */
  readonly bought: Bought | null
  /** The IVA in the rest, markup included; none where rates are not known. */
  readonly taxes: readonly RateTax[]
  readonly currency: string
  readonly installmentMonths: number
  readonly captureMethod: CaptureMethod
  /** The version of the payment policy that the terms were set under, and the location that sells. */
  readonly policyVersion: number
  readonly locationId: string | null
}

export interface Submission {
  readonly payment: PaymentRow
  readonly attempt: AttemptRow
  /** The voucher or CLABE, once the processor has issued it. */
  readonly voucher?: VoucherRow | null
  readonly bankTransfer?: BankTransfer | null
}

/** How an attempt pays. The details of a push payment are known only when the processor answers. */
export interface PaymentInstrument {
  readonly method: Method
  /** Where it was asked for; left out: on the buyer's page. */
  readonly channel?: AttemptRow['channel']
  /** The merchant's own account at the processor that takes it; null: the environment's. */
  readonly accountId: string | null
  readonly details: MethodDetails | null
  /** Until when the buyer may pay; null where we do not decide that. */
  readonly expiresAt: Date | null
  /** Until when money paid in time may still be reported. */
  readonly graceEndsAt: Date | null
  /** Who holds what is limited while it is unpaid; none of a card. */
  readonly holder?: Holder
  /** What a device took without a network: the card as it has stored it for the processor. */
  readonly storedCard?: StoredCard
  /** A list or rule of the workspace declines it: the processor is never asked. */
  readonly isBlocked?: boolean
}

/** Keyed digests of the buyer's network and address, and how much of what is limited may be held unpaid. */
export interface Holder {
  readonly networkDigest: string
  readonly contactDigest: string
  readonly shareBps: number
}

export const byCard = (card: CardFacts | null, accountId: string | null = null): PaymentInstrument => ({
  method: cardMethod,
  accountId,
  details: card,
  expiresAt: null,
  graceEndsAt: null,
})

/** The fields of an attempt that is over: no intent, no action, no further check. */
export const resolved = (status: 'captured' | 'declined' | 'canceled' | 'expired', now: Date) => ({
  status,
  intent: null,
  intentAmountMinor: null,
  nextAction: null,
  nextCheckAt: null,
  resolvedAt: now,
  updatedAt: now,
})

/** Marks a contradiction as resolved once the processor agrees. */
export const agreed = ({ status }: AttemptRow): Partial<AttemptRow> =>
  status === 'amount_mismatch' ? { resolution: 'agreed' } : {}

/** The merchant closed a review of it, or gave the money back: later reports of it are not booked. */
export const isClosed = (resolution: string | null): boolean => resolution !== null && resolution !== 'agreed'

export const about = (payment: PaymentRow) => ({ type: 'payment', id: payment.id })

/** The first attempt at an order: the payment and its attempt, recorded before the processor is called. */
export function newSubmission(
  order: Order,
  publicId: string,
  instrument: PaymentInstrument,
  processor: string,
  schedule: FeeSchedule,
  { now, newId }: Clock,
): Submission {
  const payment: PaymentRow = {
    id: newId(),
    publicId,
    status: 'processing',
    amountMinor: order.totalMinor,
    currency: order.currency,
    amountAuthorizedMinor: 0n,
    amountCapturedMinor: 0n,
    amountRefundedMinor: 0n,
    amountDisputedMinor: 0n,
    tipAmountMinor: order.tipMinor,
    taxes: order.taxes,
    order: order.bought,
    takes: null,
    delivers: null,
    method: instrument.method,
    methodDetails: instrument.details,
    paidBy: null,
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
    reviewedAttemptId: null,
    replacesId: null,
    originType: order.originType,
    originId: order.originId,
    exclusive: order.exclusive,
    policyVersion: order.policyVersion,
    locationId: order.locationId,
    customerId: null,
    description: order.description,
    quantity: order.quantity ?? 1,
    clientReferenceId: order.clientReferenceId,
    metadata: {},
    declineCode: null,
    succeededAt: null,
    expiresAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  return { payment, attempt: newAttempt(payment, 1, instrument, processor, { now, newId }) }
}

function newAttempt(
  payment: PaymentRow,
  number: number,
  instrument: PaymentInstrument,
  processor: string,
  clock: Clock,
): AttemptRow {
  return {
    id: clock.newId(),
    paymentId: payment.id,
    number,
    status: 'submitting',
    processor,
    accountId: instrument.accountId,
    method: payment.method,
    channel: instrument.channel ?? 'page',
    processorRef: null,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    installmentMonths: payment.installmentMonths,
    captureMethod: payment.captureMethod,
    intent: null,
    intentAmountMinor: null,
    intentKey: null,
    methodDetails: instrument.details,
    storedCard: instrument.storedCard ?? null,
    nextAction: null,
    declineCode: instrument.isBlocked ? 'blocked' : null,
    declineCategory: null,
    deviceFailure: null,
    contradiction: null,
    resolution: null,
    threeDs: null,
    expiresAt: instrument.expiresAt,
    graceEndsAt: instrument.graceEndsAt,
    networkDigest: instrument.holder?.networkDigest ?? null,
    contactDigest: instrument.holder?.contactDigest ?? null,
    unpaidShareBps: instrument.holder?.shareBps ?? null,
    nextCheckAt: new Date(clock.now.getTime() + callLeaseMs),
    checksCount: 0,
    resolvedAt: null,
    version: 1,
    createdAt: clock.now,
    updatedAt: clock.now,
  }
}

/** The fields that the database copies from the origin, and the customer whose address the buyer gave. */
const setByDatabase = {
  metadata: { column: 'metadata', delta: null },
  client_reference_id: { column: 'clientReferenceId', delta: null },
  customer_id: { column: 'customerId', delta: null },
} as const

/** Records a first attempt. `condition`: the state that the origin's row must still have. */
export function planSubmission({ payment, attempt }: Submission, condition: Expect, newId: () => string) {
  return {
    writes: [condition, insert(payments, payment), insert(paymentAttempts, attempt)],
    events: [
      {
        ...event(newId(), 'payment.created', about(payment), presentPayment(payment)),
        counted: { table: payments, id: payment.id, fields: setByDatabase },
      },
    ],
    reply: { public_id: payment.publicId },
    subjectId: payment.id,
  } satisfies Plan<unknown>
}

/** Another card or method for a payment that was not paid: the same payment, its next attempt. */
export function planRetry(
  before: PaymentRow,
  order: Order,
  number: number,
  instrument: PaymentInstrument,
  processor: string,
  schedule: FeeSchedule,
  condition: Expect,
  clock: Clock,
): { submission: Submission; plan: Plan<{ public_id: string }> } {
  const set = {
    status: 'processing' as const,
    amountMinor: order.totalMinor,
    tipAmountMinor: order.tipMinor,
    taxes: order.taxes,
    order: order.bought,
    markupMinor: order.markupMinor,
    quantity: order.quantity ?? 1,
    description: order.description,
    locationId: order.locationId,
    // A visit that brings none keeps what an earlier one brought, or what the origin has.
    clientReferenceId: order.clientReferenceId ?? before.clientReferenceId,
    installmentMonths: order.installmentMonths,
    feeScheduleVersion: schedule.version,
    method: instrument.method,
    methodDetails: instrument.details,
    captureMethod: order.captureMethod,
    policyVersion: order.policyVersion,
    declineCode: null,
    expiresAt: null,
    updatedAt: clock.now,
  }
  const payment: PaymentRow = { ...before, ...set, version: before.version + 1 }
  const attempt = newAttempt(payment, number, instrument, processor, clock)
  const presented = presentPayment(payment)
  const plan = {
    writes: [condition, change(payments, before, set), insert(paymentAttempts, attempt)],
    events: [
      {
        ...event(clock.newId(), 'payment.processing', about(payment), presented, presentPayment(before)),
        counted: {
          table: payments,
          id: payment.id,
          fields: { customer_id: { column: 'customerId', delta: null, before: before.customerId } },
        },
      },
    ],
    reply: { public_id: payment.publicId },
    subjectId: payment.id,
  }
  return { submission: { payment, attempt }, plan }
}
