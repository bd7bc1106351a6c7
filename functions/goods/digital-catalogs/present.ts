import type { Clock } from '../../../src/kernel/clock.ts'
import type { CatalogRow, CategoryRow, PricedItem, PriceRow } from './store.ts'

/** What addresses of pages and images begin with. */
export interface Addresses {
  readonly linkBaseUrl: string
}

/** When and where a plan of what has an address is made. */
export type Place = Clock & { readonly settings: Addresses }

/** The path of a catalog's page. */
export const pagePath = (publicId: string) => `/k/${publicId}`

/** A catalog as the interface shows it. */
export const presentCatalog = (catalog: CatalogRow, { linkBaseUrl }: Addresses) => ({
  id: catalog.id,
  object: 'digital_catalog' as const,
  public_id: catalog.publicId,
  url: catalog.status === 'published' ? `https://${linkBaseUrl}${pagePath(catalog.publicId)}` : null,
  status: catalog.status,
  name: catalog.name,
  description: catalog.description,
  currency: catalog.currency,
  payment_method_types: catalog.paymentMethodTypes && [...catalog.paymentMethodTypes],
  installment_options: catalog.installmentMonths.map((months) => ({ months })),
  location_id: catalog.locationId,
  listed_in_search: catalog.isListedInSearch,
  metadata: catalog.metadata,
  version: catalog.version,
  created_at: catalog.createdAt.toISOString(),
  updated_at: catalog.updatedAt.toISOString(),
})

/** A price as its item shows it. */
export const presentItemPrice = (price: PriceRow) => ({
  id: price.id,
  amount: price.amountMinor.toString(),
  compare_at_amount: price.compareAtMinor?.toString() ?? null,
  currency: price.currency,
  location_id: price.locationId,
  starts_at: price.startsAt.toISOString(),
  ends_at: price.endsAt?.toISOString() ?? null,
})

/** An item as the interface shows it. */
export const presentItem = (item: PricedItem, { linkBaseUrl }: Addresses) => ({
  id: item.id,
  object: 'catalog_item' as const,
  catalog_id: item.catalogId,
  status: item.status,
  kind: item.kind,
  name: item.name,
  description: item.description,
  sku: item.sku,
  barcode: item.barcode,
  measure_unit: item.measureUnit,
  modifiers: item.modifiers.map(({ choices, ...group }) => ({
    ...group,
    choices: choices.map((choice) => ({ ...choice })),
  })),
  category_id: item.categoryId,
  position: item.position,
  variant_of: item.variantOf,
  option_values: item.optionValues && { ...item.optionValues },
  options: item.options.map(({ name, values }) => ({ name, values })),
  components: item.components.map((component) => ({ ...component })),
  iva_rate: item.ivaRate,
  price_includes_tax: item.priceIncludesTax,
  sat_product_code: item.satProductCode,
  sat_unit_code: item.satUnitCode,
  tracks_stock: item.tracksStock,
  keys: item.keys,
  downloads_max: item.downloadsMax,
  access_days: item.accessDays,
  revocation_policy: item.revocationPolicy,
  sold_quantity_max: item.soldQuantityMax,
  images: item.images.map(({ id, address, content_type, width, height, bytes, alt }) => ({
    id,
    url: `https://${linkBaseUrl}/catalog-images/${address}`,
    content_type,
    width,
    height,
    bytes,
    alt,
  })),
  price: item.price && presentItemPrice(item.price),
  metadata: item.metadata,
  version: item.version,
  created_at: item.createdAt.toISOString(),
  updated_at: item.updatedAt.toISOString(),
})

/** A price as the interface shows it. */
export const presentPrice = (price: PriceRow) => ({
  ...presentItemPrice(price),
  object: 'catalog_price' as const,
  item_id: price.itemId,
  version: price.version,
  created_at: price.createdAt.toISOString(),
  updated_at: price.updatedAt.toISOString(),
})

/** A category as the interface shows it. */
export const presentCategory = (category: CategoryRow) => ({
  id: category.id,
  object: 'catalog_category' as const,
  catalog_id: category.catalogId,
  status: category.status,
  name: category.name,
  position: category.position,
  version: category.version,
  created_at: category.createdAt.toISOString(),
  updated_at: category.updatedAt.toISOString(),
})
