import { leftFrom } from '../../goods/inventory/api-pure.ts'
import {
  type Adjustment,
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
  const read = { found: [], left: leftFrom(link.left) }
  return {
    ...sold,
    inChoice: (asked: Adjustment, now: Date) => inChoice({ ...link, ...bought }, asked, read, now),
  }
}

/** Nothing of what it costs is the buyer's to choose. */
export const isFixed = ({ buyerAmount, quantityMax, tipOptions, shippingOptions }: LinkRow): boolean =>
  buyerAmount === null && quantityMax === null && tipOptions === null && shippingOptions.length < 2

/** What is paid for, in a few words; empty where nothing says it. */
export const whatOf = ({ description, catalogLineItemSnapshot: item, lines }: LinkRow): string =>
  description ?? item?.name ?? namesOf(lines ?? []) ?? ''
