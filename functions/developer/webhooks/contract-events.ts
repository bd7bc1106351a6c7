import * as z from 'zod'
import { environments } from '../../../drizzle/schema/columns.ts'
import { contract, reads } from '../../../src/http/contract.ts'
import { listOf, listQuery, one, timestamp, uuid } from '../../../src/http/schemas.ts'
import { eventTypeNames } from '../../../src/kernel/event-types.ts'

export const EventType = z.enum(eventTypeNames).meta({ id: 'EventType' })

export const EventEnvelope = z
  .strictObject({
    id: uuid.describe('Also the webhook-id of every message that carries it.'),
    object: z.literal('event'),
    type: EventType.describe(
      'What happened. More types will be added: answer 2xx to one that you do not know.',
    ),
    api_version: z.string().describe('The interface version in whose shape the object is.'),
    environment: z.enum(environments).describe('The environment that it happened in.'),
    created_at: timestamp,
    sequence: z
      .int()
      .describe('1, 2, 3 … for each resource, without gaps: orders what arrives out of order.'),
  })
  .meta({ id: 'EventEnvelope', description: 'What every event has.' })

export const PreviousAttributes = z.record(z.string(), z.unknown()).meta({
  id: 'PreviousAttributes',
  description: 'The earlier values of the fields that changed, by their names.',
})

/** An event of any type, as the API shows it: its type determines the fields of its object. */
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
    .describe('What the event reports.'),
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
  ...reads,
  tag: 'Webhooks',
  access: { api_key: { scopes: ['webhooks:read'] } },
} as const

/** The filters that a following list may have beside its order: it has a beginning but no end. */
const windowless = ['created_at.gte']

const eventsQuery = z
  .strictObject({
    type: EventType.optional(),
    resource_id: uuid.optional(),
    order: z
      .enum(['asc', 'desc'])
      .default('desc')
      .describe(
        '`desc`: newest first by created_at, for looking back. `asc`: in the order in which events were committed, for following; `created_at.gte` sets where to begin, `next_cursor` where to continue',
      ),
    ...listQuery,
  })
  .superRefine((query, found) => {
    if (query.order === 'desc') return
    for (const name of Object.keys(query))
      if (name.startsWith('created_at.') && !windowless.includes(name))
        found.addIssue({
          code: 'custom',
          path: [name],
          message: 'does not go with order=asc, which has no end',
        })
  })

export const listEvents = contract({
  ...reading,
  id: 'webhooks.list_events',
  path: '/v1/webhooks/events',
  summary: 'List events',
  description: [
    'All events of the resources that the key may read, whether or not an endpoint got them. Newest first by created_at: an event that is committed late may then stand behind newer ones that were there before it.',
    'With `order=asc` the list can be followed and misses nothing: events stand in the order of their commits, those of one resource by `sequence`, and none is ever added before one that was shown. `next_cursor` is then given always, also when `has_more` is false: keep it, ask again with it in a second or so, and each event comes exactly once. An event is shown once every change that was begun before it is over, as a rule within milliseconds. A cursor is valid for at least a day; when it is refused as `cursor_invalid`, begin again with `created_at.gte`, some minutes before the newest event that you have.',
  ].join('\n\n'),
  query: eventsQuery,
  reply: {
    status: 200,
    schema: listOf(AnyEvent).extend({
      next_cursor: z
        .string()
        .describe(
          'Opaque. Newest first it is empty when has_more is false; with order=asc it is always given',
        ),
    }),
  },
  errors: ['cursor_invalid'],
  example: { reply: { object: 'list', data: [exampleEvent], has_more: false, next_cursor: '' } },
})

export const getEvent = contract({
  ...reading,
  id: 'webhooks.get_event',
  path: '/v1/webhooks/events/:id',
  summary: 'Get an event',
  description: 'An event about a resource that the key may not read is not found.',
  ...one(AnyEvent, exampleEvent, 'event_not_found'),
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
          resource: z.string().describe('The kind of resource that it is about: `payment`.'),
          summary: z.string().describe('What the event reports, in a sentence.'),
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
