import * as z from 'zod'
import { methodStates, processorCredentials } from '../../../drizzle/schema/processors.ts'
import { contract, decides, reads } from '../../../src/http/contract.ts'
import { tenantId, timestamp, uuid } from '../../../src/http/schemas.ts'

const methodState = z
  .enum(methodStates)
  .nullable()
  .describe(
    '`off`: switched off in its dashboard. `inactive`: not allowed yet. Null: the processor does not say.',
  )

const Credential = z
  .strictObject({
    id: uuid,
    object: z.literal('processor_credential'),
    processor: z
      .enum(processorCredentials.processor.enumValues)
      .describe('The processor that keeps the account.'),
    status: z
      .enum(processorCredentials.status.enumValues)
      .describe(
        'New payments go to the active account. An earlier one serves what it took: captures, refunds, disputes',
      ),
    account: z.string().nullable().describe("The processor's own id of the account; null in sandbox"),
    methods: z
      .strictObject({ card: methodState, oxxo: methodState, spei: methodState })
      .nullable()
      .describe('What the account may take: read when its keys are set, and once a day; null in sandbox'),
    secret_key_last4: z.string().describe('All that is ever shown of the secret key'),
    publishable_key: z.string().describe('The key that its buyers’ pages use; it is no secret.'),
    notifications_url: z.string().describe('Where your account has to post its events'),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ProcessorCredential' })

const exampleCredential = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000030',
  object: 'processor_credential',
  processor: 'stripe',
  status: 'active',
  account: 'acct_1PqCafeDeOlla',
  methods: { card: 'active', oxxo: 'active', spei: 'off' },
  secret_key_last4: 'x9Qa',
  publishable_key: 'pk_test_of-your-account',
  notifications_url: 'https://api.spindle.example/v1/processors/stripe/notifications/tn_demo',
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const key = z
  .string()
  .regex(/^[\x21-\x7e]{16,255}$/, 'must be 16 to 255 printable ASCII characters, without spaces')

export const update = contract({
  ...decides,
  id: 'processor_credentials.update',
  path: '/v1/payment-operations/processor-credentials',
  tag: 'Payments',
  summary: 'Set the keys of your own account at a processor',
  description:
    'For workspaces that bring an account of their own. The keys are encrypted at rest and never shown again. The processor identifies their account. Keys of the active account replace the former ones. Keys of another account make that account active: new payments go to it, and everything about earlier ones stays with the account that took them, so keep its keys and its endpoint in force until those are over; set its keys again to renew them, which also makes it active. Live takes live keys, of an account in Mexico that may charge; the sandbox takes test keys, stores them and does not use them: there the simulator is the only processor. The step-up proof has the action `processor_credentials.update` and the scope `api_keys:write`; its params_hash is over {processor, secret_key, webhook_secret, publishable_key}.',
  access: {
    session: { role: 'admin', stepUp: { action: 'processor_credentials.update', scope: 'api_keys:write' } },
  },
  tables: ['processor_credentials'],
  body: z.strictObject({
    tenant_id: tenantId,
    processor: z
      .enum(processorCredentials.processor.enumValues)
      .describe('The processor that keeps the account.'),
    secret_key: key.describe('The secret key of the account; never shown again.'),
    webhook_secret: key.describe('The signing secret of the endpoint that posts to notifications_url'),
    publishable_key: key.describe('The key that its buyers’ pages use; it is no secret.'),
  }),
  reply: { status: 200, schema: Credential },
  errors: [
    'workspace_not_found',
    'insufficient_role',
    'processor_account_unavailable',
    'processor_account_unfit',
    'processor_keys_of_other_mode',
    'processor_keys_of_two_accounts',
    'processor_keys_refused',
  ],
  example: {
    body: {
      tenant_id: 'tn_demo',
      processor: 'stripe',
      secret_key: 'sk_test_of-your-account-x9Qa',
      webhook_secret: 'whsec_of-your-endpoint',
      publishable_key: 'pk_test_of-your-account',
    },
    reply: exampleCredential,
  },
})

export const list = contract({
  ...reads,
  id: 'processor_credentials.list',
  path: '/v1/payment-operations/processor-credentials',
  tag: 'Payments',
  summary: 'List your own accounts at processors',
  access: { session: { role: 'member' } },
  query: z.strictObject({ tenant_id: tenantId }),
  reply: {
    status: 200,
    schema: z
      .strictObject({
        object: z.literal('list'),
        data: z.array(Credential).describe('All of them.'),
        has_more: z.literal(false).describe('Nothing follows: there is one page.'),
        next_cursor: z.literal('').describe('Always empty.'),
      })
      .meta({ id: 'ProcessorCredentialList' }),
  },
  errors: ['workspace_not_found'],
  example: { reply: { object: 'list', data: [exampleCredential], has_more: false, next_cursor: '' } },
})

/** What a scheduled job found that an account may take. */
export const outcome = {
  id: 'processor_credentials.outcome',
  access: { system: {} },
  tables: ['processor_credentials'],
} as const
