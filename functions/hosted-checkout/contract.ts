import * as z from 'zod'
import { ivaRates } from '../../drizzle/schema/digital-catalogs.ts'
import { contract, reads, writes } from '../../src/http/contract.ts'
import {
  clientReferenceId,
  currency,
  freeText,
  metadata,
  metadataFilter,
  minorString,
  one,
  paged,
  positiveMinor,
  publicRef,
  timestamp,
  uuid,
} from '../../src/http/schemas.ts'
import {
  customerErrors,
  termErrors,
  termsAsked,
  termsOfNew,
  termsShown,
  workspaceErrors,
} from '../hosted-payment/api-pure.ts'

const path = '/v1/hosted-checkout'
const tag = 'Hosted checkout'
export const linesMax = 100
export const lifeMinutesMin = 5
export const lifeHoursMax = 24
export const returnOriginsMax = 50

const statuses = ['open', 'complete', 'expired'] as const

const shownLine = {
  item_id: uuid.nullable().describe('The item of your catalogue; null for a line that you wrote.'),
  name: z.string().describe('What it is, as the buyer reads it.'),
  unit_amount: minorString.describe('Minor units of one.'),
  quantity: z.int().min(1).describe('How many of it.'),
  iva_rate: z.enum(ivaRates).describe('Its IVA: 16 %, 8 %, 0 % or exempt.'),
  price_includes_tax: z.boolean().describe('Whether `unit_amount` has the IVA in it.'),
  amount_subtotal: minorString.describe('Before IVA.'),
  amount_tax: minorString.describe('The IVA: rounded half up, once for the line.'),
  amount_total: minorString.describe('What the buyer pays for the line.'),
}

const returnUrl = freeText(2048)
  .regex(/^https?:\/\/[^\s]+$/, 'must be an address that begins with https://')
  .refine((text) => URL.canParse(text), 'must be an address')
  .nullable()

const quantity = z.int().min(1).max(10_000).describe('How many of it.')

const lineAsked = z
  .union([
    z.strictObject({
      item_id: uuid.describe(
        'An item of a published catalogue: its name, price and IVA now are those of the line.',
      ),
      quantity: quantity.default(1),
    }),
    z.strictObject({
      name: freeText(200).trim().min(1).describe('What it is, as the buyer reads it.'),
      unit_amount: positiveMinor.describe('Minor units of one.'),
      quantity: quantity.default(1),
      iva_rate: z.enum(ivaRates).default('16').describe('Its IVA: 16 %, 8 %, 0 % or exempt.'),
      price_includes_tax: z.boolean().default(true).describe('Whether `unit_amount` has the IVA in it.'),
    }),
  ])
  .describe('A line: an item of a catalogue, or what you write.')

const asked = {
  line_items: z
    .array(lineAsked)
    .min(1)
    .max(linesMax)
    .describe('What is sold; give either lines or `amount`.'),
  amount: positiveMinor.describe('Minor units: what is paid, without lines.'),
  ...termsAsked,
  description: freeText(500).nullable().describe('What is paid for, as the buyer reads it.'),
  success_url: returnUrl.describe(
    'Where the buyer may go once it is paid. Its origin stands in `return_origins` of the settings. `{session}` in it becomes the public id.',
  ),
  cancel_url: returnUrl.describe(
    'Where the buyer may go back to. Its origin stands in `return_origins` of the settings.',
  ),
  client_reference_id: clientReferenceId
    .nullable()
    .describe('Your own name for what is paid; its payment has it.'),
  customer_id: uuid.nullable().describe('The customer who is to pay, an active one; its payment has it.'),
  metadata,
  expires_at: timestamp.describe(
    `When it can be paid no more: ${lifeMinutesMin} minutes to ${lifeHoursMax} hours ahead. A voucher or CLABE that was issued before may be paid after it.`,
  ),
}

const Session = z
  .strictObject({
    id: uuid,
    object: z.literal('checkout_session'),
    public_id: z
      .string()
      .regex(/^spcs_[a-z0-9]{32}$/)
      .describe('The last part of its address.'),
    url: z
      .string()
      .regex(/^https:\/\/[^/]+\/spcs_[a-z0-9]{32}$/)
      .describe(
        'The address that the buyer pays at; `?lang=en` or `?lang=es` behind it chooses the language.',
      ),
    status: z
      .enum(statuses)
      .describe(
        '`open` until it is paid; `complete` once it is, never before; `expired` when its time passed or you ended it.',
      ),
    payment_status: z
      .enum(['unpaid', 'pending', 'paid'])
      .describe('`pending`: a payment is under way, or a voucher or CLABE waits.'),
    payment_id: uuid.nullable().describe('The payment that completed it, or that is under way.'),
    line_items: z.array(z.strictObject(shownLine)).describe('What is sold, as it was when it was set.'),
    amount: minorString.describe('Minor units: what the buyer pays, before any markup for installments.'),
    amount_tax: minorString.nullable().describe('The IVA in it; null without lines.'),
    currency,
    ...termsShown,
    description: z.string().nullable().describe('What is paid for, as the buyer reads it.'),
    success_url: z.string().nullable().describe('Where the buyer may go once it is paid.'),
    cancel_url: z.string().nullable().describe('Where the buyer may go back to.'),
    client_reference_id: z.string().nullable().describe('Your own name for what is paid.'),
    customer_id: uuid.nullable().describe('The customer who is to pay.'),
    metadata: z.record(z.string(), z.unknown()).describe('Your own data, as you sent it.'),
    location_id: uuid.nullable().describe('The location that sells; null where none does.'),
    policy_version: z
      .string()
      .regex(/^\d+$/)
      .describe('The number of the version of your payment policy that its terms were set under.'),
    expires_at: timestamp.describe('When it can be paid no more.'),
    completed_at: timestamp.nullable().describe('When it was paid.'),
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'CheckoutSession' })

const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000081',
  object: 'checkout_session',
  public_id: 'spcs_0123456789abcdefghijklmnopqrstuv',
  url: 'https://pay.spindle.example/spcs_0123456789abcdefghijklmnopqrstuv',
  status: 'open',
  payment_status: 'unpaid',
  payment_id: null,
  line_items: [
    {
      item_id: null,
      name: 'Taza azul',
      unit_amount: '58000',
      quantity: 2,
      iva_rate: '16',
      price_includes_tax: true,
      amount_subtotal: '100000',
      amount_tax: '16000',
      amount_total: '116000',
    },
  ],
  amount: '116000',
  amount_tax: '16000',
  currency: 'mxn',
  payment_method_types: ['card'],
  capture_method: 'automatic',
  installment_options: [],
  installment_plan: null,
  installment_pricing: { fee_allocation: 'absorb', merchant_markup_bps: 0 },
  description: null,
  success_url: null,
  cancel_url: null,
  client_reference_id: 'order-1024',
  customer_id: null,
  metadata: {},
  location_id: null,
  policy_version: '1',
  expires_at: '2026-06-13T13:00:00.000Z',
  completed_at: null,
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const reading = { ...reads, tag, access: { api_key: { scopes: ['hosted_checkout:read'] } } } as const
const writing = { ...writes, tag, access: { api_key: { scopes: ['hosted_checkout:write'] } } } as const
const ofSession = {
  ...one(Session, example, 'checkout_session_not_found'),
  params: z.strictObject({ id: publicRef('spcs', 'a checkout session') }),
} as const

const saleErrors = [
  'catalog_item_not_found',
  'catalog_item_not_for_sale',
  'return_origin_not_allowed',
  ...termErrors,
  ...customerErrors,
] as const

export const create = contract({
  ...writing,
  id: 'checkout_sessions.create',
  versioned: true,
  path: `${path}/sessions`,
  location: `${path}/sessions/:id`,
  summary: 'Create a checkout session',
  description:
    'What one buyer pays once: lines, of a catalogue or written by you, or an amount. Names and prices of items are kept as they are now. Stock is taken when the buyer begins to pay, and is free again if that payment fails. `client_reference_id` is no Idempotency-Key.',
  tables: ['checkout_sessions'],
  body: z.strictObject({
    line_items: asked.line_items.optional(),
    amount: asked.amount.optional(),
    currency: currency.default('mxn'),
    ...termsOfNew,
    description: asked.description.default(null),
    success_url: asked.success_url.default(null),
    cancel_url: asked.cancel_url.default(null),
    client_reference_id: asked.client_reference_id.default(null),
    customer_id: asked.customer_id.default(null),
    location_id: uuid
      .nullable()
      .default(null)
      .describe('The location that sells: its payment policy and its stock; null for none.'),
    metadata: metadata.default({}),
    expires_at: asked.expires_at.optional(),
  }),
  reply: { status: 201, schema: Session },
  errors: ['location_not_found', ...saleErrors, ...workspaceErrors],
  example: {
    body: {
      line_items: [{ name: 'Taza azul', unit_amount: '58000', quantity: 2 }],
      client_reference_id: 'order-1024',
    },
    reply: example,
  },
})

export const list = contract({
  ...reading,
  id: 'checkout_sessions.list',
  path: `${path}/sessions`,
  summary: 'List checkout sessions',
  ...paged(Session, example, {
    status: z.enum(statuses).optional().describe('Only what has this status.'),
    client_reference_id: freeText(200).optional().describe('Only with this `client_reference_id`.'),
    customer_id: uuid.optional().describe('Only for this customer.'),
    metadata: metadataFilter,
  }),
})

export const get = contract({
  ...reading,
  ...ofSession,
  id: 'checkout_sessions.get',
  versioned: true,
  path: `${path}/sessions/:id`,
  summary: 'Get a checkout session',
})

export const update = contract({
  ...writing,
  ...ofSession,
  id: 'checkout_sessions.update',
  versioned: true,
  method: 'PATCH',
  path: `${path}/sessions/:id`,
  summary: 'Change an open checkout session',
  description:
    'Fields that are left out stay. Lines, amount, methods and installments are frozen once a payment has been tried. An open page shows the change before the buyer pays.',
  tables: ['checkout_sessions'],
  idempotency: 'optional',
  body: z
    .strictObject(asked)
    .partial()
    .refine((body) => Object.keys(body).length > 0, 'must name at least one field'),
  errors: [
    'checkout_session_not_found',
    'checkout_session_closed',
    'checkout_session_terms_frozen',
    ...saleErrors,
  ],
  example: {
    body: { metadata: { order: '1025' } },
    reply: { ...example, metadata: { order: '1025' }, version: 2 },
  },
})

export const expire = contract({
  ...writing,
  ...ofSession,
  id: 'checkout_sessions.expire',
  versioned: true,
  path: `${path}/sessions/:id/expire`,
  summary: 'End an open checkout session',
  description: 'It cannot be paid from then on. While a payment of it is under way it is refused.',
  tables: ['checkout_sessions'],
  errors: ['checkout_session_not_found', 'checkout_session_closed', 'checkout_session_being_paid'],
  example: { reply: { ...example, status: 'expired', version: 2 } },
})

const origin = freeText(255)
  .toLowerCase()
  .regex(
    /^(https:\/\/[a-z0-9.-]+|http:\/\/localhost)(:\d{1,5})?$/,
    'must be an origin, like https://tienda.example',
  )

const CheckoutSettings = z
  .strictObject({
    id: uuid.nullable().describe('Null before they were set.'),
    object: z.literal('checkout_settings'),
    return_origins: z.array(z.string()).describe('The origins that buyers may be sent back to.'),
    version: z.int().min(0),
    updated_at: timestamp.nullable().describe('When they were set; null before.'),
  })
  .meta({ id: 'CheckoutSettings' })

const exampleSettings = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000082',
  object: 'checkout_settings',
  return_origins: ['https://tienda.example'],
  version: 1,
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

export const getSettings = contract({
  ...reading,
  id: 'checkout_settings.get',
  path: `${path}/settings`,
  summary: 'Get the settings of checkouts',
  reply: { status: 200, schema: CheckoutSettings },
  errors: [],
  example: { reply: exampleSettings },
})

export const putSettings = contract({
  ...writing,
  id: 'checkout_settings.put',
  method: 'PUT',
  path: `${path}/settings`,
  summary: 'Set the settings of checkouts',
  description: 'In the sandbox `http://localhost` with a port is an origin too.',
  tables: ['checkout_settings'],
  idempotency: 'optional',
  body: z.strictObject({
    return_origins: z
      .array(origin)
      .max(returnOriginsMax)
      .refine((list) => new Set(list).size === list.length, 'must not name an origin twice')
      .describe('The origins that buyers may be sent back to: scheme and host, without a path.'),
  }),
  reply: { status: 200, schema: CheckoutSettings },
  errors: [],
  example: { body: { return_origins: ['https://tienda.example'] }, reply: exampleSettings },
})

/** Ends sessions at their time. */
export const expiry = {
  id: 'checkout_sessions.sweep',
  access: { system: {} },
  tables: ['checkout_sessions'],
} as const
