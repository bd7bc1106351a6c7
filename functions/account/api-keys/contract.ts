import * as z from 'zod'
import { apiKeys } from '../../../drizzle/schema/api-keys.ts'
import { environments } from '../../../drizzle/schema/columns.ts'
import { contract, decides, reads, scopes } from '../../../src/http/contract.ts'
import {
  currency,
  keyDescription,
  listed,
  listQuery,
  minorString,
  tenantId,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'

/** The description of a key that was made without one. Part of the params_hash of a create. */
export const defaultDescription = 'API key'

/** How long a rotated key continues to work beside its successor. */
export const graceHours = 24

export const ApiKey = z
  .strictObject({
    created_at: timestamp.nullable(),
    created_by_email: z.email().nullable().describe('Who created it; null where that is not known.'),
    description: z.string().max(120).describe('Your own name for it.'),
    environment: z.enum(environments).describe('The environment that it works in.'),
    expires_at: timestamp.nullable().describe('Expires at this time; null: it does not expire.'),
    id: uuid,
    obfuscated_value: z.string().describe('The credential with all but its beginning and its end left out.'),
    scopes: z.array(z.enum(scopes)).describe('What it may do.'),
    status: z.enum(apiKeys.status.enumValues).describe('`active` and `rotating` work, the others do not.'),
  })
  .meta({ id: 'ApiKey' })

const ApiKeyIssued = z
  .strictObject({
    object: z.literal('service.v1.api_key'),
    key: ApiKey.describe('The key, without its credential.'),
    one_time_value: z
      .string()
      .min(16)
      .optional()
      .describe('The plaintext credential, in the first answer only: a replay does not have it.'),
  })
  .meta({ id: 'ApiKeyIssued' })

const exampleKey = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000001',
  description: 'Storefront',
  environment: 'sandbox',
  scopes: ['payment_links:read', 'payment_links:write'],
  status: 'active',
  obfuscated_value: 'sk_sbx_…a1b2',
  created_by_email: 'dev@example.com',
  created_at: '2026-06-13T12:00:00.000Z',
  expires_at: null,
}
const exampleValue = 'sk_sbx_a0123456789abcdef_…'

const uniqueScopes = z
  .array(z.enum(scopes))
  .min(1)
  .max(64)
  .refine((list) => new Set(list).size === list.length, 'must not name a scope twice')
  .meta({ uniqueItems: true })

export const create = contract({
  ...decides,
  id: 'api_keys.create',
  path: '/v1/api-keys',
  location: '/v1/api-keys/:key.id?tenant_id=:tenant_id',
  tag: 'API keys',
  summary: 'Create an API key',
  description: `Takes a customer session and a step-up proof (action \`api_key.create\`, scope \`api_keys:write\`) whose params_hash is the lowercase SHA-256 of canonical JSON of {description, environment, scopes}. Without a description it is "${defaultDescription}".`,
  access: { session: { role: 'admin', stepUp: { action: 'api_key.create', scope: 'api_keys:write' } } },
  tables: ['api_keys', 'mail_notices'],
  body: z.strictObject({
    description: keyDescription
      .optional()
      .describe('Your own name for it; surrounding white space is removed.'),
    tenant_environment: z
      .enum(['sandbox', 'live'])
      .describe('The environment that the key is for: that of the base address.'),
    tenant_id: tenantId,
    scopes: uniqueScopes.describe('What it may do.'),
  }),
  reply: { status: 201, schema: ApiKeyIssued },
  errors: ['tenant_environment_mismatch', 'workspace_not_found', 'insufficient_role'],
  example: {
    body: {
      tenant_id: 'tn_demo',
      tenant_environment: 'sandbox',
      description: 'Storefront',
      scopes: ['payment_links:read', 'payment_links:write'],
    },
    reply: { object: 'service.v1.api_key', key: exampleKey, one_time_value: exampleValue },
  },
})

const keyParams = z.strictObject({ id: uuid })
const ofTenant = z.strictObject({ tenant_id: tenantId })

export const rotate = contract({
  ...decides,
  id: 'api_keys.rotate',
  path: '/v1/api-keys/:id/rotate',
  tag: 'API keys',
  summary: 'Rotate an API key',
  description: `Makes a successor with the same scopes, description and expiry. The old key continues to work for ${graceHours} hours (status \`rotating\`), never past its own expiry. The proof's params_hash is over {key_ref_id: the path id}.`,
  access: { session: { role: 'admin', stepUp: { action: 'api_key.rotate', scope: 'api_keys:write' } } },
  tables: ['api_keys', 'mail_notices'],
  params: keyParams,
  notFound: 'api_key_not_found',
  body: ofTenant,
  reply: { status: 200, schema: ApiKeyIssued },
  errors: ['api_key_not_found', 'api_key_not_rotatable', 'workspace_not_found', 'insufficient_role'],
  example: {
    body: { tenant_id: 'tn_demo' },
    reply: { object: 'service.v1.api_key', key: exampleKey, one_time_value: exampleValue },
  },
})

export const revoke = contract({
  ...decides,
  id: 'api_keys.revoke',
  path: '/v1/api-keys/:id/revoke',
  tag: 'API keys',
  summary: 'Revoke an API key at once',
  description:
    "The key stops with the next request, retries of earlier ones included. It is `revoking` until scheduled work ends it within minutes, then `revoked`. The proof's params_hash is over {key_ref_id: the path id}.",
  access: { session: { role: 'admin', stepUp: { action: 'api_key.revoke', scope: 'api_keys:write' } } },
  tables: ['api_keys', 'mail_notices'],
  params: keyParams,
  notFound: 'api_key_not_found',
  body: ofTenant,
  reply: { status: 200, schema: ApiKey },
  errors: ['api_key_not_found', 'api_key_not_revocable', 'workspace_not_found', 'insufficient_role'],
  example: { body: { tenant_id: 'tn_demo' }, reply: { ...exampleKey, status: 'revoking' } },
})

export const list = contract({
  ...reads,
  id: 'api_keys.list',
  path: '/v1/api-keys',
  tag: 'API keys',
  summary: 'List API keys',
  ...listed(ApiKey, exampleKey),
  access: { session: { role: 'member' } },
  query: z.strictObject({
    tenant_id: tenantId,
    status: z.enum(apiKeys.status.enumValues).optional(),
    ...listQuery,
  }),
  errors: ['workspace_not_found', 'cursor_invalid'],
})

export const get = contract({
  ...reads,
  id: 'api_keys.get',
  path: '/v1/api-keys/:id',
  tag: 'API keys',
  summary: 'Get an API key',
  access: { session: { role: 'member' } },
  params: keyParams,
  notFound: 'api_key_not_found',
  query: ofTenant,
  reply: { status: 200, schema: ApiKey },
  errors: ['api_key_not_found', 'workspace_not_found'],
  example: { reply: exampleKey },
})

const TransferLimit = z
  .strictObject({
    object: z.literal('transfer_limit'),
    api_key_id: uuid.describe('The key that it is about.'),
    currency,
    amount: minorString.describe(
      'How much the key may transfer in a day of Mexico City; transfers above it wait for approval',
    ),
    source: z.enum(['key', 'default']).describe("Whether it is the key's own or the environment's"),
  })
  .meta({ id: 'TransferLimit' })

const exampleLimit = {
  object: 'transfer_limit',
  api_key_id: exampleKey.id,
  currency: 'mxn',
  amount: '1000000',
  source: 'key',
} as const

export const setTransferLimit = contract({
  ...decides,
  id: 'api_keys.set_transfer_limit',
  path: '/v1/api-keys/:id/transfer-limit',
  tag: 'API keys',
  summary: 'Set how much a key may transfer in a day without approval',
  description:
    "Per currency; null gives the environment's default back. A rotation passes the limits on. The step-up proof has the action `api_key.transfer_limit` and the scope `api_keys:write`; its params_hash is over {key_ref_id: the path id, currency, amount}.",
  access: {
    session: { role: 'admin', stepUp: { action: 'api_key.transfer_limit', scope: 'api_keys:write' } },
  },
  tables: ['api_keys'],
  params: keyParams,
  notFound: 'api_key_not_found',
  body: z.strictObject({
    tenant_id: tenantId,
    currency,
    amount: z
      .string()
      .regex(/^\d{1,18}$/, 'must be minor units as a string')
      .nullable()
      .describe('The new limit of a day, in minor units; null for that of the environment.'),
  }),
  reply: { status: 200, schema: TransferLimit },
  errors: ['api_key_not_found', 'workspace_not_found', 'insufficient_role'],
  example: {
    body: { tenant_id: 'tn_demo', currency: 'mxn', amount: '1000000' },
    reply: exampleLimit,
  },
})

export const listTransferLimits = contract({
  ...reads,
  id: 'api_keys.list_transfer_limits',
  path: '/v1/api-keys/:id/transfer-limits',
  tag: 'API keys',
  summary: 'List how much a key may transfer in a day without approval',
  ...listed(TransferLimit, exampleLimit),
  access: { session: { role: 'member' } },
  params: keyParams,
  notFound: 'api_key_not_found',
  query: ofTenant,
  errors: ['api_key_not_found', 'workspace_not_found'],
})

/** Ends overlaps and expiries that are over, and revocations that every cache has confirmed. */
export const sweep = { id: 'api_keys.sweep', access: { system: {} }, tables: ['api_keys'] } as const
