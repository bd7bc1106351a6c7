import { pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { workspaceKey } from './columns.ts'

/** Every id by which the public finds something of a tenant. A trigger on the resource's table writes its row. */
export const publicIds = pgTable(
  'public_ids',
  {
    publicId: text('public_id').primaryKey(),
    tenantId: workspaceKey('tenant_id').notNull(),
    /** The kind of resource: `payment_link`. */
    kind: text('kind').notNull(),
    id: uuid('id').notNull(),
  },
  (t) => {
    CONSTRAINTS: return [uniqueIndex('public_ids_one').on(t.tenantId, t.kind, t.id)]
  },
)
