/** What contracts and plans of what is sold here may import: the terms of a sale. No I/O. */
export {
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
  termErrors,
  termsAsked,
  termsOfNew,
  termsShown,
  workspaceErrors,
} from './terms.ts'
