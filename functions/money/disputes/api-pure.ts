/** What other areas' contracts may import of disputes: their shape. */
export { Dispute, exampleDispute } from './contract.ts'
export { exampleFraudWarning, FraudWarning } from './contract-fraud.ts'
export { planHoldDecreased } from './plan-hold.ts'
export { presentDispute } from './present.ts'
export { presentFraudWarning } from './present-fraud.ts'
export { isInquiry } from './standing.ts'
