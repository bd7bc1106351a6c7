import { addBankDays, addDays, type IsoDate } from '../../src/kernel/bank-days.ts'

/** How often a merchant is paid out. `anchorDay`: 1 Monday … 7 Sunday, or 1 … 31 of the month. */
export type Rhythm =
  | { readonly interval: 'daily' | 'manual'; readonly anchorDay: null }
  | { readonly interval: 'weekly' | 'monthly'; readonly anchorDay: number }

/**
 * The date in Mexico City of the payout after `today`: always a bank day, and always later than today. An anchor on a
 * day when banks are closed waits for the next one that they are open; a month that is too short ends on its last day.
 * Null when paid out by hand.
 */
export function nextPayoutOn(today: IsoDate, { interval, anchorDay }: Rhythm): IsoDate | null {
  if (interval === 'manual') return null
  if (anchorDay === null) return addBankDays(today, 1)
  let date = addDays(today, 1)
  while (!(interval === 'weekly' ? weekdayOf(date) === anchorDay : isMonthly(date, anchorDay)))
    date = addDays(date, 1)
  return addBankDays(date, 0)
}

/** 1 Monday … 7 Sunday. */
const weekdayOf = (date: IsoDate) => new Date(`${date}T00:00:00Z`).getUTCDay() || 7

function isMonthly(date: IsoDate, anchorDay: number): boolean {
  const day = Number(date.slice(8))
  const isLast = addDays(date, 1).endsWith('-01')
  return day === anchorDay || (isLast && day < anchorDay)
}
