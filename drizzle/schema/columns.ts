import { bigint, integer, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/*
 * Keys, checks and indexes stand under the label `CONSTRAINTS`, which the Worker's build drops (local/bundle.ts).
 */

/** Every tenant table starts with these; the primary key is always (tenant_id, id), so foreign keys carry the tenant. */
export const tenantRow = {
  tenantId: text('tenant_id').notNull(),
  id: uuid('id').notNull(),
}

/** Counts the changes of a row; `publish` refuses a change made against another version. */
export const version = { version: integer('version').notNull().default(1) }

/** To the millisecond, as in the code and the interface: a cursor names exactly its row. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

export const createdAt = { createdAt: instant('created_at').notNull() }
export const updatedAt = { updatedAt: instant('updated_at').notNull() }

export const minor = (name: string) => bigint(name, { mode: 'bigint' })
