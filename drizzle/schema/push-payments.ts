import { sql } from 'drizzle-orm'
import { check, date, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { clabeLifecycle, voucherLifecycle } from '../../functions/money/payments/lifecycle.ts'
import { pushMethods } from '../../src/kernel/payment-methods.ts'
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
} from './columns.ts'
import { paymentAttempts, payments } from './payments.ts'

/** An OXXO voucher: what the buyer shows at the till. */
export const vouchers = pgTable(
  'vouchers',
  {
    ...tenantRow,
    paymentId: uuid('payment_id').notNull(),
    attemptId: uuid('attempt_id').notNull(),
    reference: text('reference').notNull(),
    status: statusOf(voucherLifecycle),
    ...amount,
    expiresAt: instant('expires_at').notNull(),
    /** Cash taken in time is reported up to two bank days after expiry: nothing is released before this. */
    graceEndsAt: instant('grace_ends_at').notNull(),
    paidAt: instant('paid_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('vouchers_attempt', t, t.attemptId, paymentAttempts),
      refersTo('vouchers_payment', t, t.paymentId, payments),
      uniqueIndex('vouchers_reference').on(t.reference),
      uniqueIndex('vouchers_one_per_attempt').on(t.tenantId, t.attemptId),
      index('vouchers_by_payment').on(t.tenantId, t.paymentId),
      uniqueIndex('vouchers_one_live').on(t.tenantId, t.paymentId).where(sql`status = 'issued'`),
      // Conekta's have 14 to 20 digits, Stripe's 32.
      check('vouchers_reference_form', sql`${t.reference} ~ '^[0-9]{14,32}$'`),
      check('vouchers_status_known', known(t.status)),
      check('vouchers_amount_positive', sql`${t.amountMinor} > 0`),
      check('vouchers_in_mxn', sql`${t.currency} = 'mxn'`),
    ]
  },
)

/** A virtual CLABE, lent to one payment, then quarantined, so that a late transfer never pays another payment. */
export const clabes = pgTable(
  'clabes',
  {
    ...tenantRow,
    clabe: text('clabe').notNull(),
    paymentId: uuid('payment_id').notNull(),
    attemptId: uuid('attempt_id').notNull(),
    status: statusOf(clabeLifecycle),
    quarantineEndsAt: instant('quarantine_ends_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('clabes_attempt', t, t.attemptId, paymentAttempts),
      refersTo('clabes_payment', t, t.paymentId, payments),
      uniqueIndex('clabes_one_per_attempt').on(t.tenantId, t.attemptId),
      uniqueIndex('clabes_one_use').on(t.clabe).where(sql`status in ('assigned', 'quarantined')`),
      check('clabes_form', sql`${t.clabe} ~ '^[0-9]{18}$'`),
      check('clabes_status_known', known(t.status)),
      check(
        'clabes_quarantine_has_end',
        sql`${t.status} <> 'quarantined' or ${t.quarantineEndsAt} is not null`,
      ),
      index('clabes_by_payment').on(t.tenantId, t.paymentId),
      index('clabes_due').on(t.quarantineEndsAt).where(sql`status = 'quarantined'`),
    ]
  },
)

/** One SPEI transfer that arrived, whatever becomes of the payment that it was meant for. */
export const speiDeposits = pgTable(
  'spei_deposits',
  {
    ...tenantRow,
    clabe: text('clabe').notNull(),
    /** The payment whose CLABE it was sent to; null when the CLABE is not one that was lent. */
    paymentId: uuid('payment_id'),
    ...amount,
    claveRastreo: text('clave_rastreo').notNull(),
    senderBank: text('sender_bank').notNull(),
    senderClabe: text('sender_clabe'),
    senderName: text('sender_name'),
    /** The banks' date of the transfer. */
    operatedOn: date('operated_on', { mode: 'string' }).notNull(),
    /** What of it was counted towards the payment; the rest is unapplied funds. */
    appliedMinor: minor('applied_minor').notNull(),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('spei_deposits_payment', t, t.paymentId, payments),
      // With the tenant: two merchants may invent the same transfer in the sandbox.
      uniqueIndex('spei_deposits_once').on(
        t.tenantId,
        t.claveRastreo,
        t.senderBank,
        t.operatedOn,
        t.clabe,
        t.amountMinor,
      ),
      check('spei_deposits_amount_positive', sql`${t.amountMinor} > 0`),
      check('spei_deposits_applied_bounds', sql`${t.appliedMinor} between 0 and ${t.amountMinor}`),
      check('spei_deposits_clave_form', sql`${t.claveRastreo} ~ '^[A-Za-z0-9]{1,30}$'`),
      index('spei_deposits_list').on(t.tenantId, t.createdAt, t.id),
      index('spei_deposits_list_by_payment').on(t.tenantId, t.paymentId, t.createdAt, t.id),
    ]
  },
)

/** Movements that take from the balance in which a processor keeps a buyer's transfers. */
export const withdrawalKinds = ['reversed', 'returned', 'taken', 'unapplied', 'refilled'] as const

/**
 * A movement of the balance in which a processor keeps a buyer's transfers, other than a transfer or a payment; see
 * `BalanceMovement` of the port. What `unapplied` and `refilled` bring is in the books already: they are here where the
 * balance was below zero.
 */
export const buyerBalanceMovements = pgTable(
  'buyer_balance_movements',
  {
    ...tenantRow,
    /** The processor's. */
    movementRef: text('movement_ref').notNull(),
    kind: text('kind', {
      enum: [...withdrawalKinds, 'return_failed', 'refund_kept', 'overdraft_covered'],
    }).notNull(),
    /** Whose transfers the balance keeps. */
    attemptId: uuid('attempt_id').notNull(),
    /** Below zero where money left. */
    changeMinor: minor('change_minor').notNull(),
    /** The part of it, without a sign, by which the balance went further below zero, or came back towards it. */
    belowZeroMinor: minor('below_zero_minor').notNull(),
    currency: text('currency').notNull(),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('buyer_balance_movements_attempt', t, t.attemptId, paymentAttempts),
      uniqueIndex('buyer_balance_movements_once').on(t.tenantId, t.movementRef),
      check('buyer_balance_movements_kind_known', known(t.kind)),
      check(
        'buyer_balance_movements_direction',
        sql`case when ${t.kind} in ('reversed', 'returned', 'taken') then ${t.changeMinor} < 0 else ${t.changeMinor} > 0 end`,
      ),
      check(
        'buyer_balance_movements_below_zero_bounds',
        sql`${t.belowZeroMinor} between 0 and abs(${t.changeMinor})`,
      ),
      index('buyer_balance_movements_by_attempt').on(t.tenantId, t.attemptId),
    ]
  },
)

/** Money that arrived and belongs to no payment: paid late, twice, too much, or to an unknown CLABE. */
export const unappliedFunds = pgTable(
  'unapplied_funds',
  {
    ...tenantRow,
    status: text('status', { enum: ['open', 'settled'] }).notNull(),
    reason: text('reason', {
      enum: ['paid_late', 'overpaid', 'already_paid', 'incomplete', 'unknown_clabe', 'came_back'],
    }).notNull(),
    method: text('method', { enum: pushMethods }).notNull(),
    amountMinor: minor('amount_minor').notNull(),
    /** What has not been applied, refunded or withdrawn yet. A hot counter: changed by `adjust`. */
    remainingMinor: minor('remaining_minor').notNull(),
    currency: text('currency').notNull(),
    /** The payment it was meant for, if known. */
    paymentId: uuid('payment_id'),
    depositId: uuid('deposit_id'),
    voucherId: uuid('voucher_id'),
    /** The movement that brought it; with a deposit, the one that took this part of it from a payment that waits. */
    movementId: uuid('movement_id'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('unapplied_funds_payment', t, t.paymentId, payments),
      refersTo('unapplied_funds_deposit', t, t.depositId, speiDeposits),
      refersTo('unapplied_funds_voucher', t, t.voucherId, vouchers),
      refersTo('unapplied_funds_movement', t, t.movementId, buyerBalanceMovements),
      uniqueIndex('unapplied_funds_once_per_deposit')
        .on(t.tenantId, t.depositId)
        .where(sql`movement_id is null`),
      uniqueIndex('unapplied_funds_once_per_movement').on(t.tenantId, t.movementId, t.depositId),
      uniqueIndex('unapplied_funds_once_per_voucher').on(t.tenantId, t.voucherId),
      check('unapplied_funds_status_known', known(t.status)),
      check('unapplied_funds_reason_known', known(t.reason)),
      check('unapplied_funds_method_known', known(t.method)),
      check('unapplied_funds_amount_positive', sql`${t.amountMinor} > 0`),
      check('unapplied_funds_remaining_bounds', sql`${t.remainingMinor} between 0 and ${t.amountMinor}`),
      check('unapplied_funds_settled_is_empty', sql`${t.status} <> 'settled' or ${t.remainingMinor} = 0`),
      index('unapplied_funds_list').on(t.tenantId, t.createdAt, t.id),
      index('unapplied_funds_by_payment').on(t.tenantId, t.paymentId),
      index('unapplied_funds_by_deposit').on(t.tenantId, t.depositId).where(sql`deposit_id is not null`),
      index('unapplied_funds_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)

/** Unapplied funds counted towards a payment, at the attempt that waits or waited for money. */
export const unappliedFundsApplications = pgTable(
  'unapplied_funds_applications',
  {
    ...tenantRow,
    unappliedFundsId: uuid('unapplied_funds_id').notNull(),
    paymentId: uuid('payment_id').notNull(),
    attemptId: uuid('attempt_id').notNull(),
    amountMinor: minor('amount_minor').notNull(),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('unapplied_funds_applications_funds', t, t.unappliedFundsId, unappliedFunds),
      refersTo('unapplied_funds_applications_payment', t, t.paymentId, payments),
      refersTo('unapplied_funds_applications_attempt', t, t.attemptId, paymentAttempts),
      check('unapplied_funds_applications_amount_positive', sql`${t.amountMinor} > 0`),
      index('unapplied_funds_applications_by_attempt').on(t.tenantId, t.attemptId),
      index('unapplied_funds_applications_by_funds').on(t.tenantId, t.unappliedFundsId),
    ]
  },
)

/** What a movement of a buyer's balance took of unapplied funds. */
export const unappliedFundsWithdrawals = pgTable(
  'unapplied_funds_withdrawals',
  {
    ...tenantRow,
    unappliedFundsId: uuid('unapplied_funds_id').notNull(),
    movementId: uuid('movement_id').notNull(),
    amountMinor: minor('amount_minor').notNull(),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('unapplied_funds_withdrawals_funds', t, t.unappliedFundsId, unappliedFunds),
      refersTo('unapplied_funds_withdrawals_movement', t, t.movementId, buyerBalanceMovements),
      uniqueIndex('unapplied_funds_withdrawals_once').on(t.tenantId, t.unappliedFundsId, t.movementId),
      check('unapplied_funds_withdrawals_amount_positive', sql`${t.amountMinor} > 0`),
    ]
  },
)
