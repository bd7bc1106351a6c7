import { digitalCatalogs } from '../../../drizzle/schema/digital-catalogs.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, named, newRow } from '../../../src/kernel/changes.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { canMove } from '../../../src/kernel/lifecycle.ts'
import { paymentMethods } from '../../../src/kernel/payment-methods.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { catalogLifecycle } from './lifecycle.ts'
import { type Place, presentCatalog } from './present.ts'
import type { CatalogRow } from './store.ts'

type Create = BodyOf<typeof contracts.create>
type Update = BodyOf<typeof contracts.update>

const { created, changed } = changesOf(
  digitalCatalogs,
  'digital_catalog',
  (catalog: CatalogRow, place: Place) => presentCatalog(catalog, place.settings),
)

/** What a body names of a catalog, by the names of the row. */
const fieldsOf = (asked: Update) =>
  named({
    name: asked.name,
    description: asked.description,
    paymentMethodTypes: asked.payment_method_types,
    installmentMonths: asked.installment_options?.map(({ months }) => months).sort((a, b) => a - b),
    locationId: asked.location_id,
    isListedInSearch: asked.listed_in_search,
    metadata: asked.metadata,
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

export function planCreate(asked: Create, publicId: string, place: Place) {
  const row: CatalogRow = {
    ...(fieldsOf(asked) as Required<ReturnType<typeof fieldsOf>>),
    ...newRow(place),
    currency: asked.currency,
    publicId,
    status: 'draft',
  }
  return misfitOf(row.paymentMethodTypes, row.currency) ?? created(row, 'digital_catalog.created', place)
}

export function planUpdate(catalog: CatalogRow, asked: Update, place: Place) {
  if (catalog.status === 'archived') return refuse('digital_catalog_archived')
  const misfit = misfitOf(asked.payment_method_types ?? null, catalog.currency)
  return misfit ?? changed(catalog, fieldsOf(asked), 'digital_catalog.updated', place)
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
    return changed(catalog, { status: catalogLifecycle.moves[to].to }, moves[to], place)
  if (to === 'restore') return refuse('digital_catalog_not_archived')
  if (status === 'archived') return refuse('digital_catalog_archived')
  return refuse(to === 'publish' ? 'digital_catalog_published' : 'digital_catalog_not_published')
}
