import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** The database moves `consume` inside the mutation's own transaction; no plan does. */
export const stepUpLifecycle = lifecycle({
  resource: 'step_up_challenges',
  initial: ['pending'],
  moves: {
    verify: { from: ['pending'], to: 'verified' },
    fail: { from: ['pending'], to: 'failed' },
    consume: { from: ['verified'], to: 'consumed' },
    expire: { from: ['pending', 'verified'], to: 'expired' },
  },
})
