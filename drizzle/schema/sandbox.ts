import { sql } from 'drizzle-orm'
import { bigint, check, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, tenantRow, updatedAt, version } from './columns.ts'
import { ofTenant } from './tenants.ts'

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
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.tenantId, t.id] }),
      ofTenant('sandbox_clocks', t.tenantId),
      uniqueIndex('sandbox_clocks_one').on(t.tenantId),
      check('sandbox_clocks_forward', sql`${t.advancedSeconds} > 0`),
    ]
  },
)
