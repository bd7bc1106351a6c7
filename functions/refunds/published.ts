/** Refunds of unapplied funds, and the reports of processors and banks on refunds. Plans: published-pure.ts. */
export { giveWay, heardOfRefund, sendRefund } from './send.ts'
export {
  paymentOfAttempt,
  type RefundRow,
  refundablePayment,
  refundById,
  refundByRef,
  type TakenPayment,
} from './store.ts'
