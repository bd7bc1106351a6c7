import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { EventType } from '../../src/kernel/event-types.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { createdAt, ownKey, tenantRow } from './columns.ts'

/** The outbox: one row per state change, written by the publish that makes the change. Append-only. */
export const events = pgTable(
  'events',
  {
    ...tenantRow,
    type: text('type').$type<EventType>().notNull(),
    /** The interface version of the object's shape. */
    apiVersion: text('api_version').notNull().default('2026-06-13'),
    resourceType: text('resource_type').notNull(),
    resourceId: uuid('resource_id').notNull(),
    /** 1, 2, 3 … per resource, without gaps. The database fills it. */
    sequence: integer('sequence').notNull().default(0),
    object: jsonb('object').$type<JsonObject>().notNull(),
    previousAttributes: jsonb('previous_attributes').$type<JsonObject>().notNull(),
    requestId: text('request_id').notNull(),
    ...createdAt,
    /** Readers follow events by (commit_order, position); the database fills both (drizzle/sql/055_events.sql). */
    commitOrder: bigint('commit_order', { mode: 'bigint' }).notNull().default(sql`0`),
    position: bigint('position', { mode: 'bigint' }).generatedAlwaysAsIdentity(),
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      unique('events_resource_sequence').on(t.tenantId, t.resourceId, t.sequence),
      check(
        'events_tell_no_account',
        sql`not (object -> 'destination' ? 'clabe') and not (previous_attributes -> 'destination' ? 'clabe')
        and (resource_type not in ('bank_account', 'payout_settings')
          or object::text || previous_attributes::text !~ '[0-9]{18}')`,
      ),
      index('events_list').on(t.tenantId, t.createdAt, t.id),
      index('events_list_by_type').on(t.tenantId, t.type, t.createdAt, t.id),
      index('events_followed').on(t.tenantId, t.type, t.commitOrder, t.position),
    ]
  },
)
