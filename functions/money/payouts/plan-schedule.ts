import type { payoutSettings } from '../../../drizzle/schema/payouts.ts'
import { addBankDays, addDays, type IsoDate } from '../../../src/kernel/bank-days.ts'

export type Interval = (typeof payoutSettings.interval.enumValues)[number]

/**
 * The date of the next payout after `today`, both in Mexico City; null when payouts are made by hand. A day on which
 * banks are closed moves to the next on which they open. `anchorDay`: 1 Monday … 7 Sunday for weekly; 1 … 31 for
 * monthly, the last day of a month that is shorter.
 */
export function nextPayoutOn(interval: Interval, anchorDay: number | null, today: IsoDate): IsoDate | null {
  switch (interval) {
    case 'manual':
      return null
    case 'daily':
      return addBankDays(today, 1)
    case 'weekly':
      return firstAfter(today, weekdays(anchorDay ?? 1, today))
    case 'monthly':
      return firstAfter(today, monthdays(anchorDay ?? 1, today))
  }
}

// A past anchor may have moved to a day ahead, so the search begins before today.
function firstAfter(today: IsoDate, anchors: readonly IsoDate[]): IsoDate {
  const next = anchors.map((date) => addBankDays(date, 0)).find((date) => date > today)
  if (next === undefined) throw new RangeError(`no payout day after ${today}`)
  return next
}

function weekdays(weekday: number, today: IsoDate): IsoDate[] {
  const isoWeekday = new Date(`${today}T00:00:00Z`).getUTCDay() || 7
  const inThisWeek = addDays(today, weekday - isoWeekday)
  return [-7, 0, 7, 14].map((days) => addDays(inThisWeek, days))
}

function monthdays(day: number, today: IsoDate): IsoDate[] {
  const [year, month] = today.split('-').map(Number) as [number, number]
  return [-1, 0, 1, 2].map((months) => {
    const last = new Date(Date.UTC(year, month + months, 0))
    const date = Math.min(day, last.getUTCDate())
    return `${last.toISOString().slice(0, 8)}${String(date).padStart(2, '0')}`
  })
}
