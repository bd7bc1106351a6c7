import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** Debited from the first moment. `returned` comes after `paid`: the receiving bank sent it back. */
export const payoutLifecycle = lifecycle({
  resource: 'payouts',
  initial: ['pending'],
  moves: {
    send: { from: ['pending'], to: 'in_transit' },
    pay: { from: ['pending', 'in_transit'], to: 'paid' },
    fail: { from: ['pending', 'in_transit'], to: 'failed' },
    cancel: { from: ['pending', 'in_transit'], to: 'canceled' },
    return: { from: ['paid'], to: 'returned' },
  },
})
