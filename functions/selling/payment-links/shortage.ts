import { leftFrom, mostOf } from '../../goods/inventory/api-pure.ts'
import {
  isScarce as isAnyScarce,
  isShort as isAnyShort,
  type Shortage,
  shortageOf as shortageIn,
  type WantedLine,
} from '../../order/lines/api-pure.ts'
import { promisedAfter } from './catalog-item.ts'
import type { ShownLink } from './store.ts'

const takesOf = (link: ShownLink) => promisedAfter(link, true).stock?.lines ?? []

/** What a buyer of so many takes; null: of the least. */
function linesOf(link: ShownLink, quantity: number | null): readonly WantedLine[] {
  if (link.lines) return link.lines
  const { quantityMin, quantityMax, catalogLineItemSnapshot: item } = link
  const bounds = quantityMin && quantityMax ? { quantity_min: quantityMin, quantity_max: quantityMax } : {}
  const wanted = quantity ?? quantityMin ?? item?.quantity ?? 1
  return [{ name: item?.name ?? '', quantity: wanted, takes: takesOf(link), ...bounds }]
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
export function shortageOf(link: ShownLink, quantity: number | null): Shortage | null {
  const short = shortageIn(linesOf(link, quantity), leftFrom(link.left))
  if (link.lines) return short
  return short && { ...short, offer: short.offer && { quantity: short.offer.quantities[0]! } }
}
