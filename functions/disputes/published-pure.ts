/** What other areas' contracts may import of disputes: their shape. */
export { Dispute, exampleDispute } from './contract.ts'
export { planReduced } from './plan-reduced.ts'
export { presentDispute } from './present.ts'
