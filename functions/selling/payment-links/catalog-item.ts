import type { CatalogLineItemSnapshot } from '../../../drizzle/schema/payment-links.ts'
import type { ProblemCode } from '../../../src/http/problems.ts'
import { uuid } from '../../../src/http/schemas.ts'
import { type Refusal, refuse } from '../../../src/kernel/plan.ts'
import { type ItemForSale, isSoldAsItIs } from '../../goods/digital-catalogs/api-pure.ts'
import {
  lineOf,
  linesAlone,
  priced,
  problemOfKinds,
  promisedBy,
  type Sold,
  soldAs,
} from '../../order/lines/api-pure.ts'
import type { LinkRow, ShownLink } from './store.ts'

/** What a link sells of a catalog, as it was when the link was made; `promised`: of one. */
export interface SoldItem {
  readonly snapshot: CatalogLineItemSnapshot
  readonly promised: Pick<LinkRow, 'stock' | 'delivers'>
}

interface Asked {
  readonly item_id: string
  readonly quantity: number
}

interface Sells {
  readonly currency: string
  readonly locationId: string | null
  /** The most that one buyer may take. */
  readonly quantityMax: number
}

/** What so many of a line item come to, with their IVA rounded half up once; neither line nor IVA where its rate is not known. */
export function soldIn(item: CatalogLineItemSnapshot, quantity: number): Sold {
  const { item_id, name, unit_amount, iva_rate, price_includes_tax } = item
  const rated = { item_id: catalogId(item_id), name, quantity, price_includes_tax }
  const line = lineOf({ ...rated, iva_rate: iva_rate ?? 'exempt' }, BigInt(unit_amount))
  const sold = soldAs(linesAlone([line]))
  return iva_rate === null ? { ...sold, taxes: [], order: null } : sold
}

/** A snapshot of the merchant's own may name an item as it likes. */
const catalogId = (itemId: string): string | null => uuid.safeParse(itemId).data ?? null

export function soldItemOf(
  { item_id, quantity }: Asked,
  items: readonly ItemForSale[],
  { currency, locationId, quantityMax }: Sells,
): SoldItem | Refusal<'catalog_item_not_found' | 'catalog_item_not_for_sale' | 'parameter_invalid'> {
  const unfit = problemOfKinds([{ item_id }], items, () => 'catalog_line_item.item_id')
  if (unfit) return unfit
  const most = priced([{ item_id, quantity: Math.max(quantity, quantityMax) }], items, currency)
  const one = priced([{ item_id, quantity: 1 }], items, currency)
  if ('refused' in one || 'refused' in most) {
    const refused = 'refused' in one ? one : (most as Extract<typeof most, Refusal>)
    if (refused.refused === 'catalog_item_not_found' || refused.refused === 'catalog_item_not_for_sale')
      return refuse(refused.refused, { param: 'catalog_line_item.item_id' })
    return tooMany(refused, quantityMax > quantity ? 'adjustable_quantity.max' : 'catalog_line_item.quantity')
  }
  const { name, unit_amount, iva_rate, price_includes_tax } = one.lines[0]!
  return {
    snapshot: { item_id, name, unit_amount, quantity, iva_rate, price_includes_tax },
    promised: promisedBy(one.lines, locationId),
  }
}

const tooMany = ({ message = 'One buyer may not have so many.' }: Refusal<ProblemCode>, param: string) =>
  refuse('parameter_invalid', { param, message })

/** Whether an item, as it is now, may be sold in as many as a buyer may take from now on. */
export function problemOfMost(item_id: string, quantityMax: number, items: readonly ItemForSale[]) {
  const item = items.find(({ id }) => id === item_id)
  if (!item?.price || !isSoldAsItIs(item)) return null
  const sold = priced([{ item_id, quantity: quantityMax }], items, item.price.currency)
  const isTooMany = 'refused' in sold && sold.refused === 'parameter_invalid'
  return isTooMany ? tooMany(sold, 'adjustable_quantity.max') : null
}

type Lines = readonly { readonly item_id: string; readonly quantity: number }[]
const each = (lines: Lines, of: (quantity: number) => number) =>
  lines.map(({ item_id, quantity }) => ({ item_id, quantity: of(quantity) }))

const inEach = ({ stock, delivers }: SoldItem['promised'], of: (quantity: number) => number) => ({
  stock: stock && { ...stock, lines: each(stock.lines, of) },
  delivers: delivers && each(delivers, of),
})

/** Of the whole line, unless buyers choose how many. */
export const promisedIn = ({ snapshot, promised }: SoldItem, isMany: boolean): SoldItem['promised'] =>
  isMany ? promised : inEach(promised, (quantity) => quantity * snapshot.quantity)

/** The same once buyers choose how many, or no longer do. */
export function promisedAfter(link: ShownLink, isMany: boolean): SoldItem['promised'] {
  const { quantity = 1 } = link.catalogLineItemSnapshot ?? {}
  const wasMany = link.quantityMax !== null
  if (wasMany === isMany) return { stock: link.stock, delivers: link.delivers }
  return inEach(link, (of) => (isMany ? of / quantity : of * quantity))
}

/** What another link of the same item sells, at the same price. */
export const soldAgain = (link: LinkRow): SoldItem | null =>
  link.catalogLineItemSnapshot && link.catalogItemId
    ? { snapshot: link.catalogLineItemSnapshot, promised: promisedAfter(link, true) }
    : null
