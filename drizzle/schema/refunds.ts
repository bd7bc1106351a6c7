import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { refundLifecycle } from '../../functions/money/refunds/lifecycle.ts'
import type { Json } from '../../src/kernel/json.ts'
import {
  amount,
  bankFailures,
  changes,
  instant,
  known,
  ownKey,
  polled,
  refersTo,
  statusOf,
  tenantRow,
} from './columns.ts'
import { customers } from './customers.ts'
import { payments } from './payments.ts'
import { unappliedFunds } from './push-payments.ts'

/** Minor units, as a decimal string. */
type Sum = {
  readonly amount: string
  readonly currency: string
}

/** `ours`: what our ledger could take of a refund made at the processor; otherwise the refund's own amount. */
export type Contradicted = Sum & { readonly ours?: Sum }

export const refundReasons = [
  'requested_by_customer',
  'duplicate',
  'fraudulent',
  'not_delivered',
  'goods_returned',
  'other',
] as const

/** Money back to a buyer, of a payment or of unapplied funds. Its id is our reference at the processor. */
export const refunds = pgTable(
  'refunds',
  {
    ...tenantRow,
    paymentId: uuid('payment_id'),
    unappliedFundsId: uuid('unapplied_funds_id'),
    /** Its payment's, which a trigger compares. */
    customerId: uuid('customer_id'),
    /** What its payment says of the sale; a trigger compares them. */
    clientReferenceId: text('client_reference_id'),
    checkoutSessionId: uuid('checkout_session_id'),
    paymentLinkId: uuid('payment_link_id'),
    /** Where it was made: here, or at the processor (in its dashboard or by the processor itself). */
    origin: text('origin', { enum: ['api', 'processor'] }).notNull(),
    status: statusOf(refundLifecycle),
    method: text('method', { enum: ['original', 'spei_out', 'recorded_offline'] }).notNull(),
    ...amount,
    reason: text('reason', { enum: refundReasons }).notNull(),
    /** Where a transfer goes: a CLABE and its holder's name. */
    destinationClabe: text('destination_clabe'),
    destinationHolder: text('destination_holder'),
    processor: text('processor'),
    processorRef: text('processor_ref'),
    claveRastreo: text('clave_rastreo'),
    pendingReason: text('pending_reason', { enum: ['insufficient_funds'] }),
    failureCode: text('failure_code', {
      enum: [...bankFailures, 'partial_refund_unsupported', 'amount_mismatch'],
    }),
    /** The processor's numbers that contradict ours, in minor units; stays after it is resolved. */
    contradiction: jsonb('contradiction').$type<Contradicted>(),
    approvedByUserId: text('approved_by_user_id'),
    approvedAt: instant('approved_at'),
    lineItems: jsonb('line_items').$type<readonly { readonly id: string; readonly quantity: number }[]>(),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    /** When the reconciler looks next; null once the refund is over or waits for people. */
    ...polled,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('refunds_payment', t, t.paymentId, payments),
      refersTo('refunds_unapplied_funds', t, t.unappliedFundsId, unappliedFunds),
      refersTo('refunds_customer', t, t.customerId, customers),
      uniqueIndex('refunds_reference').on(t.id),
      uniqueIndex('refunds_processor_ref').on(t.processor, t.processorRef),
      check('refunds_one_source', sql`(${t.paymentId} is null) <> (${t.unappliedFundsId} is null)`),
      check('refunds_status_known', known(t.status)),
      check('refunds_method_known', known(t.method)),
      check('refunds_origin_known', known(t.origin)),
      // A refund made at the processor is identified by the processor's reference and needs no sending.
      check(
        'refunds_made_at_processor',
        sql`case when ${t.origin} = 'processor'
        then ${t.paymentId} is not null and ${t.method} = 'original' and ${t.processor} is not null and ${t.processorRef} is not null
          and ${t.status} in ('processing', 'succeeded', 'kept', 'failed', 'amount_mismatch')
        else ${t.status} <> 'amount_mismatch' end`,
      ),
      check('refunds_amount_positive', sql`${t.amountMinor} > 0`),
      check(
        'refunds_destination',
        sql`${t.method} <> 'spei_out' or ${t.status} in ('requires_destination', 'canceled')
        or (${t.destinationClabe} ~ '^[0-9]{18}$' and ${t.destinationHolder} is not null)`,
      ),
      index('refunds_list').on(t.tenantId, t.createdAt, t.id),
      index('refunds_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('refunds_list_by_payment').on(t.tenantId, t.paymentId, t.createdAt, t.id),
      index('refunds_list_by_customer')
        .on(t.tenantId, t.customerId, t.createdAt, t.id)
        .where(sql`customer_id is not null`),
      index('refunds_due').on(t.nextCheckAt).where(sql`next_check_at is not null`),
    ]
  },
)
