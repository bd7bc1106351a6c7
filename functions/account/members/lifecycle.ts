import { lifecycle } from '../../../src/kernel/lifecycle.ts'

export const membershipLifecycle = lifecycle({
  resource: 'memberships',
  initial: ['active'],
  moves: {
    remove: { from: ['active'], to: 'removed' },
    /** By another invitation. */
    rejoin: { from: ['removed'], to: 'active' },
  },
})

export const invitationLifecycle = lifecycle({
  resource: 'workspace_invitations',
  initial: ['pending'],
  moves: {
    accept: { from: ['pending'], to: 'accepted' },
    revoke: { from: ['pending'], to: 'revoked' },
    expire: { from: ['pending'], to: 'expired' },
  },
})
