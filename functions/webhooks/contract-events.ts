import * as z from 'zod'
import { apiKey, contract } from '../../src/http/contract.ts'
import { listOf, listQuery, timestamp, uuid } from '../../src/http/schemas.ts'
import { eventTypeNames } from '../../src/kernel/event-types.ts'

export const EventType = z.enum(eventTypeNames).meta({ id: 'EventType' })

export const EventEnvelope = z
  .strictObject({
    id: uuid.describe('Also the webhook-id of every message that carries it.'),
    object: z.literal('event'),
    type: EventType.describe(
      'What happened. More types will be added: answer 2xx to one that you do not know.',
    ),
    api_version: z.string().describe('The interface version in whose shape the object is.'),
    environment: z.enum(['sandbox', 'live']).describe('The environment that it happened in.'),
    created_at: timestamp,
    sequence: z
      .int()
      .describe('1, 2, 3 … for each resource, without gaps: orders what arrives out of order.'),
  })
  .meta({ id: 'EventEnvelope', description: 'What every event has.' })

export const PreviousAttributes = z.record(z.string(), z.unknown()).meta({
  id: 'PreviousAttributes',
  description: 'What the fields that changed had been before, by their names.',
})

/** An event of any type, as it is read: which fields its object has, its type tells. */
export const AnyEvent = EventEnvelope.extend({
  data: z
    .strictObject({
      object: z
        .record(z.string(), z.unknown())
        .describe(
          'The resource as it was after the change; the webhooks of this document have a schema for each type. Of a bank account that money goes to, `destination` has `clabe_last4` and no holder: read the resource for them.',
        ),
      previous_attributes: PreviousAttributes,
    })
    .describe('What the event tells.'),
}).meta({ id: 'AnyEvent', description: 'An event of any type.' })

export const exampleEvent = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000005',
  object: 'event',
  type: 'payment_link.archived',
  api_version: '2026-06-13',
  environment: 'sandbox',
  created_at: '2026-06-13T12:00:05.000Z',
  sequence: 2,
  data: {
    object: { id: '0190a6d2-7c3e-7b1a-9f00-000000000003', object: 'payment_link', status: 'archived' },
    previous_attributes: { status: 'active' },
  },
} as const

export const reading = {
  method: 'GET',
  tag: 'Webhooks',
  access: apiKey('webhooks:read'),
  tables: [],
  idempotency: 'none',
  rate: 'read',
} as const

export const listEvents = contract({
  ...reading,
  id: 'webhooks.list_events',
  path: '/v1/webhooks/events',
  summary: 'List events',
  description: 'Everything that happened, whether or not an endpoint was told. Newest first.',
  query: z.strictObject({ type: EventType.optional(), resource_id: uuid.optional(), ...listQuery }),
  reply: { status: 200, schema: listOf(AnyEvent) },
  errors: ['cursor_invalid'],
  example: { reply: { object: 'list', data: [exampleEvent], has_more: false, next_cursor: '' } },
})

export const getEvent = contract({
  ...reading,
  id: 'webhooks.get_event',
  path: '/v1/webhooks/events/:id',
  summary: 'Get an event',
  params: z.strictObject({ id: uuid }),
  notFound: 'event_not_found',
  reply: { status: 200, schema: AnyEvent },
  errors: ['event_not_found'],
  example: { reply: exampleEvent },
})

export const listEventTypes = contract({
  ...reading,
  id: 'webhooks.list_event_types',
  path: '/v1/webhooks/event-types',
  summary: 'List the types of events',
  description: 'All of them. What each one carries stands in the webhooks section of this document.',
  reply: {
    status: 200,
    schema: listOf(
      z
        .strictObject({
          object: z.literal('event_type'),
          type: EventType.describe(
            'What happened. More types will be added: answer 2xx to one that you do not know.',
          ),
          resource: z.string().describe('What it is about: `payment`.'),
          summary: z.string().describe('What it says.'),
        })
        .meta({ id: 'EventTypeInfo' }),
    ),
  },
  errors: [],
  example: {
    reply: {
      object: 'list',
      data: [
        {
          object: 'event_type',
          type: 'payment.succeeded',
          resource: 'payment',
          summary: 'The payment is paid.',
        },
      ],
      has_more: false,
      next_cursor: '',
    },
  },
})
