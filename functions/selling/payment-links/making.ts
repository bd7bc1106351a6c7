import type * as z from 'zod'
import type { Call } from '../../../src/http/operation.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import { hashPassword } from '../../../src/platform/passwords.ts'
import { publishUnderPolicy } from '../../money/payment-policy/api.ts'
import { currentSchedule, requireConfigured } from '../../money/payments/api.ts'
import { discountsOf, itemsOf, type Selling } from '../../order/lines/api.ts'
import { priced, problemOfKinds } from '../../order/lines/api-pure.ts'
import { soldItemOf } from './catalog-item.ts'
import type { create } from './contract.ts'
import { linkOrigin } from './origin.ts'
import { type Making, planCreate } from './plan.ts'
import type { LinkRow } from './store.ts'

type NewLink = z.output<NonNullable<typeof create.body>>
type ShownLink = z.output<typeof create.reply.schema>

type Reads = Call<unknown, unknown, unknown, unknown>['read']

interface Makes {
  readonly now: Date
  readonly newId: () => string
  readonly settings: { readonly linkBaseUrl: string }
}

export const makingOf = ({ now, newId, settings }: Makes): Making => ({
  now,
  newId,
  linkBaseUrl: settings.linkBaseUrl,
})

/** A new link by this body. A trip, and those for items of catalogs and for discounts. */
export async function makeLink(
  call: Call<unknown, unknown, unknown, ShownLink>,
  body: NewLink,
  templateId: string | null,
): Promise<ShownLink> {
  requireConfigured(call.settings)
  const { settings, now } = call
  const schedule = currentSchedule(settings, now, body.currency)
  const sold = await soldNow(call.read, body, now)
  if ('refused' in sold) return call.publish(sold)
  const passwordHash = body.password === null ? null : await hashPassword(body.password)
  const found = await discountsOf(call.read, body.discounts, body.customer_id)
  const made = { publicId: publicId(linkOrigin.publicIdPrefix), ...sold, found, passwordHash, templateId }
  return publishUnderPolicy(call, body.location_id, (governing) =>
    planCreate(body, made, schedule, { ...makingOf(call), ...governing }),
  )
}

type Sells = Pick<
  NewLink,
  | 'amount_source'
  | 'catalog_line_item'
  | 'catalog_line_item_snapshot'
  | 'line_items'
  | 'currency'
  | 'location_id'
  | 'adjustable_quantity'
>

/** Why a link of the same items is not made now; null where it is, or has none. */
export async function problemOfItems(read: Reads, link: LinkRow, now: Date) {
  const {
    catalogItemId: item_id,
    catalogLineItemSnapshot: item,
    lines,
    quantityMin: min,
    quantityMax: max,
  } = link
  const sold = await soldNow(
    read,
    {
      amount_source: link.amountSource,
      catalog_line_item: item_id ? { item_id, quantity: item!.quantity } : undefined,
      line_items: lines?.map(({ item_id, quantity, quantity_min, quantity_max }) => ({
        item_id: item_id!,
        quantity,
        ...(quantity_min && quantity_max ? { quantity_min, quantity_max } : {}),
      })),
      currency: link.currency,
      location_id: link.locationId,
      adjustable_quantity: min && max ? { min, max } : null,
    },
    now,
  )
  return 'refused' in sold ? refuse(sold.refused, sold.message ? { message: sold.message } : {}) : null
}

/** What a new link names of catalogs: a trip for its items, and one more for the parts of bundles. */
async function soldNow(read: Reads, body: Sells, now: Date) {
  const {
    catalog_line_item: asked,
    line_items,
    currency,
    location_id: locationId,
    adjustable_quantity,
  } = body
  if (!asked && !line_items) return { item: null, lines: null }
  const isOther = body.catalog_line_item_snapshot !== undefined || (asked && line_items)
  if (body.amount_source !== 'catalog_line_item' || isOther)
    return refuse('parameter_unknown', {
      param: line_items ? 'line_items' : 'catalog_line_item',
      message:
        'It needs amount_source "catalog_line_item", and nothing else that says what is sold beside it: give catalog_line_item, line_items or catalog_line_item_snapshot.',
    })
  if (line_items) {
    const priced = await pricedNow(read, line_items, currency, { now, locationId })
    return 'refused' in priced ? priced : { item: null, lines: priced.lines }
  }
  const items = await itemsOf(read, [asked!], { now, locationId })
  const item = soldItemOf(asked!, items, { currency, locationId, quantityMax: adjustable_quantity?.max ?? 1 })
  return 'refused' in item ? item : { item, lines: null }
}

/** Lines of items of catalogs at their prices of now: a trip, and one more for the parts of bundles. */
export async function pricedNow(
  read: Reads,
  asked: NonNullable<NewLink['line_items']>,
  currency: string,
  selling: Selling,
) {
  const items = await itemsOf(read, asked, selling)
  return problemOfKinds(asked, items) ?? priced(asked, items, currency)
}
