import { and, eq } from 'drizzle-orm'
import { dailySums } from '../../drizzle/schema/daily-sums.ts'
import { build, ownTenant, select, slot } from '../../src/platform/query.ts'

export type DailySumRow = typeof dailySums.$inferSelect

/** What a key sent last, and how much on that day: one row per currency. */
export const dailySumsOf = select<DailySumRow>(() =>
  build
    .select()
    .from(dailySums)
    .where(and(ownTenant(dailySums), eq(dailySums.kid, slot('kid')), eq(dailySums.kind, slot('kind')))),
)
