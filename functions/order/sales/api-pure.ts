/** How a sale may be paid, whom it knows and what it asks of its buyer. No I/O. */
export {
  collectedShown,
  collectsAsked,
  collectsShown,
  presentCollected,
  presentCollects,
  presentDetails,
} from './collects.ts'
export { collectedListed } from './contract-collected.ts'
export {
  knownAfter,
  knownAsked,
  knownExample,
  knownOfNew,
  knownShown,
  presentKnown,
  unknownBuyer,
} from './known-buyer.ts'
export { addressesOf, besideOf } from './plan-details.ts'
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
