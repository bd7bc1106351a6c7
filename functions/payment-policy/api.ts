/** What origins and pages may use of the payment policy. The judge and its shapes: api-pure.ts. */
export { lastRefundDay, offeredNow, publishUnderPolicy, underCurrentPolicy } from './governing.ts'
export { currentLevelsOf, type Levels, levelsOfPayment, levelsOfSale } from './store.ts'
