import { and, asc, desc, eq, getTableColumns, gt, inArray, sql } from 'drizzle-orm'
import { buyerDetails } from '../../../drizzle/schema/buyer-details.ts'
import { isOneOf } from '../../../drizzle/schema/columns.ts'
import { events } from '../../../drizzle/schema/events.ts'
import { ledgerAccounts, ledgerJournals, ledgerPostings } from '../../../drizzle/schema/ledger.ts'
import { paymentContacts } from '../../../drizzle/schema/payment-contacts.ts'
import { livePaymentStatuses, paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { publicIds } from '../../../drizzle/schema/public-ids.ts'
import {
  buyerBalanceMovements,
  clabes,
  speiDeposits,
  unappliedFunds,
  unappliedFundsApplications,
  vouchers,
} from '../../../drizzle/schema/push-payments.ts'
import { isPublicId } from '../../../src/kernel/ids.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { newestPage } from '../../../src/platform/listing.ts'
import type { Published } from '../../../src/platform/postgres.ts'
import { build, foundFirst, ownTenant, pages, rowOf, select, slot } from '../../../src/platform/query.ts'
import { filtered, newest, rowsBy } from '../../../src/platform/rows.ts'

export type PaymentRow = Row<typeof payments>
export type AttemptRow = Row<typeof paymentAttempts>
export type VoucherRow = typeof vouchers.$inferSelect
export type UnappliedRow = typeof unappliedFunds.$inferSelect
export type ClabeRow = typeof clabes.$inferSelect
export type DepositRow = typeof speiDeposits.$inferSelect

export const paymentById = rowsBy(payments, 'id')

/** A payment as a publish returned it. */
export const paymentFrom = (record: Published['expected'][number]): PaymentRow => rowOf(payments, record)

export const contactById = rowsBy(paymentContacts, 'id')
const ofContact = foundFirst(paymentContacts.paymentId, eq(paymentContacts.id, slot('contactId')))
export const paymentOfContact = select<PaymentRow>(() =>
  build
    .select()
    .from(payments)
    .where(and(ownTenant(payments), eq(payments.id, ofContact))),
)

/** A payment with the public id of what was sold. */
export type PaymentWithSale = PaymentRow & { readonly salePublicId: string | null }

const salePublicId = sql<string | null>`(select ${publicIds.publicId} from ${publicIds}
  where ${ownTenant(publicIds)} and ${publicIds.kind} = ${payments.originType} and ${publicIds.id} = ${payments.originId})`

/** By the slot `id` or `publicId`. */
export const paymentWithSale = select<PaymentWithSale>(
  (has) =>
    build
      .select({ ...getTableColumns(payments), salePublicId })
      .from(payments)
      .where(
        and(
          ownTenant(payments),
          has('id') ? eq(payments.id, slot('id')) : eq(payments.publicId, slot('publicId')),
        ),
      ),
  ['id', 'publicId'],
)

/** Where the buyer of a payment wants mails, the newest last. */
export const contactsOf = rowsBy(paymentContacts, 'paymentId')

export const paymentsById = select<PaymentRow>(() =>
  build
    .select()
    .from(payments)
    .where(and(ownTenant(payments), sql`${payments.id} = any (${slot('ids')}::uuid[])`)),
)

export const paymentByPublicId = rowsBy(payments, 'publicId')

/** The live payment in the place of one, or in the place of what that one replaces: at most one. */
export const paymentInPlaceOf = select<PaymentRow>(() =>
  build
    .select(getTableColumns(payments))
    .from(payments)
    .where(
      and(
        ownTenant(payments),
        isOneOf(payments.status, livePaymentStatuses),
        sql`${payments.replacesId} in (
          select coalesce(f.replaces_id, f.id) from ${payments} f
          where f.tenant_id = ${payments.tenantId} and f.public_id = ${slot('publicId')})`,
      ),
    ),
)

/** A payment by the reference in the path: its id or its public id. */
export const paymentAt = (ref: string) => paymentWithSale(isPublicId(ref) ? { publicId: ref } : { id: ref })

/** The filter for payments of an origin, named by its id or its public id. */
export const ofOrigin = (soldKind: string, ref: string) => ({
  soldKind,
  ...(isPublicId(ref) ? { soldPublicId: ref } : { soldId: ref }),
})

/** The id behind a public id of a kind. */
const idOf = (publicId: string, kind: string) =>
  foundFirst(publicIds.id, and(eq(publicIds.publicId, slot(publicId)), eq(publicIds.kind, slot(kind))))

/**
 * What buyers gave an e-mail address for, by the slot `email`: payments, or what was sold. Of several attempts the last
 * one counts.
 */
export const givenWith = (
  id: 'paymentId' | 'originId',
) => sql`(select ${buyerDetails[id]} from ${buyerDetails}
  where ${ownTenant(buyerDetails)} and ${buyerDetails.email} = ${slot('email')} and not exists (
    select from ${buyerDetails} later where later.tenant_id = ${buyerDetails.tenantId}
      and later.${sql.identifier(buyerDetails[id].name)} = ${buyerDetails[id]}
      and (later.created_at, later.id) > (${buyerDetails.createdAt}, ${buyerDetails.id})))`

const few = ['clientReferenceId', 'paidBy', 'customerId', 'publicIdFrom', 'email']

export const paymentsPage = select<PaymentRow>(
  (has) =>
    newestPage(
      payments,
      'payment',
      has,
      [
        ...filtered(payments, has, [
          'status',
          'method',
          'paidBy',
          'originType',
          'originId',
          'customerId',
          'clientReferenceId',
        ]),
        has('soldKind') ? eq(payments.originType, slot('soldKind')) : undefined,
        has('soldId') ? eq(payments.originId, slot('soldId')) : undefined,
        has('soldPublicId') ? sql`${payments.originId} = ${idOf('soldPublicId', 'soldKind')}` : undefined,
        has('publicIdFrom')
          ? sql`${payments.publicId} between ${slot('publicIdFrom')} and ${slot('publicIdTo')}`
          : undefined,
        has('email') ? sql`${payments.id} in ${givenWith('paymentId')}` : undefined,
        has('amountFrom') ? sql`${payments.amountMinor} >= ${slot('amountFrom')}::bigint` : undefined,
        has('amountTo') ? sql`${payments.amountMinor} <= ${slot('amountTo')}::bigint` : undefined,
      ],
      few.some(has),
    ),
  pages,
)

export const attemptsOf = select<AttemptRow>(() =>
  build
    .select()
    .from(paymentAttempts)
    .where(and(ownTenant(paymentAttempts), eq(paymentAttempts.paymentId, slot('paymentId'))))
    .orderBy(asc(paymentAttempts.number)),
)

const ofPublicId = foundFirst(payments.id, eq(payments.publicId, slot('publicId')))

export const attemptsByPublicId = select<AttemptRow>(() =>
  build
    .select()
    .from(paymentAttempts)
    .where(and(ownTenant(paymentAttempts), eq(paymentAttempts.paymentId, ofPublicId)))
    .orderBy(asc(paymentAttempts.number)),
)

export const attemptById = rowsBy(paymentAttempts, 'id')

const ofAttempt = foundFirst(paymentAttempts.paymentId, eq(paymentAttempts.id, slot('id')))

export const paymentOfAttempt = select<PaymentRow>(() =>
  build
    .select(getTableColumns(payments))
    .from(payments)
    .where(and(ownTenant(payments), eq(payments.id, ofAttempt))),
)

/** At most one: a voucher belongs to one attempt. */
export const voucherOfAttempt = rowsBy(vouchers, 'attemptId')

/** A CLABE that is lent or rests, by its number: at most one. */
export const clabeInUse = select<ClabeRow>(() =>
  build
    .select()
    .from(clabes)
    .where(
      and(
        ownTenant(clabes),
        eq(clabes.clabe, slot('clabe')),
        inArray(clabes.status, ['assigned', 'quarantined']),
      ),
    ),
)

export const clabeById = rowsBy(clabes, 'id')

/** At most one: a CLABE is lent to one attempt. */
export const clabeOfAttempt = rowsBy(clabes, 'attemptId')

export const clabesOfPayment = rowsBy(clabes, 'paymentId')

const lentFor = and(eq(clabes.tenantId, speiDeposits.tenantId), eq(clabes.clabe, speiDeposits.clabe))

/** What of a transfer counts towards its payment: what was counted, less what was set apart since. */
const countedMinor = sql`(${speiDeposits.appliedMinor} - coalesce((
  select sum(apart.amount_minor) from ${unappliedFunds} apart
  where apart.tenant_id = ${speiDeposits.tenantId} and apart.deposit_id = ${speiDeposits.id}
    and apart.movement_id is not null), 0))::bigint`

/** The transfers that count towards the amount of an attempt, each with what of it does. */
export const countedDeposits = select<DepositRow>(() =>
  build
    .select({
      ...getTableColumns(speiDeposits),
      appliedMinor: sql`${countedMinor}`.mapWith(speiDeposits.appliedMinor),
    })
    .from(speiDeposits)
    .innerJoin(clabes, and(lentFor, eq(clabes.paymentId, speiDeposits.paymentId)))
    .where(and(ownTenant(speiDeposits), eq(clabes.attemptId, slot('attemptId')), gt(countedMinor, sql`0`)))
    .orderBy(asc(speiDeposits.createdAt), asc(speiDeposits.id)),
)

/** A movement of a buyer's balance by the processor's reference: at most one. */
export const movementByRef = rowsBy(buyerBalanceMovements, 'movementRef')

/** What is left of the unapplied funds that the buyer's balance of an attempt brought, the newest first. */
export const fundsOfAttempt = select<UnappliedRow>(() =>
  build
    .select()
    .from(unappliedFunds)
    .where(
      and(
        ownTenant(unappliedFunds),
        gt(unappliedFunds.remainingMinor, sql`0`),
        sql`${unappliedFunds.id} in (
          select u.id from ${clabes}
          join ${speiDeposits} d on d.tenant_id = ${clabes.tenantId} and d.payment_id = ${clabes.paymentId}
            and d.clabe = ${clabes.clabe}
          join ${unappliedFunds} u on u.tenant_id = d.tenant_id and u.deposit_id = d.id
          where ${ownTenant(clabes)} and ${clabes.attemptId} = ${slot('attemptId')}
          union all select u.id from ${buyerBalanceMovements}
          join ${unappliedFunds} u on u.tenant_id = ${buyerBalanceMovements.tenantId}
            and u.movement_id = ${buyerBalanceMovements.id}
          where ${ownTenant(buyerBalanceMovements)} and ${buyerBalanceMovements.attemptId} = ${slot('attemptId')})`,
      ),
    )
    .orderBy(desc(unappliedFunds.createdAt), desc(unappliedFunds.id)),
)

/** Unapplied funds and the part of one application of them to an attempt. */
export type AppliedFunds = UnappliedRow & { readonly takenMinor: bigint }

const ofApplications = foundFirst(
  unappliedFundsApplications.unappliedFundsId,
  eq(unappliedFundsApplications.attemptId, slot('attemptId')),
)

export const appliedFunds = select<AppliedFunds>(() =>
  build
    .select({
      ...getTableColumns(unappliedFunds),
      takenMinor: unappliedFundsApplications.amountMinor,
    })
    .from(unappliedFunds)
    .innerJoin(
      unappliedFundsApplications,
      and(
        eq(unappliedFundsApplications.tenantId, unappliedFunds.tenantId),
        eq(unappliedFundsApplications.unappliedFundsId, unappliedFunds.id),
      ),
    )
    .where(
      and(
        ownTenant(unappliedFunds),
        eq(unappliedFundsApplications.attemptId, slot('attemptId')),
        sql`${unappliedFunds.id} = any (array${ofApplications})`,
      ),
    ),
)

/** The same transfer, recorded earlier. */
export const depositTwin = rowsBy(
  speiDeposits,
  'claveRastreo',
  'senderBank',
  'operatedOn',
  'clabe',
  'amountMinor',
)

export const depositById = rowsBy(speiDeposits, 'id')

export const depositsPage = newest(speiDeposits, ['paymentId'])

/** One for each attempt that was to be paid at a till. */
export const vouchersOf = rowsBy(vouchers, 'paymentId')

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
  build
    .select()
    .from(ledgerAccounts)
    .where(and(ownTenant(ledgerAccounts), inArray(ledgerAccounts.code, ledgerAccounts.code.enumValues))),
)
