import { dailySpend } from '../../../drizzle/schema/daily-spend.ts'
import { tenants } from '../../../drizzle/schema/tenants.ts'
import { build, ownTenant, select } from '../../../src/platform/query.ts'
import { rowsBy } from '../../../src/platform/rows.ts'

export type DailySumRow = typeof dailySpend.$inferSelect

/** The last day on which a key sent, and its sum: one row per currency. */
export const dailySpendOf = rowsBy(dailySpend, 'kid', 'kind')

export const workspaceStatus = select<Pick<typeof tenants.$inferSelect, 'status'>>(() =>
  build.select({ status: tenants.status }).from(tenants).where(ownTenant(tenants)),
)
