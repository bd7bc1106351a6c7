import * as z from 'zod'
import { readerActions } from '../../../drizzle/schema/in-person.ts'
import { captureMethods } from '../../../drizzle/schema/payments.ts'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import {
  boundedMinor,
  clientReferenceId,
  currency,
  freeText,
  metadata,
  minorAsked,
  minorString,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { exampleCard, outcomeTables, PresentedCard } from '../../money/payments/api-pure.ts'
import { fixedLinesAsked } from '../../order/lines/api-pure.ts'
import { workspaceErrors } from '../../order/sales/api-pure.ts'
import { exampleAction, ReaderAction, readerId, waitSecondsMax, waitSecondsMin } from './contract-action.ts'
import { inPersonStatuses, offlineStatuses } from './lifecycle.ts'

const reads = { api_key: { scopes: ['terminal:read', 'tap_to_pay:read'] } } as const
const writes = { api_key: { scopes: ['terminal:write', 'tap_to_pay:write'] } } as const
export const ofReaders = { api_key: { scopes: ['terminal:write'] } } as const
export const tag = 'Terminal'

const Installments = z
  .strictObject({ months: z.int().min(2).max(60).describe('How many monthly payments.') })
  .nullable()

export const actions = resource({
  tag,
  path: '/v1/terminal/actions',
  reads,
  writes,
  tables: [...outcomeTables, 'reader_actions'],
  notFound: 'reader_action_not_found',
  versioned: true,
  schema: ReaderAction,
  example: exampleAction,
})

const sale = {
  amount: boundedMinor.describe('What is paid for, in minor units. The tip comes on top of it.'),
  currency,
  line_items: fixedLinesAsked
    .optional()
    .describe(
      'What is paid for: the lines come to `amount`. Its payment then says the IVA, and its receipt lists them. Items of a catalog that have stock or deliver something are refused.',
    ),
  amount_tip: boundedMinor
    .default('0')
    .describe('The tip in minor units, at most `amount`: the buyer pays both. It has no IVA.'),
  tip_action_id: uuid
    .nullable()
    .default(null)
    .describe(
      'The action by which the buyer chose the tip at this device, on this `amount`, within the last ten minutes: what was chosen is charged, once. Leave `amount_tip` out then.',
    ),
  waiter_id: uuid
    .nullable()
    .default(null)
    .describe(
      'Who served: the tip is owed to them once it is paid, as a tip of a table’s bill is. In mxn alone.',
    ),
  installment_months: z
    .int()
    .min(2)
    .max(60)
    .nullable()
    .default(null)
    .describe('The term, chosen before the card is read; null: paid at once. A debit card is declined then.'),
  capture_method: z
    .enum(captureMethods)
    .default('automatic')
    .describe('`manual`: the card is authorized, and you capture it later.'),
  description: freeText(200).trim().min(1).nullable().default(null).describe('What is paid for.'),
  client_reference_id: clientReferenceId
    .nullable()
    .default(null)
    .describe(
      'Your own name for it. At one reader, on one day in Mexico City, the same request gets the first result, however that ended.',
    ),
  metadata: metadata.default({}),
}

const asked = {
  amount: '120000',
  currency: 'mxn',
  amount_tip: '0',
  tip_action_id: null,
  waiter_id: null,
  installment_months: null,
  capture_method: 'automatic',
  description: 'Silla',
  client_reference_id: 'order-1024',
  metadata: { order: '1024' },
}

export const exampleAsked = { ...asked, expires_in_seconds: 300 }

export const process = contract({
  ...actions.writing,
  access: ofReaders,
  id: 'readers.process_payment',
  path: '/v1/terminal/readers/:id/process-payment',
  params: z.strictObject({ id: uuid }),
  notFound: 'device_not_found',
  tables: [...outcomeTables, 'devices', 'locations', 'waiters', 'in_person_payments', 'reader_actions'],
  location: '/v1/terminal/actions/:id',
  versioned: true,
  summary: 'Take a card payment at a reader',
  description:
    'The reader waits for a card until `expires_at`. The reply comes as soon as it waits, or the processor has not answered in time: read the action, or follow its events. A time-out is no decline: only the payment says whether money came.',
  body: z.strictObject({
    ...sale,
    expires_in_seconds: z
      .int()
      .min(waitSecondsMin)
      .max(waitSecondsMax)
      .default(waitSecondsMax)
      .describe('How long the reader waits for a card.'),
  }),
  reply: { status: 201, schema: ReaderAction },
  errors: [
    ...workspaceErrors,
    'device_not_found',
    'device_not_paired',
    'device_disabled',
    'location_archived',
    'reader_busy',
    'reader_not_registered',
    'client_reference_id_used',
    'catalog_item_not_found',
    'catalog_item_not_for_sale',
    'in_person_item_not_sold',
    'waiter_not_found',
    'waiter_archived',
    'reader_action_not_found',
    'reader_tip_not_usable',
    'reader_tip_used',
    'amount_below_minimum',
    'amount_above_maximum',
    'currency_unsupported',
    'payment_method_unavailable',
    'payment_method_inactive',
    'installments_unavailable',
    'manual_capture_not_allowed',
    'fee_allocation_not_allowed',
    'payments_not_configured',
  ],
  example: { body: exampleAsked, reply: exampleAction },
})

export const listActions = actions.list({
  id: 'reader_actions.list',
  summary: 'List the actions of readers',
  filters: {
    status: z.enum(readerActions.status.enumValues).optional().describe('Only what has this status.'),
    reader_id: uuid.optional().describe('Only those of this reader or phone.'),
    type: z.enum(readerActions.type.enumValues).optional().describe('Only what is of this type.'),
  },
})

export const getAction = actions.get({ id: 'reader_actions.get', summary: 'Get an action of a reader' })

// Without If-Match: what moves is the payment, and the action follows it.
export const cancelAction = contract({
  ...actions.writing,
  ...actions.one,
  id: 'reader_actions.cancel',
  path: '/v1/terminal/actions/:id/cancel',
  tables: [...outcomeTables, 'reader_actions'],
  summary: 'Cancel an action of a reader',
  description:
    'Either scope cancels what a reader or a phone waits for. Of a payment it wins while no card was read: the processor says whether one was. Where the processor does not answer in time, the reply is the unchanged action and is not stored: a retry with the same Idempotency-Key resumes it.',
  reply: { status: 200, schema: ReaderAction },
  errors: [
    'reader_action_not_found',
    'reader_action_over',
    'payment_not_cancelable',
    'payment_change_in_progress',
    'payment_under_review',
    'payments_not_configured',
  ],
  example: {
    reply: { ...exampleAction, status: 'canceled', ended_at: '2026-06-13T12:01:00.000Z', version: 2 },
  },
})

const InPersonPayment = shown('in_person_payment', {
  status: z
    .enum(inPersonStatuses)
    .describe(
      '`waiting_device`: the reader waits for a card. `in_progress`: the reader has reported a step. `authorized`: capture it until `capture_before`. `unknown`: the processor has not said how it ended, which is no decline: do not ask the buyer to pay again.',
    ),
  payment_id: uuid.describe('The payment, which says whether money came.'),
  public_id: z
    .string()
    .regex(/^sinp_[a-z0-9]{32}$/)
    .describe('Finds its receipt.'),
  device_id: uuid.describe('The device that was asked to take it.'),
  location_id: uuid.nullable().describe('Where the device stands.'),
  amount: minorString.describe('What the buyer pays, tip included; minor units.'),
  amount_tip: minorString.describe('The part of it that is a tip, in minor units.'),
  waiter_id: uuid.nullable().describe('To whom the tip is owed; null: not said.'),
  currency,
  amount_authorized: minorString.describe('What the card has authorized, in minor units.'),
  amount_captured: minorString.describe('What was taken, in minor units.'),
  card: PresentedCard.nullable().describe(
    'The card, and how the device read it; null before it is approved.',
  ),
  offline: z
    .strictObject({
      status: z.enum(offlineStatuses).describe('`declined` and `canceled` are your loss.'),
      stored_at: timestamp.describe('When the card was read, by the reader’s clock.'),
      forwarded_at: timestamp.describe('When the reader forwarded it, by ours.'),
    })
    .nullable()
    .describe('Of what a reader took while it had no network; null: it had one.'),
  capture_method: z.enum(captureMethods).describe('`manual`: authorized first, and captured by you.'),
  capture_before: timestamp.nullable().describe('When the authorization lapses; null where there is none.'),
  installments: Installments.describe('The term; null: paid at once.'),
  description: z.string().nullable().describe('What is paid for.'),
  client_reference_id: z.string().nullable().describe('Your own name for it.'),
  metadata,
  policy_version: z
    .string()
    .regex(/^\d+$/)
    .describe('The number of the version of your payment policy that it was made under.'),
}).meta({ id: 'InPersonPayment' })

const exampleInPerson = exampleOf('in_person_payment', exampleAction.in_person_payment_id, {
  status: 'waiting_device',
  payment_id: exampleAction.payment_id,
  public_id: 'sinp_0123456789abcdefghijklmnopqrstuv',
  device_id: readerId,
  location_id: '0190a6d2-7c3e-7b1a-9f00-000000000031',
  amount: asked.amount,
  amount_tip: '0',
  waiter_id: null,
  currency: asked.currency,
  amount_authorized: '0',
  amount_captured: '0',
  card: null,
  offline: null,
  capture_method: asked.capture_method,
  capture_before: null,
  installments: null,
  description: asked.description,
  client_reference_id: asked.client_reference_id,
  metadata: asked.metadata,
  policy_version: '1',
})

const inPerson = resource({
  tag: 'In-person Payments',
  path: '/v1/in-person-payments',
  reads: { api_key: { scopes: ['terminal:read', 'tap_to_pay:read', 'physical_checkout:read'] } },
  writes,
  tables: [],
  notFound: 'in_person_payment_not_found',
  versioned: true,
  schema: InPersonPayment,
  example: exampleInPerson,
})

export const listInPerson = inPerson.list({
  id: 'in_person_payments.list',
  summary: 'List payments in person',
  filters: {
    status: z.enum(inPersonStatuses).optional().describe('Only those with this status.'),
    device_id: uuid.optional().describe('Only those of this device.'),
    location_id: uuid.optional().describe('Only those of this location.'),
    client_reference_id: clientReferenceId.optional().describe('Only those with this name of yours.'),
    offline_status: z
      .enum(offlineStatuses)
      .optional()
      .describe('Only what a reader stored without a network, with this status.'),
  },
})

export const getInPerson = inPerson.get({
  id: 'in_person_payments.get',
  summary: 'Get a payment in person',
  // Its status and card are its device's and its payment's.
  showsLive: true,
})

const resuming =
  'Either scope does it, whichever device took the payment. Where the processor does not answer in time, the reply is the unchanged payment in person and is not stored: a retry with the same Idempotency-Key resumes it.'
const changing = {
  ...inPerson.writing,
  ...inPerson.one,
  tables: outcomeTables,
  reply: { status: 200, schema: InPersonPayment },
} as const
const changeErrors = [
  'in_person_payment_not_found',
  'payment_change_in_progress',
  'payment_under_review',
  'payments_not_configured',
] as const
const manual = {
  ...exampleInPerson,
  capture_method: 'manual',
  capture_before: '2026-06-20T12:00:05.000Z',
  amount_authorized: asked.amount,
  card: exampleCard,
} as const

// Without If-Match: what moves is the payment.
export const captureInPerson = contract({
  ...changing,
  id: 'in_person_payments.capture',
  path: '/v1/in-person-payments/:id/capture',
  summary: 'Capture a payment in person',
  description: `Takes what the card authorized at a reader with \`capture_method\` manual: all of it, or \`amount\`. The rest is released. ${resuming}`,
  body: z.strictObject({
    amount: minorAsked
      .optional()
      .describe(
        'In minor units, tip included; all that was authorized when absent. What is left out is of the goods first: the tip stays whole while the amount covers it.',
      ),
  }),
  errors: [
    ...changeErrors,
    'payment_not_capturable',
    'authorization_expired',
    'capture_amount_not_positive',
    'capture_exceeds_authorized',
    'capture_below_fees',
  ],
  example: {
    body: { amount: '120000' },
    reply: { ...manual, status: 'succeeded', amount_captured: asked.amount },
  },
})

export const cancelInPerson = contract({
  ...changing,
  id: 'in_person_payments.cancel',
  path: '/v1/in-person-payments/:id/cancel',
  summary: 'Cancel a payment in person',
  description: `Cancels a payment whose reader still waits for a card, or releases an authorization that you have not captured. ${resuming}`,
  errors: [...changeErrors, 'payment_not_cancelable'],
  example: { reply: { ...manual, status: 'canceled' } },
})

/** Scheduled: ends the wait of readers whose time is over, and publishes the events of ended actions. */
export const settle = {
  id: 'reader_actions.settle',
  access: { system: {} },
  tables: ['reader_actions'],
} as const
