import { and, eq, getTableColumns } from 'drizzle-orm'
import { paymentLinks } from '../../drizzle/schema/payment-links.ts'
import { payments } from '../../drizzle/schema/payments.ts'
import { isPublicId } from '../../src/kernel/ids.ts'
import type { Row } from '../../src/kernel/plan.ts'
import { newestPage } from '../../src/platform/listing.ts'
import { build, ownTenant, rowOf, select, slot } from '../../src/platform/query.ts'
import { filtered } from '../../src/platform/rows.ts'
import { currentLevelsOf, levelsOfSale } from '../payment-policy/api.ts'

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
export const linkAt = (ref: string) => linkById(isPublicId(ref) ? { publicId: ref } : { id: ref })

const currentLevels = currentLevelsOf(paymentLinks)

/** The payment policy as it is now, for a link by the reference in the path. */
export const policyAt = (ref: string) => currentLevels(isPublicId(ref) ? { publicId: ref } : { id: ref })

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
    filtered(paymentLinks, has, ['clientReferenceId', 'customerId', 'status', 'publicId']),
    has('clientReferenceId') || has('customerId') || has('publicId'),
  ),
)

export const policyOfLink = levelsOfSale(paymentLinks)

export const linkFrom = (record: Readonly<Record<string, string | null>>): LinkRow =>
  rowOf(paymentLinks, record)
