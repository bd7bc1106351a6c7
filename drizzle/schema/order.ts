import { sql } from 'drizzle-orm'
import { boolean, check, integer, jsonb, type PgColumn } from 'drizzle-orm/pg-core'
import type { IvaRate } from '../../src/kernel/iva.ts'
import { minor } from './columns.ts'
import type { MeasureUnit } from './digital-catalogs.ts'
import type { DeliveredLine } from './entitlements.ts'
import type { ReservedLine, TakenStock } from './stock.ts'

/** How much of an item one of a line is. `measure`: up to three decimals, as text; `unit_amount`: minor units as text of one unit. */
export interface Measured {
  measure: string
  unit: MeasureUnit
  unit_amount: string
}

/** What was chosen of a group of an item, and what it adds to the price of one, whatever its measure: minor units as text. */
export interface ChosenModifier {
  group: string
  choice: string
  amount: string
}

/** What a line sells, as it was when the lines were set. Amounts are minor units as text. */
export interface SoldLine {
  /** The item of a catalog; null for a line that the merchant wrote. */
  item_id: string | null
  name: string
  unit_amount: string
  quantity: number
  iva_rate: IvaRate
  price_includes_tax: boolean
  amount_subtotal: string
  amount_tax: string
  amount_total: string
  /** Between which the buyer may choose; none: the quantity is fixed. */
  quantity_min?: number
  quantity_max?: number
  /** As it was scanned, where a line named its item so. */
  barcode?: string
  /** Absent where it is sold by the piece. */
  measured?: Measured
  modifiers?: readonly ChosenModifier[]
  /** What one of it takes from the stock. */
  takes?: readonly ReservedLine[]
  /** What one of it grants. */
  delivers?: readonly DeliveredLine[]
}

/** Which tips a buyer may add. */
export interface TipOptions {
  presets_bps: readonly number[]
  allows_own_amount: boolean
}

/** A way to send it, at a flat rate. `amount`: minor units as text, with its IVA in it. */
export interface ShippingOption {
  name: string
  amount: string
  iva_rate: IvaRate
}

/** What a code takes off, as it was when it was applied. `amount`: minor units as text. */
export interface AppliedDiscount {
  discount_id: string
  code: string
  amount: string
  /** The buyer's own code, typed on the page. */
  is_buyers: boolean
}

/** What is taken off lines, and what a buyer of them may add: the columns of whatever sells them. */
export const offered = {
  /** In the order in which they apply. */
  discounts: jsonb('discounts').$type<readonly AppliedDiscount[]>().notNull().default([]),
  /** The buyer may type a code of their own. */
  takesCodes: boolean('takes_codes').notNull().default(false),
  shippingOptions: jsonb('shipping_options').$type<readonly ShippingOption[]>().notNull().default([]),
  tipOptions: jsonb('tip_options').$type<TipOptions>(),
}

/** What is bought, taken off and added: the columns of what keeps its buyer's order in its own row, beside `saleTerms`. */
export const ordered = {
  lines: jsonb('lines').$type<readonly SoldLine[]>().notNull(),
  /** What an attempt to pay takes from the stock; null: nothing. */
  stock: jsonb('stock').$type<TakenStock>(),
  /** What a payment of it grants; null: nothing. */
  delivers: jsonb('delivers').$type<readonly DeliveredLine[]>(),
  /** How many codes have been typed: codes are not to be guessed. */
  codeTries: integer('code_tries').notNull().default(0),
  ...offered,
  /** The place of the chosen one; null: none is offered. */
  shippingAt: integer('shipping_at'),
  shippingMinor: minor('shipping_minor').notNull().default(sql`0`),
  /** The preset that the buyer chose; null: an amount of their own, or none. */
  tipBps: integer('tip_bps'),
  tipMinor: minor('tip_minor').notNull().default(sql`0`),
}

/** Their checks. `name`: the table's. */
export const checksOfOrder = (name: string, t: Record<keyof typeof ordered | 'amountMinor', PgColumn>) => [
  check(`${name}_code_tries`, sql`${t.codeTries} between 0 and 30`),
  check(`${name}_lines_bounded`, sql`jsonb_array_length(${t.lines}) <= 100`),
  check(
    `${name}_tip`,
    sql`${t.tipMinor} between 0 and ${t.amountMinor} and (${t.tipMinor} = 0 or ${t.tipOptions} is not null)`,
  ),
  check(
    `${name}_shipping`,
    sql`${t.shippingMinor} between 0 and ${t.amountMinor} - ${t.tipMinor}
        and (case when ${t.shippingOptions} = '[]' then ${t.shippingAt} is null and ${t.shippingMinor} = 0
          else ${t.shippingMinor} = (${t.shippingOptions}->${t.shippingAt}->>'amount')::bigint end) is true`,
  ),
  check(`${name}_discounts_bounded`, sql`jsonb_array_length(${t.discounts}) <= 6`),
]
