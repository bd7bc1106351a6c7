import * as z from 'zod'
import { contract, reads, writes } from '../../../src/http/contract.ts'
import {
  currency,
  emailAddress,
  folioFilter,
  freeText,
  metadata,
  metadataFilter,
  one,
  paged,
  publicRef,
  uuid,
} from '../../../src/http/schemas.ts'
import {
  customerErrors,
  knownOfNew,
  termErrors,
  termsOfNew,
  workspaceErrors,
} from '../../order/sales/api-pure.ts'
import { asked, example, Session, statuses, uiModes } from './contract-session.ts'

const path = '/v1/hosted-checkout'
const tag = 'Hosted checkout'

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
  'discount_not_found',
  'discount_not_applicable',
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
    'What one buyer pays once: lines, of a catalog or written by you, or an amount. Names and prices of items are kept as they are now. Stock is taken when the buyer begins to pay, and is free again if that payment fails. `client_reference_id` is no Idempotency-Key.',
  tables: ['checkout_sessions'],
  body: z.strictObject({
    line_items: asked.line_items.optional(),
    amount: asked.amount.optional(),
    ui_mode: z
      .enum(uiModes)
      .default('hosted')
      .describe(
        '`embedded`: pages of the `return_origins` of the settings may show it in a frame, with the script `/assets/embed.js` of the address that it is paid at.',
      ),
    currency: currency.default('mxn'),
    discounts: asked.discounts.default([]),
    tips: asked.tips.default(null),
    shipping_options: asked.shipping_options.default([]),
    allows_discount_codes: asked.allows_discount_codes.default(false),
    ...termsOfNew,
    collects: asked.collects.default(null),
    description: asked.description.default(null),
    success_url: asked.success_url.default(null),
    cancel_url: asked.cancel_url.default(null),
    client_reference_id: asked.client_reference_id.default(null),
    customer_id: asked.customer_id.default(null),
    ...knownOfNew,
    location_id: uuid
      .nullable()
      .default(null)
      .describe('The location that sells: its payment policy, stock and prices; null for none.'),
    metadata: metadata.default({}),
    recovery: asked.recovery.default(null),
    expires_at: asked.expires_at.optional(),
  }),
  reply: { status: 201, schema: Session },
  errors: ['location_not_found', 'embedding_origin_missing', ...saleErrors, ...workspaceErrors],
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
    email: emailAddress
      .optional()
      .describe(
        'Only sessions whose buyer gave this e-mail address with the last attempt to pay: `collected.email`.',
      ),
    folio: folioFilter('sessions'),
    metadata: metadataFilter,
  }),
})

export const get = contract({
  ...reading,
  ...ofSession,
  id: 'checkout_sessions.get',
  versioned: true,
  showsLive: true,
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
    'Fields that are left out stay. Lines, amount, methods and installments are frozen once a payment has been tried. An open page shows the change before the buyer pays, also of what `collects` asks. With `recovery` null a consent that was given is forgotten.',
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
    'checkout_session_customer_fixed',
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
  description:
    'The session can then no longer be paid. While a payment of it is under way the request is refused.',
  tables: ['checkout_sessions'],
  errors: ['checkout_session_not_found', 'checkout_session_closed', 'checkout_session_being_paid'],
  example: { reply: { ...example, status: 'expired', version: 2 } },
})

/** A buyer consents to a mail in case the session ends unpaid, or takes it back. */
export const consent = {
  id: 'checkout_sessions.consent_to_recovery',
  access: { public_id: {} },
  tables: ['checkout_sessions', 'checkout_recoveries'],
} as const

/** Mails the buyer of a session that ended unpaid. */
export const recoveryMail = {
  id: 'checkout_sessions.mail_recovery',
  access: { system: {} },
  tables: ['checkout_sessions', 'checkout_recoveries', 'outgoing_mails'],
} as const

/** The buyer opens a fresh session by the address in that mail. */
export const recover = {
  id: 'checkout_sessions.recover',
  access: { public_id: {} },
  tables: ['checkout_sessions', 'checkout_recoveries'],
} as const

/** Ends sessions at their time. */
export const expiry = {
  id: 'checkout_sessions.sweep',
  access: { system: {} },
  tables: ['checkout_sessions'],
} as const

/** A buyer completes an order that costs nothing, on the page. */
export const completion = {
  id: 'checkout_sessions.complete',
  access: { public_id: {} },
  tables: ['checkout_sessions', 'buyer_details', 'outgoing_mails'],
} as const

/** A buyer changes what they order, on the page. */
export const adjustment = {
  id: 'checkout_sessions.adjust',
  access: { public_id: {} },
  tables: ['checkout_sessions'],
} as const
