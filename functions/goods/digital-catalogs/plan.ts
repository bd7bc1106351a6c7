import type * as z from 'zod'
import { digitalCatalogs } from '../../../drizzle/schema/digital-catalogs.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { canMove } from '../../../src/kernel/lifecycle.ts'
import { paymentMethods } from '../../../src/kernel/payment-methods.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { catalogLifecycle } from './lifecycle.ts'
import { type Place, presentCatalog } from './present.ts'
import type { CatalogRow } from './store.ts'

type Create = z.output<NonNullable<typeof contracts.create.body>>
type Update = z.output<NonNullable<typeof contracts.update.body>>

const about = ({ id }: CatalogRow) => ({ type: 'digital_catalog', id })

/** What a body names of a catalog, by the names of the row. */
const fieldsOf = (asked: Update): Partial<CatalogRow> => ({
  ...(asked.name === undefined ? {} : { name: asked.name }),
  ...(asked.description === undefined ? {} : { description: asked.description }),
  ...(asked.payment_method_types === undefined ? {} : { paymentMethodTypes: asked.payment_method_types }),
  ...(asked.installment_options === undefined
    ? {}
    : { installmentMonths: asked.installment_options.map(({ months }) => months).sort((a, b) => a - b) }),
  ...(asked.location_id === undefined ? {} : { locationId: asked.location_id }),
  ...(asked.listed_in_search === undefined ? {} : { isListedInSearch: asked.listed_in_search }),
  ...(asked.metadata === undefined ? {} : { metadata: asked.metadata }),
})

/** A method that never takes the catalog's currency. */
function misfitOf(methods: CatalogRow['paymentMethodTypes'], currency: string) {
  const at = (methods ?? []).findIndex((method) => (paymentMethods[method].currency ?? currency) !== currency)
  if (at < 0) return null
  const { currency: only } = paymentMethods[methods![at]!]
  return refuse('payment_method_unavailable', {
    param: `payment_method_types.${at}`,
    message: `${methods![at]} needs the currency ${only}.`,
  })
}

export function planCreate(asked: Create, publicId: string, { now, newId, settings }: Place) {
  const row: CatalogRow = {
    ...(fieldsOf(asked) as Omit<CatalogRow, 'id' | 'publicId'>),
    currency: asked.currency,
    id: newId(),
    publicId,
    status: 'draft',
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const misfit = misfitOf(row.paymentMethodTypes, row.currency)
  if (misfit) return misfit
  const reply = presentCatalog(row, settings)
  return {
    writes: [insert(digitalCatalogs, row)],
    events: [event(newId(), 'digital_catalog.created', about(row), reply)],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}

export function planUpdate(catalog: CatalogRow, asked: Update, place: Place) {
  if (catalog.status === 'archived') return refuse('digital_catalog_archived')
  const misfit = misfitOf(asked.payment_method_types ?? null, catalog.currency)
  return misfit ?? planChange(catalog, fieldsOf(asked), 'digital_catalog.updated', place)
}

const moves = {
  publish: 'digital_catalog.published',
  unpublish: 'digital_catalog.unpublished',
  archive: 'digital_catalog.archived',
  restore: 'digital_catalog.restored',
} as const satisfies Record<keyof typeof catalogLifecycle.moves, EventType>

export function planMove(catalog: CatalogRow, to: keyof typeof moves, place: Place) {
  const { status } = catalog
  if (canMove(catalogLifecycle, status, to))
    return planChange(catalog, { status: catalogLifecycle.moves[to].to }, moves[to], place)
  if (to === 'restore') return refuse('digital_catalog_not_archived')
  if (status === 'archived') return refuse('digital_catalog_archived')
  return refuse(to === 'publish' ? 'digital_catalog_published' : 'digital_catalog_not_published')
}

function planChange(
  catalog: CatalogRow,
  patch: Partial<CatalogRow>,
  type: EventType,
  { now, newId, settings }: Place,
) {
  const changed = { ...catalog, ...patch, version: catalog.version + 1, updatedAt: now }
  const after = presentCatalog(changed, settings)
  return {
    writes: [change(digitalCatalogs, catalog, { ...patch, updatedAt: now })],
    events: [event(newId(), type, about(catalog), after, presentCatalog(catalog, settings))],
    reply: after,
  } satisfies Plan<unknown>
}
