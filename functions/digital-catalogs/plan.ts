import type * as z from 'zod'
import { digitalCatalogs } from '../../drizzle/schema/digital-catalogs.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { EventType } from '../../src/kernel/event-types.ts'
import { event } from '../../src/kernel/events.ts'
import { canMove } from '../../src/kernel/lifecycle.ts'
import { change, insert, type Plan, refuse } from '../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { catalogLifecycle } from './lifecycle.ts'
import { presentCatalog } from './present.ts'
import type { CatalogRow } from './store.ts'

const about = ({ id }: CatalogRow) => ({ type: 'digital_catalog', id })

export function planCreate(
  asked: z.output<NonNullable<typeof contracts.create.body>>,
  publicId: string,
  { now, newId }: Clock,
) {
  const row: CatalogRow = {
    ...asked,
    id: newId(),
    publicId,
    status: 'draft',
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const reply = presentCatalog(row)
  return {
    writes: [insert(digitalCatalogs, row)],
    events: [event(newId(), 'digital_catalog.created', about(row), reply)],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}

export const planUpdate = (
  catalog: CatalogRow,
  asked: z.output<NonNullable<typeof contracts.update.body>>,
  clock: Clock,
) =>
  catalog.status === 'archived'
    ? refuse('digital_catalog_archived')
    : planChange(catalog, asked as Partial<CatalogRow>, 'digital_catalog.updated', clock)

const moves = {
  publish: 'digital_catalog.published',
  unpublish: 'digital_catalog.unpublished',
  archive: 'digital_catalog.archived',
  restore: 'digital_catalog.restored',
} as const satisfies Record<keyof typeof catalogLifecycle.moves, EventType>

export function planMove(catalog: CatalogRow, to: keyof typeof moves, clock: Clock) {
  const { status } = catalog
  if (canMove(catalogLifecycle, status, to))
    return planChange(catalog, { status: catalogLifecycle.moves[to].to }, moves[to], clock)
  if (to === 'restore') return refuse('digital_catalog_not_archived')
  if (status === 'archived') return refuse('digital_catalog_archived')
  return refuse(to === 'publish' ? 'digital_catalog_published' : 'digital_catalog_not_published')
}

function planChange(catalog: CatalogRow, patch: Partial<CatalogRow>, type: EventType, { now, newId }: Clock) {
  const after = presentCatalog({ ...catalog, ...patch, version: catalog.version + 1, updatedAt: now })
  return {
    writes: [change(digitalCatalogs, catalog, { ...patch, updatedAt: now })],
    events: [event(newId(), type, about(catalog), after, presentCatalog(catalog))],
    reply: after,
  } satisfies Plan<unknown>
}
