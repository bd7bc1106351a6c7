/** What is bought and what it costs: lines with their IVA, discounts, tips, ways to send it. No I/O. */
export { discountCode, linesMax, orderAsked, orderExample, orderShown } from './contract.ts'
export {
  type AskedDiscount,
  type DiscountRow,
  discounted,
  discountsMax,
  type NamedDiscount,
  named,
  reasonAgainst,
  subtotalOf,
  sumOf,
} from './discounts.ts'
export { inQuantity, itemIdsOf, partsOf, priced, promisedBy, soldBy, takenBy } from './lines.ts'
export { presentOrder } from './present.ts'
export { shippedBy } from './shipping.ts'
export { taxesOf } from './taxes.ts'
export { noTip, type Tip } from './tips.ts'
export { judged, withExtras } from './total.ts'
