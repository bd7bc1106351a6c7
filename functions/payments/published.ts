/** The one way to take money, and what surfaces may read of it. */
export { examplePayment, Payment, paymentStatuses } from './contract.ts'
export { type FeeSchedule, minimumAmount } from './fee-schedule.ts'
export { heardOf } from './janitor.ts'
export type { Clock, Order } from './plan.ts'
export { presentPayment } from './present.ts'
export { buyerTotal, type InstallmentPricing, installmentOffers } from './pricing.ts'
export { currentSchedule, processorOf, requireProcessor, scheduleOf } from './settings.ts'
export {
  type AttemptRow,
  attemptsByPublicId,
  type PaymentRow,
  paymentByPublicId,
  paymentsPage,
} from './store.ts'
export { type CardRequest, payByCard, type Surface, type Surfaces } from './submit.ts'
