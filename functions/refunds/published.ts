/** Refunds of money that is not a payment's, and what processors and banks tell of refunds. Plans: published-pure.ts. */
export { giveWay, heardOfRefund, sendRefund } from './send.ts'
export {
  paymentOfAttempt,
  type RefundRow,
  refundablePayment,
  refundById,
  refundByRef,
  type TakenPayment,
} from './store.ts'
