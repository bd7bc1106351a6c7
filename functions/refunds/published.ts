/** Refunds of money that is not a payment's, and what processors and banks tell of refunds. Plans: published-pure.ts. */
export { giveWay, heardOfRefund, sendRefund } from './send.ts'
export { refundById } from './store.ts'
