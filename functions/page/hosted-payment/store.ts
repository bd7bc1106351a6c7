import { and, desc, eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { buyerDetails, type TaxData } from '../../../drizzle/schema/buyer-details.ts'
import { holdsItsOrigin, payments } from '../../../drizzle/schema/payments.ts'
import { publicIds } from '../../../drizzle/schema/public-ids.ts'
import { type Branding, type FiscalProfile, tenants } from '../../../drizzle/schema/tenants.ts'
import type { Method } from '../../../src/kernel/payment-methods.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, inWindow, ownTenant, rowsLimit, select, slot } from '../../../src/platform/query.ts'
import { filtered } from '../../../src/platform/rows.ts'

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

export const sellerOf = select<Seller>(() =>
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
    .where(and(ownTenant(publicIds), eq(publicIds.publicId, slot('publicId')))),
)

/** What the buyer gave with the last attempt to pay what was sold. */
export const collectedOf = (originId: SQLWrapper) =>
  sql`(select ${buyerDetails.details} from ${buyerDetails} where ${ownTenant(buyerDetails)}
  and ${buyerDetails.originId} = ${originId} order by ${buyerDetails.createdAt} desc, ${buyerDetails.id} desc limit 1)`

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

const { emailDigests: _, ...detailsColumns } = getTableColumns(buyerDetails)
export type DetailsRow = Omit<Row<typeof buyerDetails>, 'emailDigests'>

/** What buyers gave for what was sold at a public id or under an id: of each payment with its last attempt. */
export const detailsPage = select<DetailsRow>((has) =>
  build
    .select(detailsColumns)
    .from(buyerDetails)
    .where(
      and(
        ...inWindow(buyerDetails, has),
        ...filtered(buyerDetails, has, ['paymentId']),
        sql`${buyerDetails.originId} = ${
          has('soldId')
            ? slot('soldId')
            : sql`(select ${publicIds.id} from ${publicIds} where ${ownTenant(publicIds)} and ${publicIds.publicId} = ${slot('soldPublicId')})`
        }`,
        sql`not exists (select from ${buyerDetails} later where later.tenant_id = ${buyerDetails.tenantId}
          and later.payment_id = ${buyerDetails.paymentId}
          and (later.created_at, later.id) > (${buyerDetails.createdAt}, ${buyerDetails.id}))`,
      ),
    )
    .orderBy(desc(buyerDetails.createdAt), desc(buyerDetails.id))
    .limit(rowsLimit),
)
