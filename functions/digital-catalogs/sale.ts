import type { ivaRates } from '../../drizzle/schema/digital-catalogs.ts'
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

export interface Taxed {
  readonly netMinor: bigint
  readonly taxMinor: bigint
  /** What the buyer pays: net and tax. */
  readonly totalMinor: bigint
}

/**
 * An amount with its IVA, of one line as a whole: `includesTax` says whether the amount contains it. The tax is rounded
 * half-up to the minor unit and the rest is net; a negative amount mirrors the positive one. `0` and `exempt` differ in
 * what an invoice says, not in amounts.
 */
export function taxOf(amountMinor: bigint, rate: (typeof ivaRates)[number], includesTax: boolean): Taxed {
  if (amountMinor < 0n) {
    const { netMinor, taxMinor, totalMinor } = taxOf(-amountMinor, rate, includesTax)
    return { netMinor: -netMinor, taxMinor: -taxMinor, totalMinor: -totalMinor }
  }
  const percent = rate === 'exempt' ? 0n : BigInt(rate)
  const whole = includesTax ? 100n + percent : 100n
  const taxMinor = (2n * amountMinor * percent + whole) / (2n * whole)
  return includesTax
    ? { netMinor: amountMinor - taxMinor, taxMinor, totalMinor: amountMinor }
    : { netMinor: amountMinor, taxMinor, totalMinor: amountMinor + taxMinor }
}
