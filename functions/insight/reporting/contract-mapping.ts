import * as z from 'zod'
import { mappedAccounts } from '../../../drizzle/schema/reporting.ts'
import { contract, decides, reads } from '../../../src/http/contract.ts'
import { tenantId, textOf, timestamp } from '../../../src/http/schemas.ts'
import { entryKinds } from '../../../src/ledger/entry-kinds.ts'
import { tag } from './contract.ts'

export const mappingMax = 200

const account = z.enum(mappedAccounts).describe('The account of the ledger; `waiter`: those of all waiters.')
const numberForm = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$/

const AccountMapping = z
  .strictObject({
    object: z.literal('report_account_mapping'),
    accounts: z
      .array(
        z.strictObject({
          account,
          entry_kind: z.string().nullable().describe('Only of postings of this kind; null: of all others.'),
          number: z.string().describe('Your own number of the account.'),
        }),
      )
      .describe('Empty before you set it.'),
    author: z
      .strictObject({
        user_id: z.string().describe('The id of their account.'),
        email: z.string().describe('Their e-mail address at that time.'),
      })
      .nullable()
      .describe('Who set it; null before you set it.'),
    set_at: timestamp.nullable().describe('When it was set; null before that.'),
  })
  .meta({ id: 'ReportAccountMapping' })

const accounts = [
  { account: 'fee_expense', entry_kind: null, number: '601-84' },
  { account: 'merchant_available', entry_kind: null, number: '102-01-001' },
] as const
const example = {
  object: 'report_account_mapping',
  accounts: [...accounts],
  author: { user_id: 'usr_0190a6d2', email: 'ana@cafeazul.example' },
  set_at: '2026-06-13T12:00:00.000Z',
}

const path = '/v1/reporting/account-mapping'

export const get = contract({
  ...reads,
  tag,
  access: { api_key: { scopes: ['reporting:read'] }, session: { role: 'member' } },
  id: 'report_account_mapping.get',
  path,
  summary: 'Get your account numbers',
  query: z.strictObject({
    tenant_id: tenantId.optional().describe('With a session: the workspace. An API key reads its own.'),
  }),
  reply: { status: 200, schema: AccountMapping },
  errors: [],
  example: { reply: example },
})

export const put = contract({
  ...decides,
  tag,
  access: { session: { role: 'admin' } },
  method: 'PUT',
  id: 'report_account_mapping.set',
  path,
  summary: 'Set your account numbers',
  description:
    'Replaces all of them. A `poliza` shows them in `account_number`, as they were when its run was made: runs that are made already keep theirs.',
  tables: ['report_account_mappings'],
  body: z.strictObject({
    tenant_id: tenantId,
    accounts: z
      .array(
        z.strictObject({
          account,
          entry_kind: z
            .enum(entryKinds)
            .nullable()
            .default(null)
            .describe('Only for postings of this kind, as `entry_kind` of a `poliza` names it.'),
          number: textOf(
            numberForm,
            'must have at most 40 letters, digits, blanks, dots, dashes and underscores',
          ).describe('Your own number of the account.'),
        }),
      )
      .max(mappingMax)
      .refine(
        (list) => new Set(list.map((each) => `${each.account} ${each.entry_kind}`)).size === list.length,
        'must name each account and kind once',
      )
      .describe(`At most ${mappingMax}. One with \`entry_kind\` counts before one without.`),
  }),
  reply: { status: 200, schema: AccountMapping },
  errors: ['workspace_not_found', 'insufficient_role'],
  example: { body: { tenant_id: 'tn_demo', accounts: [...accounts] }, reply: example },
})
