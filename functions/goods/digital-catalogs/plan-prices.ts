import { catalogPrices } from '../../../drizzle/schema/digital-catalogs.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract-prices.ts'
import { presentPrice } from './present.ts'
import type { PriceRow, SoldItem } from './store.ts'

/** As door.limit_catalog_prices has it. */
export const pricesMax = 100

const { created, changed } = changesOf(catalogPrices, 'catalog_price', presentPrice)

export const planNewPrice = (row: PriceRow, clock: Clock) => created(row, 'catalog_price.created', clock)

export function planSetPrice(item: SoldItem, asked: BodyOf<typeof contracts.create>, clock: Clock) {
  const { now } = clock
  if (item.status === 'archived') return refuse('catalog_item_archived')
  if (item.options.length > 0) return refuse('catalog_item_not_sold')
  const startsAt = asked.starts_at === null ? now : new Date(asked.starts_at)
  const endsAt = asked.ends_at === null ? null : new Date(asked.ends_at)
  if (startsAt < now)
    return invalid('starts_at', 'starts_at has passed: leave it out for a price from now on.')
  if (endsAt && endsAt <= startsAt) return invalid('ends_at', 'ends_at is after starts_at.')
  if (asked.compare_at_amount !== null && BigInt(asked.compare_at_amount) <= BigInt(asked.amount))
    return invalid('compare_at_amount', 'compare_at_amount is more than the amount.')
  const row: PriceRow = {
    ...newRow(clock),
    itemId: item.id,
    locationId: asked.location_id,
    amountMinor: BigInt(asked.amount),
    currency: asked.currency ?? item.catalogCurrency,
    compareAtMinor: asked.compare_at_amount === null ? null : BigInt(asked.compare_at_amount),
    startsAt,
    endsAt,
  }
  return planNewPrice(row, clock)
}

const invalid = (param: string, message: string) => refuse('parameter_invalid', { param, message })

export function planEndPrice(price: PriceRow, clock: Clock) {
  if (price.endsAt && price.endsAt <= clock.now) return refuse('catalog_price_ended')
  if (price.endsAt?.getTime() === price.startsAt.getTime()) return refuse('catalog_price_ended')
  const hasStarted = price.startsAt <= clock.now
  const endsAt = hasStarted ? clock.now : price.startsAt
  return changed(price, { endsAt }, 'catalog_price.ended', clock)
}
