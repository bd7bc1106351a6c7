import * as z from 'zod'
import { contract, reads, writes } from '../../../src/http/contract.ts'
import {
  boundedMinor,
  currency,
  minorString,
  one,
  paged,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { discountCode } from '../../order/lines/api-pure.ts'

const path = '/v1/hosted-checkout/discounts'
const tag = 'Hosted checkout'

const usesMax = z.int().min(1).max(1_000_000_000)

const limits = {
  uses_max: usesMax.nullable().describe('How many payments may use it in all; null: any number.'),
  uses_per_customer_max: usesMax
    .nullable()
    .describe(
      'How many payments of one customer may use it: it then applies to sessions with a `customer_id` alone; null: any number.',
    ),
  starts_at: timestamp.nullable().describe('Applies from this time on; null: at once.'),
  ends_at: timestamp.nullable().describe('Applies until this time; null: without an end.'),
}

const Discount = z
  .strictObject({
    id: uuid,
    object: z.literal('discount'),
    code: z.string().describe('What a buyer types, in any case of letters.'),
    active: z.boolean().describe('False: the discount cannot be used.'),
    amount_off: minorString
      .nullable()
      .describe('Minor units that it takes off; null with `percent_off_bps`.'),
    percent_off_bps: z
      .int()
      .min(1)
      .max(10_000)
      .nullable()
      .describe('The part that it takes off, in basis points: 1000 is 10 %. Rounded half up.'),
    currency: currency.nullable().describe('The currency of its amounts; null where it has none.'),
    amount_min: minorString
      .nullable()
      .describe('Minor units that the lines must come to before any discount; null: any amount.'),
    ...limits,
    uses_count: z.int().min(0).describe('How many payments have used it or hold a use of it now.'),
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Discount' })

const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000083',
  object: 'discount',
  code: 'BUENFIN',
  active: true,
  amount_off: null,
  percent_off_bps: 1_000,
  currency: null,
  amount_min: null,
  uses_max: 500,
  uses_per_customer_max: null,
  starts_at: null,
  ends_at: null,
  uses_count: 0,
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const reading = { ...reads, tag, access: { api_key: { scopes: ['hosted_checkout:read'] } } } as const
const writing = {
  ...writes,
  tag,
  access: { api_key: { scopes: ['hosted_checkout:write'] } },
  tables: ['discounts'],
} as const
const ofDiscount = {
  ...one(Discount, example, 'discount_not_found'),
  params: z.strictObject({ id: uuid }),
} as const

const offMinor = boundedMinor.refine((text) => BigInt(text) > 0n, 'must be more than zero')

export const create = contract({
  ...writing,
  id: 'discounts.create',
  versioned: true,
  path,
  location: `${path}/:id`,
  summary: 'Create a discount code',
  description:
    'What it takes off is given by `amount_off` or by `percent_off_bps`, and is never more than the lines come to. An attempt to pay holds a use; one that fails or ends frees it, one that succeeds has taken it.',
  body: z.strictObject({
    code: discountCode.describe('What a buyer types: unique in your workspace, in any case of letters.'),
    amount_off: offMinor.nullable().default(null).describe('Minor units that it takes off.'),
    percent_off_bps: z
      .int()
      .min(1)
      .max(10_000)
      .nullable()
      .default(null)
      .describe('The part that it takes off, in basis points: 1000 is 10 %. Rounded half up.'),
    currency: currency
      .nullable()
      .default(null)
      .describe('The currency of its amounts; needed with `amount_off` and `amount_min`, else null.'),
    amount_min: offMinor
      .nullable()
      .default(null)
      .describe('Minor units that the lines must come to before any discount; null: any amount.'),
    uses_max: limits.uses_max.default(null),
    uses_per_customer_max: limits.uses_per_customer_max.default(null),
    starts_at: limits.starts_at.default(null),
    ends_at: limits.ends_at.default(null),
  }),
  reply: { status: 201, schema: Discount },
  errors: ['discount_code_taken'],
  example: { body: { code: 'BUENFIN', percent_off_bps: 1_000, uses_max: 500 }, reply: example },
})

export const list = contract({
  ...reading,
  id: 'discounts.list',
  path,
  summary: 'List discount codes',
  ...paged(Discount, example, { code: discountCode.optional().describe('Only this code.') }),
})

export const get = contract({
  ...reading,
  ...ofDiscount,
  id: 'discounts.get',
  versioned: true,
  path: `${path}/:id`,
  summary: 'Get a discount code',
})

export const update = contract({
  ...writing,
  ...ofDiscount,
  id: 'discounts.update',
  versioned: true,
  method: 'PATCH',
  path: `${path}/:id`,
  summary: 'Change a discount code',
  description:
    'Its code and what it takes off stay as they are. A session that has it and is not paid yet is refused its next payment once the code no longer applies.',
  idempotency: 'optional',
  body: z
    .strictObject({ active: z.boolean().describe('False: the discount cannot be used.'), ...limits })
    .partial()
    .refine((body) => Object.keys(body).length > 0, 'must name at least one field'),
  errors: ['discount_not_found', 'discount_used_up'],
  example: { body: { active: false }, reply: { ...example, active: false, version: 2 } },
})
