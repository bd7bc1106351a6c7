import { and, asc, desc, eq, getTableColumns } from 'drizzle-orm'
import { type unappliedFunds, vouchers } from '../../drizzle/schema/cash.ts'
import { events } from '../../drizzle/schema/events.ts'
import { ledgerAccounts, ledgerJournals, ledgerPostings } from '../../drizzle/schema/ledger.ts'
import { paymentAttempts, payments } from '../../drizzle/schema/payments.ts'
import { build, inWindow, ownTenant, select, slot } from '../../src/platform/query.ts'

export type PaymentRow = typeof payments.$inferSelect
export type AttemptRow = typeof paymentAttempts.$inferSelect
export type VoucherRow = typeof vouchers.$inferSelect
export type UnappliedRow = typeof unappliedFunds.$inferSelect

export const paymentById = select<PaymentRow>(() =>
  build
    .select()
    .from(payments)
    .where(and(ownTenant(payments), eq(payments.id, slot('id')))),
)

export const paymentByPublicId = select<PaymentRow>(() =>
  build
    .select()
    .from(payments)
    .where(and(ownTenant(payments), eq(payments.publicId, slot('publicId')))),
)

export const paymentsPage = select<PaymentRow>((has) =>
  build
    .select()
    .from(payments)
    .where(
      and(
        ...inWindow(payments, has),
        has('status') ? eq(payments.status, slot('status')) : undefined,
        has('originId') ? eq(payments.originId, slot('originId')) : undefined,
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(slot('rows') as never),
)

export const attemptsOf = select<AttemptRow>(() =>
  build
    .select()
    .from(paymentAttempts)
    .where(and(ownTenant(paymentAttempts), eq(paymentAttempts.paymentId, slot('paymentId'))))
    .orderBy(asc(paymentAttempts.number)),
)

export const attemptsByPublicId = select<AttemptRow>(() =>
  build
    .select(getTableColumns(paymentAttempts))
    .from(paymentAttempts)
    .innerJoin(
      payments,
      and(eq(paymentAttempts.tenantId, payments.tenantId), eq(paymentAttempts.paymentId, payments.id)),
    )
    .where(and(ownTenant(payments), eq(payments.publicId, slot('publicId'))))
    .orderBy(asc(paymentAttempts.number)),
)

export const attemptById = select<AttemptRow>(() =>
  build
    .select()
    .from(paymentAttempts)
    .where(and(ownTenant(paymentAttempts), eq(paymentAttempts.id, slot('id')))),
)

export const paymentOfAttempt = select<PaymentRow>(() =>
  build
    .select(getTableColumns(payments))
    .from(payments)
    .innerJoin(
      paymentAttempts,
      and(eq(paymentAttempts.tenantId, payments.tenantId), eq(paymentAttempts.paymentId, payments.id)),
    )
    .where(and(ownTenant(payments), eq(paymentAttempts.id, slot('id')))),
)

/** At most one: a voucher belongs to one attempt. */
export const voucherOfAttempt = select<VoucherRow>(() =>
  build
    .select()
    .from(vouchers)
    .where(and(ownTenant(vouchers), eq(vouchers.attemptId, slot('id')))),
)

export type EventRow = typeof events.$inferSelect

export const eventsOf = select<EventRow>(() =>
  build
    .select()
    .from(events)
    .where(and(ownTenant(events), eq(events.resourceId, slot('paymentId'))))
    .orderBy(asc(events.sequence)),
)

const journalColumns = {
  id: ledgerJournals.id,
  entryKind: ledgerJournals.entryKind,
  currency: ledgerJournals.currency,
  createdAt: ledgerJournals.createdAt,
  account: ledgerPostings.accountCode,
  amountMinor: ledgerPostings.amountMinor,
}

export interface JournalLine {
  readonly id: string
  readonly entryKind: string
  readonly currency: string
  readonly createdAt: Date
  readonly account: string
  readonly amountMinor: bigint
}

export const journalLinesOf = select<JournalLine>(() =>
  build
    .select(journalColumns)
    .from(ledgerJournals)
    .innerJoin(
      ledgerPostings,
      and(
        eq(ledgerPostings.tenantId, ledgerJournals.tenantId),
        eq(ledgerPostings.journalId, ledgerJournals.id),
      ),
    )
    .where(
      and(
        ownTenant(ledgerJournals),
        eq(ledgerJournals.sourceType, 'payment'),
        eq(ledgerJournals.sourceId, slot('paymentId')),
      ),
    )
    .orderBy(asc(ledgerJournals.createdAt), asc(ledgerJournals.id), asc(ledgerPostings.line)),
)

export const accounts = select<typeof ledgerAccounts.$inferSelect>(() =>
  build.select().from(ledgerAccounts).where(ownTenant(ledgerAccounts)).orderBy(asc(ledgerAccounts.currency)),
)
