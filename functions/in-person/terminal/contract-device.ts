import * as z from 'zod'
import { readerActions } from '../../../drizzle/schema/in-person.ts'
import { contract, reads } from '../../../src/http/contract.ts'
import { boundedMinor, currency, minorString, timestamp, uuid } from '../../../src/http/schemas.ts'
import { outcomeTables } from '../../money/payments/api-pure.ts'
import {
  configurationTold,
  exampleAllowance,
  exampleTold,
  OfflineAllowance,
} from '../configurations/api-pure.ts'
import { exampleAction, inputs } from './contract-action.ts'
import { answerValue, inputsMax } from './contract-inputs.ts'

/** How long a reader that has nothing to do waits before it asks again. */
export const askAgainSeconds = 2

export const DeviceAction = z
  .strictObject({
    id: uuid,
    object: z.literal('device_action'),
    type: z.enum(readerActions.type.enumValues).describe('What to do.'),
    status: z
      .enum(readerActions.status.enumValues)
      .describe(
        'Of a payment what the processor says: `succeeded` where it is paid, `failed` where the card was declined. Of the rest what the device said.',
      ),
    amount: minorString.nullable().describe('What the buyer pays, in minor units; null: no payment.'),
    currency: currency.nullable().describe('Its currency; null: no payment.'),
    installments: z
      .strictObject({ months: z.int().min(2).max(60).describe('How many monthly payments.') })
      .nullable()
      .describe('The term; null: paid at once.'),
    description: z.string().nullable().describe('What is paid for.'),
    ...inputs,
    expires_at: timestamp.describe('Until when to wait for a card, or to do the rest.'),
  })
  .meta({ id: 'DeviceAction' })

export const exampleOrder = {
  id: exampleAction.id,
  object: 'device_action',
  type: 'process_payment',
  status: 'in_progress',
  amount: '120000',
  currency: 'mxn',
  installments: null,
  description: 'Silla',
  tip: null,
  inputs: null,
  display: null,
  print: null,
  expires_at: exampleAction.expires_at,
} as const

const ofReader = { tag: 'Devices', access: { device: { kinds: ['reader', 'phone'] } } } as const

export const next = contract({
  ...reads,
  ...ofReader,
  id: 'device.next_action',
  path: '/v1/device/next-action',
  summary: 'Ask what the calling reader or phone shall do',
  description:
    'A paired reader, and a phone in its session, asks every `ask_again_seconds` while it has nothing to do: each question is one round trip to the database. It also says that the device is online.',
  reply: {
    status: 200,
    schema: z.strictObject({
      object: z.literal('next_action'),
      action: DeviceAction.nullable().describe('What to do now; null: nothing.'),
      ask_again_seconds: z.int().min(1).describe('When to ask again, in seconds.'),
      configuration: z
        .strictObject(configurationTold)
        .meta({ id: 'DeviceConfiguration' })
        .nullable()
        .describe('What it shall offer; null: no configuration is named.'),
      offline_allowance: OfflineAllowance.nullable().describe(
        'What a reader may store while it has no network; null: nothing.',
      ),
    }),
  },
  errors: [],
  example: {
    reply: {
      object: 'next_action',
      action: exampleOrder,
      ask_again_seconds: askAgainSeconds,
      configuration: exampleTold,
      offline_allowance: exampleAllowance,
    },
  },
})

export const get = contract({
  ...reads,
  ...ofReader,
  id: 'device.get_action',
  path: '/v1/device/actions/:id',
  params: z.strictObject({ id: uuid }),
  notFound: 'reader_action_not_found',
  summary: 'Get an action of the calling reader',
  description: 'A reader that has read a card asks for its `status`, to show how it ended.',
  reply: { status: 200, schema: DeviceAction },
  errors: ['reader_action_not_found'],
  example: { reply: exampleOrder },
})

export const secret = contract({
  ...reads,
  ...ofReader,
  id: 'device.get_payment_secret',
  path: '/v1/device/actions/:id/payment-secret',
  params: z.strictObject({ id: uuid }),
  notFound: 'reader_action_not_found',
  summary: 'Get what the calling phone charges a card with',
  description:
    'In live, of a `process_payment` that waits: the SDK of the processor retrieves the payment by it, collects the card and confirms. It is stored nowhere here: ask again where it was lost.',
  reply: {
    status: 200,
    schema: z.strictObject({
      object: z.literal('payment_secret'),
      action_id: uuid.describe('The action.'),
      client_secret: z
        .string()
        .nullable()
        .describe('The client secret of the PaymentIntent of Stripe; null in the sandbox, and of a reader.'),
    }),
  },
  errors: ['reader_action_not_found', 'reader_action_over'],
  example: { reply: { object: 'payment_secret', action_id: exampleAction.id, client_secret: null } },
})

const reporting = {
  ...ofReader,
  method: 'POST',
  idempotency: 'none',
  rate: 'write',
  params: z.strictObject({ id: uuid }),
  notFound: 'reader_action_not_found',
  reply: { status: 200, schema: DeviceAction },
} as const

export const progress = contract({
  ...reporting,
  id: 'device.report_progress',
  path: '/v1/device/actions/:id/progress',
  tables: ['reader_actions'],
  summary: 'Report a step of the calling reader',
  description: 'People read it beside the action. Nothing else comes of it.',
  body: z.strictObject({
    step: z.enum(readerActions.step.enumValues).describe('What the reader does now.'),
  }),
  errors: ['reader_action_not_found', 'reader_action_over'],
  example: { body: { step: 'waiting_for_card' }, reply: exampleOrder },
})

export const result = contract({
  ...reporting,
  id: 'device.report_result',
  path: '/v1/device/actions/:id/result',
  tables: ['reader_actions', ...outcomeTables],
  summary: 'Say how an action of the calling reader ended',
  description:
    'The first result is taken, and the same once more is answered like the first. It moves no money: of a payment the processor is asked, and its answer ends the action. Any other action ends by it, in its time.',
  body: z.strictObject({
    outcome: z.enum(readerActions.reportedAs.enumValues).describe('How it ended at the reader.'),
    tip: z
      .union([
        z.strictObject({
          preset: z.int().min(0).max(9).describe('The place of the chosen preset, from 0.'),
        }),
        z.strictObject({ other: boundedMinor.describe('An amount of the buyer’s own, in minor units.') }),
        z.strictObject({ none: z.literal(true).describe('The buyer gives none.') }),
      ])
      .optional()
      .describe('With `completed`, of `collect_tip`: what the buyer chose.'),
    answers: z
      .array(
        z.union([
          z.strictObject({
            value: answerValue.describe('What the buyer gave, of a selection the id of a choice.'),
          }),
          z.strictObject({ skipped: z.literal(true).describe('The buyer has skipped it.') }),
        ]),
      )
      .min(1)
      .max(inputsMax)
      .optional()
      .describe(
        'With `completed`, of `collect_input`: an answer for each input, in their order. No reply repeats them.',
      ),
  }),
  errors: ['reader_action_not_found', 'reader_action_reported', 'reader_action_over'],
  example: { body: { outcome: 'completed' }, reply: exampleOrder },
})

export const printout = contract({
  ...reads,
  tag: 'Devices',
  access: { device: { kinds: ['reader'] } },
  id: 'device.get_printout',
  path: '/v1/device/actions/:id/receipt.escpos',
  params: z.strictObject({ id: uuid }),
  notFound: 'reader_action_not_found',
  summary: 'Get what the calling reader shall print',
  description: 'Of a `print` action that waits: ESC/POS commands for its printer, ending with a cut.',
  reply: { status: 200, schema: z.custom<ReadableStream<Uint8Array>>() },
  download: { type: 'application/octet-stream', name: 'receipt.bin' },
  errors: ['reader_action_not_found', 'reader_action_over', 'receipt_not_available'],
  example: { reply: '\u001b@Café Azul\n' },
})
