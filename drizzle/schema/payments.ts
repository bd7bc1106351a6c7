import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { attemptLifecycle, paymentLifecycle } from '../../functions/money/payments/lifecycle.ts'
import type { RateTax } from '../../src/kernel/iva.ts'
import type { Json } from '../../src/kernel/json.ts'
import type { Order } from '../../src/kernel/order.ts'
import { cardMethods, methods, methodsOf } from '../../src/kernel/payment-methods.ts'
import type { StoredCard } from '../../src/kernel/stored-card.ts'
import {
  amount,
  changes,
  instant,
  isOneOf,
  known,
  minor,
  ownKey,
  polled,
  refersTo,
  statusOf,
  tenantRow,
  words,
} from './columns.ts'
import { customers } from './customers.ts'
import { declineCategories, declineCodes, deviceFailures } from './declines.ts'
import type { DeliveredLine } from './entitlements.ts'
import { governed, governedBy } from './payment-policies.ts'
import { processorCredentials } from './processors.ts'
import type { ReservedLine } from './stock.ts'

export const entryModes = ['contact_emv', 'contactless_emv', 'magnetic_stripe_fallback'] as const
export const cardholderVerifications = ['none', 'pin', 'signature', 'on_device'] as const

/**
 * How a device read a card. `receipt` has what a printed receipt must say, by the names of Stripe’s
 * `card_present.receipt`; a magnetic stripe has an authorization code alone.
 */
export type CardReading = {
  entry_mode: (typeof entryModes)[number]
  cardholder_verification: (typeof cardholderVerifications)[number]
  receipt: {
    authorization_code: string
    application_preferred_name: string | null
    dedicated_file_name: string | null
    application_cryptogram: string | null
    terminal_verification_results: string | null
    transaction_status_information: string | null
  }
}

export type CardDetails = {
  brand: string
  last4: string
  bin6: string
  funding: string
  /** Of a card that was presented to a device. */
  reading?: CardReading
}

/** An OXXO voucher as the buyer takes it to the store. */
export type VoucherDetails = {
  reference: string
  /** ISO instant: the end of the day in Mexico City. */
  expires_at: string
}

/** Where a SPEI transfer goes, and the last one that arrived. */
export type SpeiDetails = {
  clabe: string
  bank_name: string
  beneficiary: string
  expires_at: string
  clave_rastreo: string | null
}

export type MethodDetails = CardDetails | VoucherDetails | SpeiDetails

/** What a buyer must do next at the processor, such as a 3-D Secure challenge. */
export interface NextAction {
  type: 'redirect'
  url: string
}

/** A processor's numbers that contradict ours; nothing is posted from them. */
export interface Contradiction {
  state: 'authorized' | 'captured'
  /** Minor units, as a decimal string. */
  amount: string
  currency: string
  /** What we asked for, in the same form. */
  asked: string
  /** Why the processor did not give it back after an admin decided so. */
  void_or_refund_failure: string | null
}

/** While a payment has one of these, nothing else is sold where one payment only is taken. */
export const livePaymentStatuses = [
  'processing',
  'requires_action',
  'requires_capture',
  'succeeded',
  'partially_captured',
] as const

/** The payment that holds what is sold once, as the index payments_one_live_per_exclusive_origin has it: at most one. */
export const holdsItsOrigin = () =>
  sql`${payments.exclusive} and ${isOneOf(payments.status, livePaymentStatuses)}`

export const captureMethods = ['automatic', 'manual'] as const

export const payments = pgTable(
  'payments',
  {
    ...tenantRow,
    publicId: text('public_id').notNull(),
    status: statusOf(paymentLifecycle),
    /** What the buyer pays: the origin's amount plus any installment markup. */
    ...amount,
    amountAuthorizedMinor: minor('amount_authorized_minor').notNull(),
    amountCapturedMinor: minor('amount_captured_minor').notNull(),
    amountRefundedMinor: minor('amount_refunded_minor').notNull(),
    amountDisputedMinor: minor('amount_disputed_minor').notNull(),
    tipAmountMinor: minor('tip_amount_minor').notNull(),
    /** Bases and IVA of the amount less the tip, by rate; empty where rates are not known. */
    taxes: jsonb('taxes').$type<readonly RateTax[]>().notNull().default([]),
    /** What this payment paid for; null where that has no lines: `description` and `quantity` say it. */
    order: jsonb('order').$type<Order>(),
    /**
     * What this payment takes from the stock, and what it grants, where its buyer chose quantities of lines; null: what its
     * origin says. A trigger reads it off the order.
     */
    takes: jsonb('takes').$type<readonly ReservedLine[]>(),
    delivers: jsonb('delivers').$type<readonly DeliveredLine[]>(),
    method: text('method', { enum: methods }).notNull(),
    methodDetails: jsonb('method_details').$type<MethodDetails>(),
    /** The part of the details to search by: last four digits, voucher number or CLABE. A trigger fills it. */
    paidBy: text('paid_by'),
    /** What arrived by SPEI and was counted towards the amount; other methods pay at once. */
    amountReceivedMinor: minor('amount_received_minor').notNull(),
    captureMethod: text('capture_method', { enum: captureMethods }).notNull(),
    /** When an authorization that is not captured lapses. */
    captureBefore: instant('capture_before'),
    installmentMonths: integer('installment_months').notNull(),
    markupMinor: minor('markup_minor').notNull(),
    feeScheduleVersion: text('fee_schedule_version').notNull(),
    feeProcessingMinor: minor('fee_processing_minor').notNull(),
    feeInstallmentsMinor: minor('fee_installments_minor').notNull(),
    feeIvaMinor: minor('fee_iva_minor').notNull(),
    netMinor: minor('net_minor').notNull(),
    /** Date in Mexico City on which the net becomes available; null until captured. */
    availableOn: date('available_on', { mode: 'string' }),
    fundsStatus: text('funds_status', { enum: ['none', 'pending', 'available'] }).notNull(),
    /** The part of the net that is held in reserve until `reserveReleaseOn`, which is null after that. */
    reserveMinor: minor('reserve_minor').notNull(),
    reserveReleaseOn: date('reserve_release_on', { mode: 'string' }),
    openDisputesCount: integer('open_disputes_count').notNull(),
    /** The last attempt that rules sent to review: a trigger notes it, and opens the review if it brings money. */
    reviewedAttemptId: uuid('reviewed_attempt_id'),
    /** The first of the payments that this one takes the place of, each ended unpaid; null where it is the first itself. */
    replacesId: uuid('replaces_id'),
    originType: text('origin_type').notNull(),
    originId: uuid('origin_id').notNull(),
    /** True when the origin takes one payment only: no two live payments share it. */
    exclusive: boolean('exclusive').notNull(),
    ...governed,
    customerId: uuid('customer_id'),
    description: text('description'),
    /** How many the buyer took, where that was theirs to choose. */
    quantity: integer('quantity').notNull().default(1),
    /** The merchant's own name for what is paid. */
    clientReferenceId: text('client_reference_id'),
    /** As the origin had it when the payment was made: a trigger copies it. */
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull().default({}),
    declineCode: text('decline_code', { enum: declineCodes }),
    succeededAt: instant('succeeded_at'),
    expiresAt: instant('expires_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      uniqueIndex('payments_public_id').on(t.publicId),
      refersTo('payments_customer', t, t.customerId, customers),
      foreignKey({
        name: 'payments_replaces',
        columns: [t.tenantId, t.replacesId],
        foreignColumns: [t.tenantId, t.id],
      }),
      ...governedBy('payments', t),
      check('payments_public_id_form', sql`${t.publicId} ~ '^spcs_[a-z0-9]{32}$'`),
      check('payments_status_known', known(t.status)),
      check('payments_amount_positive', sql`${t.amountMinor} > 0`),
      check(
        'payments_tip_bounds',
        sql`${t.tipAmountMinor} >= 0 and ${t.tipAmountMinor} + ${t.markupMinor} <= ${t.amountMinor}`,
      ),
      check(
        'payments_presented_tip',
        sql`not ${isOneOf(t.method, methodsOf('presented'))} or 2 * ${t.tipAmountMinor} <= ${t.amountMinor}`,
      ),
      check('payments_quantity_positive', sql`${t.quantity} > 0`),
      check('payments_amount_bounded', sql`${t.amountMinor} <= 999999999999`),
      check(
        'payments_amounts_ordered',
        sql`0 <= ${t.amountRefundedMinor} and 0 <= ${t.amountDisputedMinor}
        and ${t.amountRefundedMinor} + ${t.amountDisputedMinor} <= ${t.amountCapturedMinor}
        and ${t.amountCapturedMinor} <= ${t.amountAuthorizedMinor} and ${t.amountAuthorizedMinor} <= ${t.amountMinor}`,
      ),
      check(
        'payments_succeeded_is_captured',
        sql`${t.status} <> 'succeeded' or ${t.amountCapturedMinor} > 0`,
      ),
      check('payments_funds_status_known', known(t.fundsStatus)),
      check('payments_method_known', known(t.method)),
      check('payments_capture_method_known', known(t.captureMethod)),
      check(
        'payments_manual_capture_is_card',
        sql`${t.captureMethod} = 'automatic' or ${isOneOf(t.method, cardMethods)}`,
      ),
      check('payments_received_bounds', sql`${t.amountReceivedMinor} between 0 and ${t.amountMinor}`),
      // Less than the amount while a SPEI payment waits, all of it once it is paid, 0 when it ended unpaid.
      check(
        'payments_received_fits_status',
        sql`${t.amountReceivedMinor} = 0 or (${isOneOf(t.method, methodsOf('bank_transfer'))} and (
        (${t.status} = 'requires_action' and ${t.amountReceivedMinor} < ${t.amountMinor})
        or (${t.status} = 'succeeded' and ${t.amountReceivedMinor} = ${t.amountMinor})))`,
      ),
      check('payments_reserve_bounds', sql`${t.reserveMinor} >= 0`),
      check('payments_open_disputes_count', sql`${t.openDisputesCount} >= 0`),
      uniqueIndex('payments_one_live_per_exclusive_origin')
        .on(t.tenantId, t.originType, t.originId)
        .where(sql`exclusive and status in (${words(livePaymentStatuses)})`),
      uniqueIndex('payments_one_live_replacement')
        .on(t.tenantId, t.replacesId)
        .where(sql`replaces_id is not null and status in (${words(livePaymentStatuses)})`),
      // With the amount, the method and the status, so that a filter skips payments in the index, without reading them.
      index('payments_list').on(t.tenantId, t.createdAt, t.id, t.amountMinor, t.method, t.status),
      // Most succeed, and most are by card: for those the list's own index is enough.
      index('payments_list_unsuccessful')
        .on(t.tenantId, t.status, t.createdAt, t.id)
        .where(sql`status <> 'succeeded'`),
      index('payments_list_pushed')
        .on(t.tenantId, t.method, t.createdAt, t.id)
        .where(sql`method not in (${words(methodsOf('card'))})`),
      // By the status that a payment in person has from it: of those that a card was approved for.
      index('payments_list_in_person')
        .on(t.tenantId, t.status, t.createdAt, t.originId)
        .where(
          sql`method in (${words(methodsOf('presented'))}) and (capture_before is not null or status in ('succeeded', 'partially_captured'))`,
        ),
      index('payments_list_by_origin').on(t.tenantId, t.originId, t.createdAt, t.id),
      index('payments_list_by_customer')
        .on(t.tenantId, t.customerId, t.createdAt, t.id)
        .where(sql`customer_id is not null`),
      index('payments_list_by_reference')
        .on(t.tenantId, t.clientReferenceId, t.createdAt, t.id)
        .where(sql`client_reference_id is not null`),
      // The three are of different lengths, so one index finds any of them.
      index('payments_list_by_paid_by')
        .on(t.tenantId, t.paidBy, t.createdAt, t.id)
        .where(sql`paid_by is not null`),
      index('payments_due_funds').on(t.availableOn, t.tenantId).where(sql`funds_status = 'pending'`),
      index('payments_due_reserve')
        .on(t.reserveReleaseOn, t.tenantId)
        .where(sql`reserve_release_on is not null`),
      index('payments_due_expiry').on(t.expiresAt).where(sql`status = 'requires_payment_method'`),
    ]
  },
)

/** One try to take the money, recorded before the processor is called. */
export const paymentAttempts = pgTable(
  'payment_attempts',
  {
    ...tenantRow,
    paymentId: uuid('payment_id').notNull(),
    number: integer('number').notNull(),
    status: statusOf(attemptLifecycle),
    processor: text('processor').notNull(),
    /** The merchant's own account that it was sent to; it never changes. Null: the environment's. */
    accountId: uuid('account_id'),
    method: text('method', { enum: methods }).notNull(),
    channel: text('channel', { enum: ['page', 'server', 'device'] }).notNull(),
    /** The processor's id. The processor knows the attempt by its own id. */
    processorRef: text('processor_ref'),
    ...amount,
    installmentMonths: integer('installment_months').notNull(),
    captureMethod: text('capture_method', { enum: captureMethods }).notNull(),
    /** What we asked of the processor on an open attempt and has no answer yet; null when nothing. */
    intent: text('intent', { enum: ['capture', 'cancel', 'void_or_refund'] }),
    intentAmountMinor: minor('intent_amount_minor'),
    /** The Idempotency-Key of the last intent. It stays, so that the caller can get a lost reply again. */
    intentKey: text('intent_key'),
    methodDetails: jsonb('method_details').$type<MethodDetails>(),
    /** Of what a device took without a network: the card for the processor, until that has answered. */
    storedCard: jsonb('stored_card').$type<StoredCard>(),
    nextAction: jsonb('next_action').$type<NextAction>(),
    declineCode: text('decline_code', { enum: declineCodes }),
    declineCategory: text('decline_category', { enum: declineCategories }),
    /** Of one that ended because its device did not take it. */
    deviceFailure: text('device_failure', { enum: deviceFailures }),
    /** Stays after it is resolved: it says why the payment was under review. */
    contradiction: jsonb('contradiction').$type<Contradiction>(),
    /** How a contradiction ended. */
    resolution: text('resolution', { enum: ['agreed', 'voided', 'refunded', 'settled_elsewhere'] }),
    threeDs: jsonb('three_ds').$type<Record<string, string>>(),
    /** Until when the buyer can act: the voucher, the CLABE, the challenge, the authorization. */
    expiresAt: instant('expires_at'),
    /** The processor reports cash taken before the expiry later: nothing is released before this. */
    graceEndsAt: instant('grace_ends_at'),
    /**
     * Of one that waits for a voucher or bank transfer: keyed digests of the buyer's network and address until it ends, and
     * how much of what is limited may be held unpaid.
     */
    networkDigest: text('network_digest'),
    contactDigest: text('contact_digest'),
    unpaidShareBps: integer('unpaid_share_bps'),
    /** When the reconciler looks next; null once the attempt is over. */
    ...polled,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('payment_attempts_payment', t, t.paymentId, payments),
      refersTo('payment_attempts_account', t, t.accountId, processorCredentials),
      uniqueIndex('payment_attempts_number').on(t.tenantId, t.paymentId, t.number),
      // By what a processor's payouts name them.
      index('payment_attempts_at_account').on(t.accountId, t.processorRef).where(sql`account_id is not null`),
      uniqueIndex('payment_attempts_one_live')
        .on(t.tenantId, t.paymentId)
        .where(sql`status in ('submitting', 'pending_customer', 'unknown', 'authorized', 'captured')`),
      check('payment_attempts_status_known', known(t.status)),
      check('payment_attempts_method_known', known(t.method)),
      check('payment_attempts_channel_known', known(t.channel)),
      check('payment_attempts_capture_method_known', known(t.captureMethod)),
      check(
        'payment_attempts_intent',
        sql`(${t.intent} is null and ${t.intentAmountMinor} is null)
        or (${t.intentKey} is not null and ${t.intent} = 'capture' and ${t.intentAmountMinor} between 1 and ${t.amountMinor})
        or (${t.intentKey} is not null and ${t.intent} in ('cancel', 'void_or_refund') and ${t.intentAmountMinor} is null)`,
      ),
      check(
        'payment_attempts_void_or_refund',
        sql`${t.intent} is null or ${t.intent} <> 'void_or_refund' or ${t.status} = 'amount_mismatch'`,
      ),
      // What a person wanted to give back is booked once they have decided again.
      check(
        'payment_attempts_reversal_failed',
        sql`${t.status} <> 'captured' or ${t.contradiction} ->> 'void_or_refund_failure' is null`,
      ),
      check(
        'payment_attempts_stored_card',
        sql`${t.storedCard} is null or ${t.status} in ('submitting', 'unknown')`,
      ),
      check('payment_attempts_resolution_known', known(t.resolution)),
      check('payment_attempts_device_failure_known', known(t.deviceFailure)),
      check('payment_attempts_device_failure', sql`${t.deviceFailure} is null or ${t.status} = 'canceled'`),
      check(
        'payment_attempts_intent_open',
        sql`${t.intent} is null or ${t.status} in ('authorized', 'pending_customer', 'amount_mismatch')`,
      ),
      check('payment_attempts_unpaid_share', sql`${t.unpaidShareBps} between 0 and 10000`),
      check(
        'payment_attempts_holder_forgotten',
        sql`${t.resolvedAt} is null or (${t.networkDigest} is null and ${t.contactDigest} is null)`,
      ),
      // What it holds ends with it (drizzle/sql/039_payments_holds.sql).
      check(
        'payment_attempts_resolved',
        sql`${t.status} = 'amount_mismatch'
        or (${t.resolvedAt} is not null) = (${t.status} in ('captured', 'declined', 'canceled', 'expired'))`,
      ),
      check('payment_attempts_declined_why', sql`${t.status} <> 'declined' or ${t.declineCode} is not null`),
      check('payment_attempts_amount_positive', sql`${t.amountMinor} > 0`),
      uniqueIndex('payment_attempts_reference').on(t.id),
      index('payment_attempts_due')
        .on(t.nextCheckAt)
        .where(sql`next_check_at is not null and grace_ends_at is null`),
      index('payment_attempts_due_pushed')
        .on(t.nextCheckAt)
        .where(sql`next_check_at is not null and grace_ends_at is not null`),
    ]
  },
)
