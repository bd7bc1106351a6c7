import type { Declaration } from '../../../src/http/declaration.ts'
import { errors } from './errors.ts'
import { plannedMax } from './plan.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/payment-policy'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 48,
      name: 'Payment policy',
      description:
        'What may be sold, offered and taken. The platform’s level is the widest; your workspace narrows it, and each of your locations narrows that. Links, the buyer’s pages and payments obey it. Everything for sale keeps the version that it was made under; only a method that the platform stops is stopped for all.',
    },
  ],
  nouns: { 'payment-policy': 'payment policy', versions: 'version of the payment policy' },
  appendOnly: ['payment_policy_versions'],
  events: {
    payment_policy: {
      scopes: ['policies:read'],
      shownBy: 'payment_policies.get',
      types: {
        updated: {
          says: 'The payment policy of the workspace or of a location was changed, or a change was planned. A planned version begins without an event.',
          unmade: 'a customer does that, signed in and with a step-up proof',
        },
      },
    },
  },
  errors,
  limits: {
    policy_planned: {
      most: plannedMax,
      unit: 'count',
      says: 'The planned changes of one level of the payment policy.',
    },
  },
  // Two changes at once, or a beginning in between: the second is planned again as the next version.
  constraints: {
    payment_policy_versions_one: 'stale',
    policy_plan_known: 'stale',
    sold_under_current_policy: 'stale',
    paid_under_policy_of_sale: 'stale',
  },
  samples: {
    'payment_policies.update': { other: { settings: { refunds: { window_days: 30 } } } },
    'payment_policies.evaluate': { other: { amount: '130000' } },
  },
}
