import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  foreignKey,
  index,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { invoiceLifecycle } from '../../functions/money/invoices/lifecycle.ts'
import { changes, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { payments } from './payments.ts'

/** The CFDI that the merchant says a payment is in: it is issued elsewhere. A payment has one live one. */
export const paymentInvoices = pgTable(
  'payment_invoices',
  {
    ...tenantRow,
    paymentId: uuid('payment_id').notNull(),
    /** The fiscal folio of the SAT. */
    folio: uuid('folio').notNull(),
    /** Of one sale, or of the sales to the general public of a day, a week or a month. */
    kind: text('kind', { enum: ['individual', 'global'] }).notNull(),
    status: statusOf(invoiceLifecycle),
    /** The one that this one took the place of. */
    replacesId: uuid('replaces_id'),
    /**
     * The transactions in which it was recorded and in which it ended, by which a report says what was live as of a commit:
     * triggers fill them (drizzle/sql/059_invoices.sql).
     */
    recordedOrder: bigint('recorded_order', { mode: 'bigint' }).notNull().default(sql`0`),
    endedOrder: bigint('ended_order', { mode: 'bigint' }),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('payment_invoices_payment', t, t.paymentId, payments),
      // The record that one replaces is of the same payment.
      unique('payment_invoices_of_payment').on(t.tenantId, t.id, t.paymentId),
      foreignKey({
        name: 'payment_invoices_replaces',
        columns: [t.tenantId, t.replacesId, t.paymentId],
        foreignColumns: [t.tenantId, t.id, t.paymentId],
      }),
      check('payment_invoices_kind_known', known(t.kind)),
      check('payment_invoices_status_known', known(t.status)),
      check('payment_invoices_ended', sql`(${t.endedOrder} is null) = (${t.status} = 'live')`),
      uniqueIndex('payment_invoices_one_live').on(t.tenantId, t.paymentId).where(sql`status = 'live'`),
      uniqueIndex('payment_invoices_one_replacement')
        .on(t.tenantId, t.replacesId)
        .where(sql`replaces_id is not null`),
      index('payment_invoices_list').on(t.tenantId, t.createdAt, t.id),
      index('payment_invoices_list_by_payment').on(t.tenantId, t.paymentId, t.createdAt, t.id),
      index('payment_invoices_list_by_folio').on(t.tenantId, t.folio, t.createdAt, t.id),
      index('payment_invoices_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)
