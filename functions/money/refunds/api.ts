/** Refunds of unapplied funds, and the reports of processors and banks on refunds. Plans: api-pure.ts. */
export { resolveRefunds } from './reconcile.ts'
export { cancelWaitingRefunds, handleRefundNotification, sendRefund } from './send.ts'
export {
  paymentOfAttempt,
  type RefundRow,
  refundablePayment,
  refundById,
  refundByRef,
  type TakenPayment,
} from './store.ts'
export { ofWholeRefund, planWholeRefund } from './whole.ts'
