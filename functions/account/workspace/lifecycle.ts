import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** In sandbox a workspace begins active; in live it is reviewed first. Every move but `request_review` is an operator's. */
export const workspaceLifecycle = lifecycle({
  resource: 'tenants',
  initial: ['active', 'pending'],
  moves: {
    request_review: { from: ['pending'], to: 'in_review' },
    approve: { from: ['in_review'], to: 'active' },
    decline: { from: ['in_review'], to: 'pending' },
    suspend: { from: ['active'], to: 'suspended' },
    reinstate: { from: ['suspended'], to: 'active' },
    close: { from: ['pending', 'in_review', 'active', 'suspended'], to: 'closed' },
  },
})
