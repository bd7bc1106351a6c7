import type { ItemImage } from '../../../drizzle/schema/digital-catalogs.ts'
import { taxOf } from '../../../src/kernel/iva.ts'
import { type ItemForSale, isSoldAsItIs } from '../../goods/digital-catalogs/api-pure.ts'
import { type Left, leftAfter, mostOf } from '../../goods/inventory/api-pure.ts'
import type { Stocked } from './store.ts'

/** What a buyer can put into the cart: an item, or one variant of it. Amounts are minor units. */
export interface Choice {
  readonly id: string
  /** What tells it apart from its siblings: `M, azul`; empty where it has none. */
  readonly label: string
  /** What one costs with its IVA; null while it has no price. */
  readonly unitMinor: bigint | null
  readonly formerMinor: bigint | null
  /** The price as it was set, and the percentage of IVA that comes on top of it for the line. */
  readonly amountMinor: bigint
  readonly addedPercent: number
  /** `at_counter`: a person says how much of it, or which. */
  readonly state: 'for_sale' | 'sold_out' | 'at_counter' | 'unavailable'
  /** The most of it in one order. */
  readonly most: number
}

/** An item as the page shows it. */
export interface Offer {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly images: readonly ItemImage[]
  readonly choices: readonly Choice[]
}

export const quantityMax = 10_000

/** What an order of these items takes from: 0 where a counted item has no level at the place. */
export const leftOf = (items: readonly ItemForSale[], stock: readonly Stocked[]): Left =>
  new Map(
    items
      .filter(({ tracksStock }) => tracksStock)
      .map(({ id }) => [id, stock.find(({ itemId }) => itemId === id)?.available ?? 0]),
  )

/** What one of an item takes: the item itself, or the parts of a bundle. */
const takes = ({ id, components }: ItemForSale) =>
  components.length === 0 ? [{ item_id: id, quantity: 1 }] : components

/** How many of an item can be taken from what is left; null where nothing of it is counted. */
export const availableOf = (item: ItemForSale, left: Left): number | null => mostOf(takes(item), left)

/** What is left once an order's line has taken what it needs. */
export const leftWithout = (item: ItemForSale, quantity: number, left: Left): Left =>
  leftAfter(left, takes(item), quantity)

const withIva = (amountMinor: bigint, { ivaRate, priceIncludesTax }: ItemForSale) =>
  taxOf(amountMinor, ivaRate, priceIncludesTax).totalMinor

/** What one costs the buyer; null while it has no price. */
export const unitOf = (item: ItemForSale): bigint | null =>
  item.price && withIva(item.price.amountMinor, item)

const labelOf = ({ optionValues }: ItemForSale) => Object.values(optionValues ?? {}).join(', ')

/** What a line is called: `Playera: M, azul`. */
export const nameOf = (item: ItemForSale): string =>
  item.optionValues ? `${item.name}: ${labelOf(item)}` : item.name

export function choiceOf(item: ItemForSale, left: Left): Choice {
  const available = availableOf(item, left)
  // The price of a kilogram is none of what a buyer could take here.
  const unitMinor = item.measureUnit === null ? unitOf(item) : null
  const sells = item.isForSale && item.price !== null
  const compared = item.price?.compareAtMinor ?? null
  return {
    id: item.id,
    label: labelOf(item),
    unitMinor,
    formerMinor: compared === null || unitMinor === null ? null : withIva(compared, item),
    amountMinor: item.price?.amountMinor ?? 0n,
    addedPercent: item.priceIncludesTax || item.ivaRate === 'exempt' ? 0 : Number(item.ivaRate),
    state: stateOf(sells, isSoldAsItIs(item), available),
    most: Math.min(quantityMax, item.soldQuantityMax ?? quantityMax),
  }
}

function stateOf(sells: boolean, isAsItIs: boolean, available: number | null): Choice['state'] {
  if (!sells) return 'unavailable'
  if (!isAsItIs) return 'at_counter'
  return available === 0 ? 'sold_out' : 'for_sale'
}

/** `variants`: those of all items that are shown, the newest first. They stand by position, and of equals the oldest first. */
export const offerOf = (item: ItemForSale, variants: readonly ItemForSale[], left: Left): Offer => ({
  id: item.id,
  name: item.name,
  description: item.description,
  images: item.images,
  choices:
    item.options.length === 0
      ? [choiceOf(item, left)]
      : variants
          .filter(({ variantOf }) => variantOf === item.id)
          .toReversed()
          .sort((a, b) => a.position - b.position)
          .map((variant) => choiceOf(variant, left)),
})
