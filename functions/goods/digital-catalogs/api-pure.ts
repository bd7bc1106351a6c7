/** What contracts and plans of other areas may import of catalogs. */
export { barcode, measure } from './contract-counter.ts'
export { CatalogItem, exampleItem } from './contract-items.ts'
export { pagePath, presentItem } from './present.ts'
export { isSameBarcode, isSoldAsItIs } from './sale.ts'
export type { CatalogRow, CategoryRow, ItemForSale, ItemRow, PricedItem, PriceRow } from './store.ts'
