import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import {
  deliveryLifecycle,
  endpointLifecycle,
  recoveryLifecycle,
} from '../../functions/developer/webhooks/lifecycle.ts'
import type { EventType } from '../../src/kernel/event-types.ts'
import { changes, createdAt, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { events } from './events.ts'
import { ofTenant } from './tenants.ts'

/** Where a merchant's events go. `event_types` holds patterns: `*`, `payment.*`, `payment.succeeded`. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    ...tenantRow,
    url: text('url').notNull(),
    description: text('description'),
    eventTypes: text('event_types').array().notNull(),
    status: statusOf(endpointLifecycle),
    /** Why it was disabled: by hand, gone (410), failing for days, no secret of it can be read. */
    disabledReason: text('disabled_reason', { enum: ['by_hand', 'gone', 'failing', 'secret'] }),
    /** The first failure since the last success; null while all is well. */
    failingSince: instant('failing_since'),
    /** When it was last enabled or recovered: earlier failures are sent again soon (drizzle/sql/070_webhooks.sql). */
    hastenedAt: instant('hastened_at'),
    /** Until when these are spread so far. */
    hastenedUntil: instant('hastened_until'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('webhook_endpoints', t.tenantId),
      check('webhook_endpoints_status_known', known(t.status)),
      check(
        'webhook_endpoints_disabled_with_reason',
        sql`(${t.status} = 'disabled') = (${t.disabledReason} is not null)
        and (${t.disabledReason} is null or ${t.disabledReason} in ('by_hand', 'gone', 'failing', 'secret'))`,
      ),
      check('webhook_endpoints_event_types_count', sql`cardinality(${t.eventTypes}) between 1 and 100`),
      check('webhook_endpoints_url_length', sql`char_length(${t.url}) between 1 and 2048`),
      index('webhook_endpoints_list').on(t.tenantId, t.createdAt, t.id),
      index('webhook_endpoints_standing').on(t.tenantId).where(sql`status <> 'deleted'`),
      index('webhook_endpoints_receiving')
        .on(t.tenantId)
        .where(sql`status in ('enabled', 'degraded', 'paused')`),
    ]
  },
)

/** An endpoint's signing secrets, encrypted (src/platform/encryption.ts). Every one that has not expired signs. */
export const webhookSecrets = pgTable(
  'webhook_secrets',
  {
    ...tenantRow,
    endpointId: uuid('endpoint_id').notNull(),
    ciphertext: text('ciphertext').notNull(),
    /** Null for the current one. */
    expiresAt: instant('expires_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('webhook_secrets_endpoint', t, t.endpointId, webhookEndpoints),
      index('webhook_secrets_over').on(t.expiresAt).where(sql`expires_at is not null`),
      uniqueIndex('webhook_secrets_one_current').on(t.tenantId, t.endpointId).where(sql`expires_at is null`),
      index('webhook_secrets_of_endpoint').on(t.tenantId, t.endpointId),
    ]
  },
)

/** One event on its way to one endpoint. Made by the transaction that made the event. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    ...tenantRow,
    endpointId: uuid('endpoint_id').notNull(),
    eventId: uuid('event_id').notNull(),
    eventType: text('event_type').$type<EventType>().notNull(),
    /** Why it was made: by the event, a redelivery on request, or a recovery. */
    origin: text('origin', { enum: ['event', 'redelivery', 'recovery'] }).notNull(),
    status: statusOf(deliveryLifecycle),
    /** Counts an attempt when it is claimed, so that one without a recorded result counts too. */
    attemptsCount: integer('attempts_count').notNull(),
    /** When it may be claimed; while in flight the end of the lease; null when it is over. */
    nextAttemptAt: instant('next_attempt_at'),
    /** Of the latest attempt. */
    responseStatus: integer('response_status'),
    finishedAt: instant('finished_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('webhook_deliveries_endpoint', t, t.endpointId, webhookEndpoints),
      refersTo('webhook_deliveries_event', t, t.eventId, events),
      check('webhook_deliveries_status_known', known(t.status)),
      check('webhook_deliveries_origin_known', known(t.origin)),
      check(
        'webhook_deliveries_waits_or_is_over',
        sql`(${t.status} in ('pending', 'in_flight', 'retrying')) = (${t.nextAttemptAt} is not null)`,
      ),
      uniqueIndex('webhook_deliveries_one_of_event')
        .on(t.tenantId, t.endpointId, t.eventId)
        .where(sql`origin = 'event'`),
      index('webhook_deliveries_list').on(t.tenantId, t.createdAt, t.id),
      index('webhook_deliveries_list_by_type').on(t.tenantId, t.eventType, t.createdAt, t.id),
      // Nearly all succeed: for those the list's own index is enough.
      index('webhook_deliveries_list_unsuccessful')
        .on(t.tenantId, t.status, t.createdAt, t.id)
        .where(sql`status <> 'succeeded'`),
      index('webhook_deliveries_of_endpoint').on(t.tenantId, t.endpointId, t.createdAt, t.id),
      index('webhook_deliveries_of_event').on(t.tenantId, t.eventId),
      index('webhook_deliveries_over').on(t.finishedAt).where(sql`finished_at is not null`),
      // By lane (door.lane): in flight, first tries, what is sent again.
      index('webhook_deliveries_waiting')
        .on(
          t.endpointId,
          sql`(case when status = 'in_flight' then 0 when status = 'retrying' or origin = 'recovery' then 2 else 1 end)`,
          t.nextAttemptAt,
        )
        .where(sql`next_attempt_at is not null`),
      index('webhook_deliveries_in_back_off').on(t.endpointId, t.updatedAt).where(sql`status = 'retrying'`),
    ]
  },
)

/** The result of each sending of a delivery. Append-only, kept as long as its delivery. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    ...tenantRow,
    deliveryId: uuid('delivery_id').notNull(),
    number: integer('number').notNull(),
    /** Null when it succeeded. */
    failure: text('failure', {
      enum: ['address', 'dns', 'connection', 'timeout', 'redirect', 'gone', 'status', 'secret'],
    }),
    responseStatus: integer('response_status'),
    /** The first 1 KiB, for the merchant alone. */
    responseBody: text('response_body'),
    durationMs: integer('duration_ms').notNull(),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('webhook_attempts_delivery', t, t.deliveryId, webhookDeliveries),
      unique('webhook_attempts_number').on(t.tenantId, t.deliveryId, t.number),
      check('webhook_attempts_failure_known', known(t.failure)),
    ]
  },
)

/** Everything since a time that an endpoint missed, made into deliveries step by step (drizzle/sql/070_webhooks.sql). */
export const webhookRecoveries = pgTable(
  'webhook_recoveries',
  {
    ...tenantRow,
    endpointId: uuid('endpoint_id').notNull(),
    since: instant('since').notNull(),
    until: instant('until').notNull(),
    status: statusOf(recoveryLifecycle),
    deliveriesCount: integer('deliveries_count').notNull(),
    stepsCount: integer('steps_count').notNull(),
    /** The last event that was looked at. */
    cursorCreatedAt: instant('cursor_created_at'),
    cursorId: uuid('cursor_id'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('webhook_recoveries_endpoint', t, t.endpointId, webhookEndpoints),
      check('webhook_recoveries_status_known', known(t.status)),
      check('webhook_recoveries_window', sql`${t.since} < ${t.until}`),
      index('webhook_recoveries_due').on(t.updatedAt).where(sql`status = 'running'`),
      index('webhook_recoveries_over').on(t.updatedAt).where(sql`status = 'completed'`),
    ]
  },
)
