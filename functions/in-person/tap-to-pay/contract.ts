import * as z from 'zod'
import { connectionTokens } from '../../../drizzle/schema/in-person.ts'
import { contract } from '../../../src/http/contract.ts'
import { timestamp, uuid } from '../../../src/http/schemas.ts'

/** How long a token may be redeemed. */
export const tokenMinutes = 10

const ids = {
  device_id: uuid.describe('The phone that may redeem it.'),
  location_id: uuid.describe('The location where the phone stands.'),
}

const ConnectionToken = z
  .strictObject({
    object: z.literal('tap_to_pay.connection_token'),
    ...ids,
    status: z
      .enum(connectionTokens.status.enumValues)
      .describe('`issued` until the phone redeems it, or another is asked for.'),
    secret: z
      .string()
      .min(16)
      .optional()
      .describe(
        'What the phone redeems. Only the reply that issues it has it: hand it on and keep it nowhere.',
      ),
    expires_at: timestamp.describe('Until when it may be redeemed.'),
    redeemed_at: timestamp.nullable().describe('When it was redeemed; null before.'),
  })
  .meta({ id: 'ConnectionToken' })

const example = {
  object: 'tap_to_pay.connection_token',
  device_id: '0190a6d2-7c3e-7b1a-9f00-000000000062',
  location_id: '0190a6d2-7c3e-7b1a-9f00-000000000031',
  status: 'issued',
  expires_at: '2026-06-13T12:10:00.000Z',
  redeemed_at: null,
} as const
const secret = 'ct_a0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'

const tokens = { method: 'POST', idempotency: 'none', rate: 'write', tag: 'Tap to Pay' } as const

export const issue = contract({
  ...tokens,
  id: 'connection_tokens.create',
  path: '/v1/tap-to-pay/connection_tokens',
  access: { api_key: { scopes: ['tap_to_pay:write'] } },
  tables: ['devices', 'locations', 'connection_tokens'],
  summary: 'Create a connection token',
  description:
    'A secret for one phone at its location, which redeems it once within ten minutes. Each request makes another, and the one before it opens nothing.',
  body: z.strictObject(ids),
  reply: { status: 201, schema: ConnectionToken },
  errors: [
    'device_not_found',
    'location_not_found',
    'location_archived',
    'device_elsewhere',
    'device_disabled',
    'device_not_paired',
  ],
  example: {
    body: { device_id: example.device_id, location_id: example.location_id },
    reply: { ...example, secret },
  },
})

export const redeem = contract({
  ...tokens,
  id: 'connection_tokens.redeem',
  path: '/v1/tap-to-pay/connection_tokens/redeem',
  access: { device: { kinds: ['phone'] } },
  tables: ['connection_tokens'],
  summary: 'Redeem a connection token',
  description:
    'The phone that it was created for redeems it, with its credential. Of many requests one succeeds.',
  body: z.strictObject({ secret: z.string().min(16).max(128).describe('The secret of the token.') }),
  reply: { status: 200, schema: ConnectionToken },
  errors: ['connection_token_invalid', 'connection_token_redeemed', 'connection_token_expired'],
  example: {
    body: { secret },
    reply: { ...example, status: 'redeemed', redeemed_at: '2026-06-13T12:01:00.000Z' },
  },
})
