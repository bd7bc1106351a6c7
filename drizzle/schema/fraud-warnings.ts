import { boolean, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { changes, ownKey, refersTo, tenantRow } from './columns.ts'
import { paymentAttempts, payments } from './payments.ts'

/** A buyer's bank reported a payment as fraud to its card scheme: often a dispute's forerunner. It moves no money. */
export const fraudWarnings = pgTable(
  'fraud_warnings',
  {
    ...tenantRow,
    paymentId: uuid('payment_id').notNull(),
    attemptId: uuid('attempt_id').notNull(),
    processor: text('processor').notNull(),
    processorRef: text('processor_ref').notNull(),
    fraudType: text('fraud_type').notNull(),
    /** Neither disputed nor wholly refunded, as the processor says. */
    actionable: boolean('actionable').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('fraud_warnings_payment', t, t.paymentId, payments),
      refersTo('fraud_warnings_attempt', t, t.attemptId, paymentAttempts),
      uniqueIndex('fraud_warnings_processor_ref').on(t.processor, t.processorRef),
      index('fraud_warnings_list').on(t.tenantId, t.createdAt, t.id),
      index('fraud_warnings_list_by_payment').on(t.tenantId, t.paymentId, t.createdAt, t.id),
    ]
  },
)
