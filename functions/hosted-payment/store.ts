import { and, eq } from 'drizzle-orm'
import { holdsItsOrigin, payments } from '../../drizzle/schema/payments.ts'
import { publicIds } from '../../drizzle/schema/public-ids.ts'
import { type Branding, type FiscalProfile, tenants } from '../../drizzle/schema/tenants.ts'
import type { Method } from '../../src/kernel/payment-methods.ts'
import { build, ownTenant, select, slot } from '../../src/platform/query.ts'

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
      livePublicId: payments.publicId,
      liveReceivedMinor: payments.amountReceivedMinor,
    })
    .from(publicIds)
    .innerJoin(tenants, eq(tenants.tenantId, publicIds.tenantId))
    .leftJoin(
      payments,
      and(
        eq(payments.tenantId, publicIds.tenantId),
        eq(payments.originKind, publicIds.kind),
        eq(payments.originId, publicIds.id),
        holdsItsOrigin(),
      ),
    )
    .where(and(ownTenant(publicIds), eq(publicIds.publicId, slot('publicId')))),
)
