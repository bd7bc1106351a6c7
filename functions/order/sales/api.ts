/** The queries that sellers share. Shapes and arithmetic: api-pure.ts. */
export {
  type Beside,
  collectedOf,
  type DetailsRow,
  detailsPage,
  livePaymentOf,
  queriesOf,
  saleList,
} from './store.ts'
