import { webhookDeliveries } from '../../../drizzle/schema/webhooks.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import {
  type DeliveryRow,
  type EndpointRow,
  presentDelivery,
  receives,
  redeliveryOf,
} from '../webhooks/api-pure.ts'
import { secondsOf } from './plan-clock.ts'

const delayMaxSeconds = 86_400

interface TakenEvent {
  readonly id: string
  readonly type: EventType
}

/** Sends events once more, in this order, each `gapMs` after the one before. */
export function planAgain(endpoint: EndpointRow, events: readonly TakenEvent[], gapMs: number, clock: Clock) {
  if (!receives(endpoint)) return refuse('webhook_endpoint_not_receiving')
  const made = events.map(({ id, type }, at) =>
    redeliveryOf(
      { endpointId: endpoint.id, eventId: id, eventType: type },
      new Date(clock.now.getTime() + at * gapMs),
      clock,
    ),
  )
  return {
    writes: made.length > 0 ? [insert(webhookDeliveries, ...made)] : [],
    events: [],
    reply: replyOf(endpoint, made.map(presentDelivery)),
    subjectId: endpoint.id,
  } satisfies Plan<unknown>
}

/** The time until which `delay` holds back; null for a delay of zero or of more than a day. */
export function heldUntil(delay: string, now: Date): Date | null {
  const seconds = secondsOf(delay)
  return seconds === 0 || seconds > delayMaxSeconds ? null : new Date(now.getTime() + seconds * 1000)
}

/** Holds back waiting deliveries: only their time changes, never how often they were or may be tried. */
export function planHold(
  endpoint: EndpointRow,
  waiting: readonly DeliveryRow[],
  until: Date,
  { now }: Clock,
) {
  if (!receives(endpoint) && endpoint.status !== 'paused') return refuse('webhook_endpoint_not_receiving')
  return {
    writes: waiting.map((delivery) =>
      change(webhookDeliveries, delivery, { nextAttemptAt: until, updatedAt: now }),
    ),
    events: [],
    reply: replyOf(
      endpoint,
      waiting.map((delivery) => presentDelivery({ ...delivery, nextAttemptAt: until })),
    ),
    subjectId: endpoint.id,
  } satisfies Plan<unknown>
}

const replyOf = ({ id }: EndpointRow, deliveries: ReturnType<typeof presentDelivery>[]) => ({
  object: 'sandbox_webhook_deliveries' as const,
  endpoint_id: id,
  deliveries,
})
