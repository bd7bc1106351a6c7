import { lifecycle } from '../../src/kernel/lifecycle.ts'

/** A payment moves only along these; refunded is not a status, it is read from the amounts. */
export const paymentLifecycle = lifecycle({
  resource: 'payments',
  initial: ['processing'],
  moves: {
    challenge: { from: ['processing'], to: 'requires_action' },
    succeed: { from: ['processing', 'requires_action'], to: 'succeeded' },
    decline: { from: ['processing', 'requires_action'], to: 'requires_payment_method' },
    retry: { from: ['requires_payment_method'], to: 'processing' },
    expire: { from: ['requires_payment_method'], to: 'expired' },
  },
})

/** `unknown` is left only by asking the processor again under the same reference. */
export const attemptLifecycle = lifecycle({
  resource: 'payment_attempts',
  initial: ['submitting'],
  moves: {
    lose: { from: ['submitting'], to: 'unknown' },
    challenge: { from: ['submitting', 'unknown'], to: 'pending_customer' },
    capture: { from: ['submitting', 'unknown', 'pending_customer'], to: 'captured' },
    decline: { from: ['submitting', 'unknown', 'pending_customer'], to: 'declined' },
    cancel: { from: ['submitting', 'unknown'], to: 'canceled' },
    expire: { from: ['pending_customer'], to: 'expired' },
    breach: { from: ['submitting', 'unknown', 'pending_customer'], to: 'integrity_failure' },
  },
})
