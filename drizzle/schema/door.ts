import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, tenantRow, workspaceKey } from './columns.ts'

/** One row per Idempotency-Key that had an effect, written by the publish with the effect. */
export const idempotencyClaims = pgTable(
  'idempotency_claims',
  {
    tenantId: workspaceKey('tenant_id').notNull(),
    operation: text('operation').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    /** Distinguishes a publish sent again after an ambiguous commit from another request with the same key. Version 7. */
    publishId: uuid('publish_id').notNull(),
    replyStatus: integer('reply_status').notNull(),
    /** As it was sent, byte for byte. */
    replyBody: text('reply_body').notNull(),
    ...createdAt,
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.tenantId, t.operation, t.key] }),
      check('idempotency_claims_key_length', sql`char_length(${t.key}) between 8 and 255`),
      // The id tells the time too: the same index finds what is over, and the reply to a publish.
      index('idempotency_claims_due').on(t.publishId),
    ]
  },
)

/** Scheduled work that failed: how often, and when it is due again. Deleted a day after its next try was due. */
export const dueFailures = pgTable(
  'due_failures',
  {
    job: text('job').notNull(),
    ...tenantRow,
    failuresCount: integer('failures_count').notNull(),
    nextTryAt: instant('next_try_at').notNull(),
  },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.job, t.tenantId, t.id] }),
      index('due_failures_old').on(t.nextTryAt),
    ]
  },
)

/**
 * What each operation may do, generated from the contracts: which kinds of credential may call it, each with its
 * condition, and which tables it may write.
 */
export const doorOperations = pgTable('door_operations', {
  id: text('id').primaryKey(),
  access: jsonb('access').notNull(),
  tables: text('tables').array().notNull(),
})

/** Which scopes let an API key read events of a type, generated from the catalog of events. */
export const doorEventTypes = pgTable('door_event_types', {
  type: text('type').primaryKey(),
  scopes: text('scopes').array().notNull(),
})

/** Which environment this database is. One row. */
export const doorSettings = pgTable('door_settings', {
  environment: text('environment').primaryKey(),
  /** Added to transaction numbers, which restart or repeat when a database is restored. */
  commitOrderOffset: bigint('commit_order_offset', { mode: 'bigint' }).notNull().default(sql`0`),
})
