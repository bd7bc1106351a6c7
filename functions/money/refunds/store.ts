import { and, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { ledgerAccounts } from '../../../drizzle/schema/ledger.ts'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { unappliedFunds } from '../../../drizzle/schema/push-payments.ts'
import { refunds } from '../../../drizzle/schema/refunds.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, foundFirst, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type RefundRow = Row<typeof refunds>
export type FundsRow = typeof unappliedFunds.$inferSelect
export type AccountRow = typeof ledgerAccounts.$inferSelect

/** A payment with the attempt that took its money; null where no attempt did. */
export type RefundablePayment = typeof payments.$inferSelect & {
  readonly attemptId: string | null
  readonly attemptProcessor: string | null
  readonly attemptProcessorRef: string | null
  /** The merchant's own account that took it; null: the environment's. */
  readonly attemptAccountId: string | null
}

const withAttempt = {
  ...getTableColumns(payments),
  attemptId: paymentAttempts.id,
  attemptProcessor: paymentAttempts.processor,
  attemptProcessorRef: paymentAttempts.processorRef,
  attemptAccountId: paymentAttempts.accountId,
}

const takenBy = and(
  eq(paymentAttempts.tenantId, payments.tenantId),
  eq(paymentAttempts.paymentId, payments.id),
  eq(paymentAttempts.status, 'captured'),
)

export const refundablePayment = select<RefundablePayment>(() =>
  build
    .select(withAttempt)
    .from(payments)
    .leftJoin(paymentAttempts, takenBy)
    .where(and(ownTenant(payments), eq(payments.id, slot('id')))),
)

/** The attempt that was refunded at the processor, with the payment that it is of. */
export type TakenPayment = RefundablePayment & {
  readonly attemptStatus: string
  /** How a contradiction of the attempt ended. */
  readonly attemptResolution: string | null
}

const ofAttempt = and(
  eq(paymentAttempts.tenantId, payments.tenantId),
  eq(paymentAttempts.paymentId, payments.id),
  eq(paymentAttempts.id, slot('attemptId')),
)

const paymentIdOfAttempt = foundFirst(paymentAttempts.paymentId, eq(paymentAttempts.id, slot('attemptId')))
const ofRefund = (column: PgColumn) => foundFirst(column, eq(refunds.id, slot('id')))

export const paymentOfAttempt = select<TakenPayment>(() =>
  build
    .select({
      ...withAttempt,
      attemptStatus: paymentAttempts.status,
      attemptResolution: paymentAttempts.resolution,
    })
    .from(payments)
    .innerJoin(paymentAttempts, ofAttempt)
    .where(and(ownTenant(payments), eq(payments.id, paymentIdOfAttempt))),
)

/** A refund that was made at the processor, by its reference there. */
export const refundByRef = rowsBy(refunds, 'processor', 'processorRef')

export const paymentOfRefund = select<RefundablePayment>(() =>
  build
    .select(withAttempt)
    .from(payments)
    .leftJoin(paymentAttempts, takenBy)
    .where(and(ownTenant(payments), eq(payments.id, ofRefund(refunds.paymentId)))),
)

export const fundsOfRefund = select<FundsRow>(() =>
  build
    .select()
    .from(unappliedFunds)
    .where(and(ownTenant(unappliedFunds), eq(unappliedFunds.id, ofRefund(refunds.unappliedFundsId)))),
)

export const refundById = rowsBy(refunds, 'id')

/** Unsent refunds of a payment: seldom more than one. */
export const waitingRefundsOf = select<RefundRow>(() =>
  build
    .select()
    .from(refunds)
    .where(
      and(
        ownTenant(refunds),
        eq(refunds.paymentId, slot('paymentId')),
        inArray(refunds.status, ['requires_destination', 'pending_approval', 'pending']),
      ),
    ),
)

export const refundsPage = newest(refunds, ['status', 'paymentId', 'customerId'])

/** The merchant's own accounts, without its waiters': few rows, one per account and currency. */
export const accountsOf = select<AccountRow>(() =>
  build
    .select()
    .from(ledgerAccounts)
    .where(and(ownTenant(ledgerAccounts), inArray(ledgerAccounts.code, ledgerAccounts.code.enumValues))),
)
