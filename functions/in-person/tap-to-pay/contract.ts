import * as z from 'zod'
import { connectionTokens } from '../../../drizzle/schema/in-person.ts'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { timestamp, uuid } from '../../../src/http/schemas.ts'

/** How long a token may be redeemed. */
export const tokenMinutes = 10
/** How long a phone takes cards after it has redeemed one: a shift. */
export const sessionHours = 12

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
    session_id: uuid.nullable().describe('The session that it has opened; null before.'),
  })
  .meta({ id: 'ConnectionToken' })

/** What the phone gets with a token that it has redeemed. */
const RedeemedToken = ConnectionToken.extend({
  processor: z
    .strictObject({
      name: z.literal('stripe').describe('The processor whose SDK it is for.'),
      connection_token: z
        .string()
        .describe('The secret of a connection token of Stripe Terminal, for the SDK on the phone.'),
      location_id: z.string().describe('Stripe’s id of the location, at which the SDK connects the phone.'),
    })
    .nullable()
    .describe(
      'In live: what the SDK of the processor connects with. Only this reply has it. Null in the sandbox.',
    ),
}).meta({ id: 'RedeemedToken' })

const example = {
  object: 'tap_to_pay.connection_token',
  device_id: '0190a6d2-7c3e-7b1a-9f00-000000000062',
  location_id: '0190a6d2-7c3e-7b1a-9f00-000000000031',
  status: 'issued',
  expires_at: '2026-06-13T12:10:00.000Z',
  redeemed_at: null,
  session_id: null,
} as const
const secret = 'ct_a0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'

const TapSession = shown('tap_session', {
  status: z
    .enum(['open', 'ended', 'expired'])
    .describe('`open`: the phone takes cards. `expired`: its time is over.'),
  device_id: uuid.describe('The phone.'),
  location_id: uuid.describe('Where it stands.'),
  expires_at: timestamp.describe('Until when it takes cards.'),
  ended_at: timestamp
    .nullable()
    .describe(
      'When it ended before its time: by you, by the next session, or as the phone was unpaired; null otherwise.',
    ),
}).meta({ id: 'TapSession' })

export const exampleSession = exampleOf('tap_session', '0190a6d2-7c3e-7b1a-9f00-000000000068', {
  status: 'open',
  device_id: example.device_id,
  location_id: example.location_id,
  expires_at: '2026-06-14T00:00:00.000Z',
  ended_at: null,
})

const sessions = resource({
  tag: 'Tap to Pay',
  path: '/v1/tap-to-pay/sessions',
  reads: { api_key: { scopes: ['tap_to_pay:read'] } },
  writes: { api_key: { scopes: ['tap_to_pay:write'] } },
  tables: ['tap_sessions'],
  notFound: 'tap_session_not_found',
  versioned: true,
  schema: TapSession,
  example: exampleSession,
})

export const listSessions = sessions.list({
  id: 'tap_sessions.list',
  summary: 'List the sessions of phones',
  showsLive: true,
  filters: { device_id: uuid.optional().describe('Only those of this phone.') },
})

export const getSession = sessions.get({
  id: 'tap_sessions.get',
  summary: 'Get a session of a phone',
  showsLive: true,
})

export const endSession = sessions.move('end', {
  id: 'tap_sessions.end',
  summary: 'End a session of a phone',
  description:
    'At once: the phone is asked for nothing more. An action that is in progress goes on until its time is over, or you cancel it.',
  errors: ['tap_session_over'],
  example: { status: 'ended', ended_at: '2026-06-13T20:00:00.000Z', version: 2 },
})

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
  tables: ['devices', 'connection_tokens', 'tap_sessions', 'device_places'],
  summary: 'Redeem a connection token',
  description: `The phone that it was created for redeems it, with its credential. Of many requests one succeeds, and opens a session: for ${sessionHours} hours the phone takes cards. The session before it ends. In live its location needs an address in Mexico with a state and a postal code.`,
  body: z.strictObject({ secret: z.string().min(16).max(128).describe('The secret of the token.') }),
  reply: { status: 200, schema: RedeemedToken },
  errors: [
    'connection_token_invalid',
    'connection_token_redeemed',
    'connection_token_expired',
    'phone_not_attested',
    'location_takes_no_readers',
    'reader_registration_refused',
    'payments_not_configured',
  ],
  example: {
    body: { secret },
    reply: {
      ...example,
      status: 'redeemed',
      redeemed_at: '2026-06-13T12:01:00.000Z',
      session_id: exampleSession.id,
      processor: null,
    },
  },
})
