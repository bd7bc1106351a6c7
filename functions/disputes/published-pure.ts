/** What other areas' contracts may know of disputes: their shape. */
export { Dispute, exampleDispute } from './contract.ts'
export { planReduced } from './plan-reduced.ts'
export { presentDispute } from './present.ts'
