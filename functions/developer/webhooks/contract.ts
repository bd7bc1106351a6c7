import * as z from 'zod'
import { webhookEndpoints } from '../../../drizzle/schema/webhooks.ts'
import { contract } from '../../../src/http/contract.ts'
import { resource } from '../../../src/http/contract-resource.ts'
import { cardNumberMessage, freeText, timestamp, uuid } from '../../../src/http/schemas.ts'
import { urlContainsCardNumber } from '../../../src/kernel/card-number.ts'
import { eventTypeNames } from '../../../src/kernel/event-types.ts'
import { reading } from './contract-events.ts'

const status = z.enum(webhookEndpoints.status.enumValues).exclude(['deleted'])

/** How long the previous secret continues to sign, unless the rotation sets less. */
export const previousSecretHours = 24

const resources = [...new Set(eventTypeNames.map((type) => type.slice(0, type.indexOf('.'))))]
const patterns = ['*', ...resources.map((resource) => `${resource}.*`), ...eventTypeNames] as [
  string,
  ...string[],
]

const eventPatterns = z
  .array(z.enum(patterns))
  .min(1)
  .max(100)
  .refine((list) => new Set(list).size === list.length, 'must not name a pattern twice')
  .meta({ uniqueItems: true })
  .describe('Types (payment.succeeded), all of a resource (payment.*), or everything (*)')

export const Endpoint = z
  .strictObject({
    id: uuid,
    object: z.literal('webhook_endpoint'),
    url: z.string().describe('Where messages are sent.'),
    description: z.string().nullable().describe('Your own words for it.'),
    event_types: z
      .array(z.string())
      .describe(
        'What it takes: types (payment.succeeded), all of a resource (payment.*), or everything (*).',
      ),
    status: status.describe(
      '`enabled` and `degraded` are sent to; for `paused` messages wait; `disabled` gets none.',
    ),
    disabled_reason: z
      .enum(webhookEndpoints.disabledReason.enumValues)
      .nullable()
      .describe(
        '`gone`: it answered 410. `failing`: five days without a success. `secret`: we cannot read its secrets, so rotate its secret and enable it',
      ),
    failing_since: timestamp.nullable().describe('The first failure since the last success'),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'WebhookEndpoint' })

const EndpointIssued = z
  .strictObject({
    object: z.literal('webhook_endpoint.issued'),
    endpoint: Endpoint.describe('The endpoint.'),
    one_time_value: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]+=*$/)
      .optional()
      .describe('The signing secret, in the first answer only: a replay does not have it.'),
  })
  .meta({ id: 'WebhookEndpointIssued' })

export const exampleEndpoint = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000020',
  object: 'webhook_endpoint',
  url: 'https://shop.example.com/spindle',
  description: 'Orders',
  event_types: ['payment.*', 'refund.*'],
  status: 'enabled',
  disabled_reason: null,
  failing_since: null,
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const exampleIssued = {
  object: 'webhook_endpoint.issued',
  endpoint: exampleEndpoint,
  one_time_value: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
} as const

const endpoints = resource({
  tag: 'Webhooks',
  path: '/v1/webhooks/endpoints',
  reads: reading.access,
  writes: { api_key: { scopes: ['webhooks:write'] } },
  tables: ['webhook_endpoints'],
  notFound: 'webhook_endpoint_not_found',
  versioned: true,
  schema: Endpoint,
  example: exampleEndpoint,
})
const { writing, one: ofEndpoint } = endpoints

const url = z
  .string()
  .min(1)
  .max(2048)
  .refine((text) => !urlContainsCardNumber(text), cardNumberMessage)
  .describe('https on port 443 or 8443, with a name or an address of the public internet')

const addressErrors = ['webhook_url_refused'] as const

export const createEndpoint = contract({
  ...writing,
  id: 'webhooks.create_endpoint',
  versioned: true,
  path: '/v1/webhooks/endpoints',
  location: '/v1/webhooks/endpoints/:endpoint.id',
  summary: 'Create a webhook endpoint',
  description:
    'Messages are signed as Standard Webhooks has it, with the secret that this answer shows once. They carry events from now on; `recover` sends older ones. The key needs, beside `webhooks:write`, the scopes to read what the endpoint takes: `payment_links:read` or `reporting:read` for payments, `refunds:read` for refunds, and so on; `*` takes a key that reads everything.',
  tables: ['webhook_endpoints', 'webhook_secrets'],
  body: z.strictObject({
    url,
    description: freeText(200).optional().describe('Your own words for it.'),
    event_types: eventPatterns,
  }),
  reply: { status: 201, schema: EndpointIssued },
  errors: [...addressErrors, 'webhook_endpoint_limit_reached'],
  example: {
    body: {
      url: 'https://shop.example.com/spindle',
      description: 'Orders',
      event_types: ['payment.*', 'refund.*'],
    },
    reply: exampleIssued,
  },
})

export const listEndpoints = endpoints.list({
  id: 'webhooks.list_endpoints',
  summary: 'List webhook endpoints',
  filters: {
    status: status.optional(),
  },
})

export const getEndpoint = endpoints.get({ id: 'webhooks.get_endpoint', summary: 'Get a webhook endpoint' })

export const updateEndpoint = contract({
  ...writing,
  ...ofEndpoint,
  id: 'webhooks.update_endpoint',
  versioned: true,
  method: 'PATCH',
  summary: 'Change a webhook endpoint',
  description:
    'New types apply to events from now on; waiting deliveries are still sent, to the new address. To change `url` or `event_types`, the key needs the scopes to read what the endpoint then takes, and for another `url` also those for all that it has deliveries of.',
  tables: ['webhook_endpoints'],
  idempotency: 'optional',
  body: z.strictObject({
    url: url.optional(),
    description: freeText(200).nullable().optional().describe('Your own words for it.'),
    event_types: eventPatterns.optional(),
  }),
  reply: { status: 200, schema: Endpoint },
  errors: ['webhook_endpoint_not_found', ...addressErrors],
  example: { body: { event_types: ['*'] }, reply: { ...exampleEndpoint, event_types: ['*'] } },
})

export const deleteEndpoint = endpoints.remove('webhook_endpoint', {
  id: 'webhooks.delete_endpoint',
  versioned: true,
  summary: 'Delete a webhook endpoint',
  description: 'What waits for it is canceled. Its deliveries can still be read.',
})

const errors = ['webhook_endpoint_status_unchanged'] as const

export const enableEndpoint = endpoints.move('enable', {
  id: 'webhooks.enable_endpoint',
  errors,
  summary: 'Enable a webhook endpoint',
  description:
    'Deliveries that waited while it was paused are sent now, and failed ones that wait for their next try within seconds (a hundred a second), ahead of their schedule. Events from while it was disabled are not sent: `recover` sends them.',
  example: {},
})

export const pauseEndpoint = endpoints.move('pause', {
  id: 'webhooks.pause_endpoint',
  errors,
  summary: 'Pause a webhook endpoint',
  description: 'Nothing is sent, and nothing is lost: events wait until it is enabled.',
  example: { status: 'paused' },
})

export const disableEndpoint = endpoints.move('disable', {
  id: 'webhooks.disable_endpoint',
  errors,
  summary: 'Disable a webhook endpoint',
  description: 'Nothing is sent, and events are not queued for it; `recover` sends them later.',
  example: { status: 'disabled', disabled_reason: 'by_hand' },
})

export const testEndpoint = contract({
  ...writing,
  ...ofEndpoint,
  id: 'webhooks.test_endpoint',
  path: `${ofEndpoint.path}/test`,
  summary: 'Send a test event',
  description:
    'Sends `webhook_endpoint.test` to this endpoint and to no other, whatever types it takes; the same way as any event.',
  tables: [],
  reply: {
    status: 200,
    schema: z
      .strictObject({
        object: z.literal('webhook_test'),
        endpoint_id: uuid.describe('The endpoint that the test goes to.'),
        event_id: uuid.describe('Find its delivery by this'),
      })
      .meta({ id: 'WebhookTest' }),
  },
  errors: ['webhook_endpoint_not_found', 'webhook_endpoint_not_receiving'],
  example: {
    reply: {
      object: 'webhook_test',
      endpoint_id: exampleEndpoint.id,
      event_id: '0190a6d2-7c3e-7b1a-9f00-000000000021',
    },
  },
})

export const rotateSecret = contract({
  ...writing,
  ...ofEndpoint,
  id: 'webhooks.rotate_secret',
  path: `${ofEndpoint.path}/rotate-secret`,
  summary: 'Rotate the signing secret',
  description: `Until the old secret ends (after ${previousSecretHours} hours, or sooner if you say so) messages carry a signature of each.`,
  tables: ['webhook_endpoints', 'webhook_secrets'],
  body: z.strictObject({
    previous_secret_hours: z
      .int()
      .min(0)
      .max(previousSecretHours)
      .optional()
      .describe('How long the old secret continues to sign; 0 after a leak'),
  }),
  reply: { status: 200, schema: EndpointIssued },
  errors: ['webhook_endpoint_not_found'],
  example: { body: { previous_secret_hours: 24 }, reply: exampleIssued },
})

/** Records the results of attempts, and the endpoint's health. */
export const record = {
  id: 'webhooks.record',
  access: { system: {} },
  tables: ['webhook_deliveries', 'webhook_attempts', 'webhook_endpoints', 'mail_notices'],
} as const

/** Continues recoveries of more than one step. */
export const recoverySteps = {
  id: 'webhooks.recovery_steps',
  access: { system: {} },
  tables: ['webhook_recoveries'],
} as const
