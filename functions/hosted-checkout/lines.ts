import type * as z from 'zod'
import type { SessionLine } from '../../drizzle/schema/checkout-sessions.ts'
import type { TakenStock } from '../../drizzle/schema/stock.ts'
import { parseMinorString, toMinorString } from '../../src/kernel/money.ts'
import { refuse } from '../../src/kernel/plan.ts'
import { type ItemForSale, taxOf } from '../digital-catalogs/api-pure.ts'
import type * as contracts from './contract.ts'

type Asked = NonNullable<z.output<NonNullable<typeof contracts.create.body>>['line_items']>

/** What a session sells, and what that takes from the stock. */
export interface Priced {
  readonly lines: SessionLine[]
  readonly amountMinor: bigint
  /** By item, in the order of their ids. */
  readonly taken: TakenStock['lines']
}

/** The items of catalogues that lines name. */
export const itemIdsOf = (asked: Asked): string[] =>
  asked.flatMap((line) => ('item_id' in line ? [line.item_id] : []))

/** The parts of bundles among them. */
export const partsOf = (items: readonly ItemForSale[]): string[] =>
  items.flatMap(({ components }) => components.map(({ item_id }) => item_id))

/** Lines as a session keeps them: each with its IVA, rounded half up once for the line. */
export function priced(asked: Asked, items: readonly ItemForSale[], currency: string) {
  const lines: SessionLine[] = []
  const taken = new Map<string, number>()
  const sold = new Map<string, number>()
  const take = (itemId: string, quantity: number) => taken.set(itemId, (taken.get(itemId) ?? 0) + quantity)
  for (const [at, line] of asked.entries()) {
    if (!('item_id' in line)) {
      lines.push(lineOf({ ...line, item_id: null }, parseMinorString(line.unit_amount)!))
      continue
    }
    const param = `line_items.${at}.item_id`
    const item = items.find(({ id }) => id === line.item_id)
    if (!item) return refuse('catalog_item_not_found', { param })
    if (!item.isForSale || item.price?.currency !== currency)
      return refuse('catalog_item_not_for_sale', { param })
    const quantity = (sold.get(item.id) ?? 0) + line.quantity
    if (item.soldQuantityMax !== null && quantity > item.soldQuantityMax)
      return refuse('parameter_invalid', {
        param: `line_items.${at}.quantity`,
        message: `One order may have at most ${item.soldQuantityMax} of this item.`,
      })
    sold.set(item.id, quantity)
    const { id: item_id, name, ivaRate: iva_rate, priceIncludesTax: price_includes_tax } = item
    lines.push(
      lineOf(
        { item_id, name, quantity: line.quantity, iva_rate, price_includes_tax },
        item.price.amountMinor,
      ),
    )
    if (item.tracksStock) take(item.id, line.quantity)
    for (const part of item.components) {
      const component = items.find(({ id }) => id === part.item_id)
      if (component?.tracksStock) take(component.id, part.quantity * line.quantity)
    }
  }
  return {
    lines,
    amountMinor: lines.reduce((sum, { amount_total }) => sum + BigInt(amount_total), 0n),
    taken: [...taken]
      .map(([item_id, quantity]) => ({ item_id, quantity }))
      .sort((a, b) => (a.item_id < b.item_id ? -1 : 1)),
  } satisfies Priced
}

interface Sold {
  readonly item_id: string | null
  readonly name: string
  readonly quantity: number
  readonly iva_rate: SessionLine['iva_rate']
  readonly price_includes_tax: boolean
}

function lineOf(
  { item_id, name, quantity, iva_rate, price_includes_tax }: Sold,
  unitMinor: bigint,
): SessionLine {
  const { netMinor, taxMinor, totalMinor } = taxOf(unitMinor * BigInt(quantity), iva_rate, price_includes_tax)
  return {
    item_id,
    name,
    unit_amount: toMinorString(unitMinor),
    quantity,
    iva_rate,
    price_includes_tax,
    amount_subtotal: toMinorString(netMinor),
    amount_tax: toMinorString(taxMinor),
    amount_total: toMinorString(totalMinor),
  }
}
