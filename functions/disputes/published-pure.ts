/** What other areas' contracts may know of disputes: their shape. */
export { Dispute, exampleDispute } from './contract.ts'
export { presentDispute } from './present.ts'
