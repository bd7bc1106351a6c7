import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** The only moves of a payment; refunded is not a status, it is read from the amounts. */
export const paymentLifecycle = lifecycle({
  resource: 'payments',
  initial: ['processing'],
  moves: {
    challenge: { from: ['processing'], to: 'requires_action' },
    authorize: { from: ['processing', 'requires_action'], to: 'requires_capture' },
    succeed: { from: ['processing', 'requires_action', 'requires_capture'], to: 'succeeded' },
    capture_part: { from: ['requires_capture'], to: 'partially_captured' },
    decline: { from: ['processing', 'requires_action'], to: 'requires_payment_method' },
    retry: { from: ['requires_payment_method'], to: 'processing' },
    /** From `processing` only at the end of a review of contradicting numbers. */
    cancel: {
      from: ['requires_capture', 'requires_action', 'requires_payment_method', 'processing'],
      to: 'canceled',
    },
    expire: { from: ['requires_payment_method', 'requires_action', 'requires_capture'], to: 'expired' },
    /** Unapplied funds were applied to a payment whose time had passed. */
    honor: { from: ['expired'], to: 'succeeded' },
  },
})

/**
 * An attempt leaves `unknown` only by asking the processor again under the same reference, and `amount_mismatch` when
 * the processor agrees again or the merchant decides.
 */
export const attemptLifecycle = lifecycle({
  resource: 'payment_attempts',
  initial: ['submitting'],
  moves: {
    lose: { from: ['submitting'], to: 'unknown' },
    challenge: { from: ['submitting', 'unknown'], to: 'pending_customer' },
    authorize: { from: ['submitting', 'unknown', 'pending_customer', 'amount_mismatch'], to: 'authorized' },
    capture: {
      from: ['submitting', 'unknown', 'pending_customer', 'authorized', 'amount_mismatch'],
      to: 'captured',
    },
    decline: { from: ['submitting', 'unknown', 'pending_customer', 'amount_mismatch'], to: 'declined' },
    cancel: {
      from: ['submitting', 'unknown', 'pending_customer', 'authorized', 'amount_mismatch'],
      to: 'canceled',
    },
    expire: { from: ['pending_customer', 'authorized', 'amount_mismatch'], to: 'expired' },
    /** Unapplied funds were applied to it. */
    honor: { from: ['expired'], to: 'captured' },
    /** Also from ended attempts: a till took late cash of another amount than was asked for. */
    breach: {
      from: ['submitting', 'unknown', 'pending_customer', 'authorized', 'canceled', 'expired'],
      to: 'amount_mismatch',
    },
  },
})

/** Cash taken by a till makes a voucher paid whatever its status: the money is there. */
export const voucherLifecycle = lifecycle({
  resource: 'vouchers',
  initial: ['issued'],
  moves: {
    pay: { from: ['issued', 'expired', 'canceled'], to: 'paid' },
    expire: { from: ['issued'], to: 'expired' },
    cancel: { from: ['issued'], to: 'canceled' },
  },
})

/**
 * After its payment a CLABE rests, so that a late transfer never pays another buyer's payment; then the processor may
 * lend it again.
 */
export const clabeLifecycle = lifecycle({
  resource: 'clabes',
  initial: ['assigned'],
  moves: {
    rest: { from: ['assigned'], to: 'quarantined' },
    release: { from: ['quarantined'], to: 'released' },
  },
})
