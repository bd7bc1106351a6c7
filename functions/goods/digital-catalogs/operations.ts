import { catalogImages } from '../../../drizzle/schema/digital-catalogs.ts'
import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { bytesOf, putFile, removesFiles } from '../../../src/http/stored-files.ts'
import { wordTerms } from '../../../src/kernel/fold.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { insert, isRefusal } from '../../../src/kernel/plan.ts'
import { describing } from '../../../src/kernel/stored-files.ts'
import { termSlots } from '../../../src/platform/searching.ts'
import * as contracts from './contract.ts'
import * as ofCategories from './contract-categories.ts'
import * as ofImages from './contract-images.ts'
import * as ofItems from './contract-items.ts'
import * as ofPrices from './contract-prices.ts'
import { checkImage } from './image.ts'
import { importOperations } from './operations-imports.ts'
import { planCreate, planMove, planUpdate } from './plan.ts'
import {
  planArchive as planCategoryArchive,
  planRestore as planCategoryRestore,
  planUpdate as planCategoryUpdate,
  planCreate as planNewCategory,
} from './plan-categories.ts'
import { planAddImage, planRemoveImage, planUpdateImage, refusalOfImage } from './plan-images.ts'
import {
  planMove as planItemMove,
  planUpdate as planItemUpdate,
  planCreate as planNewItem,
} from './plan-items.ts'
import { planEndPrice, planSetPrice } from './plan-prices.ts'
import { presentCatalog, presentCategory, presentItem, presentPrice } from './present.ts'
import {
  catalogAt,
  catalogsPage,
  categoriesOf,
  categoryById,
  imageById,
  itemById,
  itemOfImage,
  itemsPage,
  ofCatalogAt,
  priceById,
  pricesPage,
  soldItem,
} from './store.ts'

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
  values: ({ params, query }) => ({
    ...ofCatalogAt(params.catalog_id),
    ...termSlots(wordTerms(query.query ?? '')),
    at: new Date(),
  }),
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

const imagesFolder = 'catalog-images'
/** First a row that names the file, then the file, then the item that shows it. */
const addImage = operation(ofImages.add, async (call) => {
  const { body, publish, params, now } = call
  const [item] = await call.read(itemById({ id: params.id, at: now }))
  if (!item) return call.fail('catalog_item_not_found')
  const image = refusalOfImage(item) ?? checkImage(bytesOf(body.content))
  if (isRefusal(image)) return publish(image)
  const file = await putFile(call, imagesFolder, image, (row) =>
    insert(catalogImages, { ...row, itemId: item.id }),
  )
  return publish(planAddImage(item, file, { ...describing(image), alt: body.alt }, call))
})
const updateImage = operation(ofImages.update, async (call) => {
  const { image_id: id } = call.params
  const [item] = await call.read(itemOfImage({ image: id, at: call.now }))
  return item
    ? call.publish(planUpdateImage(item, id, call.body, call))
    : call.fail('catalog_image_not_found')
})
const removeImage = operation(ofImages.remove, async (call) => {
  const { image_id: id } = call.params
  const [[item], [file]] = await call.readAll(itemOfImage({ image: id, at: call.now }), imageById({ id }))
  return item && file ? call.publish(planRemoveImage(item, file, call)) : call.fail('catalog_image_not_found')
})

const setPrice = operation(ofPrices.create, async (call) => {
  const [item] = await call.read(soldItem(call.params))
  return item ? call.publish(planSetPrice(item, call.body, call)) : call.fail('catalog_item_not_found')
})
const listPrices = listOperation(ofPrices.list, pricesPage, presentPrice, {
  values: ({ params }) => ({ ofItem: params.id }),
  within: (params) => ({ query: soldItem(params), missing: 'catalog_item_not_found' }),
})
const getPrice = getOperation(ofPrices.get, priceById, presentPrice)
const endPrice = operation(ofPrices.end, async (call) => {
  const [price] = await call.read(priceById(call.params))
  return price ? call.publish(planEndPrice(price, call)) : call.fail('catalog_price_not_found')
})

const createCategory = operation(ofCategories.create, async (call) => {
  const [catalog] = await call.read(catalogAt(call.params.catalog_id))
  return catalog
    ? call.publish(planNewCategory(catalog, call.body, call))
    : call.fail('digital_catalog_not_found')
})
const listCategories = operation(ofCategories.list, async ({ params, readAll, fail }) => {
  const [[catalog], categories] = await readAll(catalogAt(params.catalog_id), categoriesOf(params.catalog_id))
  return catalog
    ? { object: 'list' as const, data: categories.map(presentCategory), has_more: false, next_cursor: '' }
    : fail('digital_catalog_not_found')
})
const getCategory = getOperation(ofCategories.get, categoryById, presentCategory)
const updateCategory = operation(ofCategories.update, async (call) => {
  const [category] = await call.read(categoryById(call.params))
  return category
    ? call.publish(planCategoryUpdate(category, call.body, call))
    : call.fail('catalog_category_not_found')
})
const movesCategory = (
  declared: typeof ofCategories.archive,
  plan: typeof planCategoryArchive | typeof planCategoryRestore,
) =>
  operation(declared, async (call) => {
    const [category] = await call.read(categoryById(call.params))
    return category ? call.publish(plan(category, call)) : call.fail('catalog_category_not_found')
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
  addImage,
  updateImage,
  removeImage,
  setPrice,
  listPrices,
  getPrice,
  endPrice,
  createCategory,
  listCategories,
  getCategory,
  updateCategory,
  movesCategory(ofCategories.archive, planCategoryArchive),
  movesCategory(ofCategories.restore, planCategoryRestore),
  ...importOperations,
]

/** Scheduled: removes files of images that no item shows any more, or ever did. */
export const removeImages = removesFiles('catalog_images', {
  folder: imagesFolder,
  table: catalogImages,
  removal: ofImages.removal,
  byId: imageById,
})
