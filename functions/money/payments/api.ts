/** The only way to take money, and what origins may read of it. Shapes and arithmetic: api-pure.ts. */

export { tenantOfAttempt } from './apply-result.ts'
export { carryOut } from './capture.ts'
export { type Abandoned, abandon, awaitsBank, challengeUrl } from './challenge.ts'
export { handleDepositNotification, syncDeposits } from './deposits.ts'
export {
  isSoldElsewhere,
  type OriginFacts,
  originOfPayment,
  type PayContext,
  type PaymentOrigin,
  type PaymentOrigins,
  soldBy,
} from './payment-origin.ts'
export type { Contact } from './plan-mails.ts'
export { presentPayment, presentTaken } from './present.ts'
export { askAbout, type Handed, handToDevice, secretOfPayment } from './presented.ts'
export { processorOf, processorsOf, requireProcessor, takerOf } from './processors.ts'
export { isHeldUnpaid, type PushRequest, payByPush } from './push.ts'
export { handlePaymentNotification } from './reconcile.ts'
export { currentSchedule, currentSchedules, methodsTaken, requireConfigured, scheduleOf } from './settings.ts'
export {
  type AttemptRow,
  attemptsByPublicId,
  attemptsOf,
  clabesOfPayment,
  givenWith,
  ofOrigin,
  type PaymentRow,
  paymentById,
  paymentByPublicId,
  paymentInPlaceOf,
  paymentsPage,
} from './store.ts'
export { forwardStored } from './stored.ts'
export {
  secretContext,
  stripeAccountFacts,
  stripeAccountNow,
  stripeEndpoints,
  stripeEventsBehind,
  stripeKeyPair,
} from './stripe.ts'
export {
  CardBlocked,
  type CardRequest,
  isCardsPaused,
  isCardsPausedHere,
  type Led,
  payByCard,
} from './submit.ts'
