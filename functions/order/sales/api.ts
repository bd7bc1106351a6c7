/** The queries that sellers share. Shapes and arithmetic: api-pure.ts. */
export { collectedOf, type DetailsRow, detailsPage } from './store.ts'
