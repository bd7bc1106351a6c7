import { refuse } from '../../../src/kernel/plan.ts'
import { leftFrom } from '../../goods/inventory/api-pure.ts'
import {
  type Adjustment,
  type AskedDiscount,
  adjustableOf,
  type Bought,
  chosenAs,
  discounted,
  inChoice,
  linesAlone,
  type NamedDiscount,
  named,
  namesOf,
  noTip,
  shippedBy,
  sumOf,
  withExtras,
} from '../../order/lines/api-pure.ts'
import type { LinkRow, ShownLink } from './store.ts'

/** The columns that say what a link of several lines sells. */
export type Offered = Pick<LinkRow, 'lines' | 'discounts' | 'takesCodes' | 'shippingOptions' | 'tipOptions'>

/** What a link of several lines sells to a buyer who chooses nothing; null where it sells one item, or asks for an amount. */
export function boughtOf({
  lines,
  discounts,
  takesCodes,
  shippingOptions,
  tipOptions,
}: Offered): Bought | null {
  if (!lines) return null
  const alone = linesAlone(lines)
  const less = { discounts, amountMinor: alone.amountMinor - sumOf(discounts) }
  const extras = { tipOptions, ...noTip, ...shippedBy(shippingOptions, 0) }
  return { ...alone, takesCodes, ...withExtras(less, extras) }
}

/** The refusal of a field that only a link of lines has. */
export const withLinesAlone = (param: string) =>
  refuse('parameter_unknown', {
    param,
    message: 'Discounts, codes, tips and ways to send it go with line_items.',
  })

interface Wants {
  /** Those that the request names; none: those that the link has. */
  readonly asked: readonly AskedDiscount[] | undefined
  readonly had: LinkRow['discounts']
  /** What was read of both. */
  readonly found: readonly NamedDiscount[]
}

/** What the merchant's discounts take off lines, each on what the former ones leave; or the first that does not apply. */
export function discountsOn(
  lines: LinkRow['lines'],
  { asked, had, found }: Wants,
  sale: Omit<Parameters<typeof discounted>[1], 'subtotalMinor'>,
) {
  const wanted = named(asked ?? had.map(({ discount_id }) => ({ discount_id })), found)
  if ('refused' in wanted) return wanted
  if (!lines) return wanted.length === 0 ? { discounts: [] } : withLinesAlone('discounts')
  const less = discounted(wanted, { ...sale, subtotalMinor: linesAlone(lines).amountMinor })
  return 'refused' in less ? less : { discounts: less.discounts }
}

/** The same on its page, with what the buyer may choose; a discount that no longer applies falls away. */
export function saleOf(link: ShownLink, bought: Bought, found: readonly NamedDiscount[]) {
  const { amountMinor: _, ...sold } = chosenAs(bought)
  if (!sold.adjustable && link.discounts.length === 0) return sold
  const read = { found, left: leftOf(link) }
  return {
    ...sold,
    inChoice: (asked: Adjustment, now: Date) => inChoice({ ...link, ...bought }, asked, read, now),
  }
}

/** While a payment of it holds what it takes, nothing is counted: the database refuses what cannot be had. */
const leftOf = ({ left, stock }: ShownLink) =>
  left ? leftFrom(left) : new Map(stock?.lines.map(({ item_id }) => [item_id, Number.MAX_SAFE_INTEGER]))

/** Nothing of what it costs is the buyer's to choose, and no discount of it can end. A code makes it cost less, not more. */
export const isFixed = ({ buyerAmount, quantityMax, ...link }: LinkRow): boolean =>
  buyerAmount === null &&
  quantityMax === null &&
  link.discounts.length === 0 &&
  adjustableOf(boughtOf({ ...link, takesCodes: false }) ?? linesAlone([])).adjustable === undefined

/** What is paid for, in a few words; empty where nothing says it. */
export const whatOf = ({ description, catalogLineItemSnapshot: item, lines }: LinkRow): string =>
  description ?? item?.name ?? namesOf(lines ?? []) ?? ''
