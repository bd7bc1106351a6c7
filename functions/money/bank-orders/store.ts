import { dailySpend } from '../../../drizzle/schema/daily-spend.ts'
import { rowsBy } from '../../../src/platform/rows.ts'

export type DailySumRow = typeof dailySpend.$inferSelect

/** The last day on which a key sent, and its sum: one row per currency. */
export const dailySpendOf = rowsBy(dailySpend, 'kid', 'kind')
