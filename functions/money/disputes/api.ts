/** Processors' notifications of disputes, and reading disputes. Shapes: api-pure.ts. */

export {
  type DisputeRow,
  disputablePayment,
  disputeById,
  disputeByRef,
  fraudWarningByRef,
  takingDisputesOf,
} from './store.ts'
export { handleDisputeNotification, syncDisputes } from './sync.ts'
export { handleFraudWarning } from './sync-fraud.ts'
