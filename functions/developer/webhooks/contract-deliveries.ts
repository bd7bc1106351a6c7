import * as z from 'zod'
import { webhookAttempts, webhookDeliveries, webhookRecoveries } from '../../../drizzle/schema/webhooks.ts'
import { contract } from '../../../src/http/contract.ts'
import { one, paged, timestamp, uuid } from '../../../src/http/schemas.ts'
import { exampleEndpoint } from './contract.ts'
import { EventType, exampleEvent, reading } from './contract-events.ts'

const delivery = {
  id: uuid,
  object: z.literal('webhook_delivery'),
  endpoint_id: uuid.describe('The endpoint that is sent to.'),
  event_id: uuid.describe('The webhook-id of its messages'),
  event_type: EventType.describe('The type of the event.'),
  origin: z
    .enum(webhookDeliveries.origin.enumValues)
    .describe('Why it is sent: it happened, or you asked for it again.'),
  status: z
    .enum(webhookDeliveries.status.enumValues)
    .describe('Status. `succeeded`, `exhausted` (the last try failed) and `canceled` are final.'),
  attempts_count: z.int().describe('How often it was tried.'),
  response_status: z
    .int()
    .nullable()
    .describe('HTTP status of your server’s answer to the latest attempt; null without an answer.'),
  next_attempt_at: timestamp.nullable().describe('When it is tried next; null when it is over.'),
  finished_at: timestamp.nullable().describe('When it ended; null before.'),
  created_at: timestamp,
}

export const Delivery = z.strictObject(delivery).meta({ id: 'WebhookDelivery' })

const Attempt = z
  .strictObject({
    object: z.literal('webhook_attempt'),
    number: z.int().describe('1 for the first try, 2 for the second …'),
    status: z.enum(['succeeded', 'failed']).describe('Whether your server took it.'),
    failure: z
      .enum(webhookAttempts.failure.enumValues)
      .nullable()
      .describe(
        '`address` and `dns`: the address may not be sent to (any more). `redirect`: 3xx, which is not followed. `gone`: 410. `status`: any other that is not 2xx',
      ),
    response_status: z
      .int()
      .nullable()
      .describe('The status that your server answered; null where it did not.'),
    response_body: z.string().nullable().describe('The first 1 KiB of what your server answered'),
    duration_ms: z.int().describe('How long it took, in milliseconds.'),
    created_at: timestamp,
  })
  .meta({ id: 'WebhookAttempt' })

const DeliveryWithAttempts = z
  .strictObject({ ...delivery, attempts: z.array(Attempt).describe('Every try, the oldest first.') })
  .meta({ id: 'WebhookDeliveryWithAttempts' })

export const exampleDelivery = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000022',
  object: 'webhook_delivery',
  endpoint_id: exampleEndpoint.id,
  event_id: exampleEvent.id,
  event_type: 'payment.succeeded',
  origin: 'event',
  status: 'succeeded',
  attempts_count: 1,
  response_status: 200,
  next_attempt_at: null,
  finished_at: '2026-06-13T12:00:05.400Z',
  created_at: '2026-06-13T12:00:05.000Z',
} as const

export const listDeliveries = contract({
  ...reading,
  id: 'webhooks.list_deliveries',
  path: '/v1/webhooks/deliveries',
  summary: 'List deliveries',
  ...paged(Delivery, exampleDelivery, {
    status: z.enum(webhookDeliveries.status.enumValues).optional(),
    endpoint_id: uuid.optional(),
    event_id: uuid.optional(),
    event_type: EventType.optional(),
  }),
})

const ofDelivery = { params: z.strictObject({ id: uuid }), notFound: 'webhook_delivery_not_found' } as const

export const getDelivery = contract({
  ...reading,
  ...ofDelivery,
  id: 'webhooks.get_delivery',
  path: '/v1/webhooks/deliveries/:id',
  summary: 'Get a delivery with its attempts',
  description: 'An attempt that we failed to record leaves a gap in the numbers; it was sent again.',
  reply: { status: 200, schema: DeliveryWithAttempts },
  errors: ['webhook_delivery_not_found', 'webhook_delivery_no_longer_kept'],
  example: {
    reply: {
      ...exampleDelivery,
      attempts: [
        {
          object: 'webhook_attempt',
          number: 1,
          status: 'succeeded',
          failure: null,
          response_status: 200,
          response_body: 'ok',
          duration_ms: 84,
          created_at: '2026-06-13T12:00:05.300Z',
        },
      ],
    },
  },
})

const writing = {
  tag: 'Webhooks',
  access: { api_key: { scopes: ['webhooks:write'] } },
  rate: 'write',
  method: 'POST',
} as const

export const redeliver = contract({
  ...writing,
  ...ofDelivery,
  id: 'webhooks.redeliver',
  path: '/v1/webhooks/deliveries/:id/redeliver',
  location: '/v1/webhooks/deliveries/:id',
  summary: 'Send a delivery once more',
  description: 'Makes a new delivery with the same webhook-id and the same bytes, at once.',
  tables: ['webhook_deliveries'],
  idempotency: 'required',
  reply: { status: 201, schema: Delivery },
  errors: ['webhook_delivery_not_found', 'webhook_delivery_no_longer_kept', 'webhook_endpoint_not_receiving'],
  example: {
    reply: {
      ...exampleDelivery,
      origin: 'redelivery',
      status: 'pending',
      attempts_count: 0,
      response_status: null,
      next_attempt_at: '2026-06-13T12:30:00.000Z',
      finished_at: null,
    },
  },
})

const Recovery = z
  .strictObject({
    id: uuid,
    object: z.literal('webhook_recovery'),
    endpoint_id: uuid.describe('The endpoint that is sent to.'),
    since: timestamp.describe('Events from this time on.'),
    until: timestamp.describe('Events before this time.'),
    status: z.enum(webhookRecoveries.status.enumValues).describe('`completed` once all of it is on its way.'),
    deliveries_count: z.int().describe('How many deliveries it has made so far'),
    created_at: timestamp,
  })
  .meta({ id: 'WebhookRecovery' })

const exampleRecovery = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000023',
  object: 'webhook_recovery',
  endpoint_id: exampleEndpoint.id,
  since: '2026-06-13T00:00:00.000Z',
  until: '2026-06-13T12:00:00.000Z',
  status: 'running',
  deliveries_count: 0,
  created_at: '2026-06-13T12:00:00.000Z',
} as const

export const recover = contract({
  ...writing,
  id: 'webhooks.recover',
  path: '/v1/webhooks/endpoints/:id/recover',
  location: '/v1/webhooks/recoveries/:id',
  summary: 'Send what an endpoint missed',
  description:
    'Makes a delivery for each event of the window that the endpoint takes and neither received nor has waiting: exhausted deliveries, and events from while it was disabled or before it existed. Failed deliveries that wait for their next try, whatever the window, are sent within seconds (a hundred a second). The window reaches back 30 days at most; without `until` it ends now. One that ends now stays `running` for a minute or two after it has sent everything: it looks once more for events that were just being stored.',
  params: z.strictObject({ id: uuid }),
  notFound: 'webhook_endpoint_not_found',
  tables: ['webhook_recoveries'],
  idempotency: 'required',
  body: z.strictObject({
    since: timestamp.describe('Events from this time on.'),
    until: timestamp.optional().describe('Events before this time; up to now when absent.'),
  }),
  reply: { status: 201, schema: Recovery },
  errors: ['webhook_endpoint_not_found', 'webhook_endpoint_not_receiving', 'webhook_recovery_window_invalid'],
  example: { body: { since: '2026-06-13T00:00:00.000Z' }, reply: exampleRecovery },
})

export const getRecovery = contract({
  ...reading,
  id: 'webhooks.get_recovery',
  path: '/v1/webhooks/recoveries/:id',
  summary: 'Get a recovery',
  ...one(
    Recovery,
    { ...exampleRecovery, status: 'completed', deliveries_count: 12 },
    'webhook_recovery_not_found',
  ),
})
