import * as z from 'zod'
import { registerOrders } from '../../../drizzle/schema/physical-checkout.ts'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import {
  boundedMinor,
  clientReferenceId,
  currency,
  freeText,
  metadata,
  metadataFilter,
  minorString,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { exampleTaken, TakenPayment } from '../../money/payments/api-pure.ts'
import { countedLinesAsked, orderAsked, orderShown } from '../../order/lines/api-pure.ts'
import { termErrors, termsOfNew, termsShown, workspaceErrors } from '../../order/sales/api-pure.ts'
import { cardAsked, cardErrors, cardTables } from '../../page/hosted-payment/api-pure.ts'
import { exampleRegisterId, path, registerId, scopes, tag } from './contract-codes.ts'
import { orderLifecycle } from './lifecycle.ts'

/** How long an order may be paid, in seconds. */
const lifeSecondsMin = 60
const lifeSecondsMax = 86_400
const lifeSecondsFirst = 900

const mode = z
  .enum(registerOrders.mode.enumValues)
  .describe(
    'Which code leads buyers to it. `static`: the printed one of the register. `dynamic`: its own alone, at `url`, which displays of the register show. `hybrid`: both; it is paid once, whichever they scan.',
  )

const status = z
  .enum(statusesOf(orderLifecycle))
  .describe('`paid`: by a payment or in cash. `expired`: its time passed. `canceled`: you ended it.')

const Order = shown('register_order', {
  public_id: z.string().describe('The last part of its address.'),
  url: z.string().describe('Where its buyer pays: show it as a QR code.'),
  status,
  payment_status: z
    .enum(['unpaid', 'pending', 'paid'])
    .describe(
      '`pending`: a payment is under way, whose outcome may not be known yet. It is neither paid nor failed.',
    ),
  register_id: registerId,
  shift_id: uuid.nullable().describe('The shift that was open when it was made; null: none was.'),
  mode,
  current: z.boolean().describe('Whether the register shows it.'),
  line_items: orderShown.line_items,
  tips: orderShown.tips,
  amount: orderShown.amount,
  amount_tax: orderShown.amount_tax,
  taxes: orderShown.taxes,
  currency,
  ...termsShown,
  description: z.string().nullable().describe('What is paid for, as the buyer reads it.'),
  client_reference_id: z.string().nullable().describe('Your own name for the sale; its payment has it.'),
  metadata: z.record(z.string(), z.unknown()).describe('Your own data, as you sent it.'),
  payment_id: uuid
    .nullable()
    .describe('The payment that paid it, or that is under way; null of one that was paid in cash.'),
  paid_by: z.enum(['payment', 'cash']).nullable().describe('How it was paid; null while it is not.'),
  amount_tendered: minorString.nullable().describe('Minor units: the cash that the buyer handed over.'),
  amount_change: minorString.nullable().describe('Minor units: what the buyer got back of it at once.'),
  amount_cash_returned: minorString.describe('Minor units: what of the price was given back later in cash.'),
  replaced_by: uuid.nullable().describe('The order that took its place; its page leads there.'),
  location_id: uuid
    .nullable()
    .describe('The location of the register: its payment policy, stock and prices.'),
  policy_version: z.string().describe('The version of the payment policy that it was made under.'),
  expires_at: timestamp.describe('Until when a payment may begin.'),
  ended_at: timestamp.nullable().describe('When it was paid, canceled or over; null while it is open.'),
}).meta({ id: 'RegisterOrder' })

const exampleOrder = exampleOf('register_order', '0190a6d2-7c3e-7b1a-9f00-000000000303', {
  public_id: 'sorder_w2e6r9t3y7u1i5o8p4a0s6d3f9g2h7j1',
  url: 'https://pay.example.com/sorder_w2e6r9t3y7u1i5o8p4a0s6d3f9g2h7j1',
  status: 'open',
  payment_status: 'unpaid',
  register_id: exampleRegisterId,
  shift_id: null,
  mode: 'hybrid',
  current: true,
  line_items: [
    {
      item_id: null,
      name: 'Café americano',
      unit_amount: '5800',
      measured: null,
      modifiers: [],
      quantity: 2,
      iva_rate: '16',
      price_includes_tax: true,
      amount_subtotal: '10000',
      amount_tax: '1600',
      amount_total: '11600',
      amount_discount: '0',
      tax: { discount: '0', base: '10000', iva: '1600' },
      quantity_min: null,
      quantity_max: null,
    },
  ],
  tips: { presets_bps: [1000, 1500], allows_own_amount: true },
  amount: '11600',
  amount_tax: '1600',
  taxes: [{ iva_rate: '16', base: '10000', iva: '1600' }],
  currency: 'mxn',
  payment_method_types: ['card'],
  capture_method: 'automatic',
  installment_options: [],
  installment_plan: null,
  installment_pricing: { fee_allocation: 'absorb', merchant_markup_bps: 0 },
  description: null,
  client_reference_id: 'ticket-118',
  metadata: {},
  payment_id: null,
  paid_by: null,
  amount_tendered: null,
  amount_change: null,
  amount_cash_returned: '0',
  replaced_by: null,
  location_id: '0190a6d2-7c3e-7b1a-9f00-000000000031',
  policy_version: '1',
  expires_at: '2026-06-13T12:15:00.000Z',
  ended_at: null,
})

const orders = resource({
  tag,
  path: `${path}/orders`,
  ...scopes,
  tables: ['register_orders'],
  notFound: 'register_order_not_found',
  versioned: true,
  schema: Order,
  example: exampleOrder,
})

export const create = orders.create({
  id: 'register_orders.create',
  summary: 'Make an order at a register',
  description:
    'What one buyer pays at the counter: lines, of a catalog or written by you, or an amount. The register shows it until it is paid, over, canceled or detached, and shows one at a time. The same request with the same `client_reference_id` on the same day gets the first order, also where that has ended: the same lines or amount, terms, tips, mode and description.',
  tables: ['devices', 'register_shifts', 'register_orders'],
  body: z.strictObject({
    register_id: registerId,
    mode: mode.default('hybrid'),
    line_items: countedLinesAsked
      .optional()
      .describe('What is bought, in order: items of catalogs, or lines that you write.'),
    amount: orderAsked.amount.optional(),
    currency: currency.default('mxn'),
    tips: orderAsked.tips.default(null),
    ...termsOfNew,
    description: freeText(500).nullable().default(null).describe('What is paid for, as the buyer reads it.'),
    client_reference_id: clientReferenceId
      .nullable()
      .default(null)
      .describe('Your own name for the sale, like the folio of your till; its payment has it.'),
    metadata: metadata.default({}),
    replaces_id: uuid
      .nullable()
      .default(null)
      .describe(
        'The unpaid order that the register shows and that this one takes the place of: it is canceled, and its open page leads here. Null: the register must be free.',
      ),
    expires_in_seconds: z
      .int()
      .min(lifeSecondsMin)
      .max(lifeSecondsMax)
      .default(lifeSecondsFirst)
      .describe(
        'For how long a payment may begin. A CLABE or voucher that the buyer took before may be paid after it, for a day or more: the order waits for it. Detach it to go on with the next one.',
      ),
  }),
  errors: [
    'device_not_found',
    'device_disabled',
    'location_archived',
    'register_occupied',
    'register_order_not_replaced',
    'register_order_being_paid',
    'register_order_reference_used',
    'catalog_item_not_found',
    'catalog_item_not_for_sale',
    ...termErrors,
    ...workspaceErrors,
  ],
  example: {
    register_id: exampleRegisterId,
    line_items: [{ name: 'Café americano', unit_amount: '5800', quantity: 2 }],
    tips: { presets_bps: [1000, 1500] },
    client_reference_id: 'ticket-118',
  },
})

export const list = orders.list({
  id: 'register_orders.list',
  summary: 'List orders of registers',
  filters: {
    status: status.optional().describe('Only what has this status.'),
    register_id: uuid.optional().describe('Only those of this register.'),
    client_reference_id: freeText(200).optional().describe('Only with this `client_reference_id`.'),
    metadata: metadataFilter,
  },
})

export const get = orders.get({
  id: 'register_orders.get',
  summary: 'Get an order of a register',
  showsLive: true,
})

export const current = contract({
  ...orders.reading,
  params: z.strictObject({ id: uuid.describe('Id of the register.') }),
  notFound: 'register_has_no_order',
  id: 'register_orders.current',
  method: 'GET',
  path: `${path}/registers/:id/current-order`,
  summary: 'Get the order that a register shows',
  versioned: true,
  showsLive: true,
  reply: { status: 200, schema: Order },
  errors: ['register_has_no_order'],
  example: { reply: exampleOrder },
})

export const cancel = orders.move('cancel', {
  id: 'register_orders.cancel',
  summary: 'Cancel an open order',
  description:
    'It can no longer be paid. A payment wins: while one is under way the request is refused, and where one was made the order is paid.',
  errors: ['register_order_not_open', 'register_order_being_paid'],
  example: {
    status: 'canceled',
    current: false,
    ended_at: '2026-06-13T12:05:00.000Z',
    version: 2,
  },
})

export const detach = orders.move('detach', {
  id: 'register_orders.detach',
  summary: 'Detach an open order from its register',
  description:
    'The register is free for the next order, while this one waits for its payment’s outcome. It is paid or over as it would be otherwise.',
  errors: ['register_order_not_open', 'register_order_detached'],
  example: { current: false, version: 2 },
})

/** A change of one order, at a step below it. */
const changing = {
  ...orders.writing,
  ...orders.one,
  method: 'POST',
  versioned: true,
  tables: ['register_orders', 'cash_movements'],
  reply: { status: 200, schema: Order },
} as const

export const payCash = contract({
  ...changing,
  id: 'register_orders.pay_in_cash',
  path: `${path}/orders/:id/cash-payment`,
  summary: 'Record that an open order was paid in cash',
  description:
    'It is paid at once and counts in the open shift of the register. It touches no balance: the money is in your drawer. The reply says the change.',
  body: z.strictObject({
    amount_tendered: boundedMinor.describe('Minor units: what the buyer handed over, `amount` or more.'),
  }),
  errors: [
    'register_order_not_found',
    'register_order_not_open',
    'register_order_being_paid',
    'register_order_delivers',
    'register_cash_currency',
    'amount_above_maximum',
    'register_shift_closed',
    'stock_insufficient',
  ],
  example: {
    body: { amount_tendered: '20000' },
    reply: {
      ...exampleOrder,
      status: 'paid',
      payment_status: 'paid',
      current: false,
      paid_by: 'cash',
      amount_tendered: '20000',
      amount_change: '8400',
      ended_at: '2026-06-13T12:05:00.000Z',
      version: 2,
    },
  },
})

export const payByCard = contract({
  ...orders.writing,
  ...orders.one,
  id: 'register_orders.pay_by_card',
  path: `${path}/orders/:id/card-payment`,
  tables: ['register_orders', ...cardTables],
  summary: 'Pay an open order with a card of your own form',
  description:
    'Your own server asks, with a token that your card form has made: no card number reaches you or us. It is an attempt as one on the order’s page, by the same terms, rules and limits, and the reply is its payment. A decline is a payment in `requires_payment_method` with its `decline_code`: send another token under another key, and the same payment is tried again. With `requires_action` send the buyer to `next_action.url`. What the order delivers is at `receipt_url` once it is paid: show it, since the buyer has no mail of it where you give no `email`. `processing` is neither paid nor declined: follow the order or its events. The same Idempotency-Key is answered with its payment as it is then.',
  body: z.strictObject({
    ...cardAsked,
    amount_tip: boundedMinor
      .default('0')
      .describe('Minor units: the tip that the buyer chose of the order’s `tips`, on top of its `amount`.'),
  }),
  reply: { status: 200, schema: TakenPayment },
  errors: [
    'register_order_not_found',
    'register_order_not_open',
    'register_order_being_paid',
    'stock_insufficient',
    ...cardErrors,
    ...workspaceErrors,
  ],
  example: {
    body: { card_token: 'tok_sbx_approve', email: 'ana@example.com' },
    reply: {
      ...exampleTaken,
      amount: '11600',
      origin: { type: 'register_order', id: exampleOrder.id },
      payment_link_id: null,
      description: null,
    },
  },
})

export const returnCash = contract({
  ...changing,
  id: 'register_orders.return_cash',
  path: `${path}/orders/:id/cash-returns`,
  summary: 'Record that cash of an order was given back',
  description:
    'Of an order that was paid in cash, all of it or a part, more than once. It counts in the shift that is open then. Stock stays as it is: receive what comes back.',
  body: z.strictObject({
    amount: boundedMinor
      .refine((text) => BigInt(text) > 0n, 'must be more than zero')
      .describe('Minor units: what was given back.'),
    note: freeText(200).nullable().default(null).describe('Your own note, like the reason.'),
  }),
  errors: [
    'register_order_not_found',
    'register_order_not_paid_in_cash',
    'cash_return_above_paid',
    'register_shift_closed',
    'register_cash_short',
  ],
  example: {
    body: { amount: '5800' },
    reply: {
      ...exampleOrder,
      status: 'paid',
      payment_status: 'paid',
      current: false,
      paid_by: 'cash',
      amount_tendered: '20000',
      amount_change: '8400',
      amount_cash_returned: '5800',
      ended_at: '2026-06-13T12:05:00.000Z',
      version: 3,
    },
  },
})

/** Ends orders at their time. */
export const sweep = {
  id: 'register_orders.sweep',
  access: { system: {} },
  tables: ['register_orders'],
} as const
