/** The queries that sellers share. Shapes and arithmetic: api-pure.ts. */
export {
  type Beside,
  collectedOf,
  type DetailsRow,
  detailsPage,
  type ForSale,
  livePaymentOf,
  merchantColumns,
  queriesOf,
  type Seller,
  saleList,
  sellerBeside,
} from './store.ts'
