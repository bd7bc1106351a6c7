import * as z from 'zod'
import { unappliedFunds } from '../../../drizzle/schema/push-payments.ts'
import { contract, originTables, reads, writes } from '../../../src/http/contract.ts'
import {
  clabe,
  currency,
  freeText,
  metadata,
  minorString,
  one,
  paged,
  positiveMinor,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { exampleRefund, Refund } from '../refunds/api-pure.ts'

export const UnappliedFunds = z
  .strictObject({
    id: uuid,
    object: z.literal('unapplied_funds'),
    status: z
      .enum(unappliedFunds.status.enumValues)
      .describe('Status. `settled`: all of it is applied or refunded.'),
    reason: z
      .enum(unappliedFunds.reason.enumValues)
      .describe('Why it belongs to no payment. came_back: a refund or a return did not reach the buyer'),
    method: z.enum(unappliedFunds.method.enumValues).describe('How it arrived.'),
    amount: minorString.describe('How much it is, in minor units.'),
    remaining: minorString.describe(
      'What has neither been applied nor refunded, and is still with the processor',
    ),
    currency,
    payment_id: uuid.nullable().describe('The payment that it was meant for, where that is known'),
    deposit_id: uuid.nullable().describe('The SPEI transfer that brought it; null where a till did.'),
    voucher_id: uuid
      .nullable()
      .describe('The attempt of the OXXO voucher that brought it; null where a transfer did.'),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'UnappliedFunds' })

const Application = z
  .strictObject({
    object: z.literal('unapplied_funds_application'),
    payment_id: uuid.describe('The payment that it is for.'),
    payment_status: z
      .enum(['requires_action', 'succeeded'])
      .describe('Status of the payment after the funds are applied.'),
    currency,
    amount: minorString.describe('How much it is, in minor units.'),
    parts: z
      .array(
        z.strictObject({
          id: uuid,
          unapplied_funds_id: uuid.describe('The funds that it was taken of.'),
          amount: minorString.describe('How much of them, in minor units.'),
        }),
      )
      .describe('What was taken of which funds.'),
  })
  .meta({ id: 'UnappliedFundsApplication' })

const exampleFunds = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000011',
  object: 'unapplied_funds',
  status: 'open',
  reason: 'paid_late',
  method: 'spei',
  amount: '120000',
  remaining: '120000',
  currency: 'mxn',
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000002',
  deposit_id: '0190a6d2-7c3e-7b1a-9f00-000000000012',
  voucher_id: null,
  version: 1,
  created_at: '2026-06-17T12:00:00.000Z',
  updated_at: '2026-06-17T12:00:00.000Z',
} as const

const reading = {
  ...reads,
  tag: 'Unapplied funds',
  access: { api_key: { scopes: ['reporting:read', 'refunds:read'] } },
} as const

const writing = {
  ...writes,
  tag: 'Unapplied funds',
  access: { api_key: { scopes: ['refunds:write'] } },
} as const

const ofFunds = { params: z.strictObject({ id: uuid }), notFound: 'unapplied_funds_not_found' } as const

export const list = contract({
  ...reading,
  id: 'unapplied_funds.list',
  path: '/v1/payment-operations/unapplied-funds',
  summary: 'List unapplied funds',
  description:
    'Money that arrived by SPEI or at OXXO and belongs to no payment: too much, too late, twice, too little until it expired, or to a CLABE that was not lent. Apply it to a payment or send it back.',
  ...paged(UnappliedFunds, exampleFunds, {
    status: z.enum(unappliedFunds.status.enumValues).optional(),
    reason: z.enum(unappliedFunds.reason.enumValues).optional(),
  }),
})

export const get = contract({
  ...reading,
  id: 'unapplied_funds.get',
  path: '/v1/payment-operations/unapplied-funds/:id',
  summary: 'Get unapplied funds',
  ...one(UnappliedFunds, exampleFunds, 'unapplied_funds_not_found'),
})

export const apply = contract({
  ...writing,
  ...ofFunds,
  id: 'unapplied_funds.apply',
  path: '/v1/payment-operations/unapplied-funds/:id/apply',
  summary: 'Apply unapplied funds to a payment',
  description:
    'Counts as if it had arrived for the payment, which is of the same currency. A payment that still waits for a SPEI transfer takes any part of what is missing, and gives it back when it expires. A SPEI or OXXO payment that has expired is honored when its whole amount is applied at once, unless what it was for has been sold meanwhile. A transfer that the processor keeps for the buyer who sent it, as Stripe does, pays no other payment.',
  tables: [
    'payments',
    'payment_attempts',
    originTables,
    'clabes',
    'unapplied_funds',
    'unapplied_funds_applications',
    'ledger_journals',
    'outgoing_mails',
  ],
  body: z.strictObject({
    payment_id: uuid.describe('The payment that it is for.'),
    amount: positiveMinor
      .optional()
      .describe(
        'When absent: what the payment still needs, or all that is left of the funds if that is less',
      ),
    together_with: z
      .array(uuid)
      .max(20)
      .default([])
      .describe('Other unapplied funds to apply after these, in this order, until the payment is covered'),
  }),
  reply: { status: 200, schema: Application },
  errors: [
    'unapplied_funds_not_found',
    'payment_not_found',
    'payment_not_awaiting_funds',
    'origin_no_longer_available',
    'unapplied_funds_settled',
    'unapplied_funds_exceeded',
    'unapplied_funds_held_for_buyer',
    'payments_not_configured',
    'unapplied_funds_currency_mismatch',
    'unapplied_funds_beyond_missing',
    'unapplied_funds_not_enough',
  ],
  example: {
    body: { payment_id: exampleFunds.payment_id },
    reply: {
      object: 'unapplied_funds_application',
      payment_id: exampleFunds.payment_id,
      payment_status: 'succeeded',
      currency: 'mxn',
      amount: '120000',
      parts: [
        {
          id: '0190a6d2-7c3e-7b1a-9f00-000000000013',
          unapplied_funds_id: exampleFunds.id,
          amount: '120000',
        },
      ],
    },
  },
})

export const refund = contract({
  ...writing,
  ...ofFunds,
  id: 'unapplied_funds.refund',
  path: '/v1/payment-operations/unapplied-funds/:id/refund',
  location: '/v1/refunds/:id',
  summary: 'Send unapplied funds back',
  description:
    'A new transfer by SPEI to the payer’s CLABE. To the CLABE that the money came from it is sent at once; to any other like a refund of a payment, above the limit of the API key as `pending_approval`. The amount is set apart at once; if the transfer fails it is here again. `refund.succeeded` or `refund.failed` reports the result.',
  tables: ['refunds', 'unapplied_funds', 'ledger_journals', 'daily_spend'],
  body: z.strictObject({
    destination: z
      .strictObject({
        clabe,
        holder: freeText(120)
          .refine((text) => text.trim().length > 0, 'must be the name of the account holder')
          .describe('Name of the account’s holder, as the bank has it.'),
      })
      .describe('The account to send them to.'),
    amount: positiveMinor.optional().describe('All that is left when absent'),
    metadata: metadata.default({}),
  }),
  reply: { status: 201, schema: Refund },
  errors: [
    'unapplied_funds_not_found',
    'unapplied_funds_settled',
    'unapplied_funds_exceeded',
    'refund_unavailable',
    'payments_not_configured',
  ],
  example: {
    body: { destination: { clabe: '646180000000000012', holder: 'Ana Torres' }, amount: '60000' },
    reply: {
      ...exampleRefund,
      payment_id: null,
      unapplied_funds_id: exampleFunds.id,
      method: 'spei_out',
      destination: { clabe: '646180000000000012', holder: 'Ana Torres' },
    },
  },
})
