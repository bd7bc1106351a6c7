import { and, eq, sql } from 'drizzle-orm'
import { buyerDetails, type CollectedDetails } from '../../../drizzle/schema/buyer-details.ts'
import { discounts } from '../../../drizzle/schema/discounts.ts'
import {
  paymentLinks,
  paymentLinkTemplates,
  paymentLinkUses,
  paymentLinkViews,
} from '../../../drizzle/schema/payment-links.ts'
import { holdsItsOrigin, payments } from '../../../drizzle/schema/payments.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { filtered, newest, rowsBy } from '../../../src/platform/rows.ts'
import { leftFor } from '../../goods/inventory/api.ts'
import { type DiscountText, discountsBeside } from '../../order/lines/api.ts'
import { type Beside, collectedOf, queriesOf, saleList } from '../../order/sales/api.ts'

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

const kind = 'payment_link'

const uses = paymentLinkUses
const views = paymentLinkViews

const beside: Beside<Omit<LinkRow, keyof Links>> = {
  columns: () => ({
    paidCount: sql`beside.paid_count`.mapWith(uses.paidCount),
    heldCount: sql`beside.held_count`.mapWith(uses.heldCount),
    collected: sql`beside.collected`.mapWith(buyerDetails.details),
    liveRef: sql`beside.live_ref`.mapWith(payments.publicId),
    viewsCount: sql`beside.views_count`.mapWith(views.viewsCount),
  }),
  // The same as door.beside_links answers.
  from: ({ id, usage }) => sql`(select
    case ${usage} when 'single_use' then (${payments.succeededAt} is not null)::int else coalesce(${uses.paidCount}, 0) end
      as paid_count,
    coalesce(${uses.heldCount}, 0) as held_count,
    case ${usage} when 'single_use' then ${collectedOf(id!)} end as collected,
    ${payments.publicId} as live_ref, coalesce(${views.viewsCount}, 0) as views_count
    from (select) one
    left join ${payments} on ${ownTenant(payments)} and ${payments.originType} = ${kind}
      and ${payments.originId} = ${id} and ${holdsItsOrigin()}
    left join ${uses} on ${ownTenant(uses)} and ${uses.id} = ${id}
    left join ${views} on ${ownTenant(views)} and ${views.id} = ${id}) beside`,
  fromIds: (ids) => sql`door.beside_links(${ids}) beside`,
  unread: { paidCount: 0, heldCount: 0, collected: null, liveRef: null, viewsCount: 0 },
}

export const links = queriesOf(paymentLinks, kind, beside)

/** A link as its page needs it. */
export type ShownLink = Omit<LinkRow, 'collected' | 'liveRef' | 'viewsCount'> & {
  /** How many are left of each item that it takes; null while a payment of it holds them, and where it takes none. */
  readonly left?: Readonly<Record<string, number>> | null
  /** Something of it is off sale. */
  readonly isOffSale?: boolean
  /** Its discounts, the code that the buyer names, and those of the payment that they try again. */
  readonly found?: readonly DiscountText[] | null
}

const left = sql`case when live.public_id is null then ${leftFor(paymentLinks.stock)} end`

const isOffSale = sql`door.is_off_sale(${paymentLinks.tenantId},
  coalesce(${paymentLinks.lines}, jsonb_build_array(jsonb_build_object('item_id', ${paymentLinks.catalogItemId}))))`

const isAsked = sql`${discounts.id} in (select n.discount_id from jsonb_to_recordset(${paymentLinks.discounts}) n (discount_id uuid))
  or ${paymentLinks.takesCodes} and (${discounts.code} = ${slot('code')} or ${discounts.code} in (
    select n.name from ${payments}, jsonb_to_recordset(${payments.order}->'parts') n (kind text, name text)
    where ${ownTenant(payments)} and ${payments.publicId} = ${slot('retried')} and ${payments.originId} = ${paymentLinks.id}
      and n.kind = 'discount'))`

const found = sql`case when ${paymentLinks.takesCodes} or ${paymentLinks.discounts} <> '[]'
  then ${discountsBeside(isAsked, paymentLinks.customerId)} end`

/** Of a link that many pay: the uses of the others bound nothing. */
const usesBeside: Pick<Beside<Pick<UsesRow, 'paidCount' | 'heldCount'>>, 'columns' | 'from'> = {
  columns: () => ({
    paidCount: sql`coalesce(beside.paid_count, 0)`.mapWith(uses.paidCount),
    heldCount: sql`coalesce(beside.held_count, 0)`.mapWith(uses.heldCount),
  }),
  from: ({ id }) => sql`(select ${uses.paidCount}, ${uses.heldCount} from ${uses}
    where ${ownTenant(uses)} and ${uses.id} = ${id}) beside`,
}

/** A link as its page needs it. `code`: as it is kept; `retried`: the public reference of the payment that is tried again. */
export const linkForSale = links.forSale<
  Pick<ShownLink, 'left' | 'isOffSale' | 'found'>,
  Pick<UsesRow, 'paidCount' | 'heldCount'>
>(
  {
    left: left.mapWith(paymentLinks.stock),
    isOffSale: isOffSale.mapWith(paymentLinks.takesCodes),
    found: found.mapWith(paymentLinks.stock),
  },
  usesBeside,
)

export const linksPage = saleList(paymentLinks, kind, beside, {
  filters: (has) => filtered(paymentLinks, has, ['clientReferenceId', 'customerId', 'status', 'publicId']),
  few: ['clientReferenceId', 'customerId', 'publicId'],
})

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
