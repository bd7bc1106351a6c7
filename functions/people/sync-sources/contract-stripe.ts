import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { timestamp, uuid } from '../../../src/http/schemas.ts'
import { exampleSource, ofSource, path, reading, writing } from './contract.ts'

const Connection = z
  .strictObject({
    object: z.literal('stripe_connection'),
    source_id: uuid.describe('The sync source that reads this account.'),
    api_key_last4: z.string().describe('All that is ever shown of the key.'),
    webhook_secret_last4: z
      .string()
      .nullable()
      .describe('All that is ever shown of the signing secret; null where none is set.'),
    notifications_url: z
      .string()
      .describe(
        'Where an endpoint of your Stripe account may post `customer.created`, `customer.updated` and `customer.deleted`.',
      ),
    last_event_at: timestamp
      .nullable()
      .describe('When the last event happened that was read; null before the first.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'StripeConnection' })

const exampleConnection = {
  object: 'stripe_connection',
  source_id: exampleSource.id,
  api_key_last4: 'oDez',
  webhook_secret_last4: null,
  notifications_url: `https://api.spindle.example/v1/customer-hub/stripe-events/${exampleSource.id}`,
  last_event_at: null,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const secret = z
  .string()
  .regex(/^[\x21-\x7e]{16,255}$/, 'must be 16 to 255 printable ASCII characters, without spaces')

const at = `${path}/:id/stripe-connection` as const

export const get = contract({
  ...reading,
  params: ofSource.params,
  notFound: 'stripe_connection_not_found',
  id: 'stripe_connections.get',
  path: at,
  summary: 'Get the Stripe account of a sync source',
  reply: { status: 200, schema: Connection },
  errors: ['stripe_connection_not_found'],
  example: { reply: exampleConnection },
})

export const set = contract({
  ...writing,
  ...ofSource,
  id: 'stripe_connections.set',
  tables: ['stripe_connections', 'sync_runs', 'sync_sources'],
  path: at,
  summary: 'Connect a Stripe account, or replace its secrets',
  description:
    'For sync sources of the kind `stripe`. The first key begins a run that reads all customers of the account; the source is `connecting` until Stripe has answered, then `active`, or in `error` with the reason in `failure`. Another key replaces the former one, and begins a run where the source is in `error`. Secrets are encrypted at rest and never shown again. After that we read what happens to the customers every ten minutes, and at once where an endpoint of your account posts to `notifications_url` and its signing secret is set here. Deleting a customer at Stripe deletes nothing here.',
  body: z
    .strictObject({
      api_key: secret
        .optional()
        .describe(
          'A restricted key of your account that may read customers and events, `rk_live_…`; in sandbox `rk_test_…`. The first time it is needed.',
        ),
      webhook_secret: secret
        .optional()
        .describe('The signing secret of the endpoint that posts to notifications_url, `whsec_…`.'),
    })
    .refine((body) => Object.keys(body).length > 0, 'must name at least one field'),
  reply: { status: 200, schema: Connection },
  errors: [
    'sync_source_not_found',
    'sync_source_disconnected',
    'sync_source_paused',
    'sync_source_not_stripe',
    'stripe_not_connected',
    'stripe_key_not_restricted',
    'stripe_key_of_live',
    'stripe_key_of_test',
  ],
  example: {
    body: { api_key: 'rk_test_NoKeyOfAnyAccountAtAllButOneOfLettersoDez' },
    reply: exampleConnection,
  },
})

/** Reads from which event on a source follows its account. */
export const connecting = {
  id: 'stripe_connections.begin',
  access: { system: {} },
  tables: ['stripe_connections'],
} as const

export const following = {
  id: 'stripe_connections.follow',
  access: { system: {} },
  tables: [
    'customer_contacts',
    'customer_external_ids',
    'customers',
    'stripe_connections',
    'sync_refusals',
    'sync_runs',
    'sync_sources',
  ],
} as const
