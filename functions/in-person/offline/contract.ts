import * as z from 'zod'
import {
  offlineLossReasons,
  offlinePayments,
  offlineRefusals,
} from '../../../drizzle/schema/offline-payments.ts'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { boundedMinor, currency, freeText, minorString, timestamp, uuid } from '../../../src/http/schemas.ts'
import { outcomeTables } from '../../money/payments/api-pure.ts'
import { workspaceErrors } from '../../order/sales/api-pure.ts'
import { exampleAllowance, OfflineAllowance } from '../configurations/api-pure.ts'
import { signatureForm } from '../devices/api-pure.ts'
import { exampleAction } from '../terminal/api-pure.ts'

/** Payments in one request. */
export const batchMax = 50

const some = boundedMinor.refine((text) => BigInt(text) > 0n, 'must be more than zero')

const status = z
  .enum(offlinePayments.status.enumValues)
  .describe(
    '`forwarding`: it is recorded, and the processor is asked. `unknown`: the processor has not said how it ended, which is no decline. `declined` and `canceled` are your loss. `refused`: nobody was charged, see `refusal_code`.',
  )
/** Why nothing was recorded of what a reader has forwarded. */
export const unrecorded = ['offline_payment_id_used', 'location_of_another', 'policy_refuses_now'] as const

const refusalCode = z.enum(offlineRefusals).nullable().describe('Why it was not taken; null where it was.')

const name = freeText(64)
  .regex(/^[A-Za-z0-9_-]{8,64}$/, 'must be 8 to 64 letters, digits, dashes or underscores')
  .describe('The reader’s own name for the payment. It is one payment, however often it is sent.')

const stored = z.strictObject({
  id: name,
  allowance_id: uuid.describe('The allowance that the reader had when it took the card.'),
  sequence: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .describe('Counts what the reader stores under the allowance, so that a gap shows.'),
  amount: some.describe('What the buyer pays for, without the tip; minor units.'),
  amount_tip: boundedMinor.default('0').describe('The tip on top of it, in minor units; at most `amount`.'),
  currency,
  taken_at: timestamp.describe(
    'When the card was read, by the reader’s clock. It is shown, and nothing hangs on it.',
  ),
  card: z
    .strictObject({
      token: z
        .string()
        .regex(/^tok_sbx_[a-z0-9_]{1,40}$/, 'must be a test card, like tok_sbx_approve')
        .describe('The card as the reader has stored it for the processor: in the sandbox a test card.'),
      presented_as: z
        .enum(['tap', 'tap_with_pin', 'tap_with_phone', 'insert_with_pin', 'swipe_with_signature'])
        .default('tap')
        .describe('What the buyer did with it.'),
      answer: z
        .enum(['at_once', 'lost', 'late'])
        .default('at_once')
        .describe('In the sandbox: when the bank answers, as of a card that is presented.'),
    })
    .describe('The card, which the processor alone reads.'),
  signature: z
    .string()
    .regex(signatureForm, 'must be 64 bytes in base64url')
    .describe(
      'By the reader’s key, ECDSA with SHA-256 as WebCrypto makes it (64 bytes, base64url), of these texts with a line feed between them: `spindle-offline-1`, `id`, `allowance_id`, `sequence`, `amount`, `amount_tip`, `currency`, `taken_at`, `card.token`, `card.presented_as`.',
    ),
})
export type Stored = z.infer<typeof stored>

const result = z
  .strictObject({
    id: z.string().describe('The reader’s own name for it.'),
    status: z
      .enum([...offlinePayments.status.enumValues, 'not_recorded'])
      .describe(
        'As of an offline payment. `not_recorded`: nothing is written and nobody was charged: keep it, and see `refusal_code`.',
      ),
    refusal_code: z
      .enum([...offlineRefusals, ...unrecorded])
      .nullable()
      .describe(
        'Why it was not taken; null where it was. `offline_payment_id_used`: the reader has forwarded another payment under this `id`: give it an `id` of its own and sign it again. `location_of_another`: it was taken at another location than those before it: send it again without them. `policy_refuses_now`: the payment policy does not take it now: send it again. When its allowance has ended for so long that nothing of it is taken, it is refused.',
      ),
    offline_payment_id: uuid
      .nullable()
      .describe('Under what the merchant finds it; null: nothing was recorded.'),
  })
  .meta({ id: 'OfflineResult' })

const exampleStored = {
  id: 'r7-000041',
  allowance_id: exampleAllowance.id,
  sequence: 41,
  amount: '12000',
  amount_tip: '0',
  currency: 'mxn',
  taken_at: '2026-06-13T12:00:00.000Z',
  card: { token: 'tok_sbx_approve', presented_as: 'tap', answer: 'at_once' },
  signature: 'A'.repeat(86),
}
const offlineId = '0190a6d2-7c3e-7b1a-9f00-00000000006a'

export const forward = contract({
  tag: 'Devices',
  access: { device: { kinds: ['reader'] } },
  id: 'device.forward_offline_payments',
  method: 'POST',
  path: '/v1/device/offline-payments',
  tables: [...outcomeTables, 'devices', 'in_person_payments', 'offline_allowances', 'offline_payments'],
  summary: 'Forward what the calling reader has stored',
  description:
    'Each is recorded once and then sent to the processor. The reader may forget what is in the reply, except what is `not_recorded`: the rest is recorded, whatever its status, and the same payments sent again get the same results. With `has_more` false the reader says that it holds nothing else, and gets another allowance.',
  idempotency: 'none',
  rate: 'write',
  body: z.strictObject({
    payments: z
      .array(stored)
      .min(1)
      .max(batchMax)
      .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'must name each payment once')
      .describe('What it has stored, in any order.'),
    has_more: z.boolean().default(false).describe('Whether the reader holds more than these.'),
  }),
  reply: {
    status: 200,
    schema: z.strictObject({
      object: z.literal('offline_batch'),
      results: z.array(result).describe('In the order of the request.'),
      offline_allowance: OfflineAllowance.nullable().describe(
        'What it may store from now on; null: nothing.',
      ),
    }),
  },
  errors: [...workspaceErrors, 'payment_method_unavailable', 'payments_not_configured'],
  example: {
    body: { payments: [exampleStored], has_more: false },
    reply: {
      object: 'offline_batch',
      results: [
        { id: exampleStored.id, status: 'succeeded', refusal_code: null, offline_payment_id: offlineId },
      ],
      offline_allowance: exampleAllowance,
    },
  },
})

const OfflinePayment = shown('offline_payment', {
  status,
  refusal_code: refusalCode,
  device_id: uuid.describe('The reader that took it.'),
  location_id: uuid.describe('Where the reader stood.'),
  device_payment_id: z.string().describe('The reader’s own name for it.'),
  allowance_id: uuid.nullable().describe('What it was held against; null: the reader named none of its own.'),
  sequence: z.int().min(1).describe('Its place among what the reader stored under the allowance.'),
  amount: minorString.describe('What the buyer pays, tip included; minor units.'),
  amount_tip: minorString.describe('The part of it that is a tip, in minor units.'),
  currency,
  taken_at: timestamp.describe('When the card was read, by the reader’s clock.'),
  forwarded_at: timestamp.describe('When it was recorded, by ours.'),
  in_person_payment_id: uuid.nullable().describe('What was taken; null: it was refused.'),
  payment_id: uuid.nullable().describe('The payment, which says whether money came; null: it was refused.'),
  loss: z
    .strictObject({
      reason: z
        .enum(offlineLossReasons)
        .describe('What the bank said; `canceled`: the processor ended it without a card’s decline.'),
      amount: minorString.describe('What you have lost, in minor units.'),
      booked_at: timestamp.describe('When it was known.'),
    })
    .nullable()
    .describe(
      'Your loss: the goods are gone, and the card did not pay. Null: none, or you decided in a review.',
    ),
}).meta({ id: 'OfflinePayment' })

const offline = resource({
  tag: 'Terminal',
  path: '/v1/terminal/offline-payments',
  reads: { api_key: { scopes: ['terminal:read'] } },
  writes: { api_key: { scopes: ['terminal:write'] } },
  tables: [],
  notFound: 'offline_payment_not_found',
  versioned: true,
  schema: OfflinePayment,
  example: exampleOf('offline_payment', offlineId, {
    status: 'succeeded',
    refusal_code: null,
    device_id: '0190a6d2-7c3e-7b1a-9f00-000000000061',
    location_id: '0190a6d2-7c3e-7b1a-9f00-000000000031',
    device_payment_id: exampleStored.id,
    allowance_id: exampleAllowance.id,
    sequence: 41,
    amount: '12000',
    amount_tip: '0',
    currency: 'mxn',
    taken_at: exampleStored.taken_at,
    forwarded_at: '2026-06-13T12:10:00.000Z',
    in_person_payment_id: exampleAction.in_person_payment_id,
    payment_id: exampleAction.payment_id,
    loss: null,
  }),
})

export const list = offline.list({
  id: 'offline_payments.list',
  summary: 'List what readers have stored and forwarded',
  filters: {
    status: status.optional().describe('Only what has this status.'),
    device_id: uuid.optional().describe('Only what this reader took.'),
  },
})

export const get = offline.get({
  id: 'offline_payments.get',
  summary: 'Get what a reader has stored and forwarded',
})

/** Scheduled: publishes the events of what has ended. */
export const announce = {
  id: 'offline_payments.announce',
  access: { system: {} },
  tables: ['offline_payments'],
} as const
