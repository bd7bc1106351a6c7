import { dailySpend } from '../../../drizzle/schema/daily-spend.ts'
import { type IsoDate, mexicoCityDate } from '../../../src/kernel/bank-days.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { insert, type Write } from '../../../src/kernel/plan.ts'
import type { DailySumRow } from './store.ts'

/** What an API key may send on a day of Mexico City without a user's approval. */
export interface SpendLimit {
  /** The public part of the key. */
  readonly kid: string
  readonly kind: 'transfers' | 'refunds'
  readonly limitMinor: bigint
  /** The key's sums as read, of every currency; looked up by currency and day. */
  readonly sums: readonly DailySumRow[]
}

/** Whether the amount fits the limit. The database decides finally: a key may send several at once. */
export function withinLimit(
  { limitMinor, sums }: SpendLimit,
  currency: string,
  amountMinor: bigint,
  now: Date,
): boolean {
  return spentOn(sums, currency, mexicoCityDate(now)) + amountMinor <= limitMinor
}

/** What of a limit is used on a day of Mexico City. */
export const spentOn = (sums: SpendLimit['sums'], currency: string, day: IsoDate): bigint =>
  sums.find((row) => row.currency === currency && row.day >= day)?.sumMinor ?? 0n

/**
 * Counts what is sent without approval. The database refuses it, to be planned again, when it exceeds the limit after
 * all.
 */
export const count = (
  { kid, kind, limitMinor }: SpendLimit,
  currency: string,
  amountMinor: bigint,
  { now, newId }: Clock,
): Write =>
  insert(dailySpend, {
    id: newId(),
    kid,
    kind,
    currency,
    day: mexicoCityDate(now),
    sumMinor: amountMinor,
    limitMinor,
    updatedAt: now,
  })
