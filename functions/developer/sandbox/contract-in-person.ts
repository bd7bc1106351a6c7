import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { uuid } from '../../../src/http/schemas.ts'
import { lateMinutes } from '../../../src/processors/simulator/card.ts'
import { presentableCards } from '../../../src/processors/simulator/cards.ts'
import type { PresentedAs } from '../../../src/processors/simulator/reading.ts'
import { DeviceAction, exampleAction, exampleOrder, ReaderAction } from '../../in-person/terminal/api-pure.ts'
import { testControl } from './contract-control.ts'

/** What a buyer does with it: a phone has no slot, and types a PIN on glass. */
const atReaders = [
  'tap',
  'tap_with_pin',
  'tap_with_phone',
  'insert_with_pin',
  'swipe_with_signature',
] as const
const atPhones = ['tap', 'tap_with_phone', 'tap_with_pin'] as const

const saysOf = (device: 'reader' | 'phone') =>
  `The ${device} reads the card, the bank decides, and the processor notifies us, as it would in live. A card that is approved otherwise is declined where the amount ends in 01 or 05, and as not authenticated where it ends in 55.`

const presentedAs = (ways: readonly ['tap', ...PresentedAs[]]) =>
  z
    .enum(ways)
    .default('tap')
    .describe('What the buyer does with the card: the payment and its receipt say how it was read.')

export const presentCard = contract({
  ...testControl('terminal:write'),
  id: 'sandbox.readers.present_card',
  path: '/v1/sandbox/readers/:id/present-card',
  params: z.strictObject({ id: uuid }),
  notFound: 'device_not_found',
  summary: 'Present a test card to a reader',
  description: saysOf('reader'),
  body: z.strictObject({
    card: z.enum(presentableCards).default('tok_sbx_approve').describe('The test card.'),
    presented_as: presentedAs(atReaders),
    answer: z
      .enum(['at_once', 'lost', 'late', 'offline'])
      .default('at_once')
      .describe(
        `When the answer comes. \`lost\`: nobody notifies us, and we ask later. \`late\`: the bank takes ${lateMinutes} minutes, and until then the processor does not answer. \`offline\`: the reader loses its connection before it has read the card, and the processor cancels.`,
      ),
  }),
  reply: { status: 200, schema: ReaderAction },
  errors: ['device_not_found', 'no_card_awaited'],
  example: {
    body: { card: 'tok_sbx_approve', presented_as: 'insert_with_pin', answer: 'at_once' },
    reply: { ...exampleAction, status: 'succeeded', ended_at: '2026-06-13T12:01:00.000Z', version: 2 },
  },
})

/** As a card is presented to a reader. */
export const tapCard = contract({
  ...presentCard,
  ...testControl('tap_to_pay:write'),
  id: 'sandbox.phones.tap',
  path: '/v1/sandbox/devices/:id/tap',
  summary: 'Tap a test card on a phone',
  description: saysOf('phone'),
  body: presentCard.body!.extend({ presented_as: presentedAs(atPhones) }),
  example: {
    ...presentCard.example!,
    body: { card: 'tok_sbx_approve', presented_as: 'tap_with_pin', answer: 'at_once' },
  },
})

/** As a person does who holds a card to a device that is a program: it has no key of the merchant. */
export const presentToItself = contract({
  tag: 'Sandbox',
  only: 'sandbox',
  method: 'POST',
  id: 'sandbox.device.present_card',
  path: '/v1/sandbox/device/present-card',
  access: { device: { kinds: ['reader', 'phone'] } },
  tables: [],
  summary: 'Present a test card to the calling device',
  description:
    'For programs that play a reader or a phone, as the page `/simulator/device` does: the device reads the card itself.',
  idempotency: 'none',
  rate: 'write',
  body: z.strictObject({
    card: presentCard.body!.shape.card,
    presented_as: presentedAs(atPhones),
  }),
  reply: { status: 200, schema: DeviceAction },
  errors: ['no_card_awaited'],
  example: {
    body: { card: 'tok_sbx_approve', presented_as: 'tap' },
    reply: { ...exampleOrder, status: 'succeeded' },
  },
})
