import { check, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { kindsWithMetadata } from '../../src/generated/kinds.ts'
import { createdAt, known, tenantRow } from './columns.ts'

/**
 * A key of a resource's metadata with its value, in the order of the resource's list, so that a filtered page walks the
 * index. Triggers maintain the rows; `id` is the resource's.
 */
export const metadataEntries = pgTable(
  'metadata_entries',
  {
    ...tenantRow,
    resource: text('resource', { enum: kindsWithMetadata }).notNull(),
    /** `door.metadata_entry` of key and value. */
    entry: uuid('entry').notNull(),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.tenantId, t.resource, t.entry, t.createdAt, t.id] }),
      check('metadata_entries_resource_known', known(t.resource)),
    ]
  },
)
