import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { buyerDetails, type TaxData } from '../../../drizzle/schema/buyer-details.ts'
import { holdsItsOrigin, paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { publicIds } from '../../../drizzle/schema/public-ids.ts'
import { type Branding, type FiscalProfile, tenants } from '../../../drizzle/schema/tenants.ts'
import type { Method } from '../../../src/kernel/payment-methods.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import type { PaymentRow } from '../../money/payments/api.ts'

type TenantStatus = (typeof tenants.status.enumValues)[number]

/** The merchant behind a public id, and the payment that holds what is sold only once, if any. */
export interface Seller {
  readonly merchantName: string
  readonly branding: Branding | null
  readonly fiscalProfile: FiscalProfile | null
  readonly supportEmail: string | null
  readonly supportPhone: string | null
  readonly websiteUrl: string | null
  readonly merchantStatus: TenantStatus
  readonly liveStatus: string | null
  readonly liveMethod: Method | null
  readonly liveId: string | null
  readonly livePublicId: string | null
  readonly liveReceivedMinor: bigint | null
}

/** Of what is sold, by the slots `kind` and `id`, or `publicId`. */
export const sellerOf = select<Seller>(
  (has) =>
    build
      .select({
        merchantName: tenants.name,
        branding: tenants.branding,
        fiscalProfile: tenants.fiscalProfile,
        supportEmail: tenants.supportEmail,
        supportPhone: tenants.supportPhone,
        websiteUrl: tenants.websiteUrl,
        merchantStatus: tenants.status,
        liveStatus: payments.status,
        liveMethod: payments.method,
        liveId: payments.id,
        livePublicId: payments.publicId,
        liveReceivedMinor: payments.amountReceivedMinor,
      })
      .from(publicIds)
      .innerJoin(tenants, eq(tenants.tenantId, publicIds.tenantId))
      .leftJoin(
        payments,
        and(
          eq(payments.tenantId, publicIds.tenantId),
          eq(payments.originType, publicIds.kind),
          eq(payments.originId, publicIds.id),
          holdsItsOrigin(),
        ),
      )
      .where(
        and(
          ownTenant(publicIds),
          ...(has('id')
            ? [eq(publicIds.kind, slot('kind')), eq(publicIds.id, slot('id'))]
            : [eq(publicIds.publicId, slot('publicId'))]),
        ),
      ),
  ['kind id', 'publicId'],
)

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

/** A payment with what its buyer gave for a CFDI. */
export type PaymentWithTaxData = Row<typeof payments> & { readonly taxData: TaxData | null }

const taxData = sql`(select ${buyerDetails.details}->'tax_data' from ${buyerDetails}
  where ${ownTenant(buyerDetails)} and ${buyerDetails.paymentId} = ${payments.id}
  order by ${buyerDetails.createdAt} desc, ${buyerDetails.id} desc limit 1)`

export const paymentWithTaxData = select<PaymentWithTaxData>(() =>
  build
    .select({
      ...getTableColumns(payments),
      taxData: sql`${taxData}`.mapWith(buyerDetails.details) as SQL as SQL<TaxData | null>,
    })
    .from(payments)
    .where(and(ownTenant(payments), eq(payments.publicId, slot('publicId')))),
)
