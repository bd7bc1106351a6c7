import * as z from 'zod'
import { readerActions } from '../../../drizzle/schema/in-person.ts'
import { contract, reads } from '../../../src/http/contract.ts'
import { currency, minorString, timestamp, uuid } from '../../../src/http/schemas.ts'
import { outcomeTables } from '../../money/payments/api-pure.ts'
import { exampleAction } from './contract.ts'

/** How long a reader that has nothing to do waits before it asks again. */
export const askAgainSeconds = 2

const DeviceAction = z
  .strictObject({
    id: uuid,
    object: z.literal('device_action'),
    type: z.enum(readerActions.type.enumValues).describe('What to do.'),
    status: z
      .enum(readerActions.status.enumValues)
      .describe(
        'What the processor says of it: `succeeded` where it is paid, `failed` where the card was declined.',
      ),
    amount: minorString.describe('What the buyer pays, in minor units.'),
    currency,
    installments: z
      .strictObject({ months: z.int().min(2).max(60).describe('How many monthly payments.') })
      .nullable()
      .describe('The term; null: paid at once.'),
    description: z.string().nullable().describe('What is paid for.'),
    expires_at: timestamp.describe('Until when to wait for a card.'),
  })
  .meta({ id: 'DeviceAction' })

const example = {
  id: exampleAction.id,
  object: 'device_action',
  type: 'process_payment',
  status: 'in_progress',
  amount: '120000',
  currency: 'mxn',
  installments: null,
  description: 'Silla',
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
    }),
  },
  errors: [],
  example: { reply: { object: 'next_action', action: example, ask_again_seconds: askAgainSeconds } },
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
  example: { reply: example },
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
  example: { body: { step: 'waiting_for_card' }, reply: example },
})

export const result = contract({
  ...reporting,
  id: 'device.report_result',
  path: '/v1/device/actions/:id/result',
  tables: ['reader_actions', ...outcomeTables],
  summary: 'Say how an action of the calling reader ended',
  description:
    'The first result is taken, and the same once more is answered like the first. It moves no money: the processor is asked, and its answer ends the action.',
  body: z.strictObject({
    outcome: z.enum(readerActions.reportedAs.enumValues).describe('How it ended at the reader.'),
  }),
  errors: ['reader_action_not_found', 'reader_action_reported'],
  example: { body: { outcome: 'completed' }, reply: example },
})
