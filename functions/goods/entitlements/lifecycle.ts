import { lifecycle } from '../../../src/kernel/lifecycle.ts'
import { fileLifecycle } from '../../../src/kernel/stored-files.ts'

/** `pending`: paid, but its key or code is not there yet. */
export const entitlementLifecycle = lifecycle({
  resource: 'entitlements',
  initial: ['pending', 'active'],
  moves: {
    issue: { from: ['pending'], to: 'active' },
    revoke: { from: ['pending', 'active'], to: 'revoked' },
    reinstate: { from: ['revoked'], to: 'active' },
    await: { from: ['revoked'], to: 'pending' },
  },
})

export const keyLifecycle = lifecycle({
  resource: 'license_keys',
  initial: ['available'],
  moves: {
    assign: { from: ['available'], to: 'assigned' },
    withdraw: { from: ['available'], to: 'withdrawn' },
  },
})

export const deliveredFileLifecycle = fileLifecycle('delivered_files')
