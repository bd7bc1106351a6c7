import { dailySums } from '../../drizzle/schema/daily-sums.ts'
import { mexicoCityDate } from '../../src/kernel/bank-days.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { insert, type Write } from '../../src/kernel/plan.ts'
import type { DailySumRow } from './store.ts'

/** What an API key may send on a day of Mexico City without the approval of a person. */
export interface Allowance {
  /** The public part of the key. */
  readonly kid: string
  readonly kind: 'transfers' | 'refunds'
  readonly limitMinor: bigint
  /** What was read of the key's days; of which currency and day is looked up. */
  readonly sums: readonly DailySumRow[]
}

/** Whether this may go too. The database has the last word: a key may send many at once. */
export function fits(
  { limitMinor, sums }: Allowance,
  currency: string,
  amountMinor: bigint,
  now: Date,
): boolean {
  const today = mexicoCityDate(now)
  const sum = sums.find((row) => row.currency === currency && row.day >= today)
  return (sum?.sumMinor ?? 0n) + amountMinor <= limitMinor
}

/** Counts what goes without approval: refused, to be planned anew, when it would be more than the limit after all. */
export const count = (
  { kid, kind, limitMinor }: Allowance,
  currency: string,
  amountMinor: bigint,
  { now, newId }: Clock,
): Write =>
  insert(dailySums, {
    id: newId(),
    kid,
    kind,
    currency,
    day: mexicoCityDate(now),
    sumMinor: amountMinor,
    limitMinor,
    updatedAt: now,
  })
