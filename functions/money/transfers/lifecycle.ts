import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** Debited from `pending` on. `returned` comes after `paid`: the receiving bank sent it back. */
export const transferLifecycle = lifecycle({
  resource: 'transfers',
  initial: ['pending_approval', 'pending'],
  moves: {
    approve: { from: ['pending_approval'], to: 'pending' },
    send: { from: ['pending'], to: 'processing' },
    pay: { from: ['pending', 'processing'], to: 'paid' },
    fail: { from: ['pending', 'processing'], to: 'failed' },
    cancel: { from: ['pending_approval', 'pending', 'processing'], to: 'canceled' },
    return: { from: ['paid'], to: 'returned' },
  },
})
