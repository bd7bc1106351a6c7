import type { Declaration } from '../../src/http/declaration.ts'
import { tagName } from './contract.ts'
import { errors } from './errors.ts'
import { catalogLifecycle, categoryLifecycle, itemLifecycle } from './lifecycle.ts'

const invalidParent = { code: 'catalog_item_parent_invalid', param: 'variant_of' } as const

export const area: Declaration = {
  tags: [
    {
      at: 48,
      name: tagName,
      description:
        'What you sell online: files, licence keys, access, vouchers, services, things and bundles of them, with their variants and prices. Only active items of a `published` catalogue are for sale.',
    },
  ],
  nouns: { 'digital-catalogs': 'digital catalogue', items: 'catalogue item' },
  kinds: {
    digital_catalog: { table: 'digital_catalogs', hasPublicIds: true, hasMetadata: true },
    catalog_item: { table: 'catalog_items', hasMetadata: true },
  },
  lifecycles: [catalogLifecycle, itemLifecycle, categoryLifecycle],
  events: {
    digital_catalog: {
      scopes: ['digital_catalog:read'],
      shownBy: 'digital_catalogs.get',
      types: {
        created: { says: 'A digital catalogue was created.', trigger: 'digital_catalogs.create' },
        updated: { says: 'A digital catalogue was changed.', trigger: 'digital_catalogs.update' },
        published: { says: 'A digital catalogue was published.', trigger: 'digital_catalogs.publish' },
        unpublished: {
          says: 'A published digital catalogue is a draft again.',
          trigger: 'digital_catalogs.unpublish',
        },
        archived: { says: 'A digital catalogue was archived.', trigger: 'digital_catalogs.archive' },
        restored: {
          says: 'An archived digital catalogue was restored.',
          trigger: 'digital_catalogs.restore',
        },
      },
    },
    catalog_item: {
      scopes: ['digital_catalog:read'],
      shownBy: 'catalog_items.get',
      types: {
        created: { says: 'A catalogue item was created.', trigger: 'catalog_items.create' },
        updated: { says: 'A catalogue item was changed.', trigger: 'catalog_items.update' },
        activated: { says: 'A catalogue item was put on sale.', trigger: 'catalog_items.activate' },
        deactivated: { says: 'A catalogue item was taken off sale.', trigger: 'catalog_items.deactivate' },
        archived: { says: 'A catalogue item was archived.', trigger: 'catalog_items.archive' },
        restored: { says: 'An archived catalogue item was restored.', trigger: 'catalog_items.restore' },
      },
    },
  },
  errors,
  constraints: {
    catalog_items_category: { code: 'catalog_category_not_found', param: 'category_id' },
    catalog_items_sku: { code: 'catalog_item_sku_taken', param: 'sku' },
    catalog_items_variants: { code: 'catalog_item_variant_exists', param: 'option_values' },
    catalog_items_variants_max: { code: 'catalog_item_variants_too_many', param: 'variant_of' },
    catalog_items_parent: invalidParent,
    catalog_items_parent_archived: invalidParent,
    catalog_items_variant_kind: invalidParent,
    catalog_items_option_values: { code: 'catalog_item_option_values_invalid', param: 'option_values' },
    catalog_items_options_in_use: { code: 'catalog_item_options_in_use', param: 'options' },
    catalog_items_components: { code: 'catalog_item_components_invalid', param: 'components' },
  },
  samples: {
    'digital_catalogs.unpublish': { after: ['digital_catalogs.publish'] },
    'digital_catalogs.restore': { after: ['digital_catalogs.archive'] },
    'catalog_items.create': { unique: ['sku'] },
    'catalog_items.activate': { after: ['catalog_items.deactivate'] },
    'catalog_items.restore': { after: ['catalog_items.archive'] },
  },
}
