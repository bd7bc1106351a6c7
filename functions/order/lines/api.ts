/** What sellers may read of what is bought. Shapes and arithmetic: api-pure.ts. */
export { itemsOf, type Selling } from './items.ts'
export { discountsOf } from './named-discounts.ts'
export { type DiscountText, discountsBeside, discountsFrom, discountsNamed, stockLeft } from './store.ts'
