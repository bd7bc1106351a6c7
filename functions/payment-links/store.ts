import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { paymentLinks } from '../../drizzle/schema/payment-links.ts'
import { payments } from '../../drizzle/schema/payments.ts'
import { tenants } from '../../drizzle/schema/tenants.ts'
import type { Row } from '../../src/kernel/plan.ts'
import { newestPage } from '../../src/platform/listing.ts'
import { build, ownTenant, rowOf, select, slot } from '../../src/platform/query.ts'

export type LinkRow = Row<typeof paymentLinks>

export const linkById = select<LinkRow>((has) =>
  build
    .select()
    .from(paymentLinks)
    .where(
      and(
        ownTenant(paymentLinks),
        has('publicId') ? eq(paymentLinks.publicId, slot('publicId')) : eq(paymentLinks.id, slot('id')),
      ),
    ),
)

/** A link by the reference in the path: its id or its public id. */
export const linkAt = (ref: string) => linkById(ref.startsWith('splink_') ? { publicId: ref } : { id: ref })

export const linkOfPayment = select<LinkRow>(() =>
  build
    .select(getTableColumns(paymentLinks))
    .from(paymentLinks)
    .innerJoin(
      payments,
      and(
        eq(payments.tenantId, paymentLinks.tenantId),
        eq(payments.originKind, 'payment_link'),
        eq(payments.originId, paymentLinks.id),
      ),
    )
    .where(and(ownTenant(paymentLinks), eq(payments.id, slot('paymentId')))),
)

export const linksPage = select<LinkRow>((has) =>
  newestPage(
    paymentLinks,
    'payment_link',
    has,
    [
      has('clientReferenceId') ? eq(paymentLinks.clientReferenceId, slot('clientReferenceId')) : undefined,
      has('status') ? eq(paymentLinks.status, slot('status')) : undefined,
      has('publicId') ? eq(paymentLinks.publicId, slot('publicId')) : undefined,
    ],
    has('clientReferenceId') || has('publicId'),
  ),
)

/** What the buyer's page reads: the link, the merchant, and the payment that holds a single-use link, if any. */
export interface LinkOnSale extends LinkRow {
  readonly merchantName: string
  readonly liveStatus: string | null
  readonly liveMethod: string | null
  readonly livePublicId: string | null
  readonly liveReceivedMinor: bigint | null
}

export const linkOnSale = select<LinkOnSale>(() =>
  build
    .select({
      ...getTableColumns(paymentLinks),
      merchantName: tenants.name,
      liveStatus: payments.status,
      liveMethod: payments.method,
      livePublicId: payments.publicId,
      liveReceivedMinor: payments.amountReceivedMinor,
    })
    .from(paymentLinks)
    .innerJoin(tenants, eq(tenants.tenantId, paymentLinks.tenantId))
    .leftJoin(
      payments,
      and(
        eq(payments.tenantId, paymentLinks.tenantId),
        eq(payments.originKind, 'payment_link'),
        eq(payments.originId, paymentLinks.id),
        // As the partial unique index has it: at most one row.
        sql`${payments.exclusive} and ${payments.status} in ('processing', 'requires_action', 'requires_capture', 'succeeded', 'partially_captured')`,
      ),
    )
    .where(and(ownTenant(paymentLinks), eq(paymentLinks.publicId, slot('publicId')))),
)

export const linkFrom = (record: Readonly<Record<string, string | null>>): LinkRow =>
  rowOf(paymentLinks, record)
