import * as z from 'zod'
import { customerConsents } from '../../../drizzle/schema/customers.ts'
import type { SegmentCondition } from '../../../drizzle/schema/segments.ts'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { ofType, oneOf, ruleOf } from '../../../src/http/rule-schema.ts'
import { currency, freeText, paged, textOf, timestamp, uuid } from '../../../src/http/schemas.ts'
import { asCsv, Customer, csvFile, exampleCsv, exampleCustomer } from '../customers/api-pure.ts'

export const conditionsMax = 20
export const countMax = 10_000

const path = '/v1/customer-hub/segments'

const of = <const Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
  ofType(type, 'What is asked of the customer.', fields)

const times = {
  after: timestamp.optional().describe('After this time.'),
  before: timestamp.optional().describe('Before this time.'),
}
const since = timestamp.optional().describe('Only payments that succeeded at this time or later.')
const minor = textOf(/^\d{1,18}$/, 'must be a whole number of minor units, as a string of at most 18 digits')
const number = z.int().min(0).max(1_000_000)

const conditions = [
  of('tag', { is: freeText(40).min(1).describe('The customer has this tag.') }),
  of('status', { is: z.enum(['active', 'blocked']).describe('The customer’s status.') }),
  of('locale', {
    is: freeText(35).min(1).describe('The language to write in, as the customer shows it.'),
  }),
  of('metadata', {
    key: freeText(40).min(1).describe('A key of the customer’s metadata.'),
    is: freeText(500).describe('The whole text, number or boolean under it.'),
  }),
  of('has', {
    field: z
      .enum(['name', 'email', 'phone', 'external_id', 'tax_profile'])
      .describe('A field of the customer that is not null.'),
  }),
  of('created_at', times).refine(...oneOf(['after', 'before'])),
  of('last_payment_at', times).refine(...oneOf(['after', 'before'])),
  of('payments_count', {
    gte: number.optional().describe('At least so many successful payments.'),
    lte: number.optional().describe('At most so many successful payments.'),
    since,
  }).refine(...oneOf(['gte', 'lte'])),
  of('payments_sum', {
    currency,
    gte: minor.optional().describe('At least so much was captured and not refunded, in minor units.'),
    lte: minor.optional().describe('At most so much was captured and not refunded, in minor units.'),
    since,
  }).refine(...oneOf(['gte', 'lte'])),
  of('consent', {
    channel: z.enum(customerConsents.channel.enumValues).describe('How a contact may be used.'),
    purpose: z.enum(customerConsents.purpose.enumValues).describe('What a given consent allows it for.'),
  }),
] as const

const rule = ruleOf<SegmentCondition>(conditions, 'Segment', conditionsMax).describe(
  `Who belongs to it: a condition, or \`all\`, \`any\` or \`none\` of several, which may be groups of conditions themselves. There are at most ${conditionsMax} conditions.`,
)
const name = freeText(120).trim().min(1).describe('Your own name for it.')

const Segment = shown('segment', {
  name,
  rule: z.record(z.string(), z.unknown()).describe('As you set it.'),
}).meta({ id: 'Segment' })

const body = {
  name: 'Regulars',
  rule: {
    type: 'all',
    rules: [
      { type: 'payments_count', gte: 3 },
      { type: 'consent', channel: 'email', purpose: 'marketing' },
    ],
  },
}

const example = exampleOf('segment', '0190a6d2-7c3e-7b1a-9f00-000000000071', body)

const segments = resource({
  tag: 'Segments',
  path,
  reads: { api_key: { scopes: ['customer_hub.segments:read'] } },
  writes: { api_key: { scopes: ['customer_hub.segments:write'] } },
  tables: ['segments'],
  notFound: 'segment_not_found',
  versioned: true,
  schema: Segment,
  example,
})

export const create = segments.create({
  id: 'segments.create',
  summary: 'Create a segment',
  description:
    'Who belongs to it is computed when it is read: a customer who changes enters or leaves it at once.',
  body: z.strictObject({ name, rule }),
  example: body,
})

export const list = segments.list({ id: 'segments.list', summary: 'List segments' })

export const get = segments.get({ id: 'segments.get', summary: 'Get a segment' })

export const update = segments.update({
  id: 'segments.update',
  summary: 'Change a segment',
  description: 'Fields that are left out stay.',
  fields: { name, rule },
  example: { name: 'Friends' },
})

export const remove = segments.remove('segment', {
  id: 'segments.delete',
  summary: 'Delete a segment',
  description: 'Its customers stay.',
})

export const pin = contract({
  ...segments.writing,
  ...segments.one,
  id: 'segments.pin',
  tables: ['segments', 'segment_pins'],
  path: `${path}/:id/pin`,
  summary: 'Pin a customer to a segment',
  description: 'The customer belongs to it, or does not, whatever the rule says.',
  body: z.strictObject({
    customer_id: uuid.describe('The customer.'),
    pinned: z
      .enum(['in', 'out', 'none'])
      .describe('`in`: belongs to it. `out`: does not. `none`: as the rule says.'),
  }),
  reply: { status: 200, schema: Segment },
  errors: ['segment_not_found', 'customer_not_found', 'segment_pins_too_many'],
  example: {
    body: { customer_id: exampleCustomer.id, pinned: 'in' },
    reply: { ...example, version: 2 },
  },
})

export const members = contract({
  ...segments.reading,
  ...segments.one,
  // It shows the customers themselves.
  access: { api_key: { scopes: ['customer_hub:read'] } },
  id: 'segments.list_members',
  path: `${path}/:id/members`,
  summary: 'List the customers of a segment',
  description: 'Those that the rule finds now and those pinned in, without those pinned out.',
  ...paged(Customer, exampleCustomer),
  errors: ['segment_not_found', 'cursor_invalid'],
})

export const membersFile = contract({
  ...segments.reading,
  ...segments.one,
  access: { api_key: { scopes: ['customer_hub:read'] } },
  id: 'segments.list_members_as_csv',
  path: `${path}/:id/members.csv`,
  summary: 'Get the customers of a segment as a file',
  description: asCsv('those of the segment alone'),
  ...csvFile,
  errors: ['segment_not_found'],
  example: { reply: exampleCsv },
})

export const preview = contract({
  ...segments.writing,
  access: { api_key: { scopes: ['customer_hub:read'] } },
  id: 'segments.preview',
  tables: [],
  path: '/v1/customer-hub/segment-previews',
  summary: 'Preview a rule',
  description: 'How many customers a rule finds, and the newest of them. Nothing is stored.',
  idempotency: 'none',
  rate: 'read',
  body: z.strictObject({ rule }),
  reply: {
    status: 200,
    schema: z
      .strictObject({
        object: z.literal('segment_preview'),
        count: z.int().min(0).max(countMax).describe('How many customers the rule finds.'),
        count_is_exact: z.boolean().describe(`False where there are more than ${countMax}.`),
        data: z.array(Customer).describe('The newest 20 of them.'),
      })
      .meta({ id: 'SegmentPreview' }),
  },
  errors: [],
  example: {
    body: { rule: { type: 'tag', is: 'vip' } },
    reply: { object: 'segment_preview', count: 1, count_is_exact: true, data: [exampleCustomer] },
  },
})
