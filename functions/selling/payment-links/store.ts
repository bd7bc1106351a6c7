import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { buyerDetails, type CollectedDetails } from '../../../drizzle/schema/buyer-details.ts'
import {
  paymentLinks,
  paymentLinkTemplates,
  paymentLinkUses,
  paymentLinkViews,
} from '../../../drizzle/schema/payment-links.ts'
import { payments } from '../../../drizzle/schema/payments.ts'
import { isPublicId } from '../../../src/kernel/ids.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { newestPage } from '../../../src/platform/listing.ts'
import { build, ownTenant, pages, rowOf, select, slot } from '../../../src/platform/query.ts'
import { filtered, newest, rowsBy } from '../../../src/platform/rows.ts'
import { leftFor } from '../../goods/inventory/api.ts'
import { currentLevelsOf, levelsOfSale } from '../../money/payment-policy/api.ts'

type Links = Row<typeof paymentLinks>
export type UsesRow = Row<typeof paymentLinkUses>
/** A link with how often it was paid and how many uses are held: 0 where it is single-use. */
export type LinkRow = Links &
  Pick<UsesRow, 'paidCount' | 'heldCount'> & {
    /** What the buyer of a single-use link gave with the last attempt to pay. */
    readonly collected: CollectedDetails | null
    /** The public reference of the payment that holds a single-use link: under way, or made. */
    readonly liveRef: string | null
    readonly viewsCount: number
  }

const columns = getTableColumns(paymentLinks)

/** `door.beside_links`, of links whose ids a query gives. */
const beside = (ids: SQL) => sql`door.beside_links(${ids}) beside`

const besides = {
  paidCount: sql`beside.paid_count`.mapWith(paymentLinkUses.paidCount),
  heldCount: sql`beside.held_count`.mapWith(paymentLinkUses.heldCount),
  collected: sql`beside.collected`.mapWith(buyerDetails.details),
  liveRef: sql`beside.live_ref`.mapWith(payments.publicId),
  viewsCount: sql`beside.views_count`.mapWith(paymentLinkViews.viewsCount),
}

const shown = { ...columns, ...besides }

const besideLink = beside(sql`array[${paymentLinks.id}]`)

export const linkById = select<LinkRow>(
  (has) =>
    build
      .select(shown)
      .from(paymentLinks)
      .leftJoinLateral(besideLink, sql`true`)
      .where(
        and(
          ownTenant(paymentLinks),
          has('publicId') ? eq(paymentLinks.publicId, slot('publicId')) : eq(paymentLinks.id, slot('id')),
        ),
      ),
  ['id', 'publicId'],
)

/** A link as its page needs it. */
export type ShownLink = LinkRow & {
  /** How many are left of each item that it takes; null while a payment of it holds them, and where it takes none. */
  readonly left?: Readonly<Record<string, number>> | null
}

const left = sql`case when beside.live_ref is null then ${leftFor(paymentLinks.stock)} end`

export const linkForSale = select<ShownLink>(() =>
  build
    .select({
      ...shown,
      left: sql`${left}`.mapWith(paymentLinks.stock) as SQL as SQL<Record<string, number> | null>,
    })
    .from(paymentLinks)
    .leftJoinLateral(besideLink, sql`true`)
    .where(and(ownTenant(paymentLinks), eq(paymentLinks.publicId, slot('publicId')))),
)

/** A link by the reference in the path: its id or its public id. */
export const linkAt = (ref: string) => linkById(isPublicId(ref) ? { publicId: ref } : { id: ref })

const currentLevels = currentLevelsOf(paymentLinks)

/** The payment policy as it is now, for a link by the reference in the path. */
export const policyAt = (ref: string) => currentLevels(isPublicId(ref) ? { publicId: ref } : { id: ref })

export const linkOfPayment = select<LinkRow>(() =>
  build
    .select(shown)
    .from(paymentLinks)
    .innerJoin(
      payments,
      and(
        eq(payments.tenantId, paymentLinks.tenantId),
        eq(payments.originType, 'payment_link'),
        eq(payments.originId, paymentLinks.id),
      ),
    )
    .leftJoinLateral(besideLink, sql`true`)
    .where(and(ownTenant(paymentLinks), eq(payments.id, slot('paymentId')))),
)

export const linksPage = select<LinkRow>((has) => {
  const filters = filtered(paymentLinks, has, ['clientReferenceId', 'customerId', 'status', 'publicId'])
  const few = has('clientReferenceId') || has('customerId') || has('publicId')
  const page = newestPage(paymentLinks, 'payment_link', has, filters, few)
  const found = build.$with('found').as(page as unknown as ReturnType<typeof everyLink>)
  const ofFound = Object.keys(columns).map((key) => [key, found[key as keyof typeof columns]])
  return build
    .with(found)
    .select({ ...(Object.fromEntries(ofFound) as typeof columns), ...besides })
    .from(found)
    .leftJoin(beside(sql`array(select each.id from found each)`), sql`beside.id = ${found.id}`)
    .orderBy(desc(found.createdAt), desc(found.id))
}, pages)

const everyLink = () => build.select().from(paymentLinks)

export const usesById = rowsBy(paymentLinkUses, 'id')

export type TemplateRow = Row<typeof paymentLinkTemplates>

const isKept = eq(paymentLinkTemplates.status, 'active')

export const templateById = select<TemplateRow>(() =>
  build
    .select()
    .from(paymentLinkTemplates)
    .where(and(ownTenant(paymentLinkTemplates), eq(paymentLinkTemplates.id, slot('id')), isKept)),
)
export const templatesPage = newest(paymentLinkTemplates, ['name'], isKept)

export const policyOfLink = levelsOfSale(paymentLinks)

export const linkFrom = (record: Readonly<Record<string, string | null>>): LinkRow => ({
  ...rowOf(paymentLinks, record),
  paidCount: 0,
  heldCount: 0,
  collected: null,
  liveRef: null,
  viewsCount: 0,
})
