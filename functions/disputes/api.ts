/** Processors' notifications of disputes, and reading disputes. Shapes: api-pure.ts. */

export { type DisputeRow, disputablePayment, disputeById, disputeByRef, takingDisputesOf } from './store.ts'
export { handleDisputeNotification, syncDisputes } from './sync.ts'
