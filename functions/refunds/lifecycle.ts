import { lifecycle } from '../../src/kernel/lifecycle.ts'

/**
 * `processing` has been sent or may have been: it cannot be called back. What waits for a destination, for a person's
 * approval or for the merchant's balance has not, and books nothing. A bank may send back what it was paid: `succeeded` becomes `failed`.
 * `integrity_failure` was made at the processor and is more than our books bear: nothing is booked, until they bear it.
 */
export const refundLifecycle = lifecycle({
  resource: 'refunds',
  initial: [
    'requires_destination',
    'pending_approval',
    'pending',
    'processing',
    'succeeded',
    'integrity_failure',
  ],
  moves: {
    ask: { from: ['requires_destination'], to: 'pending_approval' },
    wait: { from: ['requires_destination', 'pending_approval'], to: 'pending' },
    send: { from: ['requires_destination', 'pending_approval', 'pending'], to: 'processing' },
    succeed: { from: ['processing'], to: 'succeeded' },
    fail: { from: ['processing'], to: 'failed' },
    return: { from: ['succeeded'], to: 'failed' },
    book: { from: ['integrity_failure'], to: 'processing' },
    settle: { from: ['integrity_failure'], to: 'succeeded' },
    drop: { from: ['integrity_failure'], to: 'failed' },
    cancel: { from: ['requires_destination', 'pending_approval', 'pending'], to: 'canceled' },
  },
})
