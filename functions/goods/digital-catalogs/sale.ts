import type { ItemRow, PriceRow } from './store.ts'

type Timed = Pick<PriceRow, 'id' | 'currency' | 'locationId' | 'startsAt' | 'endsAt'>

/**
 * The price in effect at a time and a location, null: at none. Of those in the currency that have started and not ended
 * one of the location comes before one of none; then the one that started last; of two that started together, the one
 * with the higher id. Null where there is none. `store.ts` says the same in SQL.
 */
export function priceAt<Price extends Timed>(
  prices: readonly Price[],
  currency: string,
  at: Date,
  locationId: string | null = null,
): Price | null {
  const inEffect = prices.filter(
    (price) => price.currency === currency && price.startsAt <= at && (!price.endsAt || price.endsAt > at),
  )
  const lastOf = (place: string | null) =>
    inEffect
      .filter((price) => price.locationId === place)
      .reduce<Price | null>((last, price) => (last && !startedLater(price, last) ? last : price), null)
  return lastOf(locationId) ?? lastOf(null)
}

const startedLater = (price: Timed, other: Timed) =>
  price.startsAt.getTime() === other.startsAt.getTime()
    ? price.id > other.id
    : price.startsAt > other.startsAt

/** Whether two codes are one to a scanner: leading zeros do not tell them apart, as those of a GTIN of 12 and 13 digits. */
export const isSameBarcode = (one: string, other: string) => withoutZeros(one) === withoutZeros(other)

const withoutZeros = (code: string) => code.replace(/^0+/, '')

/** Whether it is sold by the piece without a word of the buyer's: pages that ask for nothing else sell it. */
export const isSoldAsItIs = ({ measureUnit, modifiers }: Pick<ItemRow, 'measureUnit' | 'modifiers'>) =>
  measureUnit === null && modifiers.every(({ choices_min }) => choices_min === 0)
