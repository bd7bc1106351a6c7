import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  codeLifecycle,
  orderLifecycle,
  shiftLifecycle,
} from '../../functions/in-person/physical-checkout/lifecycle.ts'
import type { Json } from '../../src/kernel/json.ts'
import {
  changes,
  createdAt,
  instant,
  known,
  minor,
  ownKey,
  refersTo,
  statusOf,
  tenantRow,
} from './columns.ts'
import { devices } from './devices.ts'
import type { DeliveredLine } from './entitlements.ts'
import { mexicoCityDay } from './in-person.ts'
import type { SoldLine, TipOptions } from './order.ts'
import { governed, governedBy } from './payment-policies.ts'
import { payments } from './payments.ts'
import { checksOfTerms, saleTerms } from './sale-terms.ts'
import type { TakenStock } from './stock.ts'

/** An address of a register: printed for buyers, or opened on a screen that faces them. One that was seen too far is revoked. */
export const registerCodes = pgTable(
  'register_codes',
  {
    ...tenantRow,
    publicId: text('public_id').notNull(),
    status: statusOf(codeLifecycle),
    registerId: uuid('register_id').notNull(),
    /** `printed` leads to the order that is current; `display` shows it, with its own code. */
    purpose: text('purpose', { enum: ['printed', 'display'] }).notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('register_codes_register', t, t.registerId, devices),
      uniqueIndex('register_codes_public_id').on(t.publicId),
      check('register_codes_public_id_form', sql`${t.publicId} ~ '^sreg_[a-z0-9]{32}$'`),
      check('register_codes_status_known', known(t.status)),
      check('register_codes_purpose_known', known(t.purpose)),
      index('register_codes_list').on(t.tenantId, t.createdAt, t.id),
      index('register_codes_list_by_register').on(t.tenantId, t.registerId, t.createdAt, t.id),
    ]
  },
)

/** From the opening of a drawer to its count. Triggers keep the sums from its movements of cash. */
export const registerShifts = pgTable(
  'register_shifts',
  {
    ...tenantRow,
    status: statusOf(shiftLifecycle),
    registerId: uuid('register_id').notNull(),
    /** Who is at the register, as the merchant calls them. */
    cashierName: text('cashier_name'),
    currency: text('currency').notNull(),
    openingMinor: minor('opening_minor').notNull(),
    salesMinor: minor('sales_minor').notNull(),
    returnsMinor: minor('returns_minor').notNull(),
    paidInMinor: minor('paid_in_minor').notNull(),
    paidOutMinor: minor('paid_out_minor').notNull(),
    /** What was in the drawer when it was closed. */
    countedMinor: minor('counted_minor'),
    /** Orders of it that were still being paid then. */
    unsettledCount: integer('unsettled_count'),
    note: text('note'),
    closedAt: instant('closed_at'),
    /** When the database booked its end, as of journals; a trigger fills both. */
    commitOrder: bigint('commit_order', { mode: 'bigint' }),
    bookedAt: instant('booked_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('register_shifts_register', t, t.registerId, devices),
      uniqueIndex('register_shifts_open').on(t.tenantId, t.registerId).where(sql`status = 'open'`),
      check('register_shifts_status_known', known(t.status)),
      check('register_shifts_currency', sql`${t.currency} = 'mxn'`),
      check('register_shifts_cashier_length', sql`char_length(${t.cashierName}) between 1 and 80`),
      check('register_shifts_opening', sql`${t.openingMinor} between 0 and 999999999999`),
      check(
        'register_shifts_sums',
        sql`least(${t.salesMinor}, ${t.returnsMinor}, ${t.paidInMinor}, ${t.paidOutMinor}) >= 0`,
      ),
      check(
        'register_shifts_drawer',
        sql`${t.openingMinor} + ${t.salesMinor} + ${t.paidInMinor} - ${t.returnsMinor} - ${t.paidOutMinor} >= 0`,
      ),
      check(
        'register_shifts_bounded',
        sql`${t.openingMinor} + ${t.salesMinor} + ${t.paidInMinor} <= 999999999999`,
      ),
      check(
        'register_shifts_counted',
        sql`num_nonnulls(${t.countedMinor}, ${t.unsettledCount}, ${t.closedAt}, ${t.commitOrder}, ${t.bookedAt})
          = case ${t.status} when 'closed' then 5 else 0 end`,
      ),
      check('register_shifts_counted_bounded', sql`${t.countedMinor} between 0 and 999999999999`),
      index('register_shifts_list').on(t.tenantId, t.createdAt, t.id),
      index('register_shifts_list_by_register').on(t.tenantId, t.registerId, t.createdAt, t.id),
      index('register_shifts_closed').on(t.tenantId, t.bookedAt, t.id).where(sql`booked_at is not null`),
      index('register_shifts_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)

/** What one buyer pays at a register. What it costs does not change: another one takes its place. */
export const registerOrders = pgTable(
  'register_orders',
  {
    ...tenantRow,
    publicId: text('public_id').notNull(),
    status: statusOf(orderLifecycle),
    registerId: uuid('register_id').notNull(),
    /** The shift that was open when it was made; null: none was. */
    shiftId: uuid('shift_id'),
    /** Which code leads to it: the register's printed one, its own, or both. */
    mode: text('mode', { enum: ['static', 'dynamic', 'hybrid'] }).notNull(),
    /** The register shows it. */
    isCurrent: boolean('is_current').notNull(),
    lines: jsonb('lines').$type<readonly SoldLine[]>().notNull(),
    /** What an attempt to pay takes from the stock; null: nothing. */
    stock: jsonb('stock').$type<TakenStock>(),
    /** What a payment of it grants; null: nothing. */
    delivers: jsonb('delivers').$type<readonly DeliveredLine[]>(),
    /** The tips that the buyer may add; null: none. */
    tipOptions: jsonb('tip_options').$type<TipOptions>(),
    ...saleTerms,
    description: text('description'),
    clientReferenceId: text('client_reference_id'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    /** The payment that paid it. */
    paymentId: uuid('payment_id'),
    /** What the buyer handed over, where cash paid it, and what of the price was given back later. */
    tenderedMinor: minor('tendered_minor'),
    cashReturnedMinor: minor('cash_returned_minor').notNull(),
    /** The order that took its place. */
    replacedBy: uuid('replaced_by'),
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
    ...governed,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('register_orders_register', t, t.registerId, devices),
      refersTo('register_orders_shift', t, t.shiftId, registerShifts),
      refersTo('register_orders_payment', t, t.paymentId, payments),
      foreignKey({
        name: 'register_orders_replaced_by',
        columns: [t.tenantId, t.replacedBy],
        foreignColumns: [t.tenantId, t.id],
      }),
      ...governedBy('register_orders', t),
      ...checksOfTerms('register_orders', t),
      uniqueIndex('register_orders_public_id').on(t.publicId),
      uniqueIndex('register_orders_current').on(t.tenantId, t.registerId).where(sql`is_current`),
      // A till that has lost an answer asks again by its own name for the sale, and gets the first result.
      uniqueIndex('register_orders_reference')
        .on(t.tenantId, t.registerId, t.clientReferenceId, mexicoCityDay(t.createdAt))
        .where(sql`client_reference_id is not null`),
      check('register_orders_public_id_form', sql`${t.publicId} ~ '^sorder_[a-z0-9]{32}$'`),
      check('register_orders_status_known', known(t.status)),
      check('register_orders_mode_known', known(t.mode)),
      check('register_orders_lines_bounded', sql`jsonb_array_length(${t.lines}) <= 100`),
      check('register_orders_current_open', sql`not ${t.isCurrent} or ${t.status} = 'open'`),
      check('register_orders_ended', sql`(${t.status} = 'open') = (${t.endedAt} is null)`),
      check(
        'register_orders_paid_once',
        sql`num_nonnulls(${t.paymentId}, ${t.tenderedMinor}) = case when ${t.status} = 'paid' then 1 else 0 end`,
      ),
      check('register_orders_tendered', sql`${t.tenderedMinor} between ${t.amountMinor} and 999999999999`),
      check(
        'register_orders_cash_returned',
        sql`${t.cashReturnedMinor} between 0 and case when ${t.tenderedMinor} is null then 0 else ${t.amountMinor} end`,
      ),
      // What is delivered is shown to who pays on the page, and mailed.
      check('register_orders_delivered', sql`${t.tenderedMinor} is null or ${t.delivers} is null`),
      check(
        'register_orders_replaced',
        sql`${t.replacedBy} is null or (${t.status} in ('canceled', 'paid') and ${t.replacedBy} <> ${t.id})`,
      ),
      index('register_orders_list').on(t.tenantId, t.createdAt, t.id),
      index('register_orders_list_by_register').on(t.tenantId, t.registerId, t.createdAt, t.id),
      index('register_orders_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('register_orders_list_by_reference')
        .on(t.tenantId, t.clientReferenceId, t.createdAt, t.id)
        .where(sql`client_reference_id is not null`),
      index('register_orders_of_shift').on(t.tenantId, t.shiftId).where(sql`shift_id is not null`),
      index('register_orders_due').on(t.expiresAt).where(sql`status = 'open'`),
    ]
  },
)

export const cashKinds = ['sale', 'return', 'paid_in', 'paid_out'] as const

/** Cash that went into a drawer or out of it. Rows are never changed. It touches no balance. */
export const cashMovements = pgTable(
  'cash_movements',
  {
    ...tenantRow,
    shiftId: uuid('shift_id').notNull(),
    kind: text('kind', { enum: cashKinds }).notNull(),
    amountMinor: minor('amount_minor').notNull(),
    /** Whose price it is, or was. */
    orderId: uuid('order_id'),
    note: text('note'),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('cash_movements_shift', t, t.shiftId, registerShifts),
      refersTo('cash_movements_order', t, t.orderId, registerOrders),
      check('cash_movements_kind_known', known(t.kind)),
      check('cash_movements_amount', sql`${t.amountMinor} between 1 and 999999999999`),
      check('cash_movements_of_order', sql`(${t.kind} in ('sale', 'return')) = (${t.orderId} is not null)`),
      uniqueIndex('cash_movements_sale').on(t.tenantId, t.orderId).where(sql`kind = 'sale'`),
      index('cash_movements_list').on(t.tenantId, t.shiftId, t.createdAt, t.id),
      index('cash_movements_of_order').on(t.tenantId, t.orderId).where(sql`order_id is not null`),
    ]
  },
)
