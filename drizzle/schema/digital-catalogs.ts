import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  catalogLifecycle,
  categoryLifecycle,
  imageLifecycle,
  itemLifecycle,
} from '../../functions/goods/digital-catalogs/lifecycle.ts'
import type { RasterType } from '../../src/kernel/images/raster.ts'
import { ivaRates } from '../../src/kernel/iva.ts'
import type { Json } from '../../src/kernel/json.ts'
import { pageMethods, paymentMethods } from '../../src/kernel/payment-methods.ts'
import {
  amount,
  byteText,
  changes,
  createdAt,
  instant,
  known,
  minor,
  ofStoredFile,
  ownKey,
  refersTo,
  statusOf,
  storedFile,
  tenantRow,
  words,
} from './columns.ts'
import { locations } from './locations.ts'
import { ofTenant } from './tenants.ts'

const pesoMethods = pageMethods.filter((method) => paymentMethods[method].currency === 'mxn')

/** What is for sale, together: a shop's assortment in one currency. */
export const digitalCatalogs = pgTable(
  'digital_catalogs',
  {
    ...tenantRow,
    publicId: text('public_id').notNull(),
    status: statusOf(catalogLifecycle),
    name: text('name').notNull(),
    description: text('description'),
    currency: text('currency').notNull(),
    /** How orders from its page are paid; null: by all that the workspace offers. */
    paymentMethodTypes: text('payment_method_types', { enum: pageMethods }).array(),
    installmentMonths: integer('installment_months').array().notNull().default([]),
    /** Whose stock and payment policy its page sells by; null: of no location. */
    locationId: uuid('location_id'),
    /** Search engines may list its page. */
    isListedInSearch: boolean('listed_in_search').notNull().default(false),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('digital_catalogs', t.tenantId),
      uniqueIndex('digital_catalogs_public_id').on(t.publicId),
      unique('digital_catalogs_of_tenant').on(t.tenantId, t.publicId),
      refersTo('digital_catalogs_location', t, t.locationId, locations),
      check('digital_catalogs_methods_some', sql`cardinality(${t.paymentMethodTypes}) >= 1`),
      check(
        'digital_catalogs_cash_in_mxn',
        sql`${t.currency} = 'mxn' or not (${t.paymentMethodTypes} && array[${words(pesoMethods)}])`,
      ),
      check('digital_catalogs_installments_bounded', sql`cardinality(${t.installmentMonths}) <= 12`),
      check('digital_catalogs_public_id_form', sql`${t.publicId} ~ '^scat_[a-z0-9]{32}$'`),
      check('digital_catalogs_status_known', known(t.status)),
      check('digital_catalogs_currency_form', sql`${t.currency} ~ '^[a-z]{3}$'`),
      index('digital_catalogs_list').on(t.tenantId, t.createdAt, t.id),
      index('digital_catalogs_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)

/** A heading of a catalog. */
export const catalogCategories = pgTable(
  'catalog_categories',
  {
    ...tenantRow,
    catalogId: uuid('catalog_id').notNull(),
    status: statusOf(categoryLifecycle),
    name: text('name').notNull(),
    position: integer('position').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('catalog_categories_catalog', t, t.catalogId, digitalCatalogs),
      unique('catalog_categories_of_catalog').on(t.tenantId, t.catalogId, t.id),
      uniqueIndex('catalog_categories_name')
        .on(t.tenantId, t.catalogId, sql`lower(${t.name})`)
        .where(sql`status = 'active'`),
      check('catalog_categories_status_known', known(t.status)),
      index('catalog_categories_list').on(t.tenantId, t.catalogId, t.position, t.createdAt, t.id),
    ]
  },
)

export const itemKinds = [
  'file',
  'license_key',
  'access',
  'voucher',
  'service',
  'physical_count',
  'bundle',
] as const

/** What tells the variants of an item apart: `Talla` with `S`, `M`, `L`. */
export interface ItemOption {
  name: string
  values: string[]
}

/** In what an item is measured that is not sold by the piece. */
export const measureUnits = ['kg', 'g', 'l', 'ml', 'm', 'cm', 'm2', 'h'] as const
export type MeasureUnit = (typeof measureUnits)[number]

/** What a buyer may have changed or added: `Leche` with `Entera`, `Almendra`. `amount`: minor units as text, on top of the price. */
export interface ModifierGroup {
  name: string
  choices_min: number
  choices_max: number
  choices: { name: string; amount: string }[]
}

export interface ItemComponent {
  item_id: string
  quantity: number
}

/** An image as an item shows it; `id` is that of its file. */
export interface ItemImage {
  readonly id: string
  readonly address: string
  readonly content_type: RasterType
  readonly width: number
  readonly height: number
  readonly bytes: number
  readonly alt: string | null
}

/**
 * Something to sell. A variant is an item of its own, with a parent in `variant_of`; an item with `options` is such a
 * parent and not sold itself. drizzle/sql/058_digital_catalogs.sql has the rules about more than one row.
 */
export const catalogItems = pgTable(
  'catalog_items',
  {
    ...tenantRow,
    catalogId: uuid('catalog_id').notNull(),
    status: statusOf(itemLifecycle),
    kind: text('kind', { enum: itemKinds }).notNull(),
    name: text('name').notNull(),
    description: text('description'),
    sku: text('sku'),
    barcode: text('barcode'),
    /** The same without its leading zeros, which do not tell two apart: what is looked up. */
    barcodeKey: text('barcode_key'),
    /** Its price is of one of these; null: of a piece. */
    measureUnit: text('measure_unit', { enum: measureUnits }),
    modifiers: jsonb('modifiers').$type<readonly ModifierGroup[]>().notNull().default([]),
    categoryId: uuid('category_id'),
    /** Where buyers see it in its catalog, or among its siblings. */
    position: integer('position').notNull().default(0),
    variantOf: uuid('variant_of'),
    /** A variant's value of each option of its parent; null where it is no variant. */
    optionValues: jsonb('option_values').$type<Readonly<Record<string, string>>>(),
    options: jsonb('options').$type<readonly ItemOption[]>().notNull(),
    /** What a bundle consists of. */
    components: jsonb('components').$type<readonly ItemComponent[]>().notNull(),
    ivaRate: text('iva_rate', { enum: ivaRates }).notNull(),
    priceIncludesTax: boolean('price_includes_tax').notNull(),
    satProductCode: text('sat_product_code'),
    satUnitCode: text('sat_unit_code'),
    tracksStock: boolean('tracks_stock').notNull(),
    /** Where the keys of a `license_key` come from; null for every other kind. */
    keys: text('keys', { enum: ['pool', 'generated'] }),
    downloadsMax: integer('downloads_max'),
    accessDays: integer('access_days'),
    revocationPolicy: text('revocation_policy', { enum: ['full_refund', 'any_refund', 'never'] }).notNull(),
    /** The most that one order may have. */
    soldQuantityMax: integer('sold_quantity_max'),
    /** In the order in which they are shown. */
    images: jsonb('images').$type<readonly ItemImage[]>().notNull().default([]),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    /** Its name's words as searches compare them; a trigger keeps `catalog_item_terms` in step. */
    terms: text('terms').array().notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('catalog_items_catalog', t, t.catalogId, digitalCatalogs),
      unique('catalog_items_of_catalog').on(t.tenantId, t.catalogId, t.id),
      foreignKey({
        name: 'catalog_items_category',
        columns: [t.tenantId, t.catalogId, t.categoryId],
        foreignColumns: [catalogCategories.tenantId, catalogCategories.catalogId, catalogCategories.id],
      }),
      foreignKey({
        name: 'catalog_items_parent',
        columns: [t.tenantId, t.catalogId, t.variantOf],
        foreignColumns: [t.tenantId, t.catalogId, t.id],
      }),
      check('catalog_items_status_known', known(t.status)),
      check('catalog_items_kind_known', known(t.kind)),
      check('catalog_items_iva_rate_known', known(t.ivaRate)),
      check('catalog_items_revocation_policy_known', known(t.revocationPolicy)),
      check('catalog_items_keys_known', known(t.keys)),
      check('catalog_items_keys_of_kind', sql`(${t.kind} = 'license_key') = (${t.keys} is not null)`),
      check('catalog_items_downloads_max', sql`${t.downloadsMax} is null or ${t.kind} = 'file'`),
      check('catalog_items_sat_product_code_form', sql`${t.satProductCode} ~ '^[0-9]{8}$'`),
      check('catalog_items_sat_unit_code_form', sql`${t.satUnitCode} ~ '^[A-Z0-9]{2,3}$'`),
      check(
        'catalog_items_positive',
        sql`least(${t.downloadsMax}, ${t.accessDays}, ${t.soldQuantityMax}) > 0`,
      ),
      check(
        'catalog_items_variant',
        sql`(${t.variantOf} is null) = (${t.optionValues} is null) and (${t.variantOf} is null or ${t.options} = '[]')`,
      ),
      check(
        'catalog_items_bundle',
        sql`case when ${t.kind} = 'bundle' then jsonb_array_length(${t.components}) between 2 and 20 and ${t.options} = '[]' and not ${t.tracksStock} else ${t.components} = '[]' end`,
      ),
      check(
        'catalog_items_barcode_form',
        sql`${t.barcode} ~ '^[0-9A-Za-z._-]{4,48}$' and ${t.barcode} ~ '[^0]'`,
      ),
      check('catalog_items_barcode_key', sql`${t.barcodeKey} is not distinct from ltrim(${t.barcode}, '0')`),
      check(
        'catalog_items_modifiers_form',
        sql`not jsonb_path_exists(${t.modifiers}, '$[*] ? (!(@.name like_regex "." && @.choices_min >= 0
          && @.choices_max >= @.choices_min && @.choices.size() >= @.choices_max))')
          and not jsonb_path_exists(${t.modifiers}, '$[*].choices[*] ? (!(@.name like_regex "." && @.amount like_regex "^[0-9]{1,12}$"))')`,
      ),
      check(
        'catalog_items_parent_is_not_made_up',
        sql`${t.options} = '[]' or ${t.modifiers} = '[]' and ${t.measureUnit} is null`,
      ),
      check('catalog_items_measure_unit_known', known(t.measureUnit)),
      check(
        'catalog_items_measured',
        sql`${t.measureUnit} is null or ${t.kind} in ('physical_count', 'service') and not ${t.tracksStock}`,
      ),
      check('catalog_items_modifiers_max', sql`jsonb_array_length(${t.modifiers}) <= 10`),
      check('catalog_items_position', sql`${t.position} between 0 and 1000000`),
      check('catalog_items_images_max', sql`jsonb_array_length(${t.images}) <= 8`),
      check('catalog_items_parent_has_no_stock', sql`${t.options} = '[]' or not ${t.tracksStock}`),
      uniqueIndex('catalog_items_sku').on(t.tenantId, t.sku).where(sql`status <> 'archived'`),
      uniqueIndex('catalog_items_barcode')
        .on(t.tenantId, t.barcodeKey)
        .where(sql`status <> 'archived' and barcode_key is not null`),
      uniqueIndex('catalog_items_variants')
        .on(t.tenantId, t.variantOf, t.optionValues)
        .where(sql`status <> 'archived'`),
      // The lowest position first, and of equals the newest.
      index('catalog_items_shown')
        .on(t.tenantId, t.catalogId, t.position, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst())
        .where(sql`status = 'active' and variant_of is null`),
      index('catalog_items_shown_by_category')
        .on(
          t.tenantId,
          t.catalogId,
          t.categoryId,
          t.position,
          t.createdAt.desc().nullsFirst(),
          t.id.desc().nullsFirst(),
        )
        .where(sql`status = 'active' and variant_of is null`),
      index('catalog_items_list').on(t.tenantId, t.catalogId, t.createdAt, t.id),
      index('catalog_items_list_by_status').on(t.tenantId, t.catalogId, t.status, t.createdAt, t.id),
      index('catalog_items_list_by_kind').on(t.tenantId, t.catalogId, t.kind, t.createdAt, t.id),
      index('catalog_items_list_by_category')
        .on(t.tenantId, t.catalogId, t.categoryId, t.createdAt, t.id)
        .where(sql`category_id is not null`),
      index('catalog_items_list_by_parent')
        .on(t.tenantId, t.catalogId, t.variantOf, t.createdAt, t.id)
        .where(sql`variant_of is not null`),
      index('catalog_items_list_by_sku')
        .on(t.tenantId, t.catalogId, t.sku, t.createdAt, t.id)
        .where(sql`sku is not null`),
      index('catalog_items_list_by_barcode')
        .on(t.tenantId, t.catalogId, t.barcodeKey, t.createdAt, t.id)
        .where(sql`barcode_key is not null`),
    ]
  },
)

/**
 * The words by which an item is found, `n:` and a word of its name, in the order of its catalog's list. Triggers
 * maintain the rows; `id` is the item's.
 */
export const catalogItemTerms = pgTable(
  'catalog_item_terms',
  { ...tenantRow, catalogId: uuid('catalog_id').notNull(), term: byteText('term').notNull(), ...createdAt },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.tenantId, t.catalogId, t.term, t.createdAt, t.id] }),
      ofTenant('catalog_item_terms', t.tenantId),
    ]
  },
)

/** The files of images in the bucket. What an item shows of them stands in its `images`. */
export const catalogImages = pgTable(
  'catalog_images',
  {
    ...tenantRow,
    itemId: uuid('item_id').notNull(),
    ...storedFile(imageLifecycle),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('catalog_images_item', t, t.itemId, catalogItems),
      ...ofStoredFile('catalog_images', t),
    ]
  },
)

/** What an item costs from a time on. Only its end is ever set; 0 is free of charge. */
export const catalogPrices = pgTable(
  'catalog_prices',
  {
    ...tenantRow,
    itemId: uuid('item_id').notNull(),
    /** Where it is the price; null: wherever no price of the place is in effect. */
    locationId: uuid('location_id'),
    ...amount,
    /** A former or usual price, shown beside this one. */
    compareAtMinor: minor('compare_at_minor'),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('catalog_prices_item', t, t.itemId, catalogItems),
      refersTo('catalog_prices_location', t, t.locationId, locations),
      check('catalog_prices_amount_bounded', sql`${t.amountMinor} between 0 and 999999999999`),
      check('catalog_prices_compare_at', sql`${t.compareAtMinor} > ${t.amountMinor}`),
      check('catalog_prices_compare_at_bounded', sql`${t.compareAtMinor} <= 999999999999`),
      check('catalog_prices_currency_form', sql`${t.currency} ~ '^[a-z]{3}$'`),
      check('catalog_prices_ends_after_start', sql`${t.endsAt} >= ${t.startsAt}`),
      // Two parts: to Postgres an index is in order behind a column that equals a value, not behind one that is null.
      index('catalog_prices_in_effect')
        .on(t.tenantId, t.itemId, t.currency, t.startsAt, t.id)
        .where(sql`location_id is null`),
      index('catalog_prices_in_effect_at')
        .on(t.tenantId, t.itemId, t.currency, t.locationId, t.startsAt, t.id)
        .where(sql`location_id is not null`),
      index('catalog_prices_list').on(t.tenantId, t.itemId, t.createdAt, t.id),
      index('catalog_prices_list_by_location')
        .on(t.tenantId, t.itemId, t.locationId, t.createdAt, t.id)
        .where(sql`location_id is not null`),
    ]
  },
)
