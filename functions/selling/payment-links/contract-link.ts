import * as z from 'zod'
import { paymentLinks } from '../../../drizzle/schema/payment-links.ts'
import {
  currency,
  freeText,
  minorAsked,
  minorString,
  publicIdOf,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { ivaRates } from '../../../src/kernel/iva.ts'
import { orderShown, plainLinesShown } from '../../order/lines/api-pure.ts'
import { knownExample, knownShown, termsShown } from '../../order/sales/api-pure.ts'
import { amountShown, viewsShown } from './contract-amount.ts'
import { payerExample, payerShown } from './contract-payer.ts'

export const Snapshot = z
  .strictObject({
    item_id: freeText(64).min(1).describe('The item’s id in your catalog.'),
    name: freeText(200).min(1).describe('The item’s name, as the buyer reads it.'),
    unit_amount: minorAsked.describe('The price of one, in minor units.'),
    quantity: z.int().min(1).max(10_000).describe('How many of the item.'),
    iva_rate: z
      .enum(ivaRates)
      .nullable()
      .default(null)
      .describe('Its IVA: 16 %, 8 %, 0 % or exempt; null: not known, and payments have no `taxes`.'),
    price_includes_tax: z
      .boolean()
      .default(true)
      .describe(
        'Whether `unit_amount` has the IVA in it. If not, it is added: rounded half up, once for all of them.',
      ),
  })
  .refine(({ iva_rate, price_includes_tax: included }) => included || iva_rate !== null, {
    path: ['iva_rate'],
    error: 'must be given where price_includes_tax is false',
  })

export const PaymentLink = z
  .strictObject({
    id: uuid,
    object: z.literal('payment_link'),
    public_id: publicIdOf('splink').describe('The last part of its address.'),
    url: z
      .string()
      .regex(/^https:\/\/[^/]+\/splink_[a-z0-9]{32}$/)
      .describe('The address that a buyer pays at.'),
    status: z.enum(paymentLinks.status.enumValues).describe('Only an `active` link can be paid.'),
    usage: z
      .enum(['single_use', 'multi_use'])
      .describe('A single-use link becomes paid with its first successful payment'),
    amount_source: z.enum(paymentLinks.amountSource.enumValues).describe('Where its amount comes from.'),
    manual_amount: z
      .int()
      .min(0)
      .nullable()
      .describe('Integer minor units; null when the source is a catalog line item, or the buyer chooses'),
    ...amountShown,
    currency,
    catalog_line_item_snapshot: Snapshot.nullable().describe(
      'The line item as it was when the link was made; null with a manual amount and with `line_items`.',
    ),
    line_items: plainLinesShown.describe(
      'What a link of several lines sells, as it was when it was set; empty elsewhere.',
    ),
    discounts: orderShown.discounts,
    allows_discount_codes: orderShown.allows_discount_codes,
    shipping_options: orderShown.shipping_options,
    tips: orderShown.tips,
    amount: minorString
      .nullable()
      .describe('Minor units: what a buyer pays who chooses nothing; null without `line_items`.'),
    description: z.string().nullable().describe('What is paid for, as the buyer reads it.'),
    ...termsShown,
    ...payerShown,
    checkout_session_ref: z
      .string()
      .regex(/^spcs_[a-z0-9]{32}$/)
      .nullable()
      .describe(
        'The session in which a buyer is paying a single-use link, or paid it. null while none is under way, and of a multi-use link',
      ),
    uses_max: z.int().min(0).nullable().describe('How often it can be paid; null: as often as buyers like.'),
    uses_count: z.int().min(0).describe('How often it was paid.'),
    uses_held_count: z
      .int()
      .min(0)
      .nullable()
      .describe('Uses that payments under way and unpaid vouchers hold; null unless multi-use and limited.'),
    ...viewsShown,
    starts_at: timestamp.nullable().describe('No payment can begin before this time; null: at once.'),
    expires_at: timestamp
      .nullable()
      .describe('Expires at this time: no payment can begin after it; null: it does not expire.'),
    revoked_at: timestamp.nullable().describe('When you revoked it; null before.'),
    client_reference_id: z.string().nullable().describe('Your own name for what is paid; payments have it.'),
    customer_id: uuid.nullable().describe('The customer who is to pay; payments have it.'),
    ...knownShown,
    metadata: z.record(z.string(), z.unknown()).describe('Your own data, as you sent it.'),
    location_id: uuid.nullable().describe('The location that sells; null where none does.'),
    template_ref: uuid
      .nullable()
      .describe('The template that it was made from, as it was then; null where none was.'),
    policy_version: z
      .string()
      .regex(/^\d+$/)
      .describe('The number of the version of your payment policy that its terms were set under.'),
    version: z.int().min(0),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'PaymentLink' })

export const exampleLink = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000003',
  object: 'payment_link',
  public_id: 'splink_0123456789abcdefghijklmnopqrstuv',
  url: 'https://pay.spindle.example/splink_0123456789abcdefghijklmnopqrstuv',
  status: 'active',
  usage: 'single_use',
  amount_source: 'manual_amount',
  manual_amount: 120000,
  buyer_amount: null,
  adjustable_quantity: null,
  currency: 'mxn',
  catalog_line_item_snapshot: null,
  line_items: [],
  discounts: [],
  allows_discount_codes: false,
  shipping_options: [],
  tips: null,
  amount: null,
  description: 'Silla',
  payment_method_types: ['card'],
  capture_method: 'automatic',
  installment_options: [{ months: 3 }, { months: 12 }],
  installment_plan: null,
  installment_pricing: { fee_allocation: 'absorb', merchant_markup_bps: 0 },
  ...payerExample,
  checkout_session_ref: null,
  uses_max: 1,
  uses_count: 0,
  uses_held_count: null,
  views_count: 0,
  conversion_bps: null,
  starts_at: null,
  expires_at: null,
  revoked_at: null,
  client_reference_id: 'order-1024',
  customer_id: null,
  ...knownExample,
  metadata: { order: '1024' },
  location_id: null,
  template_ref: null,
  policy_version: '1',
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const
