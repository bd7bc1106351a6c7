import { and, eq } from 'drizzle-orm'
import { dailySums } from '../../drizzle/schema/daily-sums.ts'
import { build, ownTenant, select, slot } from '../../src/platform/query.ts'

export type DailySumRow = typeof dailySums.$inferSelect

/** The last day on which a key sent, and its sum: one row per currency. */
export const dailySumsOf = select<DailySumRow>(() =>
  build
    .select()
    .from(dailySums)
    .where(and(ownTenant(dailySums), eq(dailySums.kid, slot('kid')), eq(dailySums.kind, slot('kind')))),
)
