import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** A challenge is used once; one that is asked for after it takes its place. */
export const challengeLifecycle = lifecycle({
  resource: 'attestation_challenges',
  initial: ['issued'],
  moves: {
    use: { from: ['issued'], to: 'used' },
    replace: { from: ['issued'], to: 'replaced' },
  },
})

export const phoneAppLifecycle = lifecycle({
  resource: 'phone_apps',
  initial: ['active'],
  moves: { remove: { from: ['active'], to: 'removed' } },
})
