import { and, asc, desc, eq, exists, getTableColumns, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { events } from '../../drizzle/schema/events.ts'
import {
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookRecoveries,
  webhookSecrets,
} from '../../drizzle/schema/webhooks.ts'
import { build, inWindow, ownTenant, select, slot } from '../../src/platform/query.ts'

export type EventRow = typeof events.$inferSelect
export type EndpointRow = typeof webhookEndpoints.$inferSelect
export type DeliveryRow = typeof webhookDeliveries.$inferSelect
export type AttemptRow = typeof webhookAttempts.$inferSelect
export type RecoveryRow = typeof webhookRecoveries.$inferSelect
/** Without what it stands for: nobody reads that back. */
export type SecretRow = Pick<typeof webhookSecrets.$inferSelect, 'id' | 'version' | 'expiresAt' | 'createdAt'>

export const eventById = select<EventRow>(() =>
  build
    .select()
    .from(events)
    .where(and(ownTenant(events), eq(events.id, slot('id')))),
)

export const eventsPage = select<EventRow>((has) =>
  build
    .select()
    .from(events)
    .where(
      and(
        ...inWindow(events, has),
        has('type') ? eq(events.type, slot('type')) : undefined,
        has('resourceId') ? eq(events.resourceId, slot('resourceId')) : undefined,
      ),
    )
    .orderBy(desc(events.createdAt), desc(events.id))
    .limit(slot('rows') as never),
)

export const endpointById = select<EndpointRow>(() =>
  build
    .select()
    .from(webhookEndpoints)
    .where(
      and(
        ownTenant(webhookEndpoints),
        eq(webhookEndpoints.id, slot('id')),
        ne(webhookEndpoints.status, 'deleted'),
      ),
    ),
)

export const endpointsPage = select<EndpointRow>((has) =>
  build
    .select()
    .from(webhookEndpoints)
    .where(
      and(
        ...inWindow(webhookEndpoints, has),
        ne(webhookEndpoints.status, 'deleted'),
        has('status') ? eq(webhookEndpoints.status, slot('status')) : undefined,
      ),
    )
    .orderBy(desc(webhookEndpoints.createdAt), desc(webhookEndpoints.id))
    .limit(slot('rows') as never),
)

/** Endpoints of the tenant that are not deleted: as many as make a difference to the limit. */
export const endpointIds = select<{ id: string }>(() =>
  build
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(ownTenant(webhookEndpoints), ne(webhookEndpoints.status, 'deleted')))
    .limit(slot('rows') as never),
)

/** The secrets that still sign, newest first. */
export const secretsOf = select<SecretRow>(() =>
  build
    .select({
      id: webhookSecrets.id,
      version: webhookSecrets.version,
      expiresAt: webhookSecrets.expiresAt,
      createdAt: webhookSecrets.createdAt,
    })
    .from(webhookSecrets)
    .where(
      and(
        ownTenant(webhookSecrets),
        eq(webhookSecrets.endpointId, slot('endpointId')),
        or(isNull(webhookSecrets.expiresAt), sql`${webhookSecrets.expiresAt} > now()`),
      ),
    )
    .orderBy(desc(webhookSecrets.createdAt)),
)

export const deliveryById = select<DeliveryRow>(() =>
  build
    .select()
    .from(webhookDeliveries)
    .where(and(ownTenant(webhookDeliveries), eq(webhookDeliveries.id, slot('id')))),
)

export const deliveriesPage = select<DeliveryRow>((has) =>
  build
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        ...inWindow(webhookDeliveries, has),
        has('status') ? eq(webhookDeliveries.status, slot('status')) : undefined,
        has('endpointId') ? eq(webhookDeliveries.endpointId, slot('endpointId')) : undefined,
        has('eventId') ? eq(webhookDeliveries.eventId, slot('eventId')) : undefined,
        has('eventType') ? eq(webhookDeliveries.eventType, slot('eventType')) : undefined,
      ),
    )
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(slot('rows') as never),
)

export const attemptsOf = select<AttemptRow>(() =>
  build
    .select()
    .from(webhookAttempts)
    .where(and(ownTenant(webhookAttempts), eq(webhookAttempts.deliveryId, slot('deliveryId'))))
    .orderBy(asc(webhookAttempts.number)),
)

/** The newest events that an endpoint has taken, each once however often it was sent. */
export const takenEvents = select<{ id: string; type: string }>(() =>
  build
    .select({ id: events.id, type: events.type })
    .from(events)
    .where(
      and(
        ownTenant(events),
        exists(
          build
            .select({ id: webhookDeliveries.id })
            .from(webhookDeliveries)
            .where(
              and(
                eq(webhookDeliveries.tenantId, events.tenantId),
                eq(webhookDeliveries.eventId, events.id),
                eq(webhookDeliveries.endpointId, slot('endpointId')),
                eq(webhookDeliveries.status, 'succeeded'),
              ),
            ),
        ),
      ),
    )
    .orderBy(desc(events.createdAt), desc(events.id))
    .limit(slot('rows') as never),
)

/** What waits for an endpoint and would be sent before a time, the most urgent first; not what is in flight. */
export const waitingDeliveries = select<DeliveryRow>(() =>
  build
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        ownTenant(webhookDeliveries),
        eq(webhookDeliveries.endpointId, slot('endpointId')),
        inArray(webhookDeliveries.status, ['pending', 'retrying']),
        lt(webhookDeliveries.nextAttemptAt, slot('before')),
      ),
    )
    .orderBy(asc(webhookDeliveries.nextAttemptAt), asc(webhookDeliveries.createdAt))
    .limit(slot('rows') as never),
)

/** Where deliveries stand now, for whoever records what came of them. */
export const versionsOf = select<{ id: string; version: number; status: string }>(() =>
  build
    .select({
      id: webhookDeliveries.id,
      version: webhookDeliveries.version,
      status: webhookDeliveries.status,
    })
    .from(webhookDeliveries)
    .where(and(ownTenant(webhookDeliveries), sql`${webhookDeliveries.id} = any(${slot('ids')}::uuid[])`)),
)

export const recoveryById = select<RecoveryRow>(() =>
  build
    .select()
    .from(webhookRecoveries)
    .where(and(ownTenant(webhookRecoveries), eq(webhookRecoveries.id, slot('id')))),
)

/** Where a delivery would go to again; none when its endpoint was deleted. */
export const endpointOfDelivery = select<EndpointRow>(() =>
  build
    .select(getTableColumns(webhookEndpoints))
    .from(webhookEndpoints)
    .innerJoin(
      webhookDeliveries,
      and(
        eq(webhookDeliveries.tenantId, webhookEndpoints.tenantId),
        eq(webhookDeliveries.endpointId, webhookEndpoints.id),
      ),
    )
    .where(
      and(
        ownTenant(webhookEndpoints),
        eq(webhookDeliveries.id, slot('id')),
        ne(webhookEndpoints.status, 'deleted'),
      ),
    ),
)
