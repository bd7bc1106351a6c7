/** What contracts and plans of origins may import of payments: shapes and arithmetic, no I/O. */

export { examplePayment, outcomeTables, Payment } from './contract.ts'
export { exampleCard, PresentedCard } from './contract-card.ts'
export { exampleTaken, TakenPayment } from './contract-taken.ts'
export { type FeeSchedule, minimumAmount } from './fee-schedule.ts'
export type { OriginFacts } from './payment-origin.ts'
export { isClosed, planSubmission, type Submission } from './plan.ts'
export { type Payable, planApply, takesFunds } from './plan-apply.ts'
export { planCancelIntent } from './plan-authorization.ts'
export { planPresented, storedSubmission } from './plan-presented.ts'
export { type PushLimits, pushExpiry, scarceBelow, scarceDays } from './plan-push.ts'
export { takeFunds, type UnappliedOfPayment, type UnappliedTotals, unappliedOf } from './plan-unapplied.ts'
export { presentPayment, presentUnappliedFunds } from './present.ts'
export {
  buyerTotal,
  type DisputeFee,
  disputeFeeOf,
  feesOf,
  type InstallmentOffer,
  type InstallmentPricing,
  installmentOffers,
} from './pricing.ts'
export { satFormBy } from './sat-payment-form.ts'
export type { PaymentRow } from './store.ts'
