import { catalogImages } from '../../../drizzle/schema/digital-catalogs.ts'
import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { putFile, removesFiles } from '../../../src/http/stored-files.ts'
import { bytesOf } from '../../../src/kernel/base64.ts'
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
import { barcodeKey } from './sale.ts'
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

const catalogOf = ({ catalog_id: ref }: { readonly catalog_id: string }) => catalogAt(ref)
const movesCatalog = (declared: typeof contracts.publish, move: Parameters<typeof planMove>[1]) =>
  changeOperation(declared, catalogOf, (catalog, call) => planMove(catalog, move, call))

const pricedItem = ({ id }: { readonly id: string }, { now }: { readonly now: Date }) =>
  itemById({ id, at: now })
const listItems = listOperation(ofItems.list, itemsPage, presentItem, {
  values: ({ params, query }) => ({
    ...ofCatalogAt(params.catalog_id),
    ...termSlots(wordTerms(query.query ?? '')),
    ...(query.barcode === undefined ? {} : { barcodeKey: barcodeKey(query.barcode) }),
    at: new Date(),
  }),
  within: ({ catalog_id: ref }) => ({ query: catalogAt(ref), missing: 'digital_catalog_not_found' }),
})
const movesItem = (declared: typeof ofItems.activate, move: Parameters<typeof planItemMove>[1]) =>
  changeOperation(declared, pricedItem, (item, call) => planItemMove(item, move, call))

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
const removeImage = operation(ofImages.remove, async (call) => {
  const { image_id: id } = call.params
  const [[item], [file]] = await call.readAll(itemOfImage({ image: id, at: call.now }), imageById({ id }))
  return item && file ? call.publish(planRemoveImage(item, file, call)) : call.fail('catalog_image_not_found')
})

const listPrices = listOperation(ofPrices.list, pricesPage, presentPrice, {
  values: ({ params }) => ({ ofItem: params.id }),
  within: (params) => ({ query: soldItem(params), missing: 'catalog_item_not_found' }),
})
const listCategories = operation(ofCategories.list, async ({ params, readAll, fail }) => {
  const [[catalog], categories] = await readAll(catalogAt(params.catalog_id), categoriesOf(params.catalog_id))
  return catalog
    ? { object: 'list' as const, data: categories.map(presentCategory), has_more: false, next_cursor: '' }
    : fail('digital_catalog_not_found')
})
export const operations = [
  operation(contracts.create, (call) => call.publish(planCreate(call.body, publicId('scat'), call))),
  listOperation(contracts.list, catalogsPage, presentCatalog),
  getOperation(contracts.get, catalogOf, presentCatalog),
  changeOperation(contracts.update, catalogOf, (catalog, call) => planUpdate(catalog, call.body, call)),
  movesCatalog(contracts.publish, 'publish'),
  movesCatalog(contracts.unpublish, 'unpublish'),
  movesCatalog(contracts.archive, 'archive'),
  movesCatalog(contracts.restore, 'restore'),
  changeOperation(ofItems.create, catalogOf, (catalog, call) => planNewItem(catalog, call.body, call)),
  listItems,
  getOperation(ofItems.get, pricedItem, presentItem),
  changeOperation(ofItems.update, pricedItem, (item, call) => planItemUpdate(item, call.body, call)),
  movesItem(ofItems.activate, 'activate'),
  movesItem(ofItems.deactivate, 'deactivate'),
  movesItem(ofItems.archive, 'archive'),
  movesItem(ofItems.restore, 'restore'),
  addImage,
  changeOperation(
    ofImages.update,
    ({ image_id: image }, { now }) => itemOfImage({ image, at: now }),
    (item, call) => planUpdateImage(item, call.params.image_id, call.body, call),
  ),
  removeImage,
  changeOperation(ofPrices.create, soldItem, (item, call) => planSetPrice(item, call.body, call)),
  listPrices,
  getOperation(ofPrices.get, priceById, presentPrice),
  changeOperation(ofPrices.end, priceById, planEndPrice),
  changeOperation(ofCategories.create, catalogOf, (catalog, call) =>
    planNewCategory(catalog, call.body, call),
  ),
  listCategories,
  getOperation(ofCategories.get, categoryById, presentCategory),
  changeOperation(ofCategories.update, categoryById, (category, call) =>
    planCategoryUpdate(category, call.body, call),
  ),
  changeOperation(ofCategories.archive, categoryById, planCategoryArchive),
  changeOperation(ofCategories.restore, categoryById, planCategoryRestore),
  ...importOperations,
]

/** Scheduled: removes files of images that no item shows any more, or ever did. */
export const removeImages = removesFiles('catalog_images', {
  folder: imagesFolder,
  table: catalogImages,
  removal: ofImages.removal,
  byId: imageById,
})
