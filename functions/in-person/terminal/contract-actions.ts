import * as z from 'zod'
import { paperWidths, receiptLocales } from '../../../drizzle/schema/in-person.ts'
import { contract } from '../../../src/http/contract.ts'
import { boundedMinor, currency, uuid } from '../../../src/http/schemas.ts'
import { fixedLinesAsked } from '../../order/lines/api-pure.ts'
import { presetsMax, tipPreset } from '../configurations/api-pure.ts'
import { actions, ofReaders } from './contract.ts'
import {
  exampleAction,
  exampleAsking,
  ReaderAction,
  waitSecondsMax,
  waitSecondsMin,
} from './contract-action.ts'
import { exampleInputs, inputAsked, inputsMax } from './contract-inputs.ts'

/** What a device is asked beside payments: it moves no money, and ends by the device's word or at its time. */

const shownLinesMax = 50

const some = boundedMinor.refine((text) => BigInt(text) > 0n, 'must be more than zero')

const waits = (what: string) =>
  z
    .int()
    .min(waitSecondsMin)
    .max(waitSecondsMax)
    .default(60)
    .describe(`How long the device has for it: ${what}`)

const asking = {
  ...actions.writing,
  access: ofReaders,
  params: z.strictObject({ id: uuid }),
  notFound: 'device_not_found',
  tables: ['devices', 'locations', 'reader_actions'],
  location: '/v1/terminal/actions/:id',
  versioned: true,
  reply: { status: 201, schema: ReaderAction },
} as const

const deviceErrors = [
  'device_not_found',
  'device_not_paired',
  'device_disabled',
  'location_archived',
  'reader_busy',
  'reader_pays_alone',
] as const

const tipErrors = [...deviceErrors, 'currency_unsupported'] as const

const asksTip = {
  amount: '45000',
  currency: 'mxn',
  presets: [{ bps: 1000 }, { bps: 1500 }, { amount: '5000' }],
  allows_other: true,
  allows_none: true,
  expires_in_seconds: 60,
}

const exampleTip = {
  ...exampleAsking,
  type: 'collect_tip',
  tip: {
    amount: '45000',
    currency: 'mxn',
    presets: [
      { bps: 1000, amount: '4500' },
      { bps: 1500, amount: '6750' },
      { bps: null, amount: '5000' },
    ],
    allows_other: true,
    allows_none: true,
    chosen: null,
  },
} as const

export const collectTip = contract({
  ...asking,
  id: 'readers.collect_tip',
  path: '/v1/terminal/readers/:id/collect-tip',
  summary: 'Ask a buyer for a tip at a reader',
  description:
    'The reader offers the tips and says what its buyer chose. It moves no money: name the action as `tip_action_id` when you process the payment, and what was chosen is charged. A reader of the processor’s own offers presets alone, in Spanish; where it does not take the question, the action ends before this reply: read it.',
  body: z.strictObject({
    amount: some.describe('What the tip is on, in minor units: the `amount` of the payment that follows.'),
    currency,
    presets: z
      .array(tipPreset)
      .max(presetsMax)
      .optional()
      .describe(
        'What the reader offers, in this order; absent: what its configuration says, else no preset.',
      ),
    allows_other: z
      .boolean()
      .optional()
      .describe(
        'Whether the buyer may type an amount: at most `amount`. Absent: as its configuration says, else true. At a reader of the processor’s own it is false, and true is refused.',
      ),
    allows_none: z
      .boolean()
      .optional()
      .describe('Whether the buyer may give none. Absent: as its configuration says, else true.'),
    expires_in_seconds: waits('the buyer chooses.'),
  }),
  errors: [...tipErrors, 'reader_not_registered', 'payments_not_configured'],
  example: { body: asksTip, reply: exampleTip },
})

/** A phone asks it in its session. */
export const collectTipAtPhone = contract({
  ...collectTip,
  tag: 'Tap to Pay',
  access: { api_key: { scopes: ['tap_to_pay:write'] } },
  id: 'phones.collect_tip',
  path: '/v1/tap-to-pay/devices/:id/collect-tip',
  tables: [...asking.tables, 'tap_sessions'],
  summary: 'Ask a buyer for a tip at a phone',
  errors: [...tipErrors, 'tap_session_not_open'],
})

export const collectInput = contract({
  ...asking,
  id: 'readers.collect_input',
  path: '/v1/terminal/readers/:id/collect-input',
  summary: 'Ask a buyer for details at a reader',
  description:
    'The reader asks for one input after the other, and reports the answers. Read them in the action within a day: they are then deleted, and no event has them. A reader of the processor’s own checks itself what is typed, and has room for 40 characters of a title and 30 of a choice; where it does not take the question, the action ends before this reply.',
  body: z.strictObject({
    inputs: z
      .array(inputAsked)
      .min(1)
      .max(inputsMax)
      .describe(`What the buyer is asked, in this order: at most ${inputsMax} inputs.`),
    expires_in_seconds: waits('the buyer answers.'),
  }),
  errors: [...deviceErrors, 'reader_not_registered', 'payments_not_configured'],
  example: {
    body: { inputs: exampleInputs, expires_in_seconds: 120 },
    reply: { ...exampleAsking, type: 'collect_input', inputs: exampleInputs },
  },
})

export const display = contract({
  ...asking,
  id: 'readers.display',
  path: '/v1/terminal/readers/:id/display',
  summary: 'Show lines and their sum at a reader',
  description:
    'The screen that faces the buyer shows them until it is asked something else. The lines are those that a payment would take. At a reader of the processor’s own the action ends as soon as that has answered, mostly before this reply: read it.',
  body: z.strictObject({
    line_items: fixedLinesAsked
      .max(shownLinesMax)
      .nullable()
      .describe(
        `What is bought, with its prices: at most ${shownLinesMax} lines; null: the screen is cleared.`,
      ),
    currency: currency.default('mxn'),
    amount_tip: boundedMinor.default('0').describe('The tip that is shown below them, in minor units.'),
    expires_in_seconds: waits('it shows them.'),
  }),
  errors: [
    ...deviceErrors,
    'reader_not_registered',
    'payments_not_configured',
    'catalog_item_not_found',
    'catalog_item_not_for_sale',
    'amount_above_maximum',
  ],
  example: {
    body: { line_items: [{ name: 'Café', unit_amount: '5800', quantity: 2 }], amount_tip: '0' },
    reply: {
      ...exampleAsking,
      type: 'display',
      display: {
        cart: {
          line_items: [{ name: 'Café', quantity: 2, amount_total: '11600' }],
          amount: '11600',
          amount_tip: '0',
          currency: 'mxn',
        },
      },
    },
  },
})

export const print = contract({
  ...asking,
  id: 'readers.print',
  path: '/v1/terminal/readers/:id/print',
  summary: 'Print a receipt at a reader',
  description:
    'The receipt of a payment in person, at any reader of yours, as it is when the reader gets it. There is one as soon as a card was approved.',
  body: z.strictObject({
    in_person_payment_id: uuid.describe('Whose receipt is printed.'),
    paper: z
      .enum(paperWidths)
      .default('58mm')
      .describe('The width of its paper: lines of 48 letters, or of 32.'),
    locale: z.enum(receiptLocales).default('es-MX').describe('The language of its words.'),
    expires_in_seconds: waits('it prints.'),
  }),
  errors: [...deviceErrors, 'in_person_payment_not_found', 'receipt_not_available'],
  example: {
    body: { in_person_payment_id: exampleAction.in_person_payment_id, paper: '58mm' },
    reply: {
      ...exampleAsking,
      type: 'print',
      in_person_payment_id: exampleAction.in_person_payment_id,
      print: {
        paper: '58mm',
        locale: 'es-MX',
        path: `/v1/device/actions/${exampleAction.id}/receipt.escpos`,
      },
    },
  },
})

export const ping = contract({
  ...asking,
  id: 'readers.ping',
  path: '/v1/terminal/readers/:id/ping',
  summary: 'Ask a reader for a sign of life',
  description: 'It succeeds as soon as the reader has answered.',
  body: z.strictObject({ expires_in_seconds: waits('it answers.') }),
  errors: deviceErrors,
  example: { body: {}, reply: { ...exampleAsking, type: 'ping' } },
})
