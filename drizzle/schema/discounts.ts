import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { checkoutSessions } from './checkout-sessions.ts'
import { changes, instant, known, minor, ownKey, refersTo, tenantRow } from './columns.ts'
import { customers } from './customers.ts'
import { payments } from './payments.ts'
import { ofTenant } from './tenants.ts'

/** A code that takes something off an order: an amount, or a part of it. */
export const discounts = pgTable(
  'discounts',
  {
    ...tenantRow,
    /** In capitals: buyers type it in any case. */
    code: text('code').notNull(),
    isActive: boolean('is_active').notNull(),
    amountOffMinor: minor('amount_off_minor'),
    percentOffBps: integer('percent_off_bps'),
    /** Of both amounts; null where there is none. */
    currency: text('currency'),
    subtotalMinorMin: minor('subtotal_minor_min'),
    usesMax: integer('uses_max'),
    usesPerCustomerMax: integer('uses_per_customer_max'),
    /** Those that payments hold or have taken; triggers count (drizzle/sql/059_hosted_checkout_discounts.sql). */
    uses: integer('uses').notNull(),
    startsAt: instant('starts_at'),
    endsAt: instant('ends_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('discounts', t.tenantId),
      uniqueIndex('discounts_code').on(t.tenantId, t.code),
      check('discounts_code_form', sql`${t.code} ~ '^[A-Z0-9][A-Z0-9_-]{2,39}$'`),
      check('discounts_one_kind', sql`(${t.amountOffMinor} is null) <> (${t.percentOffBps} is null)`),
      check('discounts_amount_positive', sql`${t.amountOffMinor} between 1 and 999999999999`),
      check('discounts_percent_bounds', sql`${t.percentOffBps} between 1 and 10000`),
      check('discounts_subtotal_bounds', sql`${t.subtotalMinorMin} between 1 and 999999999999`),
      check(
        'discounts_currency',
        sql`(${t.currency} is null) = (${t.amountOffMinor} is null and ${t.subtotalMinorMin} is null)
          and ${t.currency} ~ '^[a-z]{3}$' is not false`,
      ),
      check('discounts_uses_counted', sql`${t.uses} >= 0`),
      check('discounts_uses_bounded', sql`${t.uses} <= ${t.usesMax}`),
      check('discounts_uses_per_customer', sql`${t.usesPerCustomerMax} >= 1`),
      check('discounts_time', sql`${t.endsAt} > ${t.startsAt}`),
      index('discounts_list').on(t.tenantId, t.createdAt, t.id),
    ]
  },
)

/**
 * A use of a discount by an attempt to pay: held with it, taken where it succeeds, free again elsewhere. It is of the
 * session that keeps its buyer's order, or of the payment where many buy. A session that costs nothing takes its uses
 * without an attempt.
 */
export const discountUses = pgTable(
  'discount_uses',
  {
    ...tenantRow,
    discountId: uuid('discount_id').notNull(),
    sessionId: uuid('session_id'),
    paymentId: uuid('payment_id'),
    /** The session's or payment's customer when it was taken; the limit per customer counts over whom it was merged with. */
    customerId: uuid('customer_id'),
    /** Null: of a session that cost nothing. */
    attemptId: uuid('attempt_id'),
    status: text('status', { enum: ['held', 'committed', 'released'] }).notNull(),
    /** Whether the discount counts it: not once it is released, and not where money came late and none was left. */
    isCounted: boolean('is_counted').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('discount_uses_discount', t, t.discountId, discounts),
      refersTo('discount_uses_session', t, t.sessionId, checkoutSessions),
      refersTo('discount_uses_payment', t, t.paymentId, payments),
      check('discount_uses_of_one', sql`num_nonnulls(${t.sessionId}, ${t.paymentId}) = 1`),
      refersTo('discount_uses_customer', t, t.customerId, customers),
      check('discount_uses_status_known', known(t.status)),
      check(
        'discount_uses_held_counted',
        sql`case ${t.status} when 'held' then ${t.isCounted} when 'released' then not ${t.isCounted} else true end`,
      ),
      check(
        'discount_uses_without_attempt',
        sql`${t.attemptId} is not null or (${t.status} = 'committed' and ${t.sessionId} is not null)`,
      ),
      uniqueIndex('discount_uses_attempt').on(t.tenantId, t.attemptId, t.discountId),
      uniqueIndex('discount_uses_without_payment')
        .on(t.tenantId, t.sessionId, t.discountId)
        .where(sql`attempt_id is null`),
      index('discount_uses_of_customer')
        .on(t.tenantId, t.customerId, t.discountId)
        .where(sql`customer_id is not null`),
      index('discount_uses_session').on(t.tenantId, t.sessionId),
      index('discount_uses_payment').on(t.tenantId, t.paymentId).where(sql`payment_id is not null`),
      index('discount_uses_discount').on(t.tenantId, t.discountId),
    ]
  },
)
