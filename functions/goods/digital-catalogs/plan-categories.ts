import type * as z from 'zod'
import { catalogCategories } from '../../../drizzle/schema/digital-catalogs.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract-categories.ts'
import { presentCategory } from './present.ts'
import type { CatalogRow, CategoryRow } from './store.ts'

const about = ({ id }: CategoryRow) => ({ type: 'catalog_category', id })

export function planCreate(
  catalog: CatalogRow,
  asked: z.output<NonNullable<typeof contracts.create.body>>,
  { now, newId }: Clock,
) {
  if (catalog.status === 'archived') return refuse('digital_catalog_archived')
  const row: CategoryRow = {
    ...asked,
    id: newId(),
    catalogId: catalog.id,
    status: 'active',
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const reply = presentCategory(row)
  return {
    writes: [insert(catalogCategories, row)],
    events: [event(newId(), 'catalog_category.created', about(row), reply)],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}

export const planUpdate = (
  category: CategoryRow,
  asked: z.output<NonNullable<typeof contracts.update.body>>,
  clock: Clock,
) =>
  category.status === 'archived'
    ? refuse('catalog_category_archived')
    : planChange(category, asked as Partial<CategoryRow>, 'catalog_category.updated', clock)

export const planArchive = (category: CategoryRow, clock: Clock) =>
  category.status === 'archived'
    ? refuse('catalog_category_archived')
    : planChange(category, { status: 'archived' }, 'catalog_category.archived', clock)

export const planRestore = (category: CategoryRow, clock: Clock) =>
  category.status === 'active'
    ? refuse('catalog_category_not_archived')
    : planChange(category, { status: 'active' }, 'catalog_category.restored', clock)

function planChange(
  category: CategoryRow,
  patch: Partial<CategoryRow>,
  type: EventType,
  { now, newId }: Clock,
) {
  const after = presentCategory({ ...category, ...patch, version: category.version + 1, updatedAt: now })
  return {
    writes: [change(catalogCategories, category, { ...patch, updatedAt: now })],
    events: [event(newId(), type, about(category), after, presentCategory(category))],
    reply: after,
  } satisfies Plan<unknown>
}
