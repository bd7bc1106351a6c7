/** What other areas' plans may know of refunds: a refund of unapplied funds, as writes, events and a row to send. */
export { exampleRefund, Refund } from './contract.ts'
export { planFundsRefund, type Recorded, type RefundableFunds } from './plan.ts'
export { allowanceOf } from './plan-limit.ts'
export { presentRefund, type RefundReply } from './present.ts'
