import * as z from 'zod'
import { bankAccounts } from '../../../drizzle/schema/bank-accounts.ts'
import { contract, decides, reads } from '../../../src/http/contract.ts'
import { clabe, freeText, paged, tenantId, timestamp, uuid } from '../../../src/http/schemas.ts'

const holder = freeText(40).trim().min(1).describe('Name of the account’s holder, as the bank has it.')

const BankAccount = z
  .strictObject({
    id: uuid,
    object: z.literal('bank_account'),
    status: z.enum(bankAccounts.status.enumValues).describe('Status. `rejected` and `disabled` are final.'),
    clabe_last4: z.string().describe('All that is ever shown of the account’s number.'),
    bank_name: z.string().nullable().describe('The bank that keeps it.'),
    holder,
    holder_matches_legal_name: z
      .boolean()
      .nullable()
      .describe(
        'Whether the holder was the `legal_name` of the fiscal profile when it was added; null without a profile. False refuses nothing by itself, and a review of the workspace looks at it.',
      ),
    verification: z
      .enum(bankAccounts.verification.enumValues)
      .describe(
        '`deposit`: we send 0.01 MXN of ours to it; if that comes back within days, the account is `rejected` after all. `review`: no bank is connected in this environment, so it stays `pending_verification` until people of ours have looked at it.',
      ),
    rejection_code: z
      .enum(bankAccounts.rejectionCode.enumValues)
      .nullable()
      .describe('Why it was rejected; null where it was not.'),
    verified_at: timestamp.nullable().describe('When it was verified; null before.'),
    cool_down_ends_at: timestamp
      .nullable()
      .describe(
        'Nothing is paid out to it before this time; its verification began the cool-down. Null while it is not verified.',
      ),
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'BankAccount' })

const examplePending = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000045',
  object: 'bank_account',
  status: 'pending_verification',
  clabe_last4: '9719',
  bank_name: 'Banorte (Ixe)',
  holder: 'ESCUELA KEMPER URGATE SA DE CV',
  holder_matches_legal_name: true,
  verification: 'deposit',
  rejection_code: null,
  verified_at: null,
  cool_down_ends_at: null,
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const exampleVerified = {
  ...examplePending,
  status: 'verified',
  verified_at: '2026-06-13T12:00:02.000Z',
  cool_down_ends_at: '2026-06-14T12:00:02.000Z',
  version: 2,
  updated_at: '2026-06-13T12:00:02.000Z',
} as const

const path = '/v1/workspace/bank-accounts'
const tag = 'Bank accounts'
const ofAccount = { params: z.strictObject({ id: uuid }), notFound: 'bank_account_not_found' } as const
const workspaceOfSession = tenantId
  .optional()
  .describe('With a session: the workspace. An API key reads its own.')
const reading = {
  ...reads,
  tag,
  access: { api_key: { scopes: ['workspace:read'] }, session: { role: 'member' } },
} as const

export const create = contract({
  ...decides,
  id: 'bank_accounts.create',
  path,
  location: `${path}/:id?tenant_id=:tenant_id`,
  tag,
  summary: 'Add a bank account',
  description:
    'Adds an account of the business. It is `pending_verification`; the reply does not wait for the bank, so read the account or its events for the outcome. The owners get a mail. A workspace needs a verified one to go live, and its payout settings name one; nothing is paid out to it before `cool_down_ends_at`. The step-up proof has the action `bank_account.create` and the scope `workspace:write`; its params_hash is over {clabe, holder}.',
  access: {
    session: { role: 'admin', stepUp: { action: 'bank_account.create', scope: 'workspace:write' } },
  },
  tables: ['bank_accounts', 'mail_notices'],
  body: z.strictObject({ tenant_id: tenantId, clabe, holder }),
  reply: { status: 201, schema: BankAccount },
  errors: ['workspace_not_found', 'insufficient_role', 'clabe_bank_unknown', 'bank_account_exists'],
  example: {
    body: { tenant_id: 'tn_demo', clabe: '032180000118359719', holder: examplePending.holder },
    reply: examplePending,
  },
})

export const list = contract({
  ...reading,
  id: 'bank_accounts.list',
  path,
  summary: 'List bank accounts',
  ...paged(BankAccount, exampleVerified, {
    tenant_id: workspaceOfSession,
    status: z.enum(bankAccounts.status.enumValues).optional().describe('Only what has this status.'),
  }),
})

export const get = contract({
  ...reading,
  ...ofAccount,
  id: 'bank_accounts.get',
  path: `${path}/:id`,
  summary: 'Get a bank account',
  query: z.strictObject({ tenant_id: workspaceOfSession }),
  reply: { status: 200, schema: BankAccount },
  errors: ['bank_account_not_found'],
  example: { reply: exampleVerified },
})

export const disable = contract({
  ...decides,
  ...ofAccount,
  id: 'bank_accounts.disable',
  path: `${path}/:id/disable`,
  tag,
  summary: 'Disable a bank account',
  description:
    'At once and for good. Nothing is paid out to it any more: if the payout settings name it, the balance waits until they name another. The step-up proof has the action `bank_account.disable` and the scope `workspace:write`; its params_hash is over {bank_account_id}.',
  access: {
    session: { role: 'admin', stepUp: { action: 'bank_account.disable', scope: 'workspace:write' } },
  },
  tables: ['bank_accounts'],
  body: z.strictObject({ tenant_id: tenantId }),
  reply: { status: 200, schema: BankAccount },
  errors: ['bank_account_not_found', 'workspace_not_found', 'insufficient_role', 'bank_account_over'],
  example: {
    body: { tenant_id: 'tn_demo' },
    reply: { ...exampleVerified, status: 'disabled', version: 3 },
  },
})

export const outcome = {
  id: 'bank_accounts.outcome',
  access: { system: {} },
  tables: ['bank_accounts'],
} as const

/** A reviewer's verdict, on the command line (local/workspace.ts). */
export const review = {
  id: 'bank_accounts.review',
  access: { operator: {} },
  tables: ['bank_accounts'],
} as const
