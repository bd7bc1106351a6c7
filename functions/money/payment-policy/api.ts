/** What origins and pages may use of the payment policy. The judge and its shapes: api-pure.ts. */
export {
  fieldsNow,
  lastRefundDay,
  offeredNow,
  publishUnderPolicy,
  statesNow,
  underCurrentPolicy,
} from './governing.ts'
export {
  currentLevelsOf,
  currentPolicy,
  type Levels,
  levelsBeside,
  levelsOfPayment,
  levelsOfSale,
} from './store.ts'
