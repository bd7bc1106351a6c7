import { catalogCategories } from '../../../drizzle/schema/digital-catalogs.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, named, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract-categories.ts'
import { presentCategory } from './present.ts'
import type { CatalogRow, CategoryRow } from './store.ts'

const { created, changed } = changesOf(catalogCategories, 'catalog_category', presentCategory)

export const planCreate = (catalog: CatalogRow, asked: BodyOf<typeof contracts.create>, clock: Clock) =>
  catalog.status === 'archived'
    ? refuse('digital_catalog_archived')
    : created(
        { ...asked, ...newRow(clock), catalogId: catalog.id, status: 'active' },
        'catalog_category.created',
        clock,
      )

export const planUpdate = (category: CategoryRow, asked: BodyOf<typeof contracts.update>, clock: Clock) =>
  category.status === 'archived'
    ? refuse('catalog_category_archived')
    : changed(category, named(asked), 'catalog_category.updated', clock)

export const planArchive = (category: CategoryRow, clock: Clock) =>
  category.status === 'archived'
    ? refuse('catalog_category_archived')
    : changed(category, { status: 'archived' }, 'catalog_category.archived', clock)

export const planRestore = (category: CategoryRow, clock: Clock) =>
  category.status === 'active'
    ? refuse('catalog_category_not_archived')
    : changed(category, { status: 'active' }, 'catalog_category.restored', clock)
