import { interfaceVersion } from '../../src/http/envelope.ts'
import {
  type EventResource,
  type EventType,
  eventTypeNames,
  eventTypes,
} from '../../src/kernel/event-types.ts'
import { asTold } from '../../src/kernel/events.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { operations } from '../operations.ts'
import type { Schema } from './schemas.ts'

/** The operation whose example shows what events of a resource carry. A resource without a line does not compile. */
const shownBy: Readonly<Record<EventResource, string>> = {
  api_key: 'api_keys.get',
  payment_link: 'payment_links.get',
  payment: 'payments.get',
  unapplied_funds: 'unapplied_funds.get',
  refund: 'refunds.get',
  dispute: 'disputes.get',
  transfer: 'transfers.get',
  incoming_transfer: 'transfers.list_incoming',
  payout: 'payouts.get',
  payout_settings: 'payout_settings.update',
  processor_credential: 'processor_credentials.update',
  webhook_endpoint: 'webhooks.get_endpoint',
}

/** What events of this type carry: the example of the interface, as events tell it; none while nothing shows the resource. */
export function exampleOf(type: EventType): Record<string, unknown> | null {
  const resource = type.slice(0, type.indexOf('.')) as EventResource
  const shown = operations.find(({ contract }) => contract.id === shownBy[resource])
  const reply = shown?.contract.example?.reply as Record<string, unknown> | undefined
  if (!reply) return null
  return asTold((Array.isArray(reply.data) ? reply.data[0] : reply) as JsonObject)
}

/** An example of a whole message of a type. */
const messageOf = (type: EventType, object: Record<string, unknown>) => ({
  id: '0190a6d2-7c3e-7b1a-9f00-000000000005',
  object: 'event',
  type,
  api_version: interfaceVersion,
  environment: 'sandbox',
  created_at: '2026-06-13T12:00:05.000Z',
  sequence: 1,
  data: { object, previous_attributes: {} },
})

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const headers = [
  header('webhook-id', 'The event’s id, the same for every attempt.', '0190a6d2-7c3e-7b1a-9f00-000000000005'),
  header('webhook-timestamp', 'Unix seconds of this attempt.', '1781352005'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`; one for each secret that signs, with spaces between.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

/** The `webhooks` section of the document: every type of event with what it carries. */
export const webhooks = (): Record<string, Schema> =>
  Object.fromEntries(
    eventTypeNames.flatMap((type) => {
      const object = exampleOf(type)
      if (!object) return []
      const post = {
        operationId: `event.${type}`,
        tags: ['Webhooks'],
        summary: eventTypes[type],
        parameters: headers,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Event' },
              example: messageOf(type, object),
            },
          },
        },
        responses: {
          '2XX': { description: 'Taken. Anything else, or nothing within 10 seconds, is tried again.' },
        },
      }
      return [[type, { post }]]
    }),
  )
