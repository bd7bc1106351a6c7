import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, ownKey, tenantRow } from './columns.ts'

/**
 * What an open attempt to pay by voucher or bank transfer holds of something limited. Triggers write and delete it
 * (drizzle/sql/059_payments_unpaid.sql).
 */
export const unpaidHolds = pgTable(
  'unpaid_holds',
  {
    ...tenantRow,
    attemptId: uuid('attempt_id').notNull(),
    /** The link whose uses it holds, the stock level, or the discount. */
    resourceId: uuid('resource_id').notNull(),
    quantity: integer('quantity').notNull(),
    /** Keyed digests of where the buyer is and of the address that they gave: forgotten with the row. */
    networkDigest: text('network_digest').notNull(),
    contactDigest: text('contact_digest').notNull(),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      check('unpaid_holds_quantity_positive', sql`${t.quantity} > 0`),
      index('unpaid_holds_of_resource').on(t.tenantId, t.resourceId),
      index('unpaid_holds_of_attempt').on(t.tenantId, t.attemptId),
    ]
  },
)
