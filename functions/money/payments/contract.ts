import * as z from 'zod'
import { declineCategories, declineCodes } from '../../../drizzle/schema/declines.ts'
import { captureMethods, paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { contract, originTables, reads } from '../../../src/http/contract.ts'
import {
  currency,
  listed,
  minorAsked,
  minorString,
  paged,
  publicRef,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { ivaRates } from '../../../src/kernel/iva.ts'
import { methods } from '../../../src/kernel/payment-methods.ts'
import { Card, PresentedCard } from './contract-card.ts'
import { finding } from './contract-filters.ts'
import { PaidOrder } from './contract-order.ts'
import { exampleReceiptUrl, receiptUrlIs } from './contract-receipt-url.ts'
import { SatPaymentForm } from './contract-sat.ts'
import type { OriginFacts } from './payment-origin.ts'

const Voucher = z.strictObject({
  reference: z.string().describe('What the till scans or types'),
  expires_at: timestamp.describe('End of the day in Mexico City'),
})

const Clabe = z.strictObject({
  clabe: z
    .string()
    .regex(/^\d{18}$/)
    .describe('The account number to send the money to.'),
  bank_name: z.string().describe('The bank that keeps it.'),
  beneficiary: z.string().describe('The payee of the transfer.'),
  expires_at: timestamp.describe('A transfer that arrives until this time counts towards the payment.'),
  clave_rastreo: z.string().nullable().describe('The tracking key of the last transfer that arrived'),
})

const MethodDetails = z
  .union([Card, PresentedCard, Voucher, Clabe])
  .describe('By method: the card, the card that a device read, the OXXO voucher or the CLABE')

export const Payment = z
  .strictObject({
    id: uuid,
    object: z.literal('payment'),
    public_id: z
      .string()
      .regex(/^spcs_[a-z0-9]{32}$/)
      .describe('The last part of the address of its page.'),
    status: z
      .enum(payments.status.enumValues)
      .describe('Status. `succeeded`, `partially_captured`, `canceled` and `expired` are final.'),
    amount: minorString.describe('What the buyer pays, markup included; minor units'),
    currency,
    amount_authorized: minorString.describe('What the bank holds or held for it; minor units.'),
    amount_captured: minorString.describe('What was taken; minor units.'),
    amount_refunded: minorString.describe(
      'The part of it that was refunded or is on its way to the buyer; minor units.',
    ),
    refund_status: z
      .enum(['none', 'partial', 'full'])
      .describe('How much of `amount_captured` went back or is on its way: nothing, a part, or all of it.'),
    amount_disputed: minorString.describe('The part of it that open and lost disputes hold; minor units.'),
    amount_tip: minorString.describe(
      'The part of `amount` that is a tip, in minor units. Captures and refunds do not change it.',
    ),
    amount_markup: minorString.describe("The part of amount that is the merchant's installment markup"),
    taxes: z
      .array(
        z.strictObject({
          iva_rate: z.enum(ivaRates).describe('The rate of IVA.'),
          base: minorString.describe('What is paid at this rate, before IVA; minor units.'),
          iva: minorString.describe('The IVA in what is paid at this rate; minor units.'),
        }),
      )
      .describe(
        'What is paid by rate of IVA, markup included: bases and IVA sum to `amount` less `amount_tip`. Captures and refunds do not change it. Empty where what was sold has no rates.',
      ),
    order: PaidOrder,
    method: z.enum(methods).describe('How it is paid.'),
    method_details: MethodDetails.nullable().describe(
      'The card, voucher or CLABE that it is paid with; null until that is known.',
    ),
    sat_payment_form: SatPaymentForm,
    amount_received: minorString.describe('What arrived by SPEI and counts towards the amount'),
    capture_method: z.enum(captureMethods).describe('`manual`: authorized first, and captured by you.'),
    capture_before: timestamp.nullable().describe('When an uncaptured authorization lapses'),
    installments: z
      .strictObject({ months: z.int().min(0).describe('How many monthly payments.') })
      .nullable()
      .describe('The installments that the buyer chose; null for none.'),
    amount_fee: minorString.describe('What it costs you, with IVA.'),
    fee_details: z
      .strictObject({
        processing: minorString.describe('For taking the payment.'),
        installments: minorString.describe('For paying it in installments.'),
        iva: minorString.describe('The tax on both.'),
      })
      .describe('What the fee is made of.'),
    amount_net: minorString.describe('The captured amount less the fee: what is yours.'),
    fee_schedule_version: z.string().describe('The fee schedule that its fees were computed with.'),
    policy_version: z
      .string()
      .regex(/^\d+$/)
      .describe('The number of the version of your payment policy that it was made under.'),
    location_id: uuid.nullable().describe('The location that sold; null where none did.'),
    available_on: z.iso.date().nullable().describe('Date in Mexico City on which the net becomes available'),
    funds_status: z
      .enum(payments.fundsStatus.enumValues)
      .describe('Where its net is: nowhere yet, in the pending balance, or in the available one.'),
    reserve: z
      .strictObject({
        amount: minorString.describe('How much, in minor units.'),
        release_on: z.iso.date().nullable().describe('The day in Mexico City on which it is released.'),
      })
      .describe(
        'The part of the net that is held back, and the day of its release; the day is null once it was released.',
      ),
    origin: z
      .strictObject({
        type: z.string().describe('The kind of resource: `checkout_session` or `payment_link`.'),
        id: uuid.describe('The id of that resource.'),
      })
      .describe('What was paid for: the checkout session or the payment link.'),
    checkout_session_id: uuid.nullable().describe('The checkout session that was paid; null where none was.'),
    payment_link_id: uuid.nullable().describe('The payment link that was paid; null where none was.'),
    customer_id: uuid
      .nullable()
      .describe(
        'The customer of what was sold; else the active one whose verified e-mail address the buyer gave on the page.',
      ),
    description: z.string().nullable().describe('What is paid for, as the buyer reads it.'),
    quantity: z
      .int()
      .min(0)
      .describe('How many the buyer took, where what was sold lets them choose; 1 everywhere else.'),
    client_reference_id: z
      .string()
      .nullable()
      .describe("Your own name for what is paid: the visit's, else the payment link's"),
    metadata: z
      .record(z.string(), z.unknown())
      .describe(
        "The payment link's, as it was when the payment was made. Refunds have metadata of their own",
      ),
    decline_code: z
      .enum(declineCodes)
      .nullable()
      .describe('Why it was declined last; null where it was not.'),
    receipt_url: z.url().nullable().describe(receiptUrlIs),
    succeeded_at: timestamp.nullable().describe('When it was paid; null before.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Payment' })

export type PaymentReply = z.output<typeof Payment>

export const reviewStatuses = ['open', 'reversing', 'closed'] as const

const Review = z
  .strictObject({
    status: z
      .enum(reviewStatuses)
      .describe('`open` until a decision, `reversing` while the money goes back, then `closed`.'),
    resolution: z
      .enum(paymentAttempts.resolution.enumValues)
      .nullable()
      .describe('agreed: the processor’s numbers now match ours. voided, refunded: it was given back'),
    ours: z
      .strictObject({ amount: minorString.describe('In minor units.'), currency })
      .describe('What was asked for'),
    theirs: z
      .strictObject({
        status: z
          .enum(['authorized', 'captured'])
          .describe('Whether the processor holds the money or took it.'),
        amount: minorString.describe('In minor units.'),
        currency,
      })
      .nullable()
      .describe('What the processor says that it holds or took'),
    void_or_refund_failure: z.string().nullable().describe('Why the processor could not void or refund it.'),
  })
  .meta({ id: 'PaymentReview' })

export const Attempt = z
  .strictObject({
    id: uuid,
    object: z.literal('payment_attempt'),
    number: z.int().min(0).describe('1 for the first attempt of the payment, 2 for the second …'),
    status: z
      .enum(paymentAttempts.status.enumValues)
      .describe('Status. `unknown`: the processor has not answered; we ask it again.'),
    processor: z.string().describe('The processor that carries it out.'),
    amount: minorString.describe('The amount of the attempt, in minor units.'),
    currency,
    installments: z
      .strictObject({ months: z.int().min(0).describe('How many monthly payments.') })
      .nullable()
      .describe('The installments that the buyer chose; null for none.'),
    method: z.enum(methods).describe('How it is paid.'),
    channel: z
      .enum(paymentAttempts.channel.enumValues)
      .describe('Who asked for it: the buyer’s page, your own server, or a device.'),
    method_details: MethodDetails.nullable().describe(
      'The card, voucher or CLABE that it is paid with; null until that is known.',
    ),
    capture_method: z.enum(captureMethods).describe('`manual`: authorized first, and captured by you.'),
    processor_ref: z.string().nullable().describe("The processor's own id; null until it answered"),
    review: Review.nullable().describe(
      'Set where the numbers of the processor contradicted those of our books.',
    ),
    pending_change: z.enum(['capture', 'cancel']).nullable().describe('Asked for and not confirmed yet'),
    three_ds: z
      .record(z.string(), z.string())
      .nullable()
      .describe(
        'What the bank reported of 3-D Secure: any of eci, trans_status, ds_trans_id, liability_shift',
      ),
    expires_at: timestamp.nullable().describe('The buyer can act on the attempt until this time.'),
    decline_code: z
      .enum(declineCodes)
      .nullable()
      .describe('Why it was declined last; null where it was not.'),
    decline_category: z
      .enum(declineCategories)
      .nullable()
      .describe('What kind of decline it was: `soft` may succeed when tried again.'),
    resolved_at: timestamp.nullable().describe('When it ended; null before.'),
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
  channel: 'page',
  method_details: { brand: 'visa', last4: '4242', bin6: '424242', funding: 'credit' },
  capture_method: 'automatic',
  processor_ref: 'sim_0190a6d2-7c3e-7b1a-9f00-000000000004',
  review: null,
  pending_change: null,
  three_ds: null,
  expires_at: null,
  decline_code: null,
  decline_category: null,
  resolved_at: '2026-06-13T12:00:05.000Z',
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:05.000Z',
} as const

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
  refund_status: 'none',
  amount_disputed: '0',
  amount_tip: '0',
  amount_markup: '0',
  taxes: [{ iva_rate: '16', base: '103448', iva: '16552' }],
  order: null,
  method: 'card',
  method_details: { brand: 'visa', last4: '4242', bin6: '424242', funding: 'credit' },
  sat_payment_form: '04',
  amount_received: '0',
  capture_method: 'automatic',
  capture_before: null,
  installments: { months: 12 },
  amount_fee: '21646',
  fee_details: { processing: '4320', installments: '14340', iva: '2986' },
  amount_net: '98354',
  fee_schedule_version: 'mxn-2026-01',
  policy_version: '1',
  location_id: null,
  available_on: '2026-06-16',
  funds_status: 'pending',
  reserve: { amount: '0', release_on: null },
  origin: { type: 'payment_link', id: '0190a6d2-7c3e-7b1a-9f00-000000000003' },
  checkout_session_id: null,
  payment_link_id: '0190a6d2-7c3e-7b1a-9f00-000000000003',
  customer_id: null,
  description: 'Silla',
  quantity: 1,
  client_reference_id: 'order-1024',
  metadata: { order: '1024' },
  decline_code: null,
  receipt_url: null,
  succeeded_at: '2026-06-13T12:00:05.000Z',
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:05.000Z',
} as const

const reading = { ...reads, tag: 'Payments', access: { api_key: { scopes: ['reporting:read'] } } } as const
export const ofPayment = {
  ...reading,
  params: z.strictObject({ id: uuid }),
  notFound: 'payment_not_found',
  errors: ['payment_not_found'],
} as const

export const list = (origins: readonly OriginFacts[]) =>
  contract({
    ...reading,
    id: 'payments.list',
    path: '/v1/payment-operations/payments',
    summary: 'List payments',
    description: 'Filters narrow together; a cursor belongs to the filters it was given with.',
    ...paged(Payment, examplePayment, {
      status: z.enum(payments.status.enumValues).optional(),
      method: z.enum(methods).optional(),
      origin_type: z.enum(origins.map(({ kind }) => kind)).optional(),
      origin_id: uuid.optional(),
      customer_id: uuid.optional(),
      ...finding(origins),
      'amount.gte': minorAsked.optional().describe('Only payments of at least this amount; minor units'),
      'amount.lte': minorAsked.optional().describe('Only payments of at most this amount; minor units'),
    }),
  })

export const get = contract({
  ...ofPayment,
  id: 'payments.get',
  path: '/v1/payment-operations/payments/:id',
  summary: 'Get a payment',
  params: z.strictObject({ id: publicRef('spcs', 'a payment') }),
  description: 'By its `id`, or by its `public_id`, which `{payment}` in a `success_url` becomes.',
  reply: { status: 200, schema: Payment },
  example: { reply: { ...examplePayment, receipt_url: exampleReceiptUrl } },
})

export const listAttempts = contract({
  ...ofPayment,
  id: 'payments.list_attempts',
  path: '/v1/payment-operations/payments/:id/attempts',
  summary: 'List the attempts of a payment',
  description: 'All of them, oldest first; a payment has few.',
  ...listed(Attempt, exampleAttempt),
})

/** The tables that a processor's answer may change: the payment's, and those of what was sold. */
export const outcomeTables = [
  'payments',
  'payment_attempts',
  originTables,
  'vouchers',
  'clabes',
  'unapplied_funds',
  'ledger_journals',
  'outgoing_mails',
] as const

/** Records an attempt's outcome as the processor reports it, and changes what was sold with it. */
export const outcome = {
  id: 'payments.outcome',
  access: { system: {} },
  tables: outcomeTables,
} as const

/** Reminds the buyer of a voucher or CLABE. */
export const remind = {
  id: 'payments.remind',
  access: { system: {} },
  tables: ['payments', 'payment_contacts', 'outgoing_mails'],
} as const

/** For when bank days have passed, or a declined payment has waited too long for another card. */
export const settle = {
  id: 'payments.settle',
  access: { system: {} },
  tables: ['payments', 'clabes', 'ledger_journals'],
} as const
