/** The only way to take money, and what surfaces may read of it. Shapes and arithmetic: published-pure.ts. */
export { type CashRequest, payByCash } from './cash.ts'
export { awaitsBank, challengeUrl, type GivenUp, giveUp } from './challenge.ts'
export { hearDeposits, heardOfDeposit } from './deposits.ts'
export { heardOf } from './janitor.ts'
export { presentPayment } from './present.ts'
export { type Surface, type Surfaces, tenantOfAttempt } from './record.ts'
export { currentSchedule, processorOf, requireProcessor, scheduleOf } from './settings.ts'
export {
  type AttemptRow,
  attemptsByPublicId,
  attemptsOf,
  clabesOfPayment,
  ofLink,
  type PaymentRow,
  paymentById,
  paymentByPublicId,
  paymentsPage,
  straysByPublicId,
} from './store.ts'
export { publishableKeyOf, sealedAbout, stripeAccountRef, stripeEndpoints } from './stripe.ts'
export { type CardRequest, payByCard } from './submit.ts'
