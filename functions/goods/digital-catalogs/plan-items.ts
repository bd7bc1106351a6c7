import { catalogItems } from '../../../drizzle/schema/digital-catalogs.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, named, newRow } from '../../../src/kernel/changes.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { nameTerms } from '../../../src/kernel/fold.ts'
import { canMove } from '../../../src/kernel/lifecycle.ts'
import { insert, type Plan, type Refusal, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract-items.ts'
import { itemLifecycle } from './lifecycle.ts'
import { planNewPrice } from './plan-prices.ts'
import { type Place, presentItem } from './present.ts'
import { barcodeKey } from './sale.ts'
import type { CatalogRow, ItemRow, PricedItem, PriceRow } from './store.ts'

type Create = BodyOf<typeof contracts.create>
type Update = BodyOf<typeof contracts.update>

export const { changed } = changesOf(catalogItems, 'catalog_item', (item: PricedItem, place: Place) =>
  presentItem(item, place.settings),
)

/** What a body names of an item, by the names of the row. */
const fieldsOf = (asked: Update) =>
  named({
    name: asked.name,
    terms: asked.name === undefined ? undefined : nameTerms(asked.name),
    description: asked.description,
    sku: asked.sku,
    barcode: asked.barcode,
    barcodeKey: asked.barcode && barcodeKey(asked.barcode),
    modifiers: asked.modifiers,
    categoryId: asked.category_id,
    position: asked.position,
    options: asked.options,
    ivaRate: asked.iva_rate,
    priceIncludesTax: asked.price_includes_tax,
    satProductCode: asked.sat_product_code,
    satUnitCode: asked.sat_unit_code,
    downloadsMax: asked.downloads_max,
    accessDays: asked.access_days,
    revocationPolicy: asked.revocation_policy,
    soldQuantityMax: asked.sold_quantity_max,
    metadata: asked.metadata,
  })

export function planCreate(catalog: CatalogRow, asked: Create, place: Place) {
  if (catalog.status === 'archived') return refuse('digital_catalog_archived')
  const { kind, options, price: priceAsked } = asked
  const item = {
    ...(fieldsOf(asked) as Required<ReturnType<typeof fieldsOf>>),
    ...newRow(place),
    catalogId: catalog.id,
    status: asked.status,
    kind,
    variantOf: asked.variant_of,
    optionValues: asked.option_values,
    components: asked.components,
    measureUnit: asked.measure_unit,
    tracksStock:
      asked.tracks_stock ??
      (kind === 'physical_count' && options.length === 0 && asked.measure_unit === null),
    keys: asked.keys ?? (kind === 'license_key' ? 'pool' : null),
    images: [],
  } satisfies ItemRow
  const misfit = misfitOf(item, asked)
  if (misfit) return misfit
  const price: PriceRow | null = priceAsked && {
    ...newRow(place),
    itemId: item.id,
    locationId: null,
    amountMinor: BigInt(priceAsked.amount),
    compareAtMinor: priceAsked.compare_at_amount === null ? null : BigInt(priceAsked.compare_at_amount),
    currency: priceAsked.currency ?? catalog.currency,
    startsAt: place.now,
    endsAt: null,
  }
  const shown = { ...item, price: price?.currency === catalog.currency ? price : null }
  const reply = presentItem(shown, place.settings)
  const priced = price ? planNewPrice(price, place) : { writes: [], events: [] }
  const told = event(place.newId(), 'catalog_item.created', { type: 'catalog_item', id: item.id }, reply)
  return {
    writes: [insert(catalogItems, item), ...priced.writes],
    events: [told, ...priced.events],
    reply,
    subjectId: item.id,
  } satisfies Plan<unknown>
}

const invalid = (param: string, message: string) => refuse('parameter_invalid', { param, message })

/** What of an item does not go with what else it is; what depends on other rows is the database's to refuse. */
function misfitOf(
  item: ItemRow,
  { price }: { readonly price?: Create['price'] } = {},
): Refusal<'parameter_invalid'> | null {
  const { kind, options, components } = item
  const [isBundle, isParent] = [kind === 'bundle', options.length > 0]
  if (isBundle && components.length < 2) return invalid('components', 'A bundle consists of 2 to 20 items.')
  if (!isBundle && components.length > 0) return invalid('components', 'Only a bundle has components.')
  if (isBundle && isParent) return invalid('options', 'A bundle has no variants.')
  if (item.variantOf && isParent) return invalid('options', 'A variant has no variants of its own.')
  if (item.variantOf && !item.optionValues)
    return invalid('option_values', 'A variant needs its option_values.')
  if (!item.variantOf && item.optionValues)
    return invalid('option_values', 'Only a variant has option_values.')
  if (item.measureUnit !== null && kind !== 'physical_count' && kind !== 'service')
    return invalid('measure_unit', 'Only a physical_count or a service is measured.')
  if (item.measureUnit !== null && item.tracksStock)
    return invalid('tracks_stock', 'Stock is counted by the piece: what is measured has none.')
  if (item.tracksStock && isBundle)
    return invalid('tracks_stock', 'The stock of a bundle is that of its parts.')
  if (item.tracksStock && isParent) return invalid('tracks_stock', 'The stock is that of the variants.')
  if ((kind === 'license_key') !== (item.keys !== null))
    return invalid('keys', 'An item of the kind license_key says where its keys come from; no other does.')
  if (item.downloadsMax !== null && kind !== 'file')
    return invalid('downloads_max', 'Only a file is downloaded.')
  if (isParent && (item.modifiers.length > 0 || item.measureUnit !== null))
    return invalid(
      item.measureUnit === null ? 'modifiers' : 'measure_unit',
      'A parent of variants is not sold: say it of each variant.',
    )
  if (price && isParent)
    return invalid('price', 'A parent of variants is not sold: its variants have prices.')
  if (price?.compare_at_amount && BigInt(price.compare_at_amount) <= BigInt(price.amount))
    return invalid('price.compare_at_amount', 'compare_at_amount is more than the amount.')
  return null
}

export function planUpdate(item: PricedItem, asked: Update, place: Place) {
  if (item.status === 'archived') return refuse('catalog_item_archived')
  if (asked.options && asked.options.length > 0 !== item.options.length > 0)
    return invalid('options', 'Whether an item has variants does not change: create another item.')
  const patch = fieldsOf(asked)
  return misfitOf({ ...item, ...patch }) ?? changed(item, patch, 'catalog_item.updated', place)
}

const moves = {
  activate: 'catalog_item.activated',
  deactivate: 'catalog_item.deactivated',
  archive: 'catalog_item.archived',
  restore: 'catalog_item.restored',
} as const satisfies Record<keyof typeof itemLifecycle.moves, EventType>

export function planMove(item: PricedItem, to: keyof typeof moves, place: Place) {
  const { status } = item
  if (canMove(itemLifecycle, status, to))
    return changed(item, { status: itemLifecycle.moves[to].to }, moves[to], place)
  if (to === 'restore') return refuse('catalog_item_not_archived')
  return refuse(`catalog_item_${status}`)
}
