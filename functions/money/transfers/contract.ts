import * as z from 'zod'
import { transfers } from '../../../drizzle/schema/transfers.ts'
import { cep, exampleCep } from '../../../src/http/cep.ts'
import { contract, decides, reads, writes } from '../../../src/http/contract.ts'
import {
  clabeMessage,
  currency,
  freeText,
  metadata,
  minorAsked,
  minorString,
  one,
  paged,
  tenantId,
  textOf,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'

const Clabe = z.strictObject({
  type: z.literal('clabe').describe('The destination is an account at a bank.'),
  clabe: textOf(/^\d{18}$/, clabeMessage).describe('The account’s number.'),
  holder: freeText(40).trim().min(1).describe('Name of the account’s holder, as the bank has it.'),
})
const Tenant = z.strictObject({
  type: z.literal('tenant').describe('The destination is another workspace.'),
  tenant_id: tenantId,
})
const Destination = z.discriminatedUnion('type', [Clabe, Tenant])

export const Transfer = z
  .strictObject({
    id: uuid,
    object: z.literal('transfer'),
    status: z
      .enum(transfers.status.enumValues)
      .describe('Status. A transfer that is `paid` becomes `returned` if the bank sends the money back.'),
    amount: minorString.describe('How much, in minor units.'),
    currency,
    destination: Destination.describe('Where the money goes.'),
    concept: z.string().describe('What the transfer is for, as the receiver reads it.'),
    metadata: z.record(z.string(), z.unknown()).describe('Your own data, as you sent it.'),
    clave_rastreo: z.string().nullable().describe("The bank's trace, once it was paid to a CLABE"),
    cep,
    return_clave_rastreo: z.string().nullable().describe('The trace by which the bank sent it back'),
    failure_code: z
      .enum(transfers.failureCode.enumValues)
      .nullable()
      .describe('Why it failed or came back; null where it did not.'),
    approved_at: timestamp.nullable().describe('When a person approved it; null where none had to.'),
    resolved_at: timestamp.nullable().describe('When it was paid, failed or was canceled; null before.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Transfer' })

const IncomingTransfer = z
  .strictObject({
    id: uuid,
    object: z.literal('incoming_transfer'),
    amount: minorString.describe('How much, in minor units.'),
    currency,
    source: z
      .strictObject({
        tenant_id: tenantId,
        transfer_id: uuid.describe('Id of the transfer in the other workspace.'),
      })
      .describe('The workspace that sent the money, and its transfer.'),
    concept: z.string().describe('What the transfer is for, as the receiver reads it.'),
    created_at: timestamp,
  })
  .meta({ id: 'IncomingTransfer' })

export const exampleTransfer = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000020',
  object: 'transfer',
  status: 'paid',
  amount: '50000',
  currency: 'mxn',
  destination: { type: 'clabe', clabe: '032180000118359719', holder: 'Ana Ruiz' },
  concept: 'Factura 12',
  metadata: {},
  clave_rastreo: 'SBX0123456789ABCDEF01234567',
  cep: exampleCep,
  return_clave_rastreo: null,
  failure_code: null,
  approved_at: null,
  resolved_at: '2026-06-13T12:00:04.000Z',
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:04.000Z',
} as const

const examplePending = {
  ...exampleTransfer,
  status: 'pending',
  clave_rastreo: null,
  cep: null,
  resolved_at: null,
  updated_at: exampleTransfer.created_at,
} as const

const moved = ['transfers', 'ledger_journals'] as const
const path = '/v1/payment-operations/transfers'
const ofTransfer = {
  tag: 'Transfers',
  params: z.strictObject({ id: uuid }),
  notFound: 'transfer_not_found',
} as const
const reading = { ...reads, tag: 'Transfers', access: { api_key: { scopes: ['transfers:read'] } } } as const

export const create = contract({
  ...writes,
  id: 'transfers.create',
  path,
  location: '/v1/payment-operations/transfers/:id',
  tag: 'Transfers',
  summary: 'Send money from your balance',
  description:
    'To a CLABE (mxn only) or to another workspace of this environment. The amount is debited at once and refused when the available balance does not cover it; the bank is asked after the reply, so read the transfer or its events for the outcome. An API key sends up to its limit in a day of Mexico City; above it the transfer waits as `pending_approval` until a user approves it, and nothing is debited.',
  access: { api_key: { scopes: ['transfers:write'] } },
  tables: [...moved, 'daily_spend'],
  body: z.strictObject({
    amount: minorAsked.describe('Minor units, more than zero'),
    currency,
    destination: Destination.describe('Where the money goes.'),
    concept: freeText(40)
      .trim()
      .min(1)
      .describe('What the receiver reads; at most 40 characters, as banks carry them'),
    metadata: metadata.optional(),
  }),
  reply: { status: 201, schema: Transfer },
  errors: [
    'paid_out_by_processor',
    'transfers_not_configured',
    'transfer_amount_not_positive',
    'currency_unsupported',
    'transfer_destination_own',
    'transfer_destination_unknown',
    'insufficient_funds',
    'workspace_suspended',
  ],
  example: {
    body: {
      amount: '50000',
      currency: 'mxn',
      destination: { type: 'clabe', clabe: '032180000118359719', holder: 'Ana Ruiz' },
      concept: 'Factura 12',
      metadata: {},
    },
    reply: examplePending,
  },
})

export const list = contract({
  ...reading,
  id: 'transfers.list',
  path,
  summary: 'List transfers',
  ...paged(Transfer, exampleTransfer, {
    status: z.enum(transfers.status.enumValues).optional(),
    destination_type: z.enum(transfers.destinationType.enumValues).optional(),
  }),
})

export const listIncoming = contract({
  ...reading,
  id: 'transfers.list_incoming',
  path: '/v1/payment-operations/incoming-transfers',
  summary: 'List what other workspaces sent you',
  ...paged(IncomingTransfer, {
    id: '0190a6d2-7c3e-7b1a-9f00-000000000021',
    object: 'incoming_transfer',
    amount: '50000',
    currency: 'mxn',
    source: { tenant_id: 'tn_demo', transfer_id: exampleTransfer.id },
    concept: 'Factura 12',
    created_at: '2026-06-13T12:00:01.000Z',
  }),
})

export const get = contract({
  ...reading,
  id: 'transfers.get',
  path: `${path}/:id`,
  summary: 'Get a transfer',
  ...one(Transfer, exampleTransfer, 'transfer_not_found'),
})

export const cancel = contract({
  ...writes,
  ...ofTransfer,
  id: 'transfers.cancel',
  path: `${path}/:id/cancel`,
  summary: 'Cancel a transfer',
  description:
    'Only while it waits for approval, or while the bank can still stop it; what was debited is available again. To another workspace money arrives at once. A transfer that is canceled already stays so and is the reply.',
  access: { api_key: { scopes: ['transfers:write'] } },
  tables: moved,
  reply: { status: 200, schema: Transfer },
  errors: ['transfers_not_configured', 'transfer_not_found', 'transfer_not_cancelable'],
  example: { reply: { ...examplePending, status: 'canceled', resolved_at: examplePending.created_at } },
})

const deciding = {
  ...decides,
  ...ofTransfer,
  access: { session: { role: 'admin' } },
  reply: { status: 200, schema: Transfer },
} as const

export const approve = contract({
  ...deciding,
  id: 'transfers.approve',
  path: `${path}/:id/approve`,
  summary: 'Approve a transfer',
  description:
    'The transfer is debited and sent. Amount and currency are repeated, so that what is approved is what was seen. The step-up proof has the action `transfer.approve` and the scope `transfers:write`; its params_hash is over {transfer_id: the path id, amount, currency}. When the available balance does not cover it, it continues to wait.',
  tables: moved,
  access: { session: { role: 'admin', stepUp: { action: 'transfer.approve', scope: 'transfers:write' } } },
  body: z.strictObject({
    tenant_id: tenantId,
    amount: minorAsked.describe('The amount of the transfer that you saw, in minor units.'),
    currency,
  }),
  errors: [
    'paid_out_by_processor',
    'transfers_not_configured',
    'transfer_not_found',
    'transfer_not_pending_approval',
    'transfer_terms_mismatch',
    'transfer_destination_unknown',
    'insufficient_funds',
    'workspace_suspended',
    'workspace_not_found',
    'insufficient_role',
  ],
  example: {
    body: { tenant_id: 'tn_demo', amount: '50000', currency: 'mxn' },
    reply: { ...examplePending, approved_at: examplePending.created_at },
  },
})

export const reject = contract({
  ...deciding,
  id: 'transfers.reject',
  path: `${path}/:id/reject`,
  summary: 'Reject a transfer that waits for approval',
  description: 'Nothing was debited.',
  tables: ['transfers'],
  body: z.strictObject({ tenant_id: tenantId }),
  errors: ['transfer_not_found', 'transfer_not_pending_approval', 'workspace_not_found', 'insufficient_role'],
  example: {
    body: { tenant_id: 'tn_demo' },
    reply: { ...examplePending, status: 'canceled', resolved_at: examplePending.created_at },
  },
})

/** Records a transfer's outcome: the bank's report, or its arrival in the other workspace. */
export const outcome = { id: 'transfers.outcome', access: { system: {} }, tables: moved } as const

/** Another workspace's transfer arrives. */
export const receive = {
  id: 'transfers.receive',
  access: { system: {} },
  tables: ['incoming_transfers', 'ledger_journals'],
} as const
