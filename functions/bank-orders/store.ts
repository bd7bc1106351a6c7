import { and, eq } from 'drizzle-orm'
import { dailySpend } from '../../drizzle/schema/daily-spend.ts'
import { build, ownTenant, select, slot } from '../../src/platform/query.ts'

export type DailySumRow = typeof dailySpend.$inferSelect

/** The last day on which a key sent, and its sum: one row per currency. */
export const dailySpendOf = select<DailySumRow>(() =>
  build
    .select()
    .from(dailySpend)
    .where(and(ownTenant(dailySpend), eq(dailySpend.kid, slot('kid')), eq(dailySpend.kind, slot('kind')))),
)
