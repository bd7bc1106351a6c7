import {
  and,
  asc,
  desc,
  eq,
  exists,
  getTableColumns,
  inArray,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { events } from '../../../drizzle/schema/events.ts'
import {
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookRecoveries,
  webhookSecrets,
} from '../../../drizzle/schema/webhooks.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import type { Owned, Row } from '../../../src/kernel/plan.ts'
import { lookedUp } from '../../../src/platform/listing.ts'
import {
  type BoundQuery,
  build,
  inWindow,
  ownTenant,
  rowsLimit,
  select,
  slot,
} from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type EventRow = typeof events.$inferSelect
export type EndpointRow = Row<typeof webhookEndpoints>
export type DeliveryRow = Row<typeof webhookDeliveries>
export type AttemptRow = typeof webhookAttempts.$inferSelect
export type RecoveryRow = Row<typeof webhookRecoveries>
/** Without the secret itself, which no plan reads back. */
export type SecretRow = Pick<typeof webhookSecrets.$inferSelect, 'id' | 'version' | 'expiresAt' | 'createdAt'>

/** The types whose events the calling key may read, narrowed to the requested one. */
const readableTypes = (has: (slot: string) => boolean): SQL =>
  sql`select t.type from door.readable_event_types(${slot('kid')}) t (type)${has('type') ? sql` where t.type = ${slot('type')}` : sql``}`

export const eventById = select<EventRow>((has) =>
  build
    .select()
    .from(events)
    .where(and(ownTenant(events), eq(events.id, slot('id')), sql`${events.type} in (${readableTypes(has)})`)),
)

const each = alias(events, 'each')

/** The types that the workspace has events of: one look into the index by type for each, however many types there are. */
const presentTypes = sql`(with recursive present (type) as (
    (select e.type from ${events} e where e.tenant_id = (select door.pinned_tenant()) order by e.type limit 1)
    union all select (select e.type from ${events} e where e.tenant_id = (select door.pinned_tenant())
      and e.type > present.type order by e.type limit 1) from present where present.type is not null)
  select present.type from present where present.type is not null)`

/**
 * A page of events. Each type that the key may read and that there are events of is asked for its own page, over its
 * index, and the first of all of them are the page: what the key may not read is never walked over and costs no place on
 * the page. The few events of one resource are read as a whole and then filtered.
 */
function pageOfTypes(has: (slot: string) => boolean, conditions: readonly SQL[], order: SQL) {
  const keys = sql`each.id, each.created_at, each.commit_order, each.position`
  const first = sql`order by ${order} limit ${slot('rows')}`
  // Postgres keeps a subquery that has an offset as it is: no other index than that of the resource fits it.
  const ofResource = sql`(select ${keys} from (select * from ${events}
      where ${ownTenant(events)} and ${eq(events.resourceId, slot('resourceId'))} offset 0) each
    where ${and(...conditions)} and each.type in (${readableTypes(has)}) ${first}) each`
  const readable = has('type')
    ? readableTypes(has)
    : sql`select t.type from ${presentTypes} t where t.type in (${readableTypes(has)})`
  const ofTypes = sql`(select each.* from (${readable}) readable cross join lateral (
      select ${keys} from ${events} each where ${and(...conditions)} and each.type = readable.type ${first}) each
    ${first}) each`
  const { row, columns } = lookedUp(events, sql`${events.id} = each.id`)
  return build
    .select(columns)
    .from(has('resourceId') ? ofResource : ofTypes)
    .crossJoinLateral(row)
    .orderBy(order)
}

const newestFirst = sql`each.created_at desc, each.id desc`

export const eventsPage = select<EventRow>((has) => pageOfTypes(has, inWindow(each, has), newestFirst))

const inCommitOrder = sql`each.commit_order, each.position`

/**
 * Events for following: only those that no open transaction can still precede, in commit order. `createdFrom` applies
 * to every event; the newest event well before it sets where the scan begins, since an event is dated when its publish
 * is planned.
 */
export const followingPage = select<EventRow>((has) => {
  const conditions = [ownTenant(each), sql`${each.commitOrder} < (select door.events_horizon())`]
  if (has('afterOrder'))
    conditions.push(
      sql`(${each.commitOrder}, ${each.position}) > (${slot('afterOrder')}::bigint, ${slot('afterPosition')}::bigint)`,
    )
  if (has('createdFrom')) {
    // As an expression, so that no index by time fits: it would be walked once for each type.
    conditions.push(sql`${each.createdAt} + interval '0' >= ${slot('createdFrom')}::timestamptz`)
    if (!has('afterOrder'))
      // A coalesce outside the select would keep the condition out of the index: under row-level security it may leak.
      conditions.push(sql`${each.commitOrder} >= (select coalesce((select older.commit_order from ${events} older
        where older.tenant_id = (select door.pinned_tenant())
          and older.created_at < ${slot('createdFrom')}::timestamptz - interval '10 minutes'
        order by older.created_at desc, older.id desc limit 1), 0))`)
  }
  return pageOfTypes(has, conditions, inCommitOrder)
})

/** Everything before it is final: no open transaction can add to it. */
export const eventsHorizon = (): BoundQuery<bigint> => ({
  text: 'select door.events_horizon()',
  values: [],
  rows: (cells) => cells.map(([horizon]) => BigInt(horizon!)),
})

export const endpointById = select<Owned<EndpointRow>>(() =>
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

export const endpointsPage = newest(webhookEndpoints, ['status'], ne(webhookEndpoints.status, 'deleted'))

/** Endpoints of the tenant that are not deleted: only as many as the limit needs. */
export const endpointIds = select<{ id: string }>((_) =>
  build
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(ownTenant(webhookEndpoints), ne(webhookEndpoints.status, 'deleted')))
    .limit(rowsLimit),
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

export const deliveryById = rowsBy(webhookDeliveries, 'id')

export const deliveriesPage = newest(webhookDeliveries, ['status', 'endpointId', 'eventId', 'eventType'])

/** A delivery of one of these types that an endpoint has had or waits for, if there is one. */
export const deliveryOfTypes = select<{ eventType: DeliveryRow['eventType'] }>(() =>
  build
    .select({ eventType: webhookDeliveries.eventType })
    .from(webhookDeliveries)
    .where(
      and(
        ownTenant(webhookDeliveries),
        eq(webhookDeliveries.endpointId, slot('endpointId')),
        sql`${webhookDeliveries.eventType} = any(${slot('eventTypes')}::text[])`,
      ),
    )
    .limit(1),
)

export const attemptsOf = select<AttemptRow>(() =>
  build
    .select()
    .from(webhookAttempts)
    .where(and(ownTenant(webhookAttempts), eq(webhookAttempts.deliveryId, slot('deliveryId'))))
    .orderBy(asc(webhookAttempts.number)),
)

/** The newest events that an endpoint has taken, each once however often it was sent. */
export const takenEvents = select<{ id: string; type: EventType }>((_) =>
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
    .limit(rowsLimit),
)

/** The deliveries that wait for an endpoint and are due before a time, the most urgent first; not those in flight. */
export const waitingDeliveries = select<DeliveryRow>((_) =>
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
    .limit(rowsLimit),
)

/** The deliveries' current versions, for recording the results of attempts. */
export const versionsOf = select<Pick<DeliveryRow, 'id' | 'version' | 'status'>>(() =>
  build
    .select({
      id: webhookDeliveries.id,
      version: webhookDeliveries.version,
      status: webhookDeliveries.status,
    })
    .from(webhookDeliveries)
    .where(and(ownTenant(webhookDeliveries), sql`${webhookDeliveries.id} = any(${slot('ids')}::uuid[])`)),
)

export const recoveryById = rowsBy(webhookRecoveries, 'id')

/** The endpoint that a redelivery would go to; none when it was deleted. */
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
