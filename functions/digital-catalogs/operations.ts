import { operation } from '../../src/http/operation.ts'
import { getOperation, listOperation } from '../../src/http/reads.ts'
import { publicId } from '../../src/kernel/ids.ts'
import * as contracts from './contract.ts'
import * as ofItems from './contract-items.ts'
import { planCreate, planMove, planUpdate } from './plan.ts'
import {
  planMove as planItemMove,
  planUpdate as planItemUpdate,
  planCreate as planNewItem,
} from './plan-items.ts'
import { presentCatalog, presentItem } from './present.ts'
import { catalogAt, catalogsPage, itemById, itemsPage, ofCatalogAt } from './store.ts'

const createCatalog = operation(contracts.create, (call) =>
  call.publish(planCreate(call.body, publicId('scat'), call)),
)
const listCatalogs = listOperation(contracts.list, catalogsPage, presentCatalog)
const getCatalog = getOperation(contracts.get, ({ catalog_id: ref }) => catalogAt(ref), presentCatalog)
const updateCatalog = operation(contracts.update, async (call) => {
  const [catalog] = await call.read(catalogAt(call.params.catalog_id))
  return catalog ? call.publish(planUpdate(catalog, call.body, call)) : call.fail('digital_catalog_not_found')
})
const movesCatalog = (declared: typeof contracts.publish, move: Parameters<typeof planMove>[1]) =>
  operation(declared, async (call) => {
    const [catalog] = await call.read(catalogAt(call.params.catalog_id))
    return catalog ? call.publish(planMove(catalog, move, call)) : call.fail('digital_catalog_not_found')
  })

const createItem = operation(ofItems.create, async (call) => {
  const [catalog] = await call.read(catalogAt(call.params.catalog_id))
  return catalog
    ? call.publish(planNewItem(catalog, call.body, call))
    : call.fail('digital_catalog_not_found')
})
const listItems = listOperation(ofItems.list, itemsPage, presentItem, {
  values: ({ params }) => ({ ...ofCatalogAt(params.catalog_id), at: new Date() }),
  within: ({ catalog_id: ref }) => ({ query: catalogAt(ref), missing: 'digital_catalog_not_found' }),
})
const getItem = getOperation(ofItems.get, ({ id }) => itemById({ id, at: new Date() }), presentItem)
const updateItem = operation(ofItems.update, async (call) => {
  const [item] = await call.read(itemById({ id: call.params.id, at: call.now }))
  return item ? call.publish(planItemUpdate(item, call.body, call)) : call.fail('catalog_item_not_found')
})
const movesItem = (declared: typeof ofItems.activate, move: Parameters<typeof planItemMove>[1]) =>
  operation(declared, async (call) => {
    const [item] = await call.read(itemById({ id: call.params.id, at: call.now }))
    return item ? call.publish(planItemMove(item, move, call)) : call.fail('catalog_item_not_found')
  })

export const operations = [
  createCatalog,
  listCatalogs,
  getCatalog,
  updateCatalog,
  movesCatalog(contracts.publish, 'publish'),
  movesCatalog(contracts.unpublish, 'unpublish'),
  movesCatalog(contracts.archive, 'archive'),
  movesCatalog(contracts.restore, 'restore'),
  createItem,
  listItems,
  getItem,
  updateItem,
  movesItem(ofItems.activate, 'activate'),
  movesItem(ofItems.deactivate, 'deactivate'),
  movesItem(ofItems.archive, 'archive'),
  movesItem(ofItems.restore, 'restore'),
]
