import type * as z from 'zod'
import { type DeliveredLine, deliveredKinds, grantedMax } from '../../../drizzle/schema/entitlements.ts'
import type { AppliedDiscount, ShippingOption, SoldLine, TipOptions } from '../../../drizzle/schema/order.ts'
import type { TakenStock } from '../../../drizzle/schema/stock.ts'
import { type RateTax, taxOf } from '../../../src/kernel/iva.ts'
import { amountMinorMax, parseMinorString, toMinorString } from '../../../src/kernel/money.ts'
import type { Order } from '../../../src/kernel/order.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import { type ItemForSale, isSameBarcode, isSoldAsItIs } from '../../goods/digital-catalogs/api-pure.ts'
import type { Adjustable } from './adjustable.ts'
import type { orderAsked } from './contract.ts'
import { madeUp } from './made-up.ts'

type Asked = z.output<typeof orderAsked.line_items>

/** What is bought, as a row keeps it: the columns of drizzle/schema/order.ts that decide the amount. */
export interface Bought {
  readonly lines: readonly SoldLine[]
  readonly discounts: readonly AppliedDiscount[]
  readonly takesCodes: boolean
  readonly tipOptions: TipOptions | null
  readonly tipBps: number | null
  readonly tipMinor: bigint
  readonly shippingOptions: readonly ShippingOption[]
  readonly shippingAt: number | null
  readonly shippingMinor: bigint
  readonly amountMinor: bigint
}

/** What is sold, and what it comes to in minor units. */
export interface Priced {
  readonly lines: SoldLine[]
  readonly amountMinor: bigint
}

/** Lines of which nothing is taken off and to which nothing is added. */
export const linesAlone = (lines: readonly SoldLine[]): Bought => ({
  lines,
  discounts: [],
  takesCodes: false,
  tipOptions: null,
  tipBps: null,
  tipMinor: 0n,
  shippingOptions: [],
  shippingAt: null,
  shippingMinor: 0n,
  amountMinor: lines.reduce((sum, { amount_total }) => sum + BigInt(amount_total), 0n),
})

/** What a payment takes: its amount in minor units, the IVA in it, and what it pays for. */
export interface Sold {
  readonly amountMinor: bigint
  readonly taxes: readonly RateTax[]
  readonly order?: Order | null
}

/** The same as one buyer chose it, where many may buy it. */
export interface Chosen extends Sold {
  /** The tip in it, as text. */
  readonly tip: string
  /** What the buyer may choose, with what they chose; absent where nothing is. */
  readonly adjustable?: Adjustable
}

/** How a line names an item of a catalog. */
export type AskedItem = { readonly item_id: string } | { readonly barcode: string }

/** The item that a line names. */
const itemOf = (line: AskedItem, items: readonly ItemForSale[]) =>
  items.find(({ id, status, barcode }) =>
    'item_id' in line
      ? id === line.item_id
      : status !== 'archived' && barcode !== null && isSameBarcode(barcode, line.barcode),
  )

/** The parts of bundles among them. */
export const partsOf = (items: readonly ItemForSale[]): string[] =>
  items.flatMap(({ components }) => components.map(({ item_id }) => item_id))

/** Why a seller that asks for no measure and no choice does not sell one of these; null where it does. */
export function problemOfKinds(
  asked: readonly ({ readonly item_id: string } | { readonly name: string })[],
  items: readonly ItemForSale[],
  paramOf = (at: number) => `line_items.${at}.item_id`,
) {
  for (const [at, line] of asked.entries()) {
    const item = 'item_id' in line && items.find(({ id }) => id === line.item_id)
    if (item && !isSoldAsItIs(item))
      return refuse('catalog_item_not_for_sale', {
        param: paramOf(at),
        message: 'It is measured, or something of it must be chosen: sell it by a checkout session.',
      })
  }
  return null
}

/** Lines as a row keeps them: each with its IVA, rounded half up once for the line. */
export function priced(asked: Asked, items: readonly ItemForSale[], currency: string) {
  const lines: SoldLine[] = []
  const sold = new Map<string, number>()
  for (const [at, line] of asked.entries()) {
    const problem = problemOfBounds(line, at)
    if (problem) return problem
    const { quantity_min, quantity_max } = line
    const bounds = quantity_min && quantity_max ? { quantity_min, quantity_max } : {}
    if ('name' in line) {
      const { name, quantity, iva_rate, price_includes_tax } = line
      const written = { item_id: null, name, quantity, iva_rate, price_includes_tax, ...bounds }
      lines.push(lineOf(written, parseMinorString(line.unit_amount)!))
      continue
    }
    const param = `line_items.${at}.${'item_id' in line ? 'item_id' : 'barcode'}`
    const item = itemOf(line, items)
    if (!item) return refuse('catalog_item_not_found', { param })
    if (!item.isForSale || item.price?.currency !== currency)
      return refuse('catalog_item_not_for_sale', { param })
    const quantity = (sold.get(item.id) ?? 0) + (quantity_max ?? line.quantity)
    if (item.soldQuantityMax !== null && quantity > item.soldQuantityMax)
      return refuse('parameter_invalid', {
        param: `line_items.${at}.${quantity_max ? 'quantity_max' : 'quantity'}`,
        message: `One order may have at most ${item.soldQuantityMax} of this item.`,
      })
    sold.set(item.id, quantity)
    const one = madeUp(line, item, item.price.amountMinor, `line_items.${at}`)
    if ('refused' in one) return one
    const { ivaRate: iva_rate, priceIncludesTax: price_includes_tax } = item
    const ofOne = [{ item_id: item.id, quantity: 1 }, ...item.components]
    const takes = ofOne.filter((part) => items.find(({ id }) => id === part.item_id)?.tracksStock)
    const delivers = ofOne.filter((part) => isDelivered(items.find(({ id }) => id === part.item_id)))
    const { unitMinor, ...shown } = one
    const promised = { takes, delivers }
    const scanned = 'barcode' in line ? { barcode: line.barcode } : {}
    const taxed = { item_id: item.id, ...scanned, quantity: line.quantity, iva_rate, price_includes_tax }
    lines.push(lineOf({ ...taxed, ...shown, ...bounds, ...promised }, unitMinor))
  }
  const tooMuch = problemOfGrants(lines, items)
  if (tooMuch) return tooMuch
  const { amountMinor } = linesAlone(lines)
  if (amountMinor > amountMinorMax)
    return refuse('amount_above_maximum', {
      param: 'line_items',
      message: `The lines come to more than ${amountMinorMax} minor units.`,
    })
  return {
    lines,
    amountMinor,
  } satisfies Priced
}

/** What is sold, and its amount: by lines, or by an amount alone. */
export function soldBy(
  asked: { readonly line_items?: Asked | undefined; readonly amount?: string | undefined },
  items: readonly ItemForSale[],
  currency: string,
) {
  if (asked.line_items && asked.amount !== undefined)
    return refuse('parameter_unknown', {
      param: 'amount',
      message: 'With line_items the amount is their sum.',
    })
  if (asked.line_items) return priced(asked.line_items, items, currency)
  if (asked.amount === undefined)
    return refuse('parameter_missing', { param: 'line_items', message: 'Give line_items or an amount.' })
  return { lines: [], amountMinor: parseMinorString(asked.amount)! }
}

/** Why a payment of lines would grant too much; null where it does not. A file is granted once. */
function problemOfGrants(lines: readonly SoldLine[], items: readonly ItemForSale[]) {
  const granted = new Map<string, number>()
  for (const [at, { quantity, quantity_max, delivers = [] }] of lines.entries()) {
    for (const part of delivers) {
      const isFile = items.find(({ id }) => id === part.item_id)?.kind === 'file'
      const before = granted.get(part.item_id) ?? 0
      granted.set(part.item_id, isFile ? 1 : before + part.quantity * (quantity_max ?? quantity))
    }
    if ([...granted.values()].reduce((sum, each) => sum + each, 0) > grantedMax)
      return refuse('parameter_invalid', {
        param: `line_items.${at}.${quantity_max ? 'quantity_max' : 'quantity'}`,
        message: `One payment grants at most ${grantedMax} files, license keys, accesses and vouchers.`,
      })
  }
  return null
}

/** What lines take from the stock: each item once, in the order of their ids. */
export const takenBy = (lines: readonly Pick<SoldLine, 'quantity' | 'takes'>[]): TakenStock['lines'] =>
  summed(lines, ({ takes = [] }) => takes)

function summed<L extends Pick<SoldLine, 'quantity'>>(
  lines: readonly L[],
  ofOne: (line: L) => readonly DeliveredLine[],
) {
  const sums = new Map<string, number>()
  for (const line of lines)
    for (const each of ofOne(line))
      sums.set(each.item_id, (sums.get(each.item_id) ?? 0) + each.quantity * line.quantity)
  return [...sums]
    .map(([item_id, quantity]) => ({ item_id, quantity }))
    .sort((a, b) => (a.item_id < b.item_id ? -1 : 1))
}

/** What an attempt to pay lines takes, and what a payment of them grants: the columns `stock` and `delivers`. */
export function promisedBy(lines: readonly SoldLine[], locationId: string | null) {
  const [taken, delivered] = [takenBy(lines), summed(lines, ({ delivers = [] }) => delivers)]
  return {
    stock: taken.length === 0 ? null : { location_id: locationId, lines: taken },
    delivers: delivered.length === 0 ? null : delivered,
  }
}

const isDelivered = (item: ItemForSale | undefined) =>
  (deliveredKinds as readonly (string | undefined)[]).includes(item?.kind)

function problemOfBounds({ quantity, quantity_min: least, quantity_max: most }: Asked[number], at: number) {
  const wrong = (field: string, message: string) =>
    refuse('parameter_invalid', { param: `line_items.${at}.${field}`, message })
  if ((least === undefined) !== (most === undefined))
    return wrong('quantity_max', 'Give both quantity_min and quantity_max, or neither.')
  if (least === undefined || most === undefined) return null
  return least <= quantity && quantity <= most
    ? null
    : wrong('quantity', 'The quantity lies between quantity_min and quantity_max.')
}

/** A line in another quantity, at its own price. */
export const inQuantity = (line: SoldLine, quantity: number): SoldLine => ({
  ...line,
  ...lineOf({ ...line, quantity }, BigInt(line.unit_amount)),
})

type Unpriced = Omit<SoldLine, 'unit_amount' | 'amount_subtotal' | 'amount_tax' | 'amount_total'>

/** A line at a price of one in minor units, with its IVA rounded half up once. */
export function lineOf(sold: Unpriced, unitMinor: bigint): SoldLine {
  const { item_id, name, quantity, iva_rate, price_includes_tax, quantity_min, quantity_max } = sold
  const { takes, delivers, barcode, measured, modifiers } = sold
  const { netMinor, taxMinor, totalMinor } = taxOf(unitMinor * BigInt(quantity), iva_rate, price_includes_tax)
  return {
    item_id,
    name,
    unit_amount: toMinorString(unitMinor),
    ...(barcode ? { barcode } : {}),
    ...(measured ? { measured } : {}),
    ...(modifiers?.length ? { modifiers } : {}),
    quantity,
    iva_rate,
    price_includes_tax,
    amount_subtotal: toMinorString(netMinor),
    amount_tax: toMinorString(taxMinor),
    amount_total: toMinorString(totalMinor),
    ...(quantity_min && quantity_max ? { quantity_min, quantity_max } : {}),
    ...(takes?.length ? { takes } : {}),
    ...(delivers?.length ? { delivers } : {}),
  }
}
