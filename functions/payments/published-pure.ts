/** What the contracts and plans of surfaces may know of payments: shapes and arithmetic, nothing that runs. */
export { examplePayment, Payment, paymentStatuses } from './contract.ts'
export { type FeeSchedule, minimumAmount } from './fee-schedule.ts'
export { isClosed } from './plan.ts'
export { type Payable, planApply, takesFunds } from './plan-apply.ts'
export { presentPayment } from './present.ts'
export { presentUnappliedFunds } from './present-unapplied.ts'
export { buyerTotal, type InstallmentPricing, installmentOffers } from './pricing.ts'
export type { PaymentRow } from './store.ts'
