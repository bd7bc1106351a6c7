import { lifecycle } from '../../src/kernel/lifecycle.ts'

/**
 * `processing` has been sent or may have been: it cannot be called back. What waits for a destination, for a person's
 * approval or for the merchant's balance has not, and books nothing. A bank may send back what it was paid: `succeeded` becomes `failed`.
 */
export const refundLifecycle = lifecycle({
  resource: 'refunds',
  initial: ['requires_destination', 'pending_approval', 'pending', 'processing', 'succeeded'],
  moves: {
    ask: { from: ['requires_destination'], to: 'pending_approval' },
    wait: { from: ['requires_destination', 'pending_approval'], to: 'pending' },
    send: { from: ['requires_destination', 'pending_approval', 'pending'], to: 'processing' },
    succeed: { from: ['processing'], to: 'succeeded' },
    fail: { from: ['processing'], to: 'failed' },
    return: { from: ['succeeded'], to: 'failed' },
    cancel: { from: ['requires_destination', 'pending_approval', 'pending'], to: 'canceled' },
  },
})
