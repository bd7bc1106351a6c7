import { leftFrom } from '../../goods/inventory/api-pure.ts'
import {
  type Adjustment,
  adjustableOf,
  type Bought,
  chosenAs,
  inChoice,
  linesAlone,
  namesOf,
  noTip,
  shippedBy,
  withExtras,
} from '../../order/lines/api-pure.ts'
import type { LinkRow, ShownLink } from './store.ts'

/** The columns that say what a link of several lines sells. */
export type Offered = Pick<LinkRow, 'lines' | 'shippingOptions' | 'tipOptions'>

/** What a link of several lines sells to a buyer who chooses nothing; null where it sells one item, or asks for an amount. */
export function boughtOf({ lines, shippingOptions, tipOptions }: Offered): Bought | null {
  if (!lines) return null
  const alone = linesAlone(lines)
  return { ...alone, ...withExtras(alone, { tipOptions, ...noTip, ...shippedBy(shippingOptions, 0) }) }
}

/** The same on its page, with what the buyer may choose. */
export function saleOf(link: ShownLink, bought: Bought) {
  const { amountMinor: _, ...sold } = chosenAs(bought)
  if (!sold.adjustable) return sold
  const read = { found: [], left: leftOf(link) }
  return {
    ...sold,
    inChoice: (asked: Adjustment, now: Date) => inChoice({ ...link, ...bought }, asked, read, now),
  }
}

/** While a payment of it holds what it takes, nothing is counted: the database refuses what cannot be had. */
const leftOf = ({ left, stock }: ShownLink) =>
  left ? leftFrom(left) : new Map(stock?.lines.map(({ item_id }) => [item_id, Number.MAX_SAFE_INTEGER]))

/** Nothing of what it costs is the buyer's to choose. */
export const isFixed = ({ buyerAmount, quantityMax, ...link }: LinkRow): boolean =>
  buyerAmount === null &&
  quantityMax === null &&
  adjustableOf(boughtOf(link) ?? linesAlone([])).adjustable === undefined

/** What is paid for, in a few words; empty where nothing says it. */
export const whatOf = ({ description, catalogLineItemSnapshot: item, lines }: LinkRow): string =>
  description ?? item?.name ?? namesOf(lines ?? []) ?? ''
