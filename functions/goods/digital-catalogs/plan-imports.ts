import type * as z from 'zod'
import type { ProblemCode } from '../../../src/http/problems.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import type { Json } from '../../../src/kernel/json.ts'
import {
  type EventDraft,
  isRefusal,
  type Plan,
  type Refusal,
  refuse,
  type Write,
} from '../../../src/kernel/plan.ts'
import type { ImportedItem } from './contract-imports.ts'
import { create } from './contract-items.ts'
import { planCreate as planItem, planUpdate as planItemUpdate } from './plan-items.ts'
import { planSetPrice, pricesMax } from './plan-prices.ts'
import type { Place } from './present.ts'
import { isSameBarcode } from './sale.ts'
import type { CatalogRow, ItemByCode, PricedItem } from './store.ts'

type Asked = z.output<typeof ImportedItem>

/** A row of a file, checked by itself. */
export interface ImportRow {
  readonly row: number
  readonly asked: Asked
}

/** What is wrong with a row. `column`: the field at fault; null for the row as a whole. */
export interface ImportFault {
  readonly row: number
  readonly column: string | null
  readonly code: ProblemCode
  readonly message: string | undefined
}

/** What an import would do, or does. */
export interface Imported {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly faults: readonly ImportFault[]
  readonly writes: readonly Write[]
  readonly events: readonly EventDraft[]
}

/** A field of an item as its column is called. */
export const columnOf = (param: string | undefined): string | null =>
  param === undefined
    ? null
    : param
        .replace('category_id', 'category')
        .replace(/^price\.(?:amount)?/, (at) => (at === 'price.' ? '' : 'price'))

type Effect = { readonly plans: readonly Pick<Plan<unknown>, 'writes' | 'events'>[] } | Refusal<ProblemCode>

/** Each row as the plans of the item and of its price. `items`: those that have the rows' skus. */
export function imported(
  catalog: CatalogRow,
  rows: readonly ImportRow[],
  items: readonly ItemByCode[],
  place: Place,
): Imported {
  const bySku = new Map(items.map((item) => [item.sku, item]))
  const faults: ImportFault[] = []
  const plans: Pick<Plan<unknown>, 'writes' | 'events'>[] = []
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const [at, { row, asked }] of rows.entries()) {
    const item = bySku.get(asked.sku)
    const owner = asked.barcode && ownerOf(asked.barcode, asked.sku, { items, rows: rows.slice(0, at) })
    if (owner) {
      faults.push({ row, column: 'barcode', code: 'catalog_item_barcode_taken', message: owner })
      continue
    }
    const effect = item ? changed(catalog, item, asked, place) : made(catalog, asked, place)
    if ('refused' in effect) {
      const { refused: code, param, message } = effect
      faults.push({ row, column: columnOf(param), code, message })
      continue
    }
    counts[item ? (effect.plans.length > 0 ? 'updated' : 'unchanged') : 'created'] += 1
    plans.push(...effect.plans)
  }
  return {
    ...counts,
    faults,
    writes: plans.flatMap(({ writes }) => writes),
    events: plans.flatMap(({ events }) => events),
  }
}

/** Why a row may not have its barcode: a row before it or another item has it; undefined where it is free. */
function ownerOf(
  barcode: string,
  sku: string,
  { items, rows }: { readonly items: readonly PricedItem[]; readonly rows: readonly ImportRow[] },
): string | undefined {
  const has = (other: string | null | undefined) => other != null && isSameBarcode(other, barcode)
  const before = rows.find(({ asked }) => has(asked.barcode))
  if (before) return `Row ${before.row} has this barcode too.`
  const item = items.find((each) => each.sku !== sku && has(each.barcode))
  return item && 'Another item of this workspace has this barcode.'
}

function made(catalog: CatalogRow, asked: Asked, place: Place): Effect {
  if (asked.name === undefined)
    return refuse('parameter_missing', { param: 'name', message: 'A new item needs a name.' })
  const body = create.body!.parse({ kind: 'physical_count', ...asked })
  const plan = planItem(catalog, body, place)
  return isRefusal(plan) ? (plan as Refusal<ProblemCode>) : { plans: [plan] }
}

const kept = (param: string) =>
  refuse('parameter_invalid', {
    param,
    message: `The ${param} of an item that there is does not change here.`,
  })

function changed(catalog: CatalogRow, item: ItemByCode, asked: Asked, place: Place): Effect {
  if (item.catalogId !== catalog.id) return refuse('catalog_item_sku_taken', { param: 'sku' })
  const { sku: _, kind, status, measure_unit, tracks_stock, price, ...fields } = asked
  if (kind !== undefined && kind !== item.kind) return kept('kind')
  if (status !== undefined && status !== item.status) return kept('status')
  if (measure_unit !== undefined && measure_unit !== item.measureUnit) return kept('measure_unit')
  if (tracks_stock !== undefined && tracks_stock !== item.tracksStock) return kept('tracks_stock')
  const now = nowOf(item)
  const patch = Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => !isSame(value as Json, now[name as keyof typeof fields]),
    ),
  ) as typeof fields
  const plans: Pick<Plan<unknown>, 'writes' | 'events'>[] = []
  if (Object.keys(patch).length > 0) {
    const plan = planItemUpdate(item, patch, place)
    if (isRefusal(plan)) return plan as Refusal<ProblemCode>
    plans.push(plan)
  }
  if (price && !hasPrice(item, price)) {
    if (item.pricesAlive >= pricesMax) return refuse('catalog_prices_too_many', { param: 'price' })
    const { amount, compare_at_amount = null } = price
    const sold = { ...item, catalogCurrency: catalog.currency }
    const plan = planSetPrice(
      sold,
      { amount, compare_at_amount, starts_at: null, ends_at: null, location_id: null },
      place,
    )
    if (isRefusal(plan)) return plan as Refusal<ProblemCode>
    plans.push(plan)
  }
  return { plans }
}

const isSame = (one: Json, other: Json) => canonicalJson(one) === canonicalJson(other)

const nowOf = (item: PricedItem) => ({
  barcode: item.barcode,
  name: item.name,
  description: item.description,
  category_id: item.categoryId,
  position: item.position,
  iva_rate: item.ivaRate,
  price_includes_tax: item.priceIncludesTax,
  sat_product_code: item.satProductCode,
  sat_unit_code: item.satUnitCode,
})

/** Whether the price in effect is this one already; a former price that is not named stays. */
const hasPrice = ({ price }: PricedItem, { amount, compare_at_amount }: NonNullable<Asked['price']>) =>
  price?.amountMinor === BigInt(amount) &&
  (compare_at_amount === undefined || price.compareAtMinor === BigInt(compare_at_amount))

/** An import as a whole: all of its rows or none. */
export const planImport = <Reply>(catalog: CatalogRow, { writes, events }: Imported, reply: Reply) =>
  ({ writes, events, reply, subjectId: catalog.id }) satisfies Plan<Reply>
