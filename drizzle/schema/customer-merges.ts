import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { mergeLifecycle } from '../../functions/people/customers/lifecycle.ts'
import { changes, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { customers } from './customers.ts'

/** What a merge moved to the survivor, and where from. The fields need no record: each customer keeps its own. */
export interface MovedRows {
  readonly contacts: readonly string[]
  /** Each with the contact that it was for. */
  readonly consents: readonly { readonly id: string; readonly contact_id: string }[]
  readonly notes: readonly string[]
  /** Contacts that the survivor has too, and whose verification it took over. */
  readonly verified: readonly string[]
}

/** Each merge of a customer into another one. drizzle/sql/059_customers_merges.sql moves the rows there and back. */
export const customerMerges = pgTable(
  'customer_merges',
  {
    ...tenantRow,
    customerId: uuid('customer_id').notNull(),
    survivorId: uuid('survivor_id').notNull(),
    status: statusOf(mergeLifecycle),
    /** Until when it can be undone. */
    undoableUntil: instant('undoable_until').notNull(),
    /** The database fills it in. */
    moved: jsonb('moved').$type<MovedRows>().notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('customer_merges_customer', t, t.customerId, customers),
      refersTo('customer_merges_survivor', t, t.survivorId, customers),
      check('customer_merges_status_known', known(t.status)),
      check('customer_merges_not_into_itself', sql`${t.survivorId} <> ${t.customerId}`),
      uniqueIndex('customer_merges_one').on(t.tenantId, t.customerId).where(sql`status = 'merged'`),
      index('customer_merges_of_survivor').on(t.tenantId, t.survivorId, t.createdAt, t.id),
    ]
  },
)
