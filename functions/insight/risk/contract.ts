import * as z from 'zod'
import {
  backtestOutcomes,
  type RiskCondition,
  type RiskText,
  riskActions,
  riskFigures,
  riskRules,
} from '../../../drizzle/schema/risk.ts'
import { contract, decides, reads } from '../../../src/http/contract.ts'
import { exampleOf, shown } from '../../../src/http/contract-resource.ts'
import { ofType, oneOf, ruleOf } from '../../../src/http/rule-schema.ts'
import {
  boundedMinor,
  currency,
  freeText,
  minorString,
  normalized,
  one,
  paged,
  tenantId,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { readValue } from './values.ts'

export const tag = 'Risk'
export const conditionsMax = 20
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

const figures: { readonly [F in (typeof riskFigures)[number]]: string } = {
  installments: 'In how many months it is paid; 1: at once.',
  hour: 'The hour of the day in Mexico City, 0 to 23.',
  score: 'The sum of the points of the try, 0 to 100.',
  customer_payments:
    'How many payments of the same customer were paid and neither refunded nor disputed; 100 stands for more. Whose address it is, is what the buyer typed.',
  card_tries_hour:
    'How often the card was tried within an hour, this time included. Of each count the last 100 tries are looked at.',
  card_tries_day: 'How often the card was tried within a day, this time included.',
  card_failures_day: 'How often the card failed within a day.',
  email_cards_hour:
    'How many cards were tried with the address within an hour, this one included; 0 without one.',
  email_cards_day:
    'How many cards were tried with the address within a day, this one included; 0 without one.',
  email_failures_day: 'How many cards of the address failed within a day.',
  network_cards_hour:
    'How many cards were tried from the network within an hour, of the last 100 tries there.',
  network_failures_hour: 'How many cards failed there within an hour.',
}

const texts: { readonly [T in RiskText]: string } = {
  card_brand: 'The brand of the card: `visa`.',
  card_funding: 'What kind of card it is.',
  card_bin: 'The first six digits of the card.',
  email_domain: 'What follows the @ of the address: `gmail.com`.',
  origin_type: 'What is paid: `payment_link`, `checkout_session`, `table_session`, `register_order`.',
}

const digits = (text: string) => readValue('bin', text)
const domain = (text: string) => readValue('email_domain', text)
export const forms: { readonly [T in RiskText]: z.ZodType<string> } = {
  card_brand: freeText(40).min(1).describe('The brand, in any case.'),
  card_funding: z.enum(['credit', 'debit', 'prepaid', 'unknown']).describe('What kind of card it is.'),
  card_bin: normalized(digits, 6, 'must be six digits').describe('The six digits.'),
  email_domain: normalized(domain, 253, 'must be a domain: example.com').describe('The domain.'),
  origin_type: z
    .enum(['payment_link', 'checkout_session', 'table_session', 'register_order'])
    .describe('What is paid.'),
}

const asked = 'What is asked of the try.'
const bounded = oneOf(['gte', 'lte'])
const number = z.int().min(0).max(1_000_000)

export const condition = ruleOf<RiskCondition>(
  [
    ofType('amount', asked, {
      currency,
      gte: boundedMinor.optional().describe('At least so much, in minor units.'),
      lte: boundedMinor.optional().describe('At most so much, in minor units.'),
    }).refine(...bounded),
    ...riskFigures.map((figure) =>
      ofType(figure, figures[figure], {
        gte: number.optional().describe('At least so many.'),
        lte: number.optional().describe('At most so many.'),
      }).refine(...bounded),
    ),
    ...Object.entries(texts).map(([name, says]) => ofType(name, says, { is: forms[name as RiskText] })),
    ofType('in_list', asked, {
      list_id: uuid.describe('A list that names the card, the address or the customer.'),
    }),
  ],
  'Risk',
  conditionsMax,
).describe(
  `When it holds: a condition, or \`all\`, \`any\` or \`none\` of several, which may be groups of conditions themselves. What is not known of a try holds nothing. There are at most ${conditionsMax} conditions.`,
)

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
    outcomes: z
      .array(
        z.strictObject({
          outcome: z
            .enum(backtestOutcomes)
            .describe(
              'What became of these tries: `paid` ones may be `refunded`, or `disputed` (charged back, or reported as fraud).',
            ),
          currency,
          payments_count: z.int().min(0).describe('How many payments the rule meets.'),
          amount: minorString.describe('What they asked for, in minor units.'),
        }),
      )
      .describe(
        'The payments of the tries that the rule meets. What is `paid` would be lost to a rule that blocks.',
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
    'Asks the rule about tries, with what was known at each: what it would have decided there. What would have come after that, it does not know. Lists count as they were then. At most 92 days.',
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
