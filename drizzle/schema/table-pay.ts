import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  externalPaymentLifecycle,
  lineLifecycle,
  sessionLifecycle,
  tableLifecycle,
  tipPayoutLifecycle,
  waiterLifecycle,
} from '../../functions/selling/table-pay/lifecycle.ts'
import { ivaRates } from '../../src/kernel/iva.ts'
import type { Json } from '../../src/kernel/json.ts'
import { pageMethods } from '../../src/kernel/payment-methods.ts'
import {
  amount,
  changes,
  createdAt,
  instant,
  known,
  minor,
  ownKey,
  refersTo,
  statusOf,
  tenantRow,
  updatedAt,
  version,
} from './columns.ts'
import { locations } from './locations.ts'
import type { TipOptions } from './order.ts'
import { governed, governedBy } from './payment-policies.ts'
import { payments } from './payments.ts'
import { ofTenant } from './tenants.ts'

/** A table of a restaurant, a bar, a seat: where a bill is opened. Its printed code stays the same. */
export const diningTables = pgTable(
  'dining_tables',
  {
    ...tenantRow,
    publicId: text('public_id').notNull(),
    status: statusOf(tableLifecycle),
    name: text('name').notNull(),
    seatsCount: integer('seats_count'),
    locationId: uuid('location_id'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('dining_tables', t.tenantId),
      refersTo('dining_tables_location', t, t.locationId, locations),
      uniqueIndex('dining_tables_public_id').on(t.publicId),
      uniqueIndex('dining_tables_name')
        .on(t.tenantId, t.locationId, sql`lower(${t.name})`)
        .where(sql`status = 'active' and location_id is not null`),
      uniqueIndex('dining_tables_name_nowhere')
        .on(t.tenantId, sql`lower(${t.name})`)
        .where(sql`status = 'active' and location_id is null`),
      check('dining_tables_public_id_form', sql`${t.publicId} ~ '^stable_[a-z0-9]{32}$'`),
      check('dining_tables_status_known', known(t.status)),
      check('dining_tables_name_length', sql`char_length(${t.name}) between 1 and 60`),
      check('dining_tables_seats', sql`${t.seatsCount} between 1 and 500`),
      index('dining_tables_list').on(t.tenantId, t.createdAt, t.id),
      index('dining_tables_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)

/** Who serves tables: a person of the merchant's, who has no access here. Tips are owed to them. */
export const waiters = pgTable(
  'waiters',
  {
    ...tenantRow,
    status: statusOf(waiterLifecycle),
    name: text('name').notNull(),
    /** What the merchant's payroll calls them. */
    payrollReference: text('payroll_reference'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('waiters', t.tenantId),
      uniqueIndex('waiters_payroll_reference')
        .on(t.tenantId, t.payrollReference)
        .where(sql`status = 'active' and payroll_reference is not null`),
      check('waiters_status_known', known(t.status)),
      check('waiters_name_length', sql`char_length(${t.name}) between 1 and 80`),
      check('waiters_payroll_reference_length', sql`char_length(${t.payrollReference}) between 1 and 60`),
      index('waiters_list').on(t.tenantId, t.createdAt, t.id),
      index('waiters_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)

/** The bill of a table, from the guests' arrival until it is closed. Guests pay it in parts while lines are added. */
export const tableSessions = pgTable(
  'table_sessions',
  {
    ...tenantRow,
    publicId: text('public_id').notNull(),
    status: statusOf(sessionLifecycle),
    tableId: uuid('table_id').notNull(),
    /** The table's name, as it was when the bill was opened or moved. */
    name: text('name').notNull(),
    guestsCount: integer('guests_count'),
    /** Who serves it: tips of what is paid from now on are owed to them. */
    waiterId: uuid('waiter_id'),
    currency: text('currency').notNull(),
    paymentMethodTypes: text('payment_method_types', { enum: pageMethods }).array().notNull(),
    /** The tips that a guest may add to their part; null: none. */
    tipOptions: jsonb('tip_options').$type<TipOptions>(),
    /** What the merchant takes off the bill. */
    discountMinor: minor('discount_minor').notNull(),
    /** Of the code that guests type before they see it; null: none is asked. */
    pinHash: text('pin_hash'),
    clientReferenceId: text('client_reference_id'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    termsVersion: integer('terms_version').notNull().default(1),
    closedAt: instant('closed_at'),
    /** The bill that it is a part of. */
    mergedInto: uuid('merged_into'),
    ...governed,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('table_sessions_table', t, t.tableId, diningTables),
      refersTo('table_sessions_waiter', t, t.waiterId, waiters),
      foreignKey({
        name: 'table_sessions_merged_into',
        columns: [t.tenantId, t.mergedInto],
        foreignColumns: [t.tenantId, t.id],
      }),
      ...governedBy('table_sessions', t),
      uniqueIndex('table_sessions_public_id').on(t.publicId),
      uniqueIndex('table_sessions_open').on(t.tenantId, t.tableId).where(sql`status = 'open'`),
      check('table_sessions_public_id_form', sql`${t.publicId} ~ '^sbill_[a-z0-9]{32}$'`),
      check('table_sessions_status_known', known(t.status)),
      check('table_sessions_closed', sql`(${t.status} = 'open') = (${t.closedAt} is null)`),
      check(
        'table_sessions_merged',
        sql`(${t.status} = 'merged') = (${t.mergedInto} is not null) and ${t.mergedInto} is distinct from ${t.id}
        and (${t.status} <> 'merged' or ${t.discountMinor} = 0)`,
      ),
      check('table_sessions_guests', sql`${t.guestsCount} between 1 and 500`),
      check('table_sessions_pin_hashed', sql`${t.pinHash} ~ '^pbkdf2-sha256\\.'`),
      check('table_sessions_currency', sql`${t.currency} = 'mxn'`),
      check('table_sessions_methods_some', sql`cardinality(${t.paymentMethodTypes}) >= 1`),
      check('table_sessions_discount', sql`${t.discountMinor} between 0 and 999999999999`),
      index('table_sessions_list').on(t.tenantId, t.createdAt, t.id),
      index('table_sessions_list_by_table').on(t.tenantId, t.tableId, t.createdAt, t.id),
      index('table_sessions_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('table_sessions_merged').on(t.tenantId, t.mergedInto).where(sql`merged_into is not null`),
      index('table_sessions_list_by_reference')
        .on(t.tenantId, t.clientReferenceId, t.createdAt, t.id)
        .where(sql`client_reference_id is not null`),
    ]
  },
)

/**
 * What a bill comes to, what payments under way hold of it, and what is paid. Beside the bill and not in it: payers lock that
 * one for share. Triggers keep it.
 */
export const tableSessionSums = pgTable(
  'table_session_sums',
  {
    ...tenantRow,
    totalMinor: minor('total_minor').notNull(),
    heldMinor: minor('held_minor').notNull(),
    paidMinor: minor('paid_minor').notNull(),
    /** What guests gave beside it. */
    tipsMinor: minor('tips_minor').notNull(),
    /** Since when all of it is paid, and whether that is announced. */
    settledAt: instant('settled_at'),
    announcedAt: instant('announced_at'),
    ...version,
    ...updatedAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('table_session_sums_session', t, t.id, tableSessions),
      check('table_session_sums_held', sql`${t.heldMinor} >= 0`),
      check('table_session_sums_paid', sql`${t.paidMinor} >= 0`),
      check('table_session_sums_tips', sql`${t.tipsMinor} >= 0`),
      check('table_sessions_total', sql`${t.totalMinor} between 0 and 999999999999`),
      check('table_sessions_bounded', sql`${t.heldMinor} + ${t.paidMinor} <= ${t.totalMinor}`),
      index('table_session_sums_due')
        .on(t.settledAt)
        .where(sql`settled_at is not null and announced_at is null`),
    ]
  },
)

/** Cash and what else was paid outside of Spindle, as the merchant recorded it. */
export const tableExternalPayments = pgTable(
  'table_external_payments',
  {
    ...tenantRow,
    sessionId: uuid('session_id').notNull(),
    status: statusOf(externalPaymentLifecycle),
    method: text('method', { enum: ['cash', 'other_terminal', 'bank_transfer', 'other'] }).notNull(),
    amountMinor: minor('amount_minor').notNull(),
    tipMinor: minor('tip_minor').notNull(),
    /** To whom the tip is owed. */
    waiterId: uuid('waiter_id'),
    note: text('note'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('table_external_payments_session', t, t.sessionId, tableSessions),
      refersTo('table_external_payments_waiter', t, t.waiterId, waiters),
      check('table_external_payments_status_known', known(t.status)),
      check('table_external_payments_method_known', known(t.method)),
      check('table_external_payments_amount', sql`${t.amountMinor} between 1 and 999999999999`),
      check('table_external_payments_tip', sql`${t.tipMinor} between 0 and 999999999999`),
      index('table_external_payments_list').on(t.tenantId, t.sessionId, t.createdAt, t.id),
    ]
  },
)

/** A line of a bill. One that is divided stays as `split`; its parts are lines of their own. */
export const tableLines = pgTable(
  'table_lines',
  {
    ...tenantRow,
    sessionId: uuid('session_id').notNull(),
    status: statusOf(lineLifecycle),
    /** 1, 2, 3 … in its bill, in the order in which lines were added. */
    position: integer('position').notNull(),
    /** The item of a catalog; null for a line that the merchant wrote. */
    itemId: uuid('item_id'),
    name: text('name').notNull(),
    quantity: integer('quantity').notNull(),
    unitAmountMinor: minor('unit_amount_minor').notNull(),
    ivaRate: text('iva_rate', { enum: ivaRates }).notNull(),
    priceIncludesTax: boolean('price_includes_tax').notNull(),
    totalMinor: minor('total_minor').notNull(),
    /** The line that it is a part of. */
    splitFrom: uuid('split_from'),
    /** The payment, under way or made, or the recorded one that pays it. */
    paymentId: uuid('payment_id'),
    externalPaymentId: uuid('external_payment_id'),
    ...version,
    ...createdAt,
    ...updatedAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('table_lines_session', t, t.sessionId, tableSessions),
      refersTo('table_lines_payment', t, t.paymentId, payments),
      refersTo('table_lines_external_payment', t, t.externalPaymentId, tableExternalPayments),
      check('table_lines_status_known', known(t.status)),
      check('table_lines_iva_rate_known', known(t.ivaRate)),
      check('table_lines_name_length', sql`char_length(${t.name}) between 1 and 1600`),
      check('table_lines_quantity', sql`${t.quantity} between 1 and 10000`),
      check(
        'table_lines_priced',
        sql`${t.unitAmountMinor} > 0 and ${t.totalMinor} = ${t.unitAmountMinor} * ${t.quantity}
        + case when ${t.priceIncludesTax} or ${t.ivaRate} = 'exempt' then 0
          else (${t.unitAmountMinor} * ${t.quantity} * ${t.ivaRate}::int * 2 + 100) / 200 end`,
      ),
      check('table_lines_paid_once', sql`${t.paymentId} is null or ${t.externalPaymentId} is null`),
      check(
        'table_lines_claimed',
        sql`${t.status} = 'ordered' or (${t.paymentId} is null and ${t.externalPaymentId} is null)`,
      ),
      unique('table_lines_position').on(t.tenantId, t.sessionId, t.position),
      index('table_lines_of_payment').on(t.tenantId, t.paymentId).where(sql`payment_id is not null`),
      index('table_lines_of_external_payment')
        .on(t.tenantId, t.externalPaymentId)
        .where(sql`external_payment_id is not null`),
    ]
  },
)

/**
 * The tip of one payment, or recorded payment, that is owed to a waiter: its id is that one's. Of a bill, or of what a
 * reader or phone took, which has none. Triggers keep it.
 */
export const tableTips = pgTable(
  'table_tips',
  {
    ...tenantRow,
    waiterId: uuid('waiter_id').notNull(),
    sessionId: uuid('session_id'),
    paymentId: uuid('payment_id'),
    externalPaymentId: uuid('external_payment_id'),
    ...amount,
    /** What refunds took back of it. */
    returnedMinor: minor('returned_minor').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('table_tips_waiter', t, t.waiterId, waiters),
      refersTo('table_tips_session', t, t.sessionId, tableSessions),
      refersTo('table_tips_payment', t, t.paymentId, payments),
      refersTo('table_tips_external_payment', t, t.externalPaymentId, tableExternalPayments),
      check(
        'table_tips_of_one',
        sql`num_nonnulls(${t.paymentId}, ${t.externalPaymentId}) = 1 and ${t.id} = coalesce(${t.paymentId}, ${t.externalPaymentId})`,
      ),
      check('table_tips_currency', sql`${t.currency} = 'mxn'`),
      check('table_tips_of_bill', sql`${t.externalPaymentId} is null or ${t.sessionId} is not null`),
      check(
        'table_tips_amount',
        sql`${t.amountMinor} > 0 and ${t.returnedMinor} between 0 and ${t.amountMinor}`,
      ),
      index('table_tips_list').on(t.tenantId, t.waiterId, t.createdAt, t.id),
    ]
  },
)

/** What the merchant paid a waiter of their tips, outside of Spindle. Never more than they are owed. */
export const tipPayouts = pgTable(
  'tip_payouts',
  {
    ...tenantRow,
    status: statusOf(tipPayoutLifecycle),
    waiterId: uuid('waiter_id').notNull(),
    ...amount,
    note: text('note'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('tip_payouts_waiter', t, t.waiterId, waiters),
      check('tip_payouts_status_known', known(t.status)),
      check('tip_payouts_amount', sql`${t.amountMinor} between 1 and 999999999999`),
      index('tip_payouts_list').on(t.tenantId, t.waiterId, t.createdAt, t.id),
    ]
  },
)
