import { lifecycle } from '../../../src/kernel/lifecycle.ts'

export const riskListLifecycle = lifecycle({
  resource: 'risk_lists',
  initial: ['active'],
  moves: { delete: { from: ['active'], to: 'deleted' } },
})

export const listItemLifecycle = lifecycle({
  resource: 'risk_list_items',
  initial: ['active'],
  moves: { remove: { from: ['active'], to: 'removed' } },
})

export const riskRuleLifecycle = lifecycle({
  resource: 'risk_rules',
  initial: ['draft'],
  moves: {
    shadow: { from: ['draft', 'active'], to: 'shadow' },
    activate: { from: ['shadow'], to: 'active' },
    retire: { from: ['draft', 'shadow', 'active'], to: 'retired' },
  },
})

/** A trigger makes the moves `refund` and `expire`, by others or by time, and `reopen`: a refund came to nothing. */
export const riskReviewLifecycle = lifecycle({
  resource: 'risk_reviews',
  initial: ['open'],
  moves: {
    approve: { from: ['open'], to: 'approved' },
    reject: { from: ['open'], to: 'rejected' },
    refund: { from: ['open'], to: 'refunded' },
    expire: { from: ['open'], to: 'expired' },
    reopen: { from: ['refunded'], to: 'open' },
  },
})
