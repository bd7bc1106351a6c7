import * as z from 'zod'
import { paymentLinks } from '../../../drizzle/schema/payment-links.ts'
import { contract } from '../../../src/http/contract.ts'
import {
  clientReferenceId,
  currency,
  freeText,
  metadata,
  paged,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { examplePayment, Payment } from '../../money/payments/api-pure.ts'
import { itemLinesAsked, orderAsked } from '../../order/lines/api-pure.ts'
import {
  customerErrors,
  knownAsked,
  termErrors,
  termsAsked,
  termsOfNew,
  workspaceErrors,
} from '../../order/sales/api-pure.ts'
import { amountAsked } from './contract-amount.ts'
import { exampleLink, PaymentLink, Snapshot } from './contract-link.ts'
import { payerAsked, payerOfNew } from './contract-payer.ts'
import { ofLink, reading } from './contract-read.ts'

/** The most uses that a link may be limited to: as payment_links_uses_max has it. */
export const usesMaxMost = 1_000_000

const terms = {
  manual_amount: z
    .number('must be a number of minor units, without quotes: 120000 is 1,200.00')
    .meta({ type: 'integer', description: 'Minor units: 120000 is 1,200.00' }),
  ...amountAsked,
  line_items: itemLinesAsked.describe(
    'What is sold of catalogs, in several lines: names, prices and IVA are kept as they are now, an attempt takes stock, a payment grants what they deliver.',
  ),
  discounts: orderAsked.discounts,
  allows_discount_codes: orderAsked.allows_discount_codes,
  shipping_options: orderAsked.shipping_options,
  tips: orderAsked.tips,
  ...termsAsked,
  ...payerAsked,
  description: freeText(500).nullable().describe('What is paid for, as the buyer reads it.'),
  uses_max: z
    .int()
    .min(1)
    .max(usesMaxMost)
    .nullable()
    .describe(
      'How often a multi-use link can be paid; null: as often as buyers like. A payment under way and an unpaid voucher hold a use. It moves later, not below the uses taken; a link that was paid without a limit gets none',
    ),
  starts_at: timestamp
    .nullable()
    .describe(
      'No payment can begin before this time, which is before `expires_at`; until then its page says when. null: at once.',
    ),
  expires_at: timestamp
    .nullable()
    .describe('No payment can begin after this time; null: it does not expire.'),
  client_reference_id: clientReferenceId
    .nullable()
    .describe(
      'Your own name for what is paid; payments have it. A visit can bring another, `?client_reference_id=…`, which the buyer can change',
    ),
  customer_id: uuid
    .nullable()
    .describe('The customer who is to pay, an active one; payments that begin from now on have it.'),
  ...knownAsked,
  metadata: metadata.describe(
    'Your own data: up to 50 keys with any JSON, at most 8 levels and 30,000 characters of it. A payment copies it when it is made; its events contain it too',
  ),
}

/** What a link is made of, in a request. */
export const newLink = {
  amount_source: z
    .enum(['manual_amount', 'catalog_line_item'])
    .describe('Where the amount comes from.')
    .default('manual_amount'),
  manual_amount: terms.manual_amount.optional(),
  buyer_amount: terms.buyer_amount.default(null),
  adjustable_quantity: terms.adjustable_quantity.default(null),
  catalog_line_item_snapshot: Snapshot.optional().describe(
    'The line item that gives the amount; with that source alone.',
  ),
  catalog_line_item: z
    .strictObject({
      item_id: uuid.describe('The item of a published catalog; of an item with options, a variant.'),
      quantity: z.int().min(1).max(10_000).default(1).describe('How many of the item.'),
    })
    .optional()
    .describe(
      'What is sold of a catalog, in place of a snapshot: name and price are kept as they are now, an attempt takes stock, a payment grants what it delivers.',
    ),
  line_items: terms.line_items
    .optional()
    .describe('Several items of catalogs, in place of one: with `amount_source` `catalog_line_item` alone.'),
  discounts: terms.discounts.default([]),
  allows_discount_codes: terms.allows_discount_codes.default(false),
  shipping_options: terms.shipping_options.default([]),
  tips: terms.tips.default(null),
  currency,
  usage: z.enum(paymentLinks.usage.enumValues).describe('How often it can be paid.').default('single_use'),
  ...termsOfNew,
  ...payerOfNew,
  description: terms.description.default(null),
  uses_max: terms.uses_max.default(null),
  starts_at: terms.starts_at.default(null),
  expires_at: terms.expires_at.default(null),
  client_reference_id: terms.client_reference_id.default(null),
  customer_id: terms.customer_id.default(null),
  customer_email: terms.customer_email.default(null),
  customer_name: terms.customer_name.default(null),
  location_id: uuid
    .nullable()
    .describe('The location that sells: its payment policy and prices; null for none.')
    .default(null),
  metadata: terms.metadata.default({}),
}

const saleErrors = [
  'catalog_item_not_found',
  'catalog_item_not_for_sale',
  'discount_not_found',
  'discount_not_applicable',
  'return_origin_not_allowed',
] as const

export const newLinkErrors = [
  ...saleErrors,
  'location_not_found',
  ...customerErrors,
  ...termErrors,
  ...workspaceErrors,
] as const

export const writing = {
  tag: 'Payment links',
  access: { api_key: { scopes: ['payment_links:write'] } },
  tables: ['payment_links'],
  rate: 'write',
} as const
const reply = { status: 200, schema: PaymentLink } as const

export const create = contract({
  ...writing,
  id: 'payment_links.create',
  versioned: true,
  method: 'POST',
  path: '/v1/payment-links',
  location: '/v1/payment-links/:id',
  summary: 'Create a payment link',
  description:
    'The amount is `manual_amount` (integer minor units), or comes from a catalog line item or `line_items`, as `amount_source` says. Installments need the method card and mxn; `absorb` forbids a markup. oxxo and spei need mxn, automatic capture and an amount between their own limits; of several methods the buyer chooses.',
  idempotency: 'required',
  body: z.strictObject(newLink),
  reply: { status: 201, schema: PaymentLink },
  errors: newLinkErrors,
  example: {
    body: {
      manual_amount: 120000,
      currency: 'mxn',
      description: 'Silla',
      installment_options: [{ months: 3 }, { months: 12 }],
      client_reference_id: 'order-1024',
      metadata: { order: '1024' },
    },
    reply: exampleLink,
  },
})

export const listPayments = contract({
  ...reading,
  ...ofLink,
  id: 'payment_links.list_payments',
  method: 'GET',
  path: '/v1/payment-links/:id/payments',
  summary: 'List the payments of a payment link',
  ...paged(Payment, examplePayment),
  errors: ['payment_link_not_found', 'cursor_invalid'],
})

export const update = contract({
  ...writing,
  ...ofLink,
  id: 'payment_links.update',
  versioned: true,
  method: 'PATCH',
  path: '/v1/payment-links/:id',
  summary: 'Change a payment link',
  description:
    'Fields that are left out stay. Amount, methods and installments are frozen once a payment has been tried; set before, they obey the current payment policy, and the link keeps that version; an archived or paid link does not change.',
  idempotency: 'optional',
  body: z
    .strictObject(terms)
    .partial()
    .refine((body) => Object.keys(body).length > 0, 'must name at least one field'),
  reply,
  errors: [
    'payment_link_not_found',
    'payment_link_archived',
    'payment_link_paid',
    'payment_link_terms_frozen',
    'payment_link_uses_taken',
    'payment_link_limit_late',
    ...saleErrors,
    ...termErrors,
    ...customerErrors,
  ],
  example: {
    body: { metadata: { order: '1025' } },
    reply: { ...exampleLink, metadata: { order: '1025' }, version: 2 },
  },
})

const moving = {
  ...writing,
  ...ofLink,
  method: 'POST',
  idempotency: 'required',
  versioned: true,
  reply,
} as const

export const activate = contract({
  ...moving,
  id: 'payment_links.activate',
  path: '/v1/payment-links/:id/activate',
  summary: 'Activate a payment link',
  errors: [
    'payment_link_not_found',
    'payment_link_archived',
    'payment_link_paid',
    'payment_link_revoked',
    'payment_link_expired',
    'payment_link_used_up',
    'payment_link_status_unchanged',
  ],
  example: { reply: exampleLink },
})

export const deactivate = contract({
  ...moving,
  id: 'payment_links.deactivate',
  path: '/v1/payment-links/:id/deactivate',
  summary: 'Deactivate a payment link',
  description: "It can be activated again. A buyer in the middle of the bank's challenge may finish.",
  errors: [
    'payment_link_not_found',
    'payment_link_archived',
    'payment_link_paid',
    'payment_link_status_unchanged',
  ],
  example: { reply: { ...exampleLink, status: 'inactive' } },
})

export const revoke = contract({
  ...moving,
  id: 'payment_links.revoke',
  path: '/v1/payment-links/:id/revoke',
  summary: 'Revoke a payment link for good',
  description:
    "It becomes inactive, with `revoked_at` set, and cannot be activated again. A buyer in the middle of the bank's challenge may finish.",
  errors: ['payment_link_not_found', 'payment_link_archived', 'payment_link_paid', 'payment_link_revoked'],
  example: { reply: { ...exampleLink, status: 'inactive', revoked_at: '2026-06-14T12:00:00.000Z' } },
})

export const archive = contract({
  ...moving,
  id: 'payment_links.archive',
  path: '/v1/payment-links/:id/archive',
  summary: 'Archive a payment link',
  description: "Terminal: the buyer's page reveals nothing any more.",
  errors: ['payment_link_not_found', 'payment_link_archived'],
  example: { reply: { ...exampleLink, status: 'archived' } },
})

/** Deactivates links that expired or whose uses are all paid. */
export const sweep = {
  id: 'payment_links.sweep',
  access: { system: {} },
  tables: ['payment_links', 'payment_link_uses'],
} as const
