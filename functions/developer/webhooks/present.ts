import type { Environment } from '../../../src/kernel/api-key.ts'
import type { AttemptRow, DeliveryRow, EndpointRow, EventRow, RecoveryRow } from './store.ts'

export const aboutEndpoint = (id: string) => ({ type: 'webhook_endpoint', id })

/** No query finds a deleted endpoint: only the event of its deletion shows that status. */
const shownStatus = (status: EndpointRow['status']) => status as Exclude<EndpointRow['status'], 'deleted'>

export const presentEndpoint = (endpoint: EndpointRow) => ({
  id: endpoint.id,
  object: 'webhook_endpoint' as const,
  url: endpoint.url,
  description: endpoint.description,
  event_types: endpoint.eventTypes,
  status: shownStatus(endpoint.status),
  disabled_reason: endpoint.disabledReason,
  failing_since: endpoint.failingSince?.toISOString() ?? null,
  version: endpoint.version,
  created_at: endpoint.createdAt.toISOString(),
  updated_at: endpoint.updatedAt.toISOString(),
})

/** An event as the API shows it; webhooks send the same (door.event_body). */
export const presentEvent = (event: EventRow, environment: Environment) => ({
  id: event.id,
  object: 'event' as const,
  type: event.type,
  api_version: event.apiVersion,
  environment,
  created_at: event.createdAt.toISOString(),
  sequence: event.sequence,
  data: {
    object: event.object,
    previous_attributes: event.previousAttributes,
  },
})

export const presentDelivery = (delivery: DeliveryRow) => ({
  id: delivery.id,
  object: 'webhook_delivery' as const,
  endpoint_id: delivery.endpointId,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  origin: delivery.origin,
  status: delivery.status,
  attempts_count: delivery.attemptsCount,
  response_status: delivery.responseStatus,
  // While in flight this is the end of a lease, which is internal.
  next_attempt_at: delivery.status === 'in_flight' ? null : (delivery.nextAttemptAt?.toISOString() ?? null),
  finished_at: delivery.finishedAt?.toISOString() ?? null,
  created_at: delivery.createdAt.toISOString(),
})

export const presentAttempt = (attempt: AttemptRow) => ({
  object: 'webhook_attempt' as const,
  number: attempt.number,
  status: attempt.failure === null ? ('succeeded' as const) : ('failed' as const),
  failure: attempt.failure,
  response_status: attempt.responseStatus,
  response_body: attempt.responseBody,
  duration_ms: attempt.durationMs,
  created_at: attempt.createdAt.toISOString(),
})

export const presentRecovery = (recovery: RecoveryRow) => ({
  id: recovery.id,
  object: 'webhook_recovery' as const,
  endpoint_id: recovery.endpointId,
  since: recovery.since.toISOString(),
  until: recovery.until.toISOString(),
  status: recovery.status,
  deliveries_count: recovery.deliveriesCount,
  created_at: recovery.createdAt.toISOString(),
})
