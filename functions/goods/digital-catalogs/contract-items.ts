import * as z from 'zod'
import { itemKinds } from '../../../drizzle/schema/digital-catalogs.ts'
import { resource } from '../../../src/http/contract-resource.ts'
import {
  boundedMinor,
  currency,
  freeLines,
  freeText,
  metadata,
  metadataFilter,
  minorString,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { wordTerms } from '../../../src/kernel/fold.ts'
import { ivaRates } from '../../../src/kernel/iva.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { catalogs, exampleCatalog, inCatalogs } from './contract.ts'
import { barcode, counterFields, measureUnit } from './contract-counter.ts'
import { itemLifecycle } from './lifecycle.ts'

export const price = boundedMinor

const status = z
  .enum(statusesOf(itemLifecycle))
  .describe('Only `active` items are for sale. `archived` ones are kept; their sku is free.')
const kind = z
  .enum(itemKinds)
  .describe(
    'What the buyer gets: a `file` to download, a `license_key`, `access` to something, a `voucher` to redeem, a `service`, a `physical_count` of things, or a `bundle` of other items.',
  )
const optionName = freeText(40).trim().min(1).describe('The name of the option: `Talla`.')
const optionValue = freeText(80).trim().min(1)
const isEachOnce = (list: readonly string[]) => new Set(list).size === list.length

const whole = (max: number) => z.int().min(1).max(max).nullable()

/** What a change may name. */
export const fields = {
  name: freeText(200).trim().min(1).describe('What the item is called.'),
  description: freeLines(5000).nullable().describe('What the buyer reads about it.'),
  sku: freeText(64)
    .trim()
    .min(1)
    .nullable()
    .describe('Your own code of it: no two items of the workspace share one, but for archived ones.'),
  ...counterFields,
  category_id: uuid.nullable().describe('A category of its catalog.'),
  position: z
    .int()
    .min(0)
    .max(1_000_000)
    .describe(
      'Buyers see the items of a catalog, and the variants of an item, in this order: the lowest first.',
    ),
  options: z
    .array(
      z.strictObject({
        name: optionName,
        values: z
          .array(optionValue)
          .min(1)
          .max(50)
          .refine(isEachOnce, 'must not name a value twice')
          .describe('`S`, `M`, `L`: up to 50.'),
      }),
    )
    .max(3)
    .refine((list) => isEachOnce(list.map(({ name }) => name)), 'must not name an option twice')
    .describe(
      'What its variants differ in: up to 3. An item with options is the parent of its variants and is not sold itself.',
    ),
  iva_rate: z.enum(ivaRates).describe('The rate of IVA in percent, or `exempt`.'),
  price_includes_tax: z.boolean().describe('Whether its prices contain the IVA; otherwise it is added.'),
  sat_product_code: freeText(8)
    .regex(/^\d{8}$/, 'must be 8 digits, a code of c_ClaveProdServ')
    .nullable()
    .describe('What an invoice (CFDI 4.0) calls it: a code of SAT’s catalog c_ClaveProdServ.'),
  sat_unit_code: freeText(3)
    .regex(/^[A-Z0-9]{2,3}$/, 'must be a code of c_ClaveUnidad, like H87')
    .nullable()
    .describe('The unit that an invoice counts: a code of SAT’s catalog c_ClaveUnidad.'),
  downloads_max: whole(1000).describe(
    'How often a buyer may download each file of a `file`; null: as often as wanted.',
  ),
  access_days: whole(3650).describe('How long a buyer has what was bought, in days; null: for good.'),
  revocation_policy: z
    .enum(['full_refund', 'any_refund', 'never'])
    .describe('Which refund takes back what the buyer got.'),
  sold_quantity_max: whole(10_000).describe('The most of it that one order may have; null: any number.'),
  metadata,
}

/** What stays as it was created. */
export const made = {
  kind,
  variant_of: uuid
    .nullable()
    .describe('The parent of which this is a variant: an item with `options` of its catalog and kind.'),
  option_values: z
    .record(optionName, optionValue)
    .nullable()
    .describe('A variant’s value of each option of its parent: `{"Talla": "S"}`.'),
  components: z
    .array(
      z.strictObject({
        item_id: uuid.describe('An item of the same catalog, neither a bundle nor a parent of variants.'),
        quantity: z.int().min(1).max(1000).describe('How many of the item the bundle contains.'),
      }),
    )
    .max(20)
    .refine((list) => isEachOnce(list.map(({ item_id }) => item_id)), 'must not name an item twice')
    .describe('What a `bundle` consists of: 2 to 20 items.'),
  measure_unit: measureUnit,
  tracks_stock: z
    .boolean()
    .describe('Whether its stock is counted; never of a bundle, whose parts are counted, or of a parent.'),
  keys: z
    .enum(['pool', 'generated'])
    .nullable()
    .describe('Where the keys of a `license_key` come from: a pool that you fill, or generated ones.'),
}

export const ItemPrice = z
  .strictObject({
    id: uuid,
    amount: minorString.describe('Minor units; `0`: free of charge.'),
    compare_at_amount: minorString.nullable().describe('A former or usual price, more than the amount.'),
    currency,
    location_id: uuid
      .nullable()
      .describe('Where it is the price; null: wherever no price of the place is in effect.'),
    starts_at: timestamp.describe('When it takes effect.'),
    ends_at: timestamp.nullable().describe('When it ends; null: not yet known.'),
  })
  .meta({ id: 'CatalogItemPrice' })

const ItemImage = z
  .strictObject({
    id: uuid,
    url: z.url().describe('Public address of the image; the image at an address never changes.'),
    content_type: z.enum(['image/png', 'image/jpeg', 'image/webp']).describe('The type of the image.'),
    width: z.int().describe('Width in pixels, with the image turned as it is shown.'),
    height: z.int().describe('Height in pixels, with the image turned as it is shown.'),
    bytes: z.int().describe('Size in bytes of the file that we serve, which has no metadata.'),
    alt: z.string().nullable().describe('What it shows, in words; null where you gave none.'),
  })
  .meta({ id: 'CatalogItemImage' })

const itemShape = {
  id: uuid,
  object: z.literal('catalog_item'),
  catalog_id: uuid.describe('The catalog that it is in.'),
  status,
  ...made,
  ...fields,
  images: z.array(ItemImage).describe('Up to 8, in the order in which they are shown.'),
  price: ItemPrice.nullable().describe(
    'The price in effect now in the currency of the catalog, of no location; null where there is none.',
  ),
  version: z.int().min(1).describe('Counts the changes of the item itself, not those of its prices.'),
  created_at: timestamp,
  updated_at: timestamp,
}
export const CatalogItem = z.strictObject(itemShape).meta({ id: 'CatalogItem' })

const body = {
  kind: 'file',
  name: 'Recetario de café',
  description: 'Veinte recetas en PDF.',
  sku: 'RECETARIO-1',
  iva_rate: '16',
  price_includes_tax: true,
  sat_product_code: '55101500',
  sat_unit_code: 'E48',
  downloads_max: 5,
  revocation_policy: 'full_refund',
  metadata: { edition: 2 },
  price: { amount: '19900' },
} as const

export const examplePrice = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000083',
  amount: '19900',
  compare_at_amount: null,
  currency: 'mxn',
  location_id: null,
  starts_at: '2026-06-13T12:00:00.000Z',
  ends_at: null,
} as const

export const exampleItem = {
  ...body,
  id: '0190a6d2-7c3e-7b1a-9f00-000000000082',
  object: 'catalog_item',
  catalog_id: exampleCatalog.id,
  status: 'active',
  variant_of: null,
  option_values: null,
  components: [],
  barcode: null,
  measure_unit: null,
  modifiers: [],
  tracks_stock: false,
  keys: null,
  category_id: null,
  position: 0,
  options: [],
  access_days: null,
  sold_quantity_max: null,
  images: [],
  price: examplePrice,
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
}

export const items = resource({
  ...inCatalogs,
  path: '/v1/catalog-items',
  within: { ...catalogs.one, path: `${catalogs.one.path}/items` },
  tables: ['catalog_items'],
  notFound: 'catalog_item_not_found',
  schema: CatalogItem,
  example: exampleItem,
})

export const create = items.create({
  id: 'catalog_items.create',
  tables: ['catalog_items', 'catalog_prices'],
  summary: 'Create a catalog item',
  description:
    'A variant is an item of its own that names its parent. With `price` its first price takes effect in the same step.',
  body: z.strictObject({
    status: z.enum(['active', 'inactive']).default('active').describe('`inactive`: not for sale yet.'),
    kind,
    variant_of: made.variant_of.default(null),
    option_values: made.option_values.default(null),
    components: made.components.default([]),
    measure_unit: made.measure_unit.default(null),
    tracks_stock: made.tracks_stock
      .optional()
      .describe(
        `${made.tracks_stock.description} Of a \`physical_count\` by the piece it is, unless you say otherwise.`,
      ),
    keys: made.keys.optional().describe(`${made.keys.description} A pool, unless you say otherwise.`),
    name: fields.name,
    description: fields.description.default(null),
    sku: fields.sku.default(null),
    barcode: fields.barcode.default(null),
    modifiers: fields.modifiers.default([]),
    category_id: fields.category_id.default(null),
    position: fields.position.default(0),
    options: fields.options.default([]),
    iva_rate: fields.iva_rate.default('16'),
    price_includes_tax: fields.price_includes_tax.default(true),
    sat_product_code: fields.sat_product_code.default(null),
    sat_unit_code: fields.sat_unit_code.default(null),
    downloads_max: fields.downloads_max.default(null),
    access_days: fields.access_days.default(null),
    revocation_policy: fields.revocation_policy.default('full_refund'),
    sold_quantity_max: fields.sold_quantity_max.default(null),
    metadata: metadata.default({}),
    price: z
      .strictObject({
        amount: price.describe('Minor units; `0`: free of charge.'),
        currency: currency.optional().describe('The catalog’s, unless you say otherwise.'),
        compare_at_amount: price
          .nullable()
          .default(null)
          .describe('A former or usual price, more than the amount.'),
      })
      .nullable()
      .default(null)
      .describe('Its first price.'),
  }),
  errors: [
    'digital_catalog_archived',
    'catalog_category_not_found',
    'catalog_item_sku_taken',
    'catalog_item_barcode_taken',
    'catalog_item_parent_invalid',
    'catalog_item_option_values_invalid',
    'catalog_item_variant_exists',
    'catalog_item_variants_too_many',
    'catalog_item_components_invalid',
  ],
  example: body,
})

export const list = items.list({
  id: 'catalog_items.list',
  summary: 'List and search catalog items',
  description:
    '`query` finds by words of the name in any order, whatever their accents: one or two letters are a whole word, more the beginning of one.',
  filters: {
    status: status.optional().describe('Only what has this status.'),
    kind: kind.optional().describe('Only what is of this kind.'),
    category_id: uuid.optional().describe('Only what is in this category.'),
    variant_of: uuid.optional().describe('Only the variants of this item.'),
    query: freeText(200)
      .refine((text) => wordTerms(text).length > 0, 'must have a letter or a digit')
      .optional()
      .describe('A search: up to five words of the name, or their beginnings.'),
    sku: freeText(64).optional().describe('Only what has this sku.'),
    barcode: barcode.optional().describe('Only what has this barcode, whatever its leading zeros.'),
    metadata: metadataFilter,
  },
})

export const get = items.get({
  id: 'catalog_items.get',
  summary: 'Get a catalog item',
  description: 'It has no ETag: its price takes effect and ends by time.',
})

export const update = items.update({
  id: 'catalog_items.update',
  versioned: true,
  summary: 'Change a catalog item',
  description:
    'Fields that are left out stay. Kind, parent, parts and whether it has variants do not change, nor does an archived item.',
  fields,
  errors: [
    'catalog_item_archived',
    'catalog_item_sku_taken',
    'catalog_item_barcode_taken',
    'catalog_item_options_in_use',
    'catalog_category_not_found',
  ],
  example: { sku: null },
})

export const activate = items.move('activate', {
  id: 'catalog_items.activate',
  versioned: true,
  summary: 'Put a catalog item on sale',
  errors: ['catalog_item_active', 'catalog_item_archived'],
  example: { version: 3 },
})

export const deactivate = items.move('deactivate', {
  id: 'catalog_items.deactivate',
  versioned: true,
  summary: 'Take a catalog item off sale',
  description: 'Its variants and the bundles with it are not for sale either until it is active again.',
  errors: ['catalog_item_inactive', 'catalog_item_archived'],
  example: { status: 'inactive', version: 2 },
})

export const archive = items.move('archive', {
  id: 'catalog_items.archive',
  versioned: true,
  summary: 'Archive a catalog item',
  description: 'It stays readable and can be restored; another item may take its sku.',
  errors: ['catalog_item_archived'],
  example: { status: 'archived', version: 2 },
})

export const restore = items.move('restore', {
  id: 'catalog_items.restore',
  versioned: true,
  summary: 'Restore an archived catalog item',
  description: 'It is inactive until you put it on sale.',
  errors: [
    'catalog_item_not_archived',
    'catalog_item_sku_taken',
    'catalog_item_barcode_taken',
    'catalog_item_parent_invalid',
    'catalog_item_option_values_invalid',
    'catalog_item_variant_exists',
    'catalog_item_variants_too_many',
  ],
  example: { status: 'inactive', version: 3 },
})
