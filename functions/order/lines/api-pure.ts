/** What is bought and what it costs: lines with their IVA, discounts, tips, ways to send it. No I/O. */
export {
  type Adjust,
  type Adjustable,
  type AdjustableLine,
  type AdjustableTip,
  type Adjustment,
  type AdjustmentProblem,
  adjustmentProblems,
  type Unchanged,
} from './adjustable.ts'
export { adjusted, inChoice } from './adjusting.ts'
export {
  codeIn,
  countedLinesAsked,
  discountCode,
  fixedLinesAsked,
  itemLinesAsked,
  itemLinesWith,
  linesMax,
  orderAsked,
  orderExample,
  orderShown,
  plainLinesShown,
} from './contract.ts'
export {
  type AskedDiscount,
  type DiscountRow,
  discounted,
  discountsMax,
  type NamedDiscount,
  named,
  stillOf,
  subtotalOf,
  sumOf,
} from './discounts.ts'
export {
  type AskedItem,
  type Bought,
  type Chosen,
  lineOf,
  linesAlone,
  partsOf,
  priced,
  problemOfKinds,
  promisedBy,
  type Sold,
  soldBy,
  takenBy,
} from './lines.ts'
export { asksForOne } from './made-up.ts'
export { namesOf } from './names.ts'
export { adjustableOf, chosenAs, orderOf, soldAs } from './parts.ts'
export { presentOrder } from './present.ts'
export { shippedBy } from './shipping.ts'
export { isScarce, isShort, type Shortage, shortageOf, type WantedLine } from './shortage.ts'
export { taxesOf } from './taxes.ts'
export { noTip, tipBpsMax, tipped } from './tips.ts'
export { isFreeOfCharge, judged, withExtras } from './total.ts'
