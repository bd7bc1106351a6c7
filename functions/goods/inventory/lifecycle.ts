import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** A reservation ends once. */
export const reservationLifecycle = lifecycle({
  resource: 'stock_reservations',
  initial: ['held'],
  moves: {
    commit: { from: ['held'], to: 'committed' },
    release: { from: ['held'], to: 'released' },
    expire: { from: ['held'], to: 'expired' },
  },
})
