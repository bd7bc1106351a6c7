import { sql } from 'drizzle-orm'
import { bigint, check, foreignKey, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, tenantRow, updatedAt, version } from './columns.ts'
import { tenants } from './tenants.ts'

/**
 * How far a sandbox tenant has moved its clock, in total. A trigger of the sandbox (guards/sandbox) moves the tenant's
 * open deadlines nearer by the same amount. One row per tenant; none in live.
 */
export const sandboxClocks = pgTable(
  'sandbox_clocks',
  {
    ...tenantRow,
    advancedSeconds: bigint('advanced_seconds', { mode: 'bigint' }).notNull(),
    ...version,
    ...createdAt,
    ...updatedAt,
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ name: 'sandbox_clocks_tenant', columns: [t.tenantId], foreignColumns: [tenants.tenantId] }),
    uniqueIndex('sandbox_clocks_one').on(t.tenantId),
    check('sandbox_clocks_forward', sql`${t.advancedSeconds} > 0`),
  ],
)
