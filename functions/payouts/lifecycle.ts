import { lifecycle } from '../../src/kernel/lifecycle.ts'

/** Debited from the beginning. `returned` comes after `paid`: the merchant's bank sent it back. */
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
