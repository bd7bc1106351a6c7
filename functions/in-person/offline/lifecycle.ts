import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/**
 * What a reader has stored and forwarded. The database moves it with its attempt (drizzle/sql/059_terminal_offline.sql).
 * `refused`: nobody was charged.
 */
export const offlinePaymentLifecycle = lifecycle({
  resource: 'offline_payments',
  initial: ['forwarding', 'refused'],
  moves: {
    succeed: { from: ['forwarding', 'unknown'], to: 'succeeded' },
    decline: { from: ['forwarding', 'unknown'], to: 'declined' },
    cancel: { from: ['forwarding', 'unknown'], to: 'canceled' },
    lose: { from: ['forwarding'], to: 'unknown' },
  },
})
