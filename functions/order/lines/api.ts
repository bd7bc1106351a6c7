/** What sellers may read of what is bought. Shapes and arithmetic: api-pure.ts. */
export { discountsOf, itemsOf } from './reading.ts'
export { discountsNamed, stockLeft } from './store.ts'
