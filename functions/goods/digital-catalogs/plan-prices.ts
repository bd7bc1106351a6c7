import type * as z from 'zod'
import { catalogPrices } from '../../../drizzle/schema/digital-catalogs.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract-prices.ts'
import { presentPrice } from './present.ts'
import type { PriceRow, SoldItem } from './store.ts'

export const about = ({ id }: PriceRow) => ({ type: 'catalog_price', id })

export function planSetPrice(
  item: SoldItem,
  asked: z.output<NonNullable<typeof contracts.create.body>>,
  { now, newId }: Clock,
) {
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
    id: newId(),
    itemId: item.id,
    amountMinor: BigInt(asked.amount),
    currency: asked.currency ?? item.catalogCurrency,
    compareAtMinor: asked.compare_at_amount === null ? null : BigInt(asked.compare_at_amount),
    startsAt,
    endsAt,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const reply = presentPrice(row)
  return {
    writes: [insert(catalogPrices, row)],
    events: [event(newId(), 'catalog_price.created', about(row), reply)],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}

const invalid = (param: string, message: string) => refuse('parameter_invalid', { param, message })

export function planEndPrice(price: PriceRow, { now, newId }: Clock) {
  if (price.endsAt && price.endsAt <= now) return refuse('catalog_price_ended')
  if (price.endsAt?.getTime() === price.startsAt.getTime()) return refuse('catalog_price_ended')
  const endsAt = price.startsAt > now ? price.startsAt : now
  const after = presentPrice({ ...price, endsAt, version: price.version + 1, updatedAt: now })
  return {
    writes: [change(catalogPrices, price, { endsAt, updatedAt: now })],
    events: [event(newId(), 'catalog_price.ended', about(price), after, presentPrice(price))],
    reply: after,
  } satisfies Plan<unknown>
}
