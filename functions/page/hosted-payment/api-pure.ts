/** What contracts and plans of what is sold here may import: the terms of a sale. No I/O. */
export {
  CollectedDetailsShown,
  collectedShown,
  collectsAsked,
  collectsShown,
  presentCollected,
  presentCollects,
  presentDetails,
} from './collects.ts'
export {
  knownAfter,
  knownAsked,
  knownExample,
  knownOfNew,
  knownShown,
  presentKnown,
  unknownBuyer,
} from './known-buyer.ts'
export { addressesOf } from './plan-details.ts'
export {
  asksAfter,
  isSameTerms,
  presentTerms,
  problemOfTerms,
  type Terms,
  type TermsProblem,
  termsFrom,
  termsOf,
} from './plan-terms.ts'
export {
  customerErrors,
  returnUrl,
  termErrors,
  termsAsked,
  termsOfNew,
  termsShown,
  workspaceErrors,
} from './terms.ts'
