import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** `rotating` still authenticates until its overlap ends; `revoking` does not, and is ended by the next scheduled run. */
export const apiKeyLifecycle = lifecycle({
  resource: 'api_keys',
  initial: ['provisioning'],
  moves: {
    activate: { from: ['provisioning'], to: 'active' },
    fail: { from: ['provisioning'], to: 'failed' },
    rotate: { from: ['active'], to: 'rotating' },
    revoke: { from: ['active', 'rotating'], to: 'revoking' },
    finish: { from: ['revoking'], to: 'revoked' },
  },
})
