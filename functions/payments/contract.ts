import * as z from 'zod'
import { apiKey, contract, type Scope } from '../../src/http/contract.ts'
import { currency, listOf, listQuery, minorString, timestamp, uuid } from '../../src/http/schemas.ts'
import { finding } from './contract-filters.ts'
import { MethodDetails } from './contract-method.ts'

export const paymentStatuses = [
  'requires_payment_method',
  'requires_action',
  'processing',
  'requires_capture',
  'succeeded',
  'failed',
  'canceled',
  'expired',
  'partially_captured',
] as const

/** Whose payments they are, and the scope that may capture and cancel them. A surface built later adds its line. */
export const surfaceScopes = { payment_link: 'payment_links:write' } as const satisfies Record<string, Scope>

export type SurfaceKind = keyof typeof surfaceScopes
const surfaceKinds = Object.keys(surfaceScopes) as [SurfaceKind, ...SurfaceKind[]]

const declineCodes = [
  'insufficient_funds',
  'card_declined',
  'expired_card',
  'suspected_fraud',
  'authentication_failed',
  'processing_error',
] as const

const methods = ['card', 'oxxo', 'spei'] as const
const captureMethods = ['automatic', 'manual'] as const
export const Payment = z
  .strictObject({
    id: uuid,
    object: z.literal('payment'),
    public_id: z.string().regex(/^spcs_[a-z0-9]{32}$/),
    status: z.enum(paymentStatuses),
    amount: minorString.describe('What the buyer pays, markup included; minor units'),
    currency,
    amount_authorized: minorString,
    amount_captured: minorString,
    amount_refunded: minorString,
    amount_disputed: minorString,
    tip_amount: minorString,
    markup_amount: minorString.describe("The part of amount that is the merchant's installment markup"),
    method: z.enum(methods),
    method_details: MethodDetails.nullable(),
    amount_received: minorString.describe('What arrived by SPEI and counts towards the amount'),
    capture_method: z.enum(captureMethods),
    capture_before: timestamp.nullable().describe('When an authorisation that nobody captured lapses'),
    installments: z.strictObject({ months: z.int() }).nullable(),
    fee: z.strictObject({ processing: minorString, installments: minorString, iva: minorString }),
    net: minorString,
    fee_schedule_version: z.string(),
    available_on: z.iso.date().nullable().describe('Date in Mexico City on which the net becomes available'),
    funds_status: z.enum(['none', 'pending', 'available']),
    reserve: z
      .strictObject({ amount: minorString, release_on: z.iso.date().nullable() })
      .describe('The part of the net that is kept back, and until when; the date is null once it was let go'),
    origin: z.strictObject({ surface: z.enum(surfaceKinds), id: uuid }),
    customer_id: uuid.nullable(),
    description: z.string().nullable(),
    client_reference_id: z
      .string()
      .nullable()
      .describe("Your own name for what is paid: the visit's, else the payment link's"),
    metadata: z
      .record(z.string(), z.unknown())
      .describe(
        "The payment link's, as it was when the payment was made. Refunds have metadata of their own",
      ),
    decline_code: z.enum(declineCodes).nullable(),
    succeeded_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Payment' })

export type PaymentReply = z.output<typeof Payment>

export const reviewStatuses = ['open', 'giving_back', 'closed'] as const
export const resolutions = ['agreed', 'voided', 'refunded', 'settled_elsewhere'] as const

const Review = z
  .strictObject({
    status: z.enum(reviewStatuses),
    resolution: z
      .enum(resolutions)
      .nullable()
      .describe('agreed: the processor says the same as we by now. voided, refunded: it was given back'),
    ours: z.strictObject({ amount: minorString, currency }).describe('What was asked for'),
    theirs: z
      .strictObject({ state: z.enum(['authorized', 'captured']), amount: minorString, currency })
      .nullable()
      .describe('What the processor says that it holds or took'),
    give_back_failure: z.string().nullable().describe('Why it could not be given back'),
  })
  .meta({ id: 'PaymentReview' })

export const Attempt = z
  .strictObject({
    id: uuid,
    object: z.literal('payment_attempt'),
    number: z.int(),
    status: z.enum([
      'created',
      'submitting',
      'pending_customer',
      'authorized',
      'captured',
      'declined',
      'canceled',
      'expired',
      'unknown',
      'integrity_failure',
    ]),
    processor: z.string(),
    amount: minorString,
    currency,
    installments: z.strictObject({ months: z.int() }).nullable(),
    method: z.enum(methods),
    method_details: MethodDetails.nullable(),
    capture_method: z.enum(captureMethods),
    processor_ref: z.string().nullable().describe("The processor's own id; null until it answered"),
    review: Review.nullable().describe(
      'Set where the numbers of processor and books contradicted each other',
    ),
    three_ds: z
      .record(z.string(), z.string())
      .nullable()
      .describe('3-D Secure, as far as the bank told: eci, trans_status, ds_trans_id, liability_shift'),
    expires_at: timestamp.nullable().describe('Until when the buyer can act on it'),
    decline_code: z.enum(declineCodes).nullable(),
    decline_category: z.enum(['soft', 'hard', 'fraud', 'auth']).nullable(),
    resolved_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'PaymentAttempt' })

export type AttemptReply = z.output<typeof Attempt>

export const exampleAttempt = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000004',
  object: 'payment_attempt',
  number: 1,
  status: 'captured',
  processor: 'simulator',
  amount: '120000',
  currency: 'mxn',
  installments: { months: 12 },
  method: 'card',
  method_details: { brand: 'visa', last4: '4242', bin6: '424242', funding: 'credit' },
  capture_method: 'automatic',
  processor_ref: 'sim_0190a6d2-7c3e-7b1a-9f00-000000000004',
  review: null,
  three_ds: null,
  expires_at: null,
  decline_code: null,
  decline_category: null,
  resolved_at: '2026-06-13T12:00:05.000Z',
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:05.000Z',
} as const

const Event = z
  .strictObject({
    id: uuid,
    object: z.literal('event'),
    type: z.string(),
    sequence: z.int(),
    created_at: timestamp,
    data: z.strictObject({
      object: z.record(z.string(), z.unknown()),
      previous_attributes: z.record(z.string(), z.unknown()),
    }),
  })
  .meta({ id: 'PaymentEvent' })

const Journal = z
  .strictObject({
    id: uuid,
    object: z.literal('journal'),
    entry_kind: z.string(),
    currency,
    created_at: timestamp,
    postings: z.array(z.strictObject({ account: z.string(), amount: minorString })),
  })
  .meta({ id: 'Journal' })

export const examplePayment = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000002',
  object: 'payment',
  public_id: 'spcs_0123456789abcdefghijklmnopqrstuv',
  status: 'succeeded',
  amount: '120000',
  currency: 'mxn',
  amount_authorized: '120000',
  amount_captured: '120000',
  amount_refunded: '0',
  amount_disputed: '0',
  tip_amount: '0',
  markup_amount: '0',
  method: 'card',
  method_details: { brand: 'visa', last4: '4242', bin6: '424242', funding: 'credit' },
  amount_received: '0',
  capture_method: 'automatic',
  capture_before: null,
  installments: { months: 12 },
  fee: { processing: '4320', installments: '14340', iva: '2986' },
  net: '98354',
  fee_schedule_version: 'mxn-2026-01',
  available_on: '2026-06-16',
  funds_status: 'pending',
  reserve: { amount: '0', release_on: null },
  origin: { surface: 'payment_link', id: '0190a6d2-7c3e-7b1a-9f00-000000000003' },
  customer_id: null,
  description: 'Silla',
  client_reference_id: 'order-1024',
  metadata: { order: '1024' },
  decline_code: null,
  succeeded_at: '2026-06-13T12:00:05.000Z',
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:05.000Z',
} as const

const reading = {
  method: 'GET',
  tag: 'Payments',
  access: apiKey('reporting:read'),
  tables: [],
  idempotency: 'none',
  rate: 'read',
} as const
const ofPayment = {
  ...reading,
  params: z.strictObject({ id: uuid }),
  notFound: 'payment_not_found',
  errors: ['payment_not_found'],
} as const

export const list = contract({
  ...reading,
  id: 'payments.list',
  path: '/v1/payment-operations/payments',
  summary: 'List payments',
  description: 'Filters narrow together; a cursor belongs to the filters it was given with.',
  query: z.strictObject({
    status: z.enum(paymentStatuses).optional(),
    method: z.enum(methods).optional(),
    origin_surface: z.enum(surfaceKinds).optional(),
    origin_id: uuid.optional(),
    customer_id: uuid.optional(),
    ...finding,
    'amount.gte': minorString.optional().describe('Only payments of at least this amount; minor units'),
    'amount.lte': minorString.optional().describe('Only payments of at most this amount; minor units'),
    ...listQuery,
  }),
  reply: { status: 200, schema: listOf(Payment) },
  errors: ['cursor_invalid'],
  example: { reply: { object: 'list', data: [examplePayment], has_more: false, next_cursor: '' } },
})

export const get = contract({
  ...ofPayment,
  id: 'payments.get',
  path: '/v1/payment-operations/payments/:id',
  summary: 'Get a payment',
  reply: { status: 200, schema: Payment },
  example: { reply: examplePayment },
})

export const listAttempts = contract({
  ...ofPayment,
  id: 'payments.list_attempts',
  path: '/v1/payment-operations/payments/:id/attempts',
  summary: 'List the attempts of a payment',
  description: 'All of them, oldest first; a payment has few.',
  reply: { status: 200, schema: listOf(Attempt) },
  example: {
    reply: {
      object: 'list',
      data: [exampleAttempt],
      has_more: false,
      next_cursor: '',
    },
  },
})

export const listEvents = contract({
  ...ofPayment,
  id: 'payments.list_events',
  path: '/v1/payment-operations/payments/:id/events',
  summary: 'List the events of a payment',
  description: 'In the order of their sequence.',
  reply: { status: 200, schema: listOf(Event) },
  example: {
    reply: {
      object: 'list',
      data: [
        {
          id: '0190a6d2-7c3e-7b1a-9f00-000000000005',
          object: 'event',
          type: 'payment.funds_available',
          sequence: 3,
          created_at: '2026-06-16T12:00:00.000Z',
          data: {
            object: { ...examplePayment, funds_status: 'available', updated_at: '2026-06-16T12:00:00.000Z' },
            previous_attributes: { funds_status: 'pending' },
          },
        },
      ],
      has_more: false,
      next_cursor: '',
    },
  },
})

export const listJournals = contract({
  ...ofPayment,
  id: 'payments.list_journals',
  path: '/v1/payment-operations/payments/:id/journals',
  summary: 'List the ledger journals of a payment',
  description:
    'Double entry: the postings of each journal sum to zero. Seen from the merchant, what it is owed and what it spent is positive.',
  reply: { status: 200, schema: listOf(Journal) },
  example: {
    reply: {
      object: 'list',
      data: [
        {
          id: '0190a6d2-7c3e-7b1a-9f00-000000000006',
          object: 'journal',
          entry_kind: 'capture',
          currency: 'mxn',
          created_at: '2026-06-13T12:00:05.000Z',
          postings: [
            { account: 'fee_expense', amount: '18660' },
            { account: 'iva_on_fees', amount: '2986' },
            { account: 'merchant_pending', amount: '98354' },
            { account: 'processor_clearing', amount: '-120000' },
          ],
        },
      ],
      has_more: false,
      next_cursor: '',
    },
  },
})

/** What an answer of the processor may change: the payment, and with it what was sold. */
export const outcomeTables = [
  'payments',
  'payment_attempts',
  'payment_links',
  'vouchers',
  'clabes',
  'unapplied_funds',
  'ledger_journals',
] as const

/** An attempt's outcome is recorded: by whoever heard it from the processor. Links are settled with it. */
export const outcome = {
  id: 'payments.outcome',
  access: { kind: 'system' },
  tables: outcomeTables,
} as const

/** A SPEI transfer has arrived: booked, and counted towards the payment that waits for it. */
export const deposit = {
  id: 'payments.deposit',
  access: { kind: 'system' },
  tables: [
    'payments',
    'payment_attempts',
    'payment_links',
    'clabes',
    'spei_deposits',
    'unapplied_funds',
    'ledger_journals',
  ],
} as const

/** Bank days have passed, or a payment waited for another card too long. */
export const settle = {
  id: 'payments.settle',
  access: { kind: 'system' },
  tables: ['payments', 'clabes', 'ledger_journals'],
} as const
