import type { Declaration } from '../../src/http/declaration.ts'
import { sweep } from './contract.ts'
import { errors } from './errors.ts'
import { paymentLinkLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  neighbours: ['hosted-payment', 'payments'],
  tags: [
    {
      at: 5,
      name: 'Payment links',
      description:
        'An address that a buyer pays at. `active` and `inactive` change into each other; a single-use link becomes `paid` with its first success; `archived` is the end. A revoked link is `inactive` for good.',
    },
  ],
  nouns: { 'payment-links': 'payment link' },
  publishes: [sweep],
  lifecycles: [paymentLinkLifecycle],
  events: {
    payment_link: {
      scopes: ['payment_links:read'],
      shownBy: 'payment_links.get',
      types: {
        created: 'A payment link was created.',
        updated: 'A payment link was changed.',
        activated: 'A payment link can be paid again.',
        deactivated: 'A payment link cannot be paid for now.',
        expired: 'The time of a payment link has passed.',
        paid: 'A single-use payment link was paid.',
        revoked: 'A payment link was revoked, for good.',
        archived: 'A payment link was archived.',
      },
    },
  },
  errors,
  constraints: { payment_links_terms_frozen: 'payment_link_terms_frozen' },
  tables: { lookedUp: ['payment_links'] },
}
