import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** A session is complete once it is paid; while a payment of it is under way it does not expire. */
export const sessionLifecycle = lifecycle({
  resource: 'checkout_sessions',
  initial: ['open'],
  moves: {
    complete: { from: ['open', 'expired'], to: 'complete' },
    expire: { from: ['open'], to: 'expired' },
  },
})

/** A mail waits from the buyer's consent on until the session has ended; it is sent once at most. */
export const recoveryLifecycle = lifecycle({
  resource: 'checkout_recoveries',
  initial: ['waiting'],
  moves: {
    withdraw: { from: ['waiting'], to: 'withdrawn' },
    consent: { from: ['withdrawn'], to: 'waiting' },
    settle: { from: ['waiting'], to: 'not_needed' },
    mail: { from: ['waiting'], to: 'mailed' },
    recover: { from: ['mailed'], to: 'recovered' },
  },
})
