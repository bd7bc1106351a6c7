import * as z from 'zod'
import { backtestOutcomes, riskActions, riskRules } from '../../../drizzle/schema/risk.ts'
import { contract, decides, reads } from '../../../src/http/contract.ts'
import { exampleOf, shown } from '../../../src/http/contract-resource.ts'
import {
  currency,
  freeText,
  minorString,
  one,
  paged,
  tenantId,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { condition } from './contract-conditions.ts'

export const tag = 'Risk'
/** How many tries a backtest looks at: the newest. */
export const triesMax = 20_000
export const backtestDays = { daysMax: 92, daysUsual: 30 }

export const workspaceOfSession = tenantId
  .optional()
  .describe('With a session: the workspace. An API key reads its own.')
export const reading = {
  ...reads,
  tag,
  access: { api_key: { scopes: ['intelligence:read'] }, session: { role: 'member' } },
} as const
export const deciding = { ...decides, tag, access: { session: { role: 'admin' } } } as const
export const ofSession = ['workspace_not_found', 'insufficient_role'] as const
/** A proof that lets a rule or list stop money. */
export const proven = <
  const Action extends 'risk_list.create' | 'risk_list_item.create' | 'risk_rule.activate',
>(
  action: Action,
) => ({ session: { role: 'admin', stepUp: { action, scope: 'policies:write' } } }) as const

export const Author = z
  .strictObject({
    user_id: z.string().describe('The id of their account.'),
    email: z.string().describe('Their e-mail address at that time.'),
  })
  .describe('Who made it.')
export const exampleAuthor = { user_id: 'usr_0190a6d2', email: 'ana@cafeazul.example' }

export const exampleRuleBody = {
  name: 'Third card of one address',
  action: 'confirm',
  condition: {
    type: 'all',
    rules: [
      { type: 'email_cards_day', gte: 3 },
      { type: 'customer_payments', lte: 0 },
    ],
  },
  reason: 'A new buyer tries several cards: have the bank confirm who pays.',
} as const

const fields = {
  name: freeText(120).trim().min(1).describe('Your own name for it.'),
  action: z
    .enum(riskActions)
    .describe(
      '`block`: the card is declined without asking the bank. `confirm`: the bank confirms the buyer. `review`: the payment goes on, and once it is authorized or paid a person decides about it. `allow`: your other rules do not count; a list that blocks does, and so do the guards of the platform.',
    ),
  condition,
  reason: freeText(500).trim().min(1).describe('Why, for those who answer a buyer.'),
}

const RiskRule = shown('risk_rule', {
  ...fields,
  condition: z.record(z.string(), z.unknown()).describe('As you set it.'),
  status: z
    .enum(riskRules.status.enumValues)
    .describe(
      'A `draft` is not asked. In `shadow` it is asked and changes nothing. `active` decides. `retired` is over.',
    ),
  shadowed_at: timestamp.nullable().describe('Since when it is asked; null before.'),
  activated_at: timestamp.nullable().describe('When it was last switched on; null before.'),
  retired_at: timestamp.nullable().describe('When it ended; null before.'),
  author: Author,
}).meta({ id: 'RiskRule' })

const exampleDraft = exampleOf('risk_rule', '0190a6d2-7c3e-7b1a-9f00-000000000131', {
  ...exampleRuleBody,
  status: 'draft',
  shadowed_at: null,
  activated_at: null,
  retired_at: null,
  author: exampleAuthor,
})
const exampleShadow = {
  ...exampleDraft,
  status: 'shadow',
  shadowed_at: '2026-06-13T12:00:00.000Z',
  version: 2,
}

const path = '/v1/intelligence/rules'
const ofRule = { params: z.strictObject({ id: uuid }), notFound: 'risk_rule_not_found' } as const
const moved = {
  ...deciding,
  ...ofRule,
  tables: ['risk_rules'],
  versioned: true,
  body: z.strictObject({ tenant_id: tenantId }),
  reply: { status: 200, schema: RiskRule },
} as const
const onRule = ['risk_rule_not_found', ...ofSession] as const

export const createRule = contract({
  ...deciding,
  id: 'risk_rules.create',
  path,
  location: `${path}/:id?tenant_id=:tenant_id`,
  summary: 'Create a rule',
  description:
    'What is done with cards that are tried on your pages. A new rule is a draft; it decides nothing before you have seen what it would do.',
  tables: ['risk_rules'],
  versioned: true,
  body: z.strictObject({ tenant_id: tenantId, ...fields }),
  reply: { status: 201, schema: RiskRule },
  errors: [...ofSession, 'risk_list_not_found', 'risk_limit_reached'],
  example: { body: { tenant_id: 'tn_demo', ...exampleRuleBody }, reply: exampleDraft },
})

export const listRules = contract({
  ...reading,
  id: 'risk_rules.list',
  path,
  summary: 'List rules',
  ...paged(RiskRule, exampleShadow, {
    tenant_id: workspaceOfSession,
    status: z.enum(riskRules.status.enumValues).optional().describe('Only what has this status.'),
  }),
})

export const getRule = contract({
  ...reading,
  ...ofRule,
  id: 'risk_rules.get',
  path: `${path}/:id`,
  summary: 'Get a rule',
  versioned: true,
  query: z.strictObject({ tenant_id: workspaceOfSession }),
  reply: { status: 200, schema: RiskRule },
  errors: ['risk_rule_not_found'],
  example: { reply: exampleShadow },
})

export const updateRule = contract({
  ...moved,
  id: 'risk_rules.update',
  method: 'PUT',
  path: `${path}/:id`,
  summary: 'Change a draft',
  description: 'Replaces all that a draft says. A rule that was watched keeps it: create another one.',
  body: z.strictObject({ tenant_id: tenantId, ...fields }),
  errors: [...onRule, 'risk_rule_not_draft', 'risk_list_not_found'],
  example: {
    body: { tenant_id: 'tn_demo', ...exampleRuleBody, name: 'Several cards' },
    reply: { ...exampleDraft, name: 'Several cards', version: 2 },
  },
})

export const shadowRule = contract({
  ...moved,
  id: 'risk_rules.shadow',
  path: `${path}/:id/shadow`,
  summary: 'Watch a rule',
  description:
    'It is asked at each try from now on and changes nothing: the risk of a payment says where it would have. An active rule goes back with it, at once.',
  errors: [...onRule, 'risk_rule_status', 'risk_list_deleted'],
  example: { body: { tenant_id: 'tn_demo' }, reply: exampleShadow },
})

export const activateRule = contract({
  ...moved,
  id: 'risk_rules.activate',
  path: `${path}/:id/activate`,
  summary: 'Switch a rule on',
  description:
    'It decides from now on. It must be in shadow, for 24 hours or with a backtest of what it says that looked at tries. The step-up proof has the action `risk_rule.activate` and the scope `policies:write`; its params_hash is over {rule_id}.',
  access: proven('risk_rule.activate'),
  errors: [...onRule, 'risk_rule_status', 'risk_rule_unwatched'],
  example: {
    body: { tenant_id: 'tn_demo' },
    reply: { ...exampleShadow, status: 'active', activated_at: '2026-06-14T12:00:00.000Z', version: 3 },
  },
})

export const retireRule = contract({
  ...moved,
  id: 'risk_rules.retire',
  path: `${path}/:id/retire`,
  summary: 'Retire a rule',
  description: 'At once and for good.',
  errors: [...onRule, 'risk_rule_status'],
  example: {
    body: { tenant_id: 'tn_demo' },
    reply: { ...exampleShadow, status: 'retired', retired_at: '2026-06-14T12:00:00.000Z', version: 3 },
  },
})

const RiskBacktest = z
  .strictObject({
    id: uuid,
    object: z.literal('risk_backtest'),
    rule_id: uuid.describe('The rule that was asked.'),
    begins_on: z.iso.date().describe('The first day, in Mexico City.'),
    ends_on: z.iso.date().describe('The last day.'),
    tries_count: z
      .int()
      .min(0)
      .max(triesMax)
      .describe(`How many tries of cards it looked at: the newest of these days, at most ${triesMax}.`),
    matched_count: z.int().min(0).describe('How many of them the rule meets.'),
    overruled_count: z
      .int()
      .min(0)
      .describe(
        'Where it would have decided nothing: a list or another rule decided before it then, as a list that blocks or what allows does. They are in no outcome.',
      ),
    outcomes: z
      .array(
        z.strictObject({
          outcome: z
            .enum(backtestOutcomes)
            .describe(
              'What became of these tries: `paid` ones may be `refunded`, or `disputed` (charged back, or reported as fraud).',
            ),
          currency,
          payments_count: z
            .int()
            .min(0)
            .describe('How many payments; one with tries of several outcomes is in each of them once.'),
          amount: minorString.describe('What their newest such try asked for, in minor units.'),
        }),
      )
      .describe(
        'The payments of the tries at which the rule would have decided. What is `paid` would be lost to a rule that blocks.',
      ),
    examples: z.array(uuid).describe('The newest ten of these payments.'),
    created_at: timestamp,
  })
  .meta({ id: 'RiskBacktest' })

const exampleBacktest = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000141',
  object: 'risk_backtest',
  rule_id: exampleDraft.id,
  begins_on: '2026-05-15',
  ends_on: '2026-06-13',
  tries_count: 1_204,
  matched_count: 9,
  overruled_count: 1,
  outcomes: [
    { outcome: 'declined', currency: 'mxn', payments_count: 6, amount: '940000' },
    { outcome: 'paid', currency: 'mxn', payments_count: 1, amount: '45000' },
  ],
  examples: ['0190a6d2-7c3e-7b1a-9f00-000000000011'],
  created_at: '2026-06-13T12:00:00.000Z',
} as const

export const createBacktest = contract({
  ...deciding,
  ...ofRule,
  id: 'risk_backtests.create',
  path: `${path}/:id/backtests`,
  location: '/v1/intelligence/backtests/:id?tenant_id=:tenant_id',
  summary: 'See what a rule would have met',
  description:
    'Asks the rule about tries, with what was known at each: which ones it meets, and where it would have decided. What would have come after that, it does not know. Lists and other rules count as they were then. At most 92 days.',
  tables: ['risk_backtests'],
  body: z.strictObject({
    tenant_id: tenantId,
    begins_on: z.iso
      .date()
      .optional()
      .describe('The first day, in Mexico City; left out: 30 days with the last.'),
    ends_on: z.iso.date().optional().describe('The last day; left out: today.'),
  }),
  reply: { status: 201, schema: RiskBacktest },
  errors: [...onRule],
  example: { body: { tenant_id: 'tn_demo' }, reply: exampleBacktest },
})

export const listBacktests = contract({
  ...reading,
  ...ofRule,
  id: 'risk_backtests.list',
  path: `${path}/:id/backtests`,
  summary: 'List the backtests of a rule',
  ...paged(RiskBacktest, exampleBacktest, { tenant_id: workspaceOfSession }),
  errors: ['risk_rule_not_found', 'cursor_invalid'],
})

export const getBacktest = contract({
  ...reading,
  id: 'risk_backtests.get',
  path: '/v1/intelligence/backtests/:id',
  summary: 'Get a backtest',
  ...one(RiskBacktest, exampleBacktest, 'risk_backtest_not_found'),
  query: z.strictObject({ tenant_id: workspaceOfSession }),
})
