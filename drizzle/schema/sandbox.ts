import { sql } from 'drizzle-orm'
import { bigint, check, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { changes, ownKey, tenantRow } from './columns.ts'
import { ofTenant } from './tenants.ts'

/**
 * How far a sandbox tenant has moved its clock, in total. A trigger of the sandbox (drizzle/sql/sandbox) moves the tenant's
 * open deadlines nearer by the same amount. One row per tenant; none in live.
 */
export const sandboxClocks = pgTable(
  'sandbox_clocks',
  {
    ...tenantRow,
    advancedSeconds: bigint('advanced_seconds', { mode: 'bigint' }).notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('sandbox_clocks', t.tenantId),
      uniqueIndex('sandbox_clocks_one').on(t.tenantId),
      check('sandbox_clocks_forward', sql`${t.advancedSeconds} > 0`),
    ]
  },
)
