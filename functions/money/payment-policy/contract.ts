import * as z from 'zod'
import { captureMethods } from '../../../drizzle/schema/payments.ts'
import { contract, decides, reads } from '../../../src/http/contract.ts'
import {
  currency,
  minorString,
  one,
  paged,
  positiveMinor,
  queryInt,
  tenantId,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { methods } from '../../../src/kernel/payment-methods.ts'
import { Settings } from './contract-settings.ts'

const tag = 'Payment policy'
const locationId = uuid.describe('The location whose level is meant; the workspace’s own without it.')
const level = uuid.nullable().describe('The location whose level it is; null: the workspace’s own.')

const versionNumber = z.string().regex(/^\d+$/)

const Policy = z
  .strictObject({
    id: uuid,
    object: z.literal('payment_policy'),
    location_id: level,
    settings: Settings.describe('What this level itself says. A field that it leaves out narrows nothing.'),
    effective: Settings.describe(
      'What holds: of each field the narrowest that platform, workspace and location say.',
    ),
    sources: z
      .record(z.string(), z.enum(['platform', 'workspace', 'location']))
      .describe('The level that each field of `effective` comes from, by its path: `methods.oxxo.enabled`.'),
    version: z.int().min(1).describe('Counts the changes of your policy, those of all locations together.'),
    policy_version: versionNumber.describe(
      'The version that holds. What is made for sale now is made under it.',
    ),
    effective_at: timestamp.describe('Since when this version holds.'),
    upcoming: z
      .array(
        z.strictObject({
          policy_version: versionNumber.describe('The number of the version that is to begin.'),
          starts_at: timestamp.describe('When it begins.'),
          settings: Settings.describe('What this level says after that.'),
        }),
      )
      .describe('The changes of this level that are still to begin, the next one first.'),
  })
  .meta({ id: 'PaymentPolicy' })

const exampleSettings = {
  methods: { oxxo: { amount_max: { mxn: '500000' }, expires_days: 2 } },
  msi: { terms: [3, 6], markup_cap_bps: 500 },
  three_ds: { required_from: { mxn: '300000' } },
  refunds: { window_days: 90 },
}

const examplePolicy = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000051',
  object: 'payment_policy',
  location_id: null,
  settings: exampleSettings,
  effective: {
    methods: {
      card: { enabled: true, amount_min: { mxn: '1000' }, amount_max: { mxn: '10000000000' } },
      oxxo: { enabled: true, amount_min: { mxn: '1000' }, amount_max: { mxn: '500000' }, expires_days: 2 },
      spei: {
        enabled: true,
        amount_min: { mxn: '1000' },
        amount_max: { mxn: '10000000000' },
        expires_days: 3,
      },
    },
    msi: { terms: [3, 6], amount_min: { '3': '30000', '6': '60000' }, markup_cap_bps: 500 },
    three_ds: { required_from: { mxn: '300000' } },
    refunds: { window_days: 90 },
  },
  sources: {
    'methods.oxxo.amount_max.mxn': 'workspace',
    'methods.oxxo.enabled': 'platform',
    'refunds.window_days': 'workspace',
  },
  version: 2,
  policy_version: '2',
  effective_at: '2026-06-13T12:00:00.000Z',
  upcoming: [
    {
      policy_version: '3',
      starts_at: '2026-11-13T06:00:00.000Z',
      settings: { ...exampleSettings, msi: { terms: [3, 6, 9, 12] } },
    },
    { policy_version: '4', starts_at: '2026-11-17T06:00:00.000Z', settings: exampleSettings },
  ],
} as const

const Version = z
  .strictObject({
    id: uuid,
    object: z.literal('payment_policy_version'),
    version: z.int().min(1).describe('The number of the version, which links and payments name.'),
    location_id: level,
    settings: Settings.describe('What the level says from this version on.'),
    changes: z
      .array(
        z.strictObject({
          field: z.string().describe('The path of the field: `msi.terms`.'),
          from: z.unknown().describe('What the level said before; null where it said nothing.'),
          to: z.unknown().describe('What it says now; null where it says nothing more.'),
        }),
      )
      .describe('What is not as in the version before of the same level.'),
    author: z
      .strictObject({
        user_id: z.string().describe('The id of their account.'),
        email: z.string().describe('Their e-mail address at that time.'),
      })
      .nullable()
      .describe('Who made it; null for the first version, which narrows nothing.'),
    starts_at: timestamp.describe('When it begins: the time that its author named, or when it was made.'),
    created_at: timestamp,
  })
  .meta({ id: 'PaymentPolicyVersion' })

const exampleVersion = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000052',
  object: 'payment_policy_version',
  version: 2,
  location_id: null,
  settings: exampleSettings,
  changes: [{ field: 'refunds.window_days', from: null, to: 90 }],
  author: { user_id: 'usr_0190a6d2', email: 'ana@cafeazul.example' },
  starts_at: '2026-06-13T12:00:00.000Z',
  created_at: '2026-06-13T12:00:00.000Z',
} as const

const reading = { ...reads, tag, access: { api_key: { scopes: ['policies:read'] } } } as const

export const get = contract({
  ...reading,
  id: 'payment_policies.get',
  path: '/v1/payment-policy',
  summary: 'Get the payment policy',
  description:
    'What your workspace, or with `location_id` one of its locations, may sell and take: the narrowest of what the platform, the workspace and the location say. Where the platform narrows later than you, the narrower still holds.',
  query: z.strictObject({ location_id: locationId.optional() }),
  versioned: true,
  showsLive: true,
  reply: { status: 200, schema: Policy },
  errors: ['location_not_found'],
  example: { reply: examplePolicy },
})

export const update = contract({
  ...decides,
  method: 'PUT',
  id: 'payment_policies.update',
  path: '/v1/payment-policy',
  tag,
  summary: 'Set the payment policy',
  description:
    'Replaces all that the workspace’s level says, or with `location_id` that of a location, and makes the next version. With `starts_at` it begins then, and with `ends_at` the level says again what it would have said without it: four days of installments are one request. A level may only narrow the one above. What is for sale already keeps the version that it was made under, unless the platform stops a method. The step-up proof has the action `payment_policy.update` and the scope `policies:write`; its params_hash is over {location_id (null when absent), settings} and, of starts_at, ends_at and replaces_planned, what the request has.',
  access: {
    session: { role: 'admin', stepUp: { action: 'payment_policy.update', scope: 'policies:write' } },
  },
  tables: ['payment_policies', 'payment_policy_versions'],
  versioned: true,
  body: z.strictObject({
    tenant_id: tenantId,
    location_id: locationId
      .nullable()
      .default(null)
      .describe('The location whose level is set; without it the workspace’s own.'),
    settings: Settings.describe('All fields that the level sets. They replace the ones that it set before.'),
    starts_at: timestamp
      .nullable()
      .default(null)
      .describe('When it begins, within two years; without it at once.'),
    ends_at: timestamp
      .nullable()
      .default(null)
      .describe('When it ends, within two years; without it, it lasts.'),
    replaces_planned: z
      .boolean()
      .default(false)
      .describe(
        'What is planned for this level within that time falls away. Otherwise the request is refused, naming it.',
      ),
  }),
  reply: { status: 200, schema: Policy },
  errors: [
    'workspace_not_found',
    'insufficient_role',
    'location_not_found',
    'location_archived',
    'payment_policy_too_wide',
    'payment_policy_planned',
    'payment_policy_planned_max',
  ],
  example: { body: { tenant_id: 'tn_demo', settings: exampleSettings }, reply: examplePolicy },
})

export const listVersions = contract({
  ...reading,
  id: 'payment_policies.list_versions',
  path: '/v1/payment-policy/versions',
  summary: 'List the versions of the payment policy',
  ...paged(Version, exampleVersion, {
    location_id: uuid.optional().describe('Only those of this location.'),
    version: queryInt(1, 2_147_483_647).optional().describe('Only the one with this number.'),
  }),
})

export const getVersion = contract({
  ...reading,
  id: 'payment_policies.get_version',
  path: '/v1/payment-policy/versions/:id',
  summary: 'Get a version of the payment policy',
  ...one(Version, exampleVersion, 'payment_policy_version_not_found'),
})

const amount = (what: string) => minorString.describe(`${what}; minor units.`)

const Evaluation = z
  .strictObject({
    object: z.literal('payment_policy_evaluation'),
    allowed: z.boolean().describe('Whether this could be sold and paid now.'),
    reasons: z
      .array(
        z.strictObject({
          code: z.string().describe('The code of the error that it would meet.'),
          field: z.string().nullable().describe('The field of the policy that refuses it; null for none.'),
          message: z.string().describe('The message of the error.'),
        }),
      )
      .describe('Why it is not allowed; empty where it is.'),
    offers: z
      .array(
        z.strictObject({
          months: z.int().describe('The term; 1 is at once.'),
          per_month: amount('Each payment but the first'),
          first_payment: amount('The first payment, with what does not divide'),
          buyer_total: amount('All that the buyer pays'),
          merchant_fee_estimate: amount('What it costs you, IVA included, at today’s fees'),
        }),
      )
      .describe('How it could be paid; installments only where the card’s BIN says that the card has them.'),
    three_ds: z
      .enum(['automatic', 'required'])
      .describe('`required`: the bank must confirm the buyer. `automatic`: the processor decides.'),
    version: z.int().describe('The version of the policy that was asked.'),
  })
  .meta({ id: 'PaymentPolicyEvaluation' })

export const evaluation = contract({
  ...reading,
  method: 'POST',
  id: 'payment_policies.evaluate',
  path: '/v1/payment-policy/evaluations',
  summary: 'Ask whether a payment would be allowed',
  description:
    'Applies the same rules as links, the buyer’s pages and payments, and records nothing. Which terms a card has is known by its BIN: without one no installments are promised.',
  body: z.strictObject({
    amount: positiveMinor.describe('The price, before any markup; minor units.'),
    currency,
    method: z.enum(methods).default('card').describe('How it would be paid.'),
    capture_method: z.enum(captureMethods).default('automatic').describe('How a card would be captured.'),
    card: z
      .strictObject({
        bin: z
          .string()
          .regex(/^\d{6,8}$/, 'must be 6 to 8 digits')
          .describe('The first six to eight digits of the card.'),
        funding: z
          .enum(['credit', 'debit', 'prepaid'])
          .optional()
          .describe('What kind of card it is, where you know.'),
      })
      .optional()
      .describe('What you know of the card.'),
    months: z.int().min(1).max(60).optional().describe('The term that is asked for; 1: at once.'),
    installment_pricing: z
      .strictObject({
        fee_allocation: z.enum(['absorb', 'pass_to_buyer']).describe('Who bears the cost of installments.'),
        merchant_markup_bps: z.int().min(0).max(10_000).default(0).describe('The markup in basis points.'),
      })
      .default({ fee_allocation: 'absorb', merchant_markup_bps: 0 })
      .describe('Who would bear the cost of installments.'),
    location_id: locationId.optional(),
  }),
  reply: { status: 200, schema: Evaluation },
  errors: ['location_not_found', 'payments_not_configured'],
  example: {
    body: { amount: '120000', currency: 'mxn', method: 'card', card: { bin: '40000048', funding: 'credit' } },
    reply: {
      object: 'payment_policy_evaluation',
      allowed: true,
      reasons: [],
      offers: [
        {
          months: 1,
          per_month: '120000',
          first_payment: '120000',
          buyer_total: '120000',
          merchant_fee_estimate: '5011',
        },
        {
          months: 3,
          per_month: '40000',
          first_payment: '40000',
          buyer_total: '120000',
          merchant_fee_estimate: '11275',
        },
      ],
      three_ds: 'automatic',
      version: 2,
    },
  },
})
