/** What other areas' plans may import of refunds: a refund of unapplied funds, as writes, events and a row to send. */
export { exampleRefund, outcome, Refund } from './contract.ts'
export { planFundsRefund, type Recorded, type RefundableFunds } from './plan.ts'
export { answerOf, type ExternalRefundContext, exceeds, planExternalRefund } from './plan-external.ts'
export { spendLimitOf } from './plan-limit.ts'
export { planNextPoll } from './plan-outcome.ts'
export { presentRefund, type RefundReply } from './present.ts'
