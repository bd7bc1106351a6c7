/** Processors' notifications of disputes, and reading disputes. Shapes: published-pure.ts. */
export { hearDisputes, heardOfDispute } from './hear.ts'
export { type DisputeRow, disputablePayment, disputeById, disputeByRef, takingDisputesOf } from './store.ts'
