import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** Revoking deactivates for good: `revoked_at` stays set and nothing activates the link again. */
export const paymentLinkLifecycle = lifecycle({
  resource: 'payment_links',
  initial: ['active'],
  moves: {
    activate: { from: ['inactive'], to: 'active' },
    deactivate: { from: ['active'], to: 'inactive' },
    pay: { from: ['active', 'inactive'], to: 'paid' },
    archive: { from: ['active', 'inactive', 'paid'], to: 'archived' },
  },
})

export const templateLifecycle = lifecycle({
  resource: 'payment_link_templates',
  initial: ['active'],
  moves: { delete: { from: ['active'], to: 'deleted' } },
})
