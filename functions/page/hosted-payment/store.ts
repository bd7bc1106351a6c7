import { and, desc, eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { buyerDetails, type TaxData } from '../../../drizzle/schema/buyer-details.ts'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { publicIds } from '../../../drizzle/schema/public-ids.ts'
import {
  unappliedFunds,
  unappliedFundsApplications,
  unappliedFundsWithdrawals,
} from '../../../drizzle/schema/push-payments.ts'
import { tenants } from '../../../drizzle/schema/tenants.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, rowsIn, type Selectable, select, slot } from '../../../src/platform/query.ts'
import { type CountedFile, type GrantedRow, grantedBeside } from '../../goods/entitlements/api.ts'
import type { AttemptRow, PaymentRow } from '../../money/payments/api.ts'
import type { UnappliedOfPayment } from '../../money/payments/api-pure.ts'
import { type Seller, sellerBeside } from '../../order/sales/api.ts'

/** Of what is sold, by the slots `kind` and `id`. */
export const sellerOf = select<Seller>(() => {
  const { live, columns } = sellerBeside(publicIds.kind, publicIds.id)
  return build
    .select(columns)
    .from(publicIds)
    .innerJoin(tenants, eq(tenants.tenantId, publicIds.tenantId))
    .leftJoinLateral(live, sql`true`)
    .where(
      and(ownTenant(publicIds), eq(publicIds.kind, slot('kind')), eq(publicIds.id, slot('id'))),
    ) as unknown as Selectable<Seller>
})

const lastChannel = sql`(select ${paymentAttempts.channel} from ${paymentAttempts}
  where ${ownTenant(paymentAttempts)} and ${paymentAttempts.paymentId} = ${payments.id}
  order by ${paymentAttempts.number} desc limit 1)`

/**
 * The newest payment of a sale that waits for another card after a server's was declined, by the slots `kind` and
 * `originId`. One that was declined on a page is that buyer's: it has their address, customer and name of the sale.
 */
export const declinedOf = select<PaymentRow>(() =>
  build
    .select(getTableColumns(payments))
    .from(payments)
    .where(
      and(
        ownTenant(payments),
        eq(payments.originType, slot('kind')),
        eq(payments.originId, slot('originId')),
        eq(payments.status, 'requires_payment_method'),
        sql`${lastChannel} = 'server'`,
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(1),
)

/** The payment that a request began under one of these digests of its Idempotency-Key, as it is now. */
export const begunUnder = select<PaymentRow>(() =>
  build
    .select(getTableColumns(payments))
    .from(payments)
    .where(
      and(
        ownTenant(payments),
        sql`${payments.publicId} = (select door.begun_under(${slot('operation')}, ${slot('keys')}::text[], ${slot('fingerprint')}))`,
      ),
    ),
)

/** The last attempt of a payment, in a column beside it: a list of one. */
const lastAttemptBeside = (paymentId: SQLWrapper) =>
  rowsIn<AttemptRow>(
    build
      .select()
      .from(paymentAttempts)
      .where(and(ownTenant(paymentAttempts), sql`${paymentAttempts.paymentId} = ${paymentId}`))
      .orderBy(desc(paymentAttempts.number))
      .limit(1),
  )

/** What of unapplied funds has not left the buyer's balance. */
const notWithdrawn = sql`(${unappliedFunds.amountMinor} - coalesce((
  select sum(w.amount_minor) from ${unappliedFundsWithdrawals} w
  where w.tenant_id = ${unappliedFunds.tenantId} and w.unapplied_funds_id = ${unappliedFunds.id}), 0))::bigint`

/** Of a payment, in a column beside it. */
const unappliedBeside = (paymentId: SQLWrapper) =>
  rowsIn<UnappliedOfPayment>(
    build
      .select({
        id: unappliedFunds.id,
        amountMinor: sql`${notWithdrawn}`.mapWith(unappliedFunds.amountMinor),
        remainingMinor: unappliedFunds.remainingMinor,
        takenMinor: unappliedFundsApplications.amountMinor,
      })
      .from(unappliedFunds)
      .leftJoin(
        paymentAttempts,
        and(
          eq(paymentAttempts.tenantId, unappliedFunds.tenantId),
          eq(paymentAttempts.paymentId, unappliedFunds.paymentId),
          eq(paymentAttempts.status, 'captured'),
        ),
      )
      .leftJoin(
        unappliedFundsApplications,
        and(
          eq(unappliedFundsApplications.tenantId, unappliedFunds.tenantId),
          eq(unappliedFundsApplications.unappliedFundsId, unappliedFunds.id),
          eq(unappliedFundsApplications.attemptId, paymentAttempts.id),
        ),
      )
      .where(and(ownTenant(unappliedFunds), sql`${unappliedFunds.paymentId} = ${paymentId}`)),
  )

/** A payment as its page needs it. */
export interface ShownPayment extends Row<typeof payments> {
  /** The last one alone. */
  readonly attempts: readonly AttemptRow[] | null
  readonly unapplied: readonly UnappliedOfPayment[] | null
  readonly granted: readonly GrantedRow[] | null
  readonly files: readonly CountedFile[] | null
  /** What its buyer gave for a CFDI; read for the payer's browser alone. */
  readonly taxData?: TaxData | null
}

const taxData = sql`(select ${buyerDetails.details}->'tax_data' from ${buyerDetails}
  where ${ownTenant(buyerDetails)} and ${buyerDetails.paymentId} = ${payments.id}
  order by ${buyerDetails.createdAt} desc, ${buyerDetails.id} desc limit 1)`

const shownPayment = (more: { readonly taxData?: SQL<TaxData | null> }) =>
  select<ShownPayment>(() =>
    build
      .select({
        ...getTableColumns(payments),
        attempts: lastAttemptBeside(payments.id),
        unapplied: unappliedBeside(payments.id),
        ...grantedBeside(payments.id),
        ...more,
      })
      .from(payments)
      .where(and(ownTenant(payments), eq(payments.publicId, slot('publicId')))),
  )

export const paymentForOthers = shownPayment({})
export const paymentForPayer = shownPayment({
  taxData: sql`${taxData}`.mapWith(buyerDetails.details) as SQL as SQL<TaxData | null>,
})
