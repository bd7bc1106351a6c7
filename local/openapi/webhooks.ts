import { EventEnvelope } from '../../functions/developer/webhooks/contract-events.ts'
import { eventTypes } from '../../src/generated/events.ts'
import { interfaceVersion } from '../../src/http/envelope.ts'
import { type EventType, eventTypeNames } from '../../src/kernel/event-types.ts'
import { eventObjects } from './event-objects.ts'
import type { Components, Schema } from './schemas.ts'

/** An example of a whole message of a type. */
export const messageOf = (type: EventType) => ({
  id: '0190a6d2-7c3e-7b1a-9f00-000000000005',
  object: 'event',
  type,
  api_version: interfaceVersion,
  environment: 'sandbox',
  created_at: '2026-06-13T12:00:05.000Z',
  sequence: 1,
  data: { object: eventObjects.get(type)!.example, previous_attributes: {} },
})

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

/** The headers of every message. */
export const webhookParameters = {
  WebhookId: header(
    'webhook-id',
    'The event’s id, the same for every attempt.',
    '0190a6d2-7c3e-7b1a-9f00-000000000005',
  ),
  WebhookTimestamp: header('webhook-timestamp', 'Unix seconds of this attempt.', '1781352005'),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`; one for each secret that signs, with spaces between.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}

/** The receiver's answer. */
export const webhookResponses = {
  Taken: { description: 'Taken. Anything else, or nothing within 10 seconds, is tried again.' },
}

/** The `webhooks` section of the document: every type of event, with the object that it carries. */
export function webhooks(components: Components): Record<string, Schema> {
  const envelope = components.schemaOf(EventEnvelope, 'output')
  return Object.fromEntries(
    eventTypeNames.map((type) => {
      const schema = {
        allOf: [
          envelope,
          {
            type: 'object',
            required: ['type', 'data'],
            properties: {
              type: { type: 'string', const: type },
              data: components.schemaOf(eventObjects.get(type)!.data, 'output'),
            },
          },
        ],
      }
      const post = {
        operationId: `event.${type}`,
        tags: ['Webhooks'],
        summary: eventTypes[type],
        description: `Sent to every endpoint that takes \`${type}\`, signed, at least once.`,
        security: [],
        parameters: Object.keys(webhookParameters).map((name) => ({
          $ref: `#/components/parameters/${name}`,
        })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema, example: messageOf(type) } },
        },
        responses: { '2XX': { $ref: '#/components/responses/Taken' } },
      }
      return [type, { post }]
    }),
  )
}
