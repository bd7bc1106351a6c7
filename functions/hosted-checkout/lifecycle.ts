import { lifecycle } from '../../src/kernel/lifecycle.ts'

/** A session is complete once it is paid; while a payment of it is under way it does not expire. */
export const sessionLifecycle = lifecycle({
  resource: 'checkout_sessions',
  initial: ['open'],
  moves: {
    complete: { from: ['open', 'expired'], to: 'complete' },
    expire: { from: ['open'], to: 'expired' },
  },
})
