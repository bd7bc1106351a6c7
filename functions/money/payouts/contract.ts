import * as z from 'zod'
import { bankFailures } from '../../../drizzle/schema/columns.ts'
import { payoutEntries, payouts } from '../../../drizzle/schema/payouts.ts'
import { cep, exampleCep } from '../../../src/http/cep.ts'
import { contract, reads, writes } from '../../../src/http/contract.ts'
import { currency, minorString, one, paged, timestamp, uuid } from '../../../src/http/schemas.ts'

/** What is shown of the account that money goes to. */
export const account = {
  clabe_last4: z.string().describe('The last four digits of its number.'),
  bank_name: z.string().nullable().describe('The bank that keeps it.'),
} as const

export const Payout = z
  .strictObject({
    id: uuid,
    object: z.literal('payout'),
    status: z
      .enum(payouts.status.enumValues)
      .describe('Status. A payout that is `paid` becomes `returned` if the bank sends the money back.'),
    amount: minorString.describe(
      'What your bank receives: the sum of the nets of the entries. A processor takes it from your bank where it is below zero.',
    ),
    amount_gross: minorString.describe('The sum of the gross amounts of the entries; minor units.'),
    amount_fee: minorString.describe(
      'Fees with IVA of the payments and disputes in it; amount_gross - amount_fee = amount',
    ),
    currency,
    entries_count: z.int().describe('How many movements it is made of.'),
    destination: z
      .strictObject(account)
      .describe(
        'The account that money goes to; its digits are empty where a processor does not report them.',
      ),
    reconciliation: z
      .enum(payouts.reconciliation.enumValues)
      .describe(
        '`complete`: the entries are all there is, and sum to the amount. Of a payout by a processor: `pending` until the processor has reported all entries, `unavailable` where it reports none, `mismatched` where they sum to another amount.',
      ),
    processor_ref: z
      .string()
      .nullable()
      .describe("The processor's id of a payout that it made of your own account; null of ours."),
    clave_rastreo: z.string().nullable().describe("The bank's trace, as your statement shows it"),
    cep,
    return_clave_rastreo: z.string().nullable().describe('The trace by which your bank sent it back'),
    failure_code: z
      .enum(bankFailures)
      .nullable()
      .describe('Why it failed or came back; null where it did not.'),
    arrives_on: z.iso.date().nullable().describe('Date in Mexico City on which it is expected'),
    resolved_at: timestamp.nullable().describe('When it was paid, failed or was canceled; null before.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Payout' })

/** The payment behind a movement of the balance. */
export const sold = {
  payment_id: uuid
    .nullable()
    .describe('The payment, also of a refund or a dispute of it; null of a transfer and a payout.'),
  client_reference_id: z.string().nullable().describe('Your own name for what was paid.'),
  checkout_session_id: uuid.nullable().describe('The checkout session that was paid; null where none was.'),
  payment_link_id: uuid.nullable().describe('The payment link that was paid; null where none was.'),
}

export const exampleSold = {
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000002',
  client_reference_id: 'order-1024',
  checkout_session_id: null,
  payment_link_id: '0190a6d2-7c3e-7b1a-9f00-000000000003',
} as const

const Entry = z
  .strictObject({
    id: uuid,
    object: z.literal('payout_entry'),
    kind: z
      .enum(payoutEntries.kind.enumValues)
      .describe('What moved the balance. `other`: what a processor moved beside your payments here.'),
    source: z
      .strictObject({
        type: z.enum(payoutEntries.sourceType.enumValues).describe('The type of the resource.'),
        id: uuid.describe('The id of that resource.'),
      })
      .nullable()
      .describe('The payment, refund, dispute, transfer or payout; null for `other`.'),
    ...sold,
    balance_activity_id: uuid
      .nullable()
      .describe("The movement in the balance; null of a processor's payout, whose money is not in it."),
    processor_ref: z.string().nullable().describe("The processor's id of the entry; null of our payouts."),
    processor_type: z
      .string()
      .nullable()
      .describe("The processor's word for what moved; null of our payouts."),
    description: z
      .string()
      .nullable()
      .describe("The processor's text of `other`, where it has one; at most 500 characters."),
    amount_gross: minorString.describe(
      'For a payment: the captured amount, less the reserve; 0 for the fee of a dispute',
    ),
    amount_fee: minorString.describe('The fees of a payment, or for a dispute, with IVA; minor units.'),
    amount_net: minorString.describe('amount_gross - amount_fee; negative for what left the balance'),
    currency,
    created_at: timestamp,
  })
  .meta({ id: 'PayoutEntry' })

const examplePayout = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000040',
  object: 'payout',
  status: 'paid',
  amount: '98354',
  amount_gross: '120000',
  amount_fee: '21646',
  currency: 'mxn',
  entries_count: 1,
  destination: { clabe_last4: '9719', bank_name: 'Banorte (Ixe)' },
  reconciliation: 'complete',
  processor_ref: null,
  clave_rastreo: 'SBX0123456789ABCDEF01234567',
  cep: { ...exampleCep, operated_on: '2026-06-16' },
  return_clave_rastreo: null,
  failure_code: null,
  arrives_on: '2026-06-16',
  resolved_at: '2026-06-16T12:00:04.000Z',
  created_at: '2026-06-16T12:00:00.000Z',
  updated_at: '2026-06-16T12:00:04.000Z',
} as const

const examplePending = {
  ...examplePayout,
  status: 'pending',
  clave_rastreo: null,
  cep: null,
  resolved_at: null,
  updated_at: examplePayout.created_at,
} as const

const path = '/v1/payment-operations/payouts'
const ofPayout = {
  tag: 'Payouts',
  params: z.strictObject({ id: uuid }),
  notFound: 'payout_not_found',
} as const
const reading = { ...reads, tag: 'Payouts', access: { api_key: { scopes: ['reporting:read'] } } } as const

export const create = contract({
  ...writes,
  id: 'payouts.create',
  path,
  location: '/v1/payment-operations/payouts/:id',
  tag: 'Payouts',
  summary: 'Pay out your available balance now',
  description:
    'Everything that is open in the balance of the currency goes into it: at most 2,500 movements each way, oldest first; when there are more, the next payout takes the rest. What `pending` refunds wait for stays. It goes to the account of the payout settings, which no API key can change. The bank is asked after the reply, so read the payout or its events for the outcome.',
  access: { api_key: { scopes: ['transfers:write'] } },
  tables: ['payouts', 'payout_entries', 'ledger_journals'],
  body: z.strictObject({ currency }),
  reply: { status: 201, schema: Payout },
  errors: [
    'paid_out_by_processor',
    'transfers_not_configured',
    'payout_settings_missing',
    'payout_account_not_verified',
    'payout_account_cooling_down',
    'payout_nothing_available',
    'payout_below_minimum',
    'workspace_suspended',
  ],
  example: { body: { currency: 'mxn' }, reply: examplePending },
})

export const list = contract({
  ...reading,
  id: 'payouts.list',
  path,
  summary: 'List payouts',
  ...paged(Payout, examplePayout, {
    status: z.enum(payouts.status.enumValues).optional(),
    currency: currency.optional(),
  }),
})

export const get = contract({
  ...reading,
  id: 'payouts.get',
  path: `${path}/:id`,
  summary: 'Get a payout',
  ...one(Payout, examplePayout, 'payout_not_found'),
})

export const listEntries = contract({
  ...reading,
  ...ofPayout,
  id: 'payouts.list_entries',
  path: `${path}/:id/entries`,
  summary: 'List what a payout is made of',
  description: 'One entry for each movement of the available balance; their nets sum to the amount.',
  ...paged(Entry, {
    id: '0190a6d2-7c3e-7b1a-9f00-000000000041',
    object: 'payout_entry',
    kind: 'payment',
    source: { type: 'payment', id: '0190a6d2-7c3e-7b1a-9f00-000000000002' },
    ...exampleSold,
    balance_activity_id: '0190a6d2-7c3e-7b1a-9f00-000000000042',
    processor_ref: null,
    processor_type: null,
    description: null,
    amount_gross: '120000',
    amount_fee: '21646',
    amount_net: '98354',
    currency: 'mxn',
    created_at: examplePayout.created_at,
  }),
  errors: ['cursor_invalid', 'payout_not_found'],
})

export const cancel = contract({
  ...writes,
  ...ofPayout,
  id: 'payouts.cancel',
  path: `${path}/:id/cancel`,
  summary: 'Cancel a payout',
  description:
    'Only while the bank can still stop it; the money is available again. A payout that is canceled already stays so and is the reply.',
  access: { api_key: { scopes: ['transfers:write'] } },
  tables: ['payouts', 'ledger_journals'],
  reply: { status: 200, schema: Payout },
  errors: ['paid_out_by_processor', 'transfers_not_configured', 'payout_not_found', 'payout_not_cancelable'],
  example: { reply: { ...examplePending, status: 'canceled', resolved_at: examplePending.created_at } },
})

/** Records a payout's outcome as the bank reports it. */
export const outcome = {
  id: 'payouts.outcome',
  access: { system: {} },
  tables: ['payouts', 'ledger_journals', 'mail_notices'],
} as const

/** Makes the payout on its day. */
export const schedule = {
  id: 'payouts.schedule',
  access: { system: {} },
  tables: ['payouts', 'payout_entries', 'payout_settings', 'ledger_journals'],
} as const

/** Records a payout that a processor made, and its entries. */
export const sync = {
  id: 'payouts.sync',
  access: { system: {} },
  tables: ['payouts', 'payout_entries'],
} as const
