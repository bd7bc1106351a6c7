import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { disputeLifecycle } from '../../functions/money/disputes/lifecycle.ts'
import { changes, instant, known, minor, ownKey, polled, refersTo, statusOf, tenantRow } from './columns.ts'
import { customers } from './customers.ts'
import { paymentAttempts, payments } from './payments.ts'

/** What is to be sent to the processor: evidence for good or as a draft, or that the merchant gives in. */
export const disputeActions = ['submit', 'draft', 'accept'] as const

/** Why a processor takes no evidence: more pages than the card scheme reads, a file of it, or what only the processor knows. */
export const evidenceFailures = ['too_long', 'file_refused', 'refused'] as const

/** A buyer's bank takes the money back, provisionally or for good; or as an inquiry only asks about it. */
export const disputes = pgTable(
  'disputes',
  {
    ...tenantRow,
    paymentId: uuid('payment_id').notNull(),
    attemptId: uuid('attempt_id').notNull(),
    /** Its payment's, which a trigger compares. */
    customerId: uuid('customer_id'),
    status: statusOf(disputeLifecycle),
    processor: text('processor').notNull(),
    processorRef: text('processor_ref').notNull(),
    /** What the bank claims. */
    amountMinor: minor('amount_minor').notNull(),
    /** How much of it is held: money refunded before cannot be lost again. */
    heldMinor: minor('held_minor').notNull(),
    /** What it costs the merchant now, beside what is claimed, and IVA on that: nothing once it is won. */
    feeMinor: minor('fee_minor').notNull(),
    feeIvaMinor: minor('fee_iva_minor').notNull(),
    currency: text('currency').notNull(),
    reason: text('reason').notNull(),
    evidence: jsonb('evidence').$type<Record<string, string>>().notNull(),
    /** Which of its files is which evidence, by their ids: a trigger finds each. */
    evidenceFiles: jsonb('evidence_files').$type<Record<string, string>>().notNull(),
    /** Counts the bank's first claim, and each time that it reopened the dispute. */
    round: integer('round').notNull(),
    evidenceDueBy: instant('evidence_due_by'),
    evidenceSubmittedAt: instant('evidence_submitted_at'),
    /** Not confirmed by the processor yet; null: nothing is. */
    pendingAction: text('pending_action', { enum: disputeActions }),
    /** Why the processor took no evidence, until it is sent again. */
    evidenceFailure: text('evidence_failure', { enum: evidenceFailures }),
    ...polled,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('disputes_payment', t, t.paymentId, payments),
      refersTo('disputes_attempt', t, t.attemptId, paymentAttempts),
      refersTo('disputes_customer', t, t.customerId, customers),
      uniqueIndex('disputes_processor_ref').on(t.processor, t.processorRef),
      check('disputes_status_known', known(t.status)),
      check('disputes_round_counted', sql`${t.round} > 0`),
      check(
        'disputes_held_bounds',
        sql`${t.heldMinor} between 0 and ${t.amountMinor} and ${t.amountMinor} > 0`,
      ),
      check('disputes_pending_action_known', known(t.pendingAction)),
      check('disputes_evidence_failure_known', known(t.evidenceFailure)),
      check(
        'disputes_pending_action_asked',
        sql`case ${t.pendingAction} when 'accept' then ${t.status} = 'needs_response'
        else ${t.pendingAction} is null or ${t.status} in ('needs_response', 'inquiry_needs_response') end`,
      ),
      check('disputes_inquiry_holds_nothing', sql`${t.status} not like 'inquiry%' or ${t.heldMinor} = 0`),
      check(
        'disputes_fee_until_won',
        sql`0 <= ${t.feeIvaMinor} and ${t.feeIvaMinor} <= ${t.feeMinor} and ((${t.status} <> 'won' and ${t.status} not like 'inquiry%') or ${t.feeMinor} = 0)`,
      ),
      index('disputes_list').on(t.tenantId, t.createdAt, t.id),
      index('disputes_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('disputes_list_by_payment').on(t.tenantId, t.paymentId, t.createdAt, t.id),
      index('disputes_list_by_customer')
        .on(t.tenantId, t.customerId, t.createdAt, t.id)
        .where(sql`customer_id is not null`),
      index('disputes_due').on(t.nextCheckAt).where(sql`next_check_at is not null`),
    ]
  },
)
