import * as z from 'zod'
import {
  boundedMinor,
  clientReferenceId,
  currency,
  freeText,
  metadata,
  minorString,
  positiveMinor,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { ivaRates } from '../../../src/kernel/iva.ts'
import {
  collectedShown,
  collectsAsked,
  collectsShown,
  knownAsked,
  knownExample,
  knownShown,
  returnUrl,
  termsAsked,
  termsShown,
} from '../../page/hosted-payment/api-pure.ts'
import { discountCode } from './contract-discounts.ts'
import { discountsMax } from './discounts.ts'
import { shippingOptionsMax } from './shipping.ts'
import { tipBpsMax, tipPresetsMax } from './tips.ts'

export const linesMax = 100
export const lifeMinutesMin = 5
export const lifeHoursMax = 24

export const statuses = ['open', 'complete', 'expired'] as const
export const uiModes = ['hosted', 'embedded'] as const

const shownLine = {
  item_id: uuid.nullable().describe('The item of your catalog; null for a line that you wrote.'),
  name: z.string().describe('The name of the item, as the buyer reads it.'),
  unit_amount: minorString.describe('The price of one, in minor units.'),
  quantity: z.int().min(1).describe('How many of the item.'),
  iva_rate: z.enum(ivaRates).describe('Its IVA: 16 %, 8 %, 0 % or exempt.'),
  price_includes_tax: z.boolean().describe('Whether `unit_amount` has the IVA in it.'),
  amount_subtotal: minorString.describe('Before IVA.'),
  amount_tax: minorString.describe('The IVA before discounts: rounded half up, once for the line.'),
  amount_total: minorString.describe('What the buyer pays for the line, before discounts.'),
  amount_discount: minorString.describe(
    'Its share of the discounts, with the IVA in it: in proportion to `amount_total`, rounded down, the cents left over to the largest remainders. The shares sum to the discounts.',
  ),
  tax: z
    .strictObject({
      discount: minorString.describe('Its share of the discounts before IVA: `amount_subtotal` less `base`.'),
      base: minorString.describe('What the IVA is on: what is paid for the line, less the IVA in it.'),
      iva: minorString.describe('The IVA in what is paid for the line: rounded half up, once for the line.'),
    })
    .describe(
      'The line after its discounts, as a concept of a CFDI 4.0 has it beside `amount_subtotal` (Importe) and `iva_rate`. Bases and IVA of all lines sum to what is paid for them.',
    ),
  quantity_min: z
    .int()
    .min(1)
    .nullable()
    .describe('The least that the buyer may choose; null: they do not choose.'),
  quantity_max: z
    .int()
    .min(1)
    .nullable()
    .describe('The most that the buyer may choose; null: they do not choose.'),
}

const quantity = z.int().min(1).max(10_000).describe('How many of the item.')

const bounds = {
  quantity_min: quantity
    .optional()
    .describe('With `quantity_max`: the buyer may change the quantity on the page, to this or more.'),
  quantity_max: quantity
    .optional()
    .describe('With `quantity_min`: the buyer may change the quantity on the page, to this or less.'),
}

const tips = z
  .strictObject({
    presets_bps: z
      .array(z.int().min(1).max(tipBpsMax))
      .max(tipPresetsMax)
      .refine((list) => new Set(list).size === list.length, 'must not name a part twice')
      .describe(
        'Parts of what the lines cost after their discounts, in basis points: 1000 is 10 %. Rounded half up.',
      ),
    allows_own_amount: z
      .boolean()
      .default(true)
      .describe('Whether the buyer may write an amount: at most what the lines cost after their discounts.'),
  })
  .refine(
    ({ presets_bps, allows_own_amount }) => presets_bps.length > 0 || allows_own_amount,
    'must name a part or allow an amount of the buyer’s own',
  )
  .nullable()

const lineAsked = z
  .union([
    z.strictObject({
      item_id: uuid.describe(
        'An item of a published catalog: its name, price and IVA now are those of the line.',
      ),
      quantity: quantity.default(1),
      ...bounds,
    }),
    z.strictObject({
      name: freeText(200).trim().min(1).describe('The name of the item, as the buyer reads it.'),
      unit_amount: positiveMinor.describe('The price of one, in minor units.'),
      quantity: quantity.default(1),
      ...bounds,
      iva_rate: z.enum(ivaRates).default('16').describe('Its IVA: 16 %, 8 %, 0 % or exempt.'),
      price_includes_tax: z.boolean().default(true).describe('Whether `unit_amount` has the IVA in it.'),
    }),
  ])
  .describe('A line: an item of a catalog, or what you write.')

const recovery = z
  .strictObject({
    delay_minutes: z
      .int()
      .min(0)
      .max(1_440)
      .default(60)
      .describe('How many minutes after its end the mail is sent: at most a day.'),
    valid_hours: z
      .int()
      .min(1)
      .max(720)
      .default(72)
      .describe('For how many hours the mail’s address opens a fresh session: at most 30 days.'),
  })
  .nullable()

const discountsAsked = z
  .array(
    z
      .union([
        z.strictObject({ discount_id: uuid.describe('A discount of yours.') }),
        z.strictObject({ code: discountCode.describe('The code of a discount of yours.') }),
      ])
      .describe('A discount by its id or its code.'),
  )
  .max(discountsMax)

const shippingOptions = z.array(
  z.strictObject({
    name: freeText(100).trim().min(1).describe('The name of the way to send it, as the buyer reads it.'),
    amount: boundedMinor.describe('Minor units: its flat rate, with its IVA in it.'),
    iva_rate: z.enum(ivaRates).default('16').describe('The IVA in `amount`: 16 %, 8 %, 0 % or exempt.'),
  }),
)

export const asked = {
  shipping_options: shippingOptions
    .max(shippingOptionsMax)
    .describe('The ways to send it: the first one is chosen until the buyer chooses another.'),
  discounts: discountsAsked.describe(
    'What is taken off, in this order: each on what the former ones leave, rounded half up, never more than that.',
  ),
  allows_discount_codes: z
    .boolean()
    .describe('Whether the buyer may type a code of yours on the page, before the first payment is tried.'),
  tips: tips.describe(
    'The tips that the buyer may add on the page; null: none. No tip is chosen beforehand.',
  ),
  line_items: z
    .array(lineAsked)
    .min(1)
    .max(linesMax)
    .describe('What is sold; give either lines or `amount`.'),
  amount: positiveMinor.describe('Minor units: what is paid, without lines.'),
  ...termsAsked,
  collects: collectsAsked.describe(
    'What the page asks of the buyer, beside the payment; null: nothing more. What `customer_email`, `customer_name` or the customer’s record says is filled in beforehand.',
  ),
  description: freeText(500).nullable().describe('What is paid for, as the buyer reads it.'),
  success_url: returnUrl.describe(
    'Where the buyer may go once it is paid. Its origin stands in `return_origins` of the settings. `{session}` in it becomes the public id, by which `GET …/sessions/:id` finds the session.',
  ),
  cancel_url: returnUrl.describe(
    'Where the buyer may go back to. Its origin stands in `return_origins` of the settings.',
  ),
  client_reference_id: clientReferenceId
    .nullable()
    .describe('Your own name for what is paid; its payment has it.'),
  customer_id: uuid.nullable().describe('The customer who is to pay, an active one; its payment has it.'),
  ...knownAsked,
  metadata,
  recovery: recovery.describe(
    'Offers the buyer one mail in case the session ends unpaid. The page asks for the address and the consent; the mail leads to a fresh session with the same lines, at the prices of then. Null: none.',
  ),
  expires_at: timestamp.describe(
    `Until when it can be paid: ${lifeMinutesMin} minutes to ${lifeHoursMax} hours ahead. A voucher or CLABE that was issued before may be paid after it.`,
  ),
}

export const Session = z
  .strictObject({
    id: uuid,
    object: z.literal('checkout_session'),
    public_id: z
      .string()
      .regex(/^spcs_[a-z0-9]{32}$/)
      .describe('The last part of its address; the session is found by it too.'),
    url: z
      .string()
      .regex(/^https:\/\/[^/]+\/spcs_[a-z0-9]{32}$/)
      .describe(
        'The address that the buyer pays at; `?lang=en` or `?lang=es` behind it chooses the language.',
      ),
    status: z
      .enum(statuses)
      .describe(
        '`open` until it is paid; `complete` once it is, never before, or once the buyer completes an order that costs nothing; `expired` when its time passed or you ended it.',
      ),
    payment_status: z
      .enum(['unpaid', 'pending', 'paid', 'no_payment_required'])
      .describe(
        '`pending`: a payment is under way, or a voucher or CLABE waits. `no_payment_required`: it costs nothing, and is complete once the buyer completes the order.',
      ),
    payment_id: uuid
      .nullable()
      .describe('The payment that completed it, or that is under way; null of one that costs nothing.'),
    ui_mode: z.enum(uiModes).describe('Where its page is shown: by itself, or within a page of yours.'),
    line_items: z.array(z.strictObject(shownLine)).describe('What is sold, as it was when it was set.'),
    discounts: z
      .array(
        z.strictObject({
          discount_id: uuid.describe('The discount.'),
          code: z.string().describe('The code of the discount.'),
          amount: minorString.describe('What it takes off.'),
          typed_by_buyer: z.boolean().describe('Whether the buyer typed it on the page.'),
        }),
      )
      .describe('What is taken off, in the order in which it was.'),
    allows_discount_codes: z.boolean().describe('Whether the buyer may type a code on the page.'),
    tips: tips.describe('The tips that the buyer may add on the page; null: none.'),
    shipping_options: shippingOptions.describe('The ways to send it.'),
    shipping_option: z
      .string()
      .nullable()
      .describe('The name of the chosen one; null where none is offered.'),
    amount_subtotal: minorString.describe('Minor units: the sum of the lines, or the amount that you gave.'),
    amount_discount: minorString.describe('Minor units: what the discounts take off it.'),
    amount_shipping: minorString.describe('Minor units: the chosen way to send it.'),
    shipping_tax: z
      .strictObject({
        iva_rate: z.enum(ivaRates).describe('The rate of IVA.'),
        base: minorString.describe('`amount_shipping` less `iva`.'),
        iva: minorString.describe('The IVA in `amount_shipping`: rounded half up.'),
      })
      .nullable()
      .describe('The chosen way to send it, as a concept of a CFDI 4.0 has it; null where none is offered.'),
    amount_tip: minorString.describe('Minor units: the tip that the buyer added.'),
    amount: minorString.describe(
      'Minor units: what the buyer pays, before any markup for installments; 0 where the discounts take off all.',
    ),
    amount_tax: minorString
      .nullable()
      .describe('The IVA of the lines, before discounts; null without lines.'),
    taxes: z
      .array(
        z.strictObject({
          iva_rate: z.enum(ivaRates).describe('The rate of IVA.'),
          base: minorString.describe(
            'The amount before IVA that this rate applies to, after discounts; minor units.',
          ),
          iva: minorString.describe('The IVA, after discounts; minor units.'),
        }),
      )
      .describe(
        'What is paid by rate of IVA, after discounts: bases and IVA sum to `amount` less `amount_tip`, which has no IVA. Empty without lines.',
      ),
    currency,
    ...termsShown,
    collects: collectsShown,
    collected: collectedShown,
    description: z.string().nullable().describe('What is paid for, as the buyer reads it.'),
    success_url: z.string().nullable().describe('Where the buyer may go once it is paid.'),
    cancel_url: z
      .string()
      .nullable()
      .describe(
        'Where the buyer may go back to; of an order from a catalog’s page that page, unless you set another.',
      ),
    recovery: recovery.describe('The mail that its page offers in case it ends unpaid; null: none.'),
    recovered_from: uuid
      .nullable()
      .describe(
        'The session that ended unpaid and that the buyer went on with here, by the address in its mail.',
      ),
    origin: z
      .strictObject({
        surface: z.enum(['api', 'catalog']).describe('`catalog`: a buyer ordered it from a catalog’s page.'),
        ref: z
          .string()
          .nullable()
          .describe('The `public_id` of that catalog; null for a session that your backend made.'),
      })
      .describe('Where it was made.'),
    client_reference_id: z.string().nullable().describe('Your own name for what is paid.'),
    customer_id: uuid
      .nullable()
      .describe('The customer who is to pay. It stays once a payment has been tried.'),
    ...knownShown,
    metadata: z.record(z.string(), z.unknown()).describe('Your own data, as you sent it.'),
    location_id: uuid.nullable().describe('The location that sells; null where none does.'),
    policy_version: z
      .string()
      .regex(/^\d+$/)
      .describe('The number of the version of your payment policy that its terms were set under.'),
    expires_at: timestamp.describe('Expires at this time: no payment can begin after it.'),
    completed_at: timestamp.nullable().describe('When it was paid, or completed without a payment.'),
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'CheckoutSession' })

export const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000081',
  object: 'checkout_session',
  public_id: 'spcs_0123456789abcdefghijklmnopqrstuv',
  url: 'https://pay.spindle.example/spcs_0123456789abcdefghijklmnopqrstuv',
  status: 'open',
  payment_status: 'unpaid',
  payment_id: null,
  ui_mode: 'hosted',
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
      amount_discount: '0',
      tax: { discount: '0', base: '100000', iva: '16000' },
      quantity_min: null,
      quantity_max: null,
    },
  ],
  discounts: [],
  allows_discount_codes: false,
  tips: null,
  shipping_options: [],
  shipping_option: null,
  amount_subtotal: '116000',
  amount_discount: '0',
  amount_shipping: '0',
  shipping_tax: null,
  amount_tip: '0',
  amount: '116000',
  amount_tax: '16000',
  taxes: [{ iva_rate: '16', base: '100000', iva: '16000' }],
  currency: 'mxn',
  payment_method_types: ['card'],
  capture_method: 'automatic',
  installment_options: [],
  installment_plan: null,
  installment_pricing: { fee_allocation: 'absorb', merchant_markup_bps: 0 },
  collects: null,
  collected: null,
  description: null,
  success_url: null,
  cancel_url: null,
  recovery: null,
  recovered_from: null,
  origin: { surface: 'api', ref: null },
  client_reference_id: 'order-1024',
  customer_id: null,
  ...knownExample,
  metadata: {},
  location_id: null,
  policy_version: '1',
  expires_at: '2026-06-13T13:00:00.000Z',
  completed_at: null,
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const
