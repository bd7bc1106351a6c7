import * as z from 'zod'
import { refunds } from '../../../drizzle/schema/refunds.ts'
import { cep } from '../../../src/http/cep.ts'
import { contract, decides, reads, writes } from '../../../src/http/contract.ts'
import {
  clabe,
  currency,
  freeText,
  metadata,
  minorAsked,
  minorString,
  one,
  paged,
  tenantId,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'

const holder = freeText(120).refine(
  (text) => text.trim().length > 0,
  'must be the name of the account holder',
)
const Destination = z.strictObject({
  clabe: clabe.describe('The number of the buyer’s account.'),
  holder: holder.describe('Name of the account’s holder, as the bank has it.'),
})
const LineItems = z.array(
  z.strictObject({
    id: freeText(64).min(1).describe('Your own id of the item.'),
    quantity: z.int().min(1).max(10_000).describe('How many of the item are refunded.'),
  }),
)

const Amount = z.strictObject({ amount: minorString.describe('In minor units.'), currency })

export const Refund = z
  .strictObject({
    id: uuid,
    object: z.literal('refund'),
    payment_id: uuid
      .nullable()
      .describe('The payment that is refunded; null where the money is not of a payment.'),
    unapplied_funds_id: uuid
      .nullable()
      .describe('The unapplied funds that are refunded; null where a payment is.'),
    customer_id: uuid.nullable().describe('The customer of the payment; null where it has none.'),
    client_reference_id: z
      .string()
      .nullable()
      .describe('Your own name for what was paid, as the payment has it; null where it has none.'),
    checkout_session_id: uuid.nullable().describe('The checkout session that was paid; null where none was.'),
    payment_link_id: uuid.nullable().describe('The payment link that was paid; null where none was.'),
    origin: z
      .enum(refunds.origin.enumValues)
      .describe(
        'processor: made at the processor, in its dashboard or automatically, and reported to us; its reason is `other`. Only the processor can send or cancel it, and it may bring your balance below zero',
      ),
    status: z
      .enum(refunds.status.enumValues)
      .describe(
        'amount_mismatch: made at the processor, and more than your payment had left, or in another currency. Nothing of it is booked; `review` shows both numbers. It continues automatically once the payment covers it',
      ),
    method: z
      .enum(refunds.method.enumValues)
      .describe(
        'By the processor to where it came from (in live a SPEI transfer too, whose buyer Stripe asks for an account where it knows none); by SPEI to a CLABE; paid back by the merchant and only recorded',
      ),
    amount: minorString.describe('How much goes back, in minor units.'),
    currency,
    reason: z.enum(refunds.reason.enumValues).describe('Why it is refunded.'),
    destination: Destination.nullable().describe(
      'The account that it is sent to; null for refunds to a card.',
    ),
    clave_rastreo: z.string().nullable().describe('The tracking key of the SPEI transfer to the buyer'),
    cep,
    pending_reason: z
      .enum(refunds.pendingReason.enumValues)
      .nullable()
      .describe('Why a pending refund waits: it is sent once the balance covers it'),
    failure_code: z
      .enum(refunds.failureCode.enumValues)
      .nullable()
      .describe(
        'Why it failed. amount_mismatch: the processor’s numbers contradict ours, and the refund does not change during the review',
      ),
    review: z
      .strictObject({
        ours: Amount.describe('What was sent, or what was left.'),
        theirs: Amount.describe('What the processor reports.'),
      })
      .nullable()
      .describe(
        'Set where the processor reported another amount or currency than was sent, or made a refund of more than the payment had left: that is `ours`',
      ),
    line_items: LineItems.nullable().describe('The items that are refunded, where you named them.'),
    metadata,
    approved_at: timestamp.nullable().describe('When a person approved it; null where none had to.'),
    resolved_at: timestamp.nullable().describe('When it succeeded, failed or was canceled; null before.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Refund' })

export const exampleRefund = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000007',
  object: 'refund',
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000002',
  unapplied_funds_id: null,
  customer_id: null,
  client_reference_id: 'order-1024',
  checkout_session_id: null,
  payment_link_id: '0190a6d2-7c3e-7b1a-9f00-000000000003',
  origin: 'api',
  status: 'processing',
  method: 'original',
  amount: '60000',
  currency: 'mxn',
  reason: 'requested_by_customer',
  destination: null,
  clave_rastreo: null,
  cep: null,
  pending_reason: null,
  failure_code: null,
  review: null,
  line_items: null,
  metadata: { ticket: '88' },
  approved_at: null,
  resolved_at: null,
  created_at: '2026-06-14T12:00:00.000Z',
  updated_at: '2026-06-14T12:00:00.000Z',
} as const

const exampleDestination = { clabe: '646180000000000012', holder: 'Ana Torres' } as const
const toClabe = { ...exampleRefund, method: 'spei_out', destination: exampleDestination } as const

const tag = 'Refunds'
const reading = { ...reads, tag, access: { api_key: { scopes: ['refunds:read'] } } } as const
const moved = ['refunds', 'payments', 'unapplied_funds', 'ledger_journals', 'outgoing_mails'] as const
const writing = {
  ...writes,
  tag,
  access: { api_key: { scopes: ['refunds:write'] } },
  tables: [...moved, 'daily_spend'],
} as const
const ofRefund = { params: z.strictObject({ id: uuid }), notFound: 'refund_not_found' } as const

export const create = contract({
  ...writing,
  id: 'refunds.create',
  path: '/v1/refunds',
  location: '/v1/refunds/:id',
  summary: 'Refund a payment',
  description:
    'All that is left of the payment, or `amount` of it. A card is refunded to the card. What was paid at OXXO or by SPEI goes to the CLABE in `destination` (in live Stripe sends a SPEI payment back itself, and writes to the buyer where it needs an account; one that names none in 45 days ends as `kept`); without one the refund waits as `requires_destination`. An API key sends up to a limit to CLABEs in a day of Mexico City; above it the refund waits as `pending_approval` until a user approves it. Where the payment policy that the payment was made under has `refunds.window_days`, that many calendar days of Mexico City after the day of its success are the last on which it can be refunded. The reply confirms that the refund is recorded; `refund.succeeded` or `refund.failed` reports the result.',
  body: z.strictObject({
    payment_id: uuid.describe('The payment to refund.'),
    amount: minorAsked.optional().describe('Minor units; all that is left when absent'),
    currency: currency.optional().describe("A check: refused when it is not the payment's"),
    reason: z.enum(refunds.reason.enumValues).describe('Why it is refunded.'),
    method: z
      .enum(['original', 'recorded_offline'])
      .default('original')
      .describe(
        'recorded_offline: you paid the buyer of a cash payment or a transfer back yourself; it is counted, and no money moves',
      ),
    destination: Destination.optional().describe(
      'The account to send it to, for what was paid at OXXO or by SPEI.',
    ),
    line_items: LineItems.min(1)
      .max(100)
      .optional()
      .describe('The items that are refunded, for your own books.'),
    metadata: metadata.default({}),
  }),
  reply: { status: 201, schema: Refund },
  errors: [
    'payment_not_found',
    'payment_not_refundable',
    'refund_currency_mismatch',
    'refund_amount_not_positive',
    'refund_exceeds_captured',
    'refund_blocked_by_dispute',
    'refund_destination_not_accepted',
    'refund_unavailable',
    'refund_card_not_offline',
    'refund_window_closed',
    'payments_not_configured',
  ],
  example: {
    body: {
      payment_id: exampleRefund.payment_id,
      amount: '60000',
      reason: 'requested_by_customer',
      metadata: { ticket: '88' },
    },
    reply: exampleRefund,
  },
})

export const list = contract({
  ...reading,
  id: 'refunds.list',
  path: '/v1/refunds',
  summary: 'List refunds',
  description: 'Includes refunds made at the processor; `origin` shows which.',
  ...paged(Refund, exampleRefund, {
    status: z.enum(refunds.status.enumValues).optional(),
    payment_id: uuid.optional(),
    customer_id: uuid.optional().describe('Only refunds of this customer’s payments.'),
  }),
})

export const get = contract({
  ...reading,
  id: 'refunds.get',
  path: '/v1/refunds/:id',
  summary: 'Get a refund',
  ...one(Refund, exampleRefund, 'refund_not_found'),
})

export const cancel = contract({
  ...writing,
  ...ofRefund,
  id: 'refunds.cancel',
  path: '/v1/refunds/:id/cancel',
  summary: 'Cancel a refund',
  tables: moved,
  description: 'As long as it has not been sent: `requires_destination`, `pending_approval` and `pending`.',
  reply: { status: 200, schema: Refund },
  errors: ['refund_not_found', 'refund_not_cancelable'],
  example: { reply: { ...exampleRefund, status: 'canceled', resolved_at: '2026-06-14T12:05:00.000Z' } },
})

export const setDestination = contract({
  ...writing,
  ...ofRefund,
  id: 'refunds.set_destination',
  path: '/v1/refunds/:id/destination',
  summary: 'Say where a refund goes',
  description:
    'For a refund that is `requires_destination`: it is sent to this CLABE, or waits for approval as a new one would.',
  body: Destination,
  reply: { status: 200, schema: Refund },
  errors: ['refund_not_found', 'refund_destination_not_awaited'],
  example: { body: exampleDestination, reply: toClabe },
})

const deciding = {
  ...decides,
  ...ofRefund,
  tag,
  access: { session: { role: 'admin' } },
  tables: moved,
  reply: { status: 200, schema: Refund },
} as const

export const approve = contract({
  ...deciding,
  id: 'refunds.approve',
  path: '/v1/refunds/:id/approve',
  summary: 'Approve a refund',
  description:
    'For a refund that is `pending_approval`: it is sent, or waits for your balance and is sent then. Amount and currency are repeated, so that what is approved is what was seen. The step-up proof has the action `refund.approve` and the scope `refunds:write`; its params_hash is over {refund_id: the path id, amount, currency}.',
  access: { session: { role: 'admin', stepUp: { action: 'refund.approve', scope: 'refunds:write' } } },
  body: z.strictObject({
    tenant_id: tenantId,
    amount: minorAsked.describe('The amount of the refund that you saw, in minor units.'),
    currency,
  }),
  errors: [
    'refund_not_found',
    'refund_not_pending_approval',
    'refund_terms_mismatch',
    'refund_blocked_by_dispute',
    'workspace_not_found',
    'insufficient_role',
  ],
  example: {
    body: { tenant_id: 'tn_demo', amount: '60000', currency: 'mxn' },
    reply: { ...toClabe, approved_at: '2026-06-14T12:05:00.000Z' },
  },
})

export const reject = contract({
  ...deciding,
  id: 'refunds.reject',
  path: '/v1/refunds/:id/reject',
  summary: 'Reject a refund that waits for approval',
  description: 'Its amount can be refunded again.',
  body: z.strictObject({ tenant_id: tenantId }),
  errors: ['refund_not_found', 'refund_not_pending_approval', 'workspace_not_found', 'insufficient_role'],
  example: {
    body: { tenant_id: 'tn_demo' },
    reply: { ...toClabe, status: 'canceled', resolved_at: '2026-06-14T12:05:00.000Z' },
  },
})

/**
 * Moves a refund on: sends it once it is covered, and records what the processor or bank reports, also of refunds made
 * there.
 */
export const outcome = {
  id: 'refunds.outcome',
  access: { system: {} },
  tables: [...moved, 'disputes'],
} as const
