import type { Declaration } from '../../../src/http/declaration.ts'
import { triesMax } from './contract.ts'
import { expire } from './contract-lists.ts'
import { announce } from './contract-reviews.ts'
import { errors } from './errors.ts'
import { listItemLifecycle, riskListLifecycle, riskReviewLifecycle, riskRuleLifecycle } from './lifecycle.ts'
import { personalData } from './personal-data.ts'

const unmade = 'a customer does that, signed in'
const ruled = 'a customer’s rule does that, which is switched on with a step-up proof'
const proved = 'a customer does that, signed in and with a step-up proof'

export const area: Declaration = {
  routes: [
    {
      at: [
        '/v1/intelligence/backtests',
        '/v1/intelligence/list-items',
        '/v1/intelligence/lists',
        '/v1/intelligence/payments',
        '/v1/intelligence/risk-evaluations',
        '/v1/intelligence/rules',
      ],
      by: 'operations.ts#operations',
    },
    { at: ['/v1/intelligence/reviews'], by: 'operations-reviews.ts#withOrigins', given: 'origins' },
  ],
  tags: [
    {
      at: 97,
      name: 'Risk',
      description:
        'What your own lists and rules do with cards that are tried on your pages. A rule is a draft, then watched in shadow, then switched on by a signed-in admin with a step-up proof. What was known of each try is kept, so that a rule can be asked about tries of days that are over. The guards of the platform hold whatever your rules say.',
    },
  ],
  nouns: {
    'intelligence/backtests': 'backtest of a rule',
    'intelligence/list-items': 'value of a list',
    'intelligence/lists': 'list',
    'intelligence/payments': 'payment',
    'intelligence/reviews': 'review',
    'intelligence/rules': 'rule',
  },
  publishes: [announce, expire],
  jobs: {
    risk_list_items: {
      at: 151,
      runs: 'expire-items.ts#expireItems',
      table: 'risk_list_items',
      due: `d.status = 'active' and d.expires_at <= $1`,
      firstBy: 'expires_at',
    },
    // Behind the jobs by which payments succeed or lapse.
    risk_reviews: {
      at: 152,
      runs: 'operations-reviews.ts#announceReviews',
      table: 'risk_reviews',
      due: 'd.announced is distinct from d.status',
      firstBy: 'updated_at',
    },
  },
  appendOnly: ['risk_backtests'],
  lookedUp: ['risk_evaluations', 'risk_list_items', 'risk_reviews'],
  personalData,
  deadlines: [
    { table: 'risk_list_items', columns: ['expires_at'], while: `status = 'active'` },
    { table: 'risk_reviews', columns: ['expires_at'], while: `status = 'open'` },
    { table: 'risk_rules', columns: ['shadowed_at'], while: `status = 'shadow'` },
  ],
  lifecycles: [listItemLifecycle, riskListLifecycle, riskReviewLifecycle, riskRuleLifecycle],
  events: {
    risk_list: {
      scopes: ['intelligence:read'],
      shownBy: 'risk_lists.get',
      types: {
        created: { says: 'A list of cards, addresses or customers was created.', unmade: proved },
        deleted: { says: 'A list was deleted, and all its values with it.', unmade },
      },
    },
    risk_list_item: {
      scopes: ['customer_hub:read'],
      shownBy: 'risk_list_items.get',
      leaveOut: ['value', 'reason'],
      types: {
        created: { says: 'A value was added to a list.', unmade: proved },
        removed: { says: 'A value was removed from a list, or its time was over.', unmade },
      },
    },
    risk_review: {
      scopes: ['intelligence:read'],
      shownBy: 'risk_reviews.get',
      leaveOut: ['note'],
      types: {
        opened: {
          says: 'A payment that your rules sent to review was authorized or paid, or its refund came to nothing. A capture takes `expires_at` away without an event.',
          unmade: ruled,
        },
        approved: { says: 'A payment under review was approved.', unmade: ruled },
        rejected: { says: 'A payment under review was rejected: its money goes back.', unmade: ruled },
        closed: {
          says: 'A review ended without a decision: the money was given back, or the authorization lapsed.',
          unmade: ruled,
        },
      },
    },
    risk_rule: {
      scopes: ['intelligence:read'],
      shownBy: 'risk_rules.get',
      types: {
        created: { says: 'A rule was drafted.', unmade },
        updated: { says: 'A draft was changed.', unmade },
        shadowed: { says: 'A rule is asked at each try, and decides nothing.', unmade },
        activated: { says: 'A rule decides from now on.', unmade: proved },
        retired: { says: 'A rule is over.', unmade },
      },
    },
  },
  errors,
  constraints: {
    risk_list_items_list_active: { code: 'risk_list_deleted' },
    risk_list_items_one: { code: 'risk_list_item_exists', param: 'value' },
    risk_list_items_limit: { code: 'risk_limit_reached' },
    risk_lists_limit: { code: 'risk_limit_reached' },
    risk_rules_limit: { code: 'risk_limit_reached' },
    risk_list_in_use: { code: 'risk_list_in_use' },
    risk_rule_lists_active: { code: 'risk_list_deleted' },
    risk_rule_unwatched: { code: 'risk_rule_unwatched' },
  },
  samples: {
    'risk_rules.create': { other: { name: 'Another' } },
    'risk_rules.update': { other: { name: 'Another' } },
    'risk_backtests.create': { other: { ends_on: '2026-06-13' } },
    'risk_lists.create': { other: { name: 'Another' } },
    'risk_list_items.create': { other: { value: '555555******4444' } },
  },
  limits: {
    risk_rules: { most: 50, unit: 'count', says: 'The rules that are not retired.' },
    risk_lists: { most: 50, unit: 'count', says: 'The lists of cards, addresses and customers.' },
    risk_list_items: { most: 10_000, unit: 'count', says: 'The values in all lists.' },
    risk_backtest_tries: {
      most: triesMax,
      unit: 'count',
      says: 'The tries of cards that a backtest looks at.',
    },
  },
}
