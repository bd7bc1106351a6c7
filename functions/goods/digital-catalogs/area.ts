import type { Declaration } from '../../../src/http/declaration.ts'
import { tagName } from './contract.ts'
import { removal } from './contract-images.ts'
import { importBytesMax, importRowsMax } from './contract-imports.ts'
import { errors } from './errors.ts'
import { imageBytesMax, imagesMax } from './image.ts'
import { catalogLifecycle, categoryLifecycle, imageLifecycle, itemLifecycle } from './lifecycle.ts'

const invalidParent = { code: 'catalog_item_parent_invalid', param: 'variant_of' } as const

export const area: Declaration = {
  routes: [
    {
      at: [
        '/v1/digital-catalogs',
        '/v1/catalog-items',
        '/v1/catalog-images',
        '/v1/catalog-prices',
        '/v1/catalog-categories',
      ],
      by: 'operations.ts#operations',
    },
  ],
  publicFiles: ['catalog-images'],
  tags: [
    {
      at: 48,
      name: tagName,
      description:
        'What you sell online: files, license keys, access, vouchers, services, things and bundles of them, with their variants and prices. Only active items of a `published` catalog are for sale.',
    },
  ],
  nouns: {
    'digital-catalogs': 'digital catalog',
    'catalog-items': 'catalog item',
    'catalog-prices': 'catalog price',
    'catalog-categories': 'catalog category',
    'catalog-images': 'catalog image',
  },
  publishes: [removal],
  jobs: {
    catalog_images: {
      at: 176,
      runs: 'operations.ts#removeImages',
      table: 'catalog_images',
      due: 'd.remove_at <= $1',
      firstBy: 'remove_at',
    },
  },
  lookedUp: ['catalog_images'],
  kinds: {
    digital_catalog: { table: 'digital_catalogs', hasPublicIds: true, hasMetadata: true },
    catalog_item: { table: 'catalog_items', hasMetadata: true },
  },
  deadlines: [
    {
      table: 'catalog_prices',
      columns: ['starts_at', 'ends_at'],
      while: `exists (select from public.catalog_prices o where o.tenant_id = catalog_prices.tenant_id
        and o.item_id = catalog_prices.item_id and (o.starts_at > now() or o.ends_at > now()))`,
    },
    { table: 'catalog_images', columns: ['remove_at'] },
  ],
  lifecycles: [catalogLifecycle, itemLifecycle, categoryLifecycle, imageLifecycle],
  events: {
    digital_catalog: {
      scopes: ['digital_catalog:read'],
      shownBy: 'digital_catalogs.get',
      types: {
        created: { says: 'A digital catalog was created.', trigger: 'digital_catalogs.create' },
        updated: { says: 'A digital catalog was changed.', trigger: 'digital_catalogs.update' },
        published: { says: 'A digital catalog was published.', trigger: 'digital_catalogs.publish' },
        unpublished: {
          says: 'A published digital catalog is a draft again.',
          trigger: 'digital_catalogs.unpublish',
        },
        archived: { says: 'A digital catalog was archived.', trigger: 'digital_catalogs.archive' },
        restored: {
          says: 'An archived digital catalog was restored.',
          trigger: 'digital_catalogs.restore',
        },
      },
    },
    catalog_item: {
      scopes: ['digital_catalog:read'],
      shownBy: 'catalog_items.get',
      types: {
        created: { says: 'A catalog item was created.', trigger: 'catalog_items.create' },
        updated: { says: 'A catalog item was changed.', trigger: 'catalog_items.update' },
        activated: { says: 'A catalog item was put on sale.', trigger: 'catalog_items.activate' },
        deactivated: { says: 'A catalog item was taken off sale.', trigger: 'catalog_items.deactivate' },
        archived: { says: 'A catalog item was archived.', trigger: 'catalog_items.archive' },
        restored: { says: 'An archived catalog item was restored.', trigger: 'catalog_items.restore' },
      },
    },
    catalog_price: {
      scopes: ['digital_catalog:read'],
      shownBy: 'catalog_prices.get',
      types: {
        created: {
          says: 'A price of a catalog item was set, perhaps for later: `starts_at`.',
          trigger: 'catalog_prices.create',
        },
        ended: { says: 'A price of a catalog item was ended.', trigger: 'catalog_prices.end' },
      },
    },
    catalog_category: {
      scopes: ['digital_catalog:read'],
      shownBy: 'catalog_categories.get',
      types: {
        created: { says: 'A category was created.', trigger: 'catalog_categories.create' },
        updated: { says: 'A category was changed.', trigger: 'catalog_categories.update' },
        archived: { says: 'A category was archived.', trigger: 'catalog_categories.archive' },
        restored: { says: 'An archived category was restored.', trigger: 'catalog_categories.restore' },
      },
    },
  },
  errors,
  limits: {
    catalog_import_rows: { most: importRowsMax, unit: 'count', says: 'The rows of a file of items.' },
    catalog_import_file: { most: importBytesMax, unit: 'bytes', says: 'A file of items.' },
    catalog_item_variants: {
      most: 100,
      unit: 'count',
      says: 'The variants of a catalog item that are not archived.',
    },
    catalog_item_prices: {
      most: 100,
      unit: 'count',
      says: 'The prices of a catalog item that have not ended: of no location, and of each one.',
    },
    catalog_item_images: { most: imagesMax, unit: 'count', says: 'The images of a catalog item.' },
    catalog_image: { most: imageBytesMax, unit: 'bytes', says: 'The file of an image of a catalog item.' },
    catalog_categories: { most: 200, unit: 'count', says: 'The categories of a digital catalog.' },
  },
  constraints: {
    digital_catalogs_location: { code: 'location_not_found', param: 'location_id' },
    catalog_items_category: { code: 'catalog_category_not_found', param: 'category_id' },
    catalog_items_sku: { code: 'catalog_item_sku_taken', param: 'sku' },
    catalog_items_barcode: { code: 'catalog_item_barcode_taken', param: 'barcode' },
    catalog_prices_location: { code: 'location_not_found', param: 'location_id' },
    catalog_items_variants: { code: 'catalog_item_variant_exists', param: 'option_values' },
    catalog_items_variants_max: { code: 'catalog_item_variants_too_many', param: 'variant_of' },
    catalog_items_parent: invalidParent,
    catalog_items_parent_archived: invalidParent,
    catalog_items_variant_kind: invalidParent,
    catalog_items_option_values: { code: 'catalog_item_option_values_invalid', param: 'option_values' },
    catalog_items_options_in_use: { code: 'catalog_item_options_in_use', param: 'options' },
    catalog_categories_name: { code: 'catalog_category_name_taken', param: 'name' },
    catalog_categories_max: { code: 'catalog_categories_too_many' },
    catalog_prices_max: { code: 'catalog_prices_too_many' },
    catalog_items_components: { code: 'catalog_item_components_invalid', param: 'components' },
  },
  samples: {
    'digital_catalogs.unpublish': { after: ['digital_catalogs.publish'] },
    'digital_catalogs.restore': { after: ['digital_catalogs.archive'] },
    'catalog_items.create': { unique: ['sku'] },
    'catalog_items.activate': { after: ['catalog_items.deactivate'] },
    'catalog_categories.create': { unique: ['name'] },
    'catalog_categories.update': { other: { position: 3 } },
    'catalog_categories.restore': { after: ['catalog_categories.archive'] },
    'catalog_images.add': { other: { alt: 'Otra' } },
    'catalog_images.update': { other: { alt: 'Otra' } },
    'catalog_prices.create': { other: { amount: '29900' } },
    'catalog_imports.create': { other: { content: btoa('sku,name\nTAZA-2,Taza verde\n') } },
    'catalog_items.restore': { after: ['catalog_items.archive'] },
  },
}
