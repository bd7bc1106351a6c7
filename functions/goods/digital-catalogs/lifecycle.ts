import { lifecycle } from '../../../src/kernel/lifecycle.ts'
import { fileLifecycle } from '../../../src/kernel/stored-files.ts'

/** Only what is in a `published` catalog is for sale. */
export const catalogLifecycle = lifecycle({
  resource: 'digital_catalogs',
  initial: ['draft'],
  moves: {
    publish: { from: ['draft'], to: 'published' },
    unpublish: { from: ['published'], to: 'draft' },
    archive: { from: ['draft', 'published'], to: 'archived' },
    restore: { from: ['archived'], to: 'draft' },
  },
})

export const itemLifecycle = lifecycle({
  resource: 'catalog_items',
  initial: ['active', 'inactive'],
  moves: {
    deactivate: { from: ['active'], to: 'inactive' },
    activate: { from: ['inactive'], to: 'active' },
    archive: { from: ['active', 'inactive'], to: 'archived' },
    restore: { from: ['archived'], to: 'inactive' },
  },
})

export const categoryLifecycle = lifecycle({
  resource: 'catalog_categories',
  initial: ['active'],
  moves: {
    archive: { from: ['active'], to: 'archived' },
    restore: { from: ['archived'], to: 'active' },
  },
})

export const imageLifecycle = fileLifecycle('catalog_images')
