import { sql } from 'drizzle-orm'
import { bigint, check, customType, index, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, instant, ownKey, tenantRow, workspaceKey } from './columns.ts'
import { ofTenant } from './tenants.ts'

/** In hex, as the interface shows it. */
const sha256 = customType<{ data: string; driverData: string }>({
  dataType: () => 'bytea',
  fromDriver: (printed) => printed.slice('\\x'.length),
})

/**
 * The audit trail: one row per publish, whose id it has. Append-only, and a chain in each workspace: a row's digest
 * covers its own content and the digest before it (drizzle/sql/052_audit_events.sql). Its tenant is that of its chain's head,
 * which stands for a foreign key.
 */
export const auditEvents = pgTable(
  'audit_events',
  {
    ...tenantRow,
    /** 1, 2, 3 … per workspace, without gaps. */
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    operation: text('operation').notNull(),
    /** The kind of the credential. */
    actorType: text('actor_type').notNull(),
    actorId: text('actor_id').notNull(),
    /** `payment:<id>`: the resources of the publish's events, and the one that the plan names. */
    objects: text('objects').array().notNull(),
    requestId: text('request_id').notNull(),
    /** The database's time. */
    ...createdAt,
    digest: sha256('digest').notNull(),
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      unique('audit_events_sequence').on(t.tenantId, t.sequence),
      check('audit_events_sequence_counts', sql`${t.sequence} > 0`),
      // With the operation: a list of one skips the others in the index.
      index('audit_events_list').on(t.tenantId, t.createdAt, t.id, t.operation),
      // Partial: most rows are of buyers and the service itself, which a list of all finds as well.
      index('audit_events_list_by_kind')
        .on(t.tenantId, t.actorType, t.createdAt, t.id)
        .where(
          sql`${t.actorType} <> 'api_key' and ${t.actorType} <> 'public_id' and ${t.actorType} <> 'system'`,
        ),
      index('audit_events_list_by_actor')
        .on(t.tenantId, t.actorId, t.createdAt, t.id)
        .where(sql`${t.actorId} <> 'buyer' and ${t.actorId} <> 'system'`),
    ]
  },
)

/** The audit events of an object, in the order of their list: `id` is the audit event's. */
export const auditEventObjects = pgTable(
  'audit_event_objects',
  { ...tenantRow, objectId: text('object_id').notNull(), ...createdAt },
  (t) => {
    CONSTRAINTS: return [primaryKey({ columns: [t.tenantId, t.objectId, t.createdAt, t.id] })]
  },
)

/** The end of each workspace's chain: what the next row continues, and what shows that the last ones are missing. */
export const auditHeads = pgTable(
  'audit_heads',
  {
    tenantId: workspaceKey('tenant_id').primaryKey(),
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    digest: sha256('digest').notNull(),
    /** When it was last written to the log, and how long the chain was then. */
    anchoredAt: instant('anchored_at'),
    anchoredSequence: bigint('anchored_sequence', { mode: 'number' }).notNull().default(0),
  },
  (t) => {
    CONSTRAINTS: return [ofTenant('audit_heads', t.tenantId)]
  },
)
