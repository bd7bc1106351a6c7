import type { SoldLine } from '../../../drizzle/schema/order.ts'
import { leftFrom, mostOf } from '../../goods/inventory/api-pure.ts'
import {
  isScarce as isAnyScarce,
  isShort as isAnyShort,
  type Shortage,
  shortageOf as shortageIn,
  type WantedLine,
} from '../../order/lines/api-pure.ts'
import type { Wanted } from '../../page/hosted-payment/api.ts'
import { promisedAfter } from './catalog-item.ts'
import type { ShownLink } from './store.ts'

const takesOf = (link: ShownLink) => promisedAfter(link, true).stock?.lines ?? []

/** What a buyer of so many takes; null: of the least. */
function linesOf(link: ShownLink, wanted: Wanted): readonly WantedLine[] {
  const of = (line: SoldLine, at: number) =>
    typeof wanted === 'object' && wanted ? wanted[at]! : (line.quantity_min ?? line.quantity)
  if (link.lines) return link.lines.map((line, at) => ({ ...line, quantity: of(line, at) }))
  const { quantityMin, quantityMax, catalogLineItemSnapshot: item } = link
  const bounds = quantityMin && quantityMax ? { quantity_min: quantityMin, quantity_max: quantityMax } : {}
  const quantity = typeof wanted === 'number' ? wanted : (quantityMin ?? item?.quantity ?? 1)
  return [{ name: item?.name ?? '', quantity, takes: takesOf(link), ...bounds }]
}

/** Less is left than the least that a buyer takes. */
export const isShort = (link: ShownLink): boolean => isAnyShort(linesOf(link, null), leftFrom(link.left))

/** Little is left of its uses or its item. */
export function isScarce(link: ShownLink): boolean {
  const left = mostOf(takesOf(link), leftFrom(link.left))
  const counts = [left, link.usesMax === null ? null : link.usesMax - link.paidCount]
  return isAnyScarce(counts.flatMap((count) => count ?? []))
}

/** What is left of what a link sells, where a buyer wants more; null where nothing is, or enough. */
export function shortageOf(link: ShownLink, wanted: Wanted): Shortage | null {
  const short = shortageIn(linesOf(link, wanted), leftFrom(link.left))
  if (link.lines) return short
  return short && { ...short, offer: short.offer && { quantity: short.offer.quantities[0]! } }
}
