import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/**
 * `processing` has been sent or may have been: it cannot be canceled. A refund that waits for a destination, a user's
 * approval or the merchant's balance has not been sent and books nothing. A bank may return what it was paid:
 * `succeeded` becomes `failed`. `amount_mismatch` was made at the processor and exceeds what our books can cover:
 * nothing is booked until they can. `kept`: the processor keeps a transfer's money for its buyer, who named no account,
 * or whose bank sent it back.
 */
export const refundLifecycle = lifecycle({
  resource: 'refunds',
  initial: [
    'requires_destination',
    'pending_approval',
    'pending',
    'processing',
    'succeeded',
    'kept',
    'amount_mismatch',
  ],
  moves: {
    ask: { from: ['requires_destination'], to: 'pending_approval' },
    wait: { from: ['requires_destination', 'pending_approval'], to: 'pending' },
    send: { from: ['requires_destination', 'pending_approval', 'pending'], to: 'processing' },
    succeed: { from: ['processing'], to: 'succeeded' },
    keep: { from: ['processing', 'succeeded', 'amount_mismatch'], to: 'kept' },
    fail: { from: ['processing'], to: 'failed' },
    return: { from: ['succeeded'], to: 'failed' },
    book: { from: ['amount_mismatch'], to: 'processing' },
    settle: { from: ['amount_mismatch'], to: 'succeeded' },
    drop: { from: ['amount_mismatch'], to: 'failed' },
    cancel: { from: ['requires_destination', 'pending_approval', 'pending'], to: 'canceled' },
  },
})
