/** What other areas' plans may import of refunds: a refund of unapplied funds, as writes, events and a row to send. */
export { exampleRefund, outcome, Refund } from './contract.ts'
export { planFundsRefund, type Recorded, type RefundableFunds } from './plan.ts'
export { allowanceOf } from './plan-limit.ts'
export { answerOf, exceeds, type KnownMade, planMade } from './plan-made.ts'
export { planLookLater } from './plan-outcome.ts'
export { presentRefund, type RefundReply } from './present.ts'
