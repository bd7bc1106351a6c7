import type { PriceRow } from './store.ts'

type Timed = Pick<PriceRow, 'id' | 'currency' | 'startsAt' | 'endsAt'>

/**
 * The price in effect at a time: of those in the currency that have started and not ended, the one that started last; of
 * two that started together, the one with the higher id. Null where there is none. `store.ts` says the same in SQL.
 */
export const priceAt = <Price extends Timed>(
  prices: readonly Price[],
  currency: string,
  at: Date,
): Price | null =>
  prices
    .filter(
      (price) => price.currency === currency && price.startsAt <= at && (!price.endsAt || price.endsAt > at),
    )
    .reduce<Price | null>((last, price) => (last && !startedLater(price, last) ? last : price), null)

const startedLater = (price: Timed, other: Timed) =>
  price.startsAt.getTime() === other.startsAt.getTime()
    ? price.id > other.id
    : price.startsAt > other.startsAt
