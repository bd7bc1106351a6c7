import { leftFrom, mostOf } from '../../goods/inventory/api-pure.ts'
import { scarceBelow } from '../../money/payments/api-pure.ts'
import type { Shortage } from '../../page/hosted-payment/api-pure.ts'
import { promisedAfter } from './catalog-item.ts'
import type { ShownLink } from './store.ts'

/** How many a link can sell of its item; null where nothing of it is counted, or a payment holds it. */
const leftOf = (link: ShownLink): number | null =>
  mostOf(promisedAfter(link, true).stock?.lines ?? [], leftFrom(link.left))

/** The least that a buyer takes. */
const leastOf = ({ quantityMin, catalogLineItemSnapshot: item }: ShownLink): number =>
  quantityMin ?? item?.quantity ?? 1

/** Less is left than the least that a buyer takes. */
export const isShort = (link: ShownLink): boolean => (leftOf(link) ?? leastOf(link)) < leastOf(link)

/** Little is left of its uses or its item. */
export const isScarce = (link: ShownLink): boolean =>
  Math.min(leftOf(link) ?? scarceBelow, link.usesMax === null ? scarceBelow : link.usesMax - link.paidCount) <
  scarceBelow

/** What is left of what a link sells, where a buyer wants more; null where nothing is, or enough. */
export function shortageOf(link: ShownLink, quantity: number | null): Shortage | null {
  const [left, least] = [leftOf(link), leastOf(link)]
  if (left === null || left === 0 || left >= (quantity ?? least)) return null
  const lines = [{ name: link.catalogLineItemSnapshot!.name, left }]
  return { lines, offer: left >= least ? { quantity: left } : null }
}
