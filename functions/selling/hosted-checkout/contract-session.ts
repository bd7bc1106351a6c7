import * as z from 'zod'
import {
  clientReferenceId,
  currency,
  freeText,
  metadata,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { orderAsked, orderExample, orderShown } from '../../order/lines/api-pure.ts'
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
} from '../../order/sales/api-pure.ts'

export const lifeMinutesMin = 5
export const lifeHoursMax = 24

export const statuses = ['open', 'complete', 'expired'] as const
export const uiModes = ['hosted', 'embedded'] as const

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

export const asked = {
  ...orderAsked,
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
    ...orderShown,
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
  ...orderExample,
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
