import type { Declaration } from '../../../src/http/declaration.ts'
import { watching } from './contract.ts'
import { errors } from './errors.ts'
import { insightLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/intelligence/insights'], by: 'operations.ts#operations' }],
  nouns: { insights: 'insight' },
  publishes: [watching],
  jobs: {
    // Behind all that moves money: it reads what is over.
    insight_watches: {
      at: 230,
      runs: 'watch.ts#watchHours',
      table: 'insight_watches',
      firstBy: 'next_check_at',
    },
  },
  lookedUp: ['insight_hours', 'insight_watches'],
  lifecycles: [insightLifecycle],
  events: {
    insight: {
      scopes: ['intelligence:read'],
      shownBy: 'insights.get',
      types: {
        opened: {
          says: 'Something is unusual, compared with the same hours of the last weeks.',
          unmade: 'it takes weeks to compare with',
        },
        acknowledged: { says: 'A member has seen an insight.', unmade: 'a customer does that, signed in' },
        dismissed: {
          says: 'A member says that an insight is none.',
          unmade: 'a customer does that, signed in',
        },
        resolved: {
          says: 'What an insight was opened for is over.',
          unmade: 'it takes hours in which all is as usual',
        },
      },
    },
  },
  errors,
  constraints: { insights_one: 'stale', insight_hours_one: 'stale' },
}
