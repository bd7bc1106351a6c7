import { sql } from 'drizzle-orm'
import { check, date, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { known, minor, ownKey, tenantRow, updatedAt } from './columns.ts'
import { ofTenant } from './tenants.ts'

/**
 * What an API key sent today without a person's approval: one row per key, kind and currency, reset with each new day.
 * A plan inserts what it sends; a trigger adds that to the existing row, and the CHECK enforces the limit.
 */
export const dailySpend = pgTable(
  'daily_spend',
  {
    ...tenantRow,
    /** The public part of the key. */
    kid: text('kid').notNull(),
    kind: text('kind', { enum: ['transfers', 'refunds'] }).notNull(),
    currency: text('currency').notNull(),
    /** In Mexico City. */
    day: date('day', { mode: 'string' }).notNull(),
    sumMinor: minor('sum_minor').notNull(),
    /** The limit at the latest insert. */
    limitMinor: minor('limit_minor').notNull(),
    ...updatedAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('daily_spend', t.tenantId),
      uniqueIndex('daily_spend_one').on(t.tenantId, t.kid, t.kind, t.currency),
      check('daily_spend_kind_known', known(t.kind)),
      check('daily_spend_within_limit', sql`${t.sumMinor} between 0 and ${t.limitMinor}`),
    ]
  },
)
