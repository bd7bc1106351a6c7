/** What other areas may run of catalogs: what is for sale, at which price. Shapes and arithmetic: api-pure.ts. */
export {
  categoriesOf,
  itemById,
  itemsForSale,
  ofCatalogAt,
  shownItems,
  variantsForSale,
} from './store.ts'
