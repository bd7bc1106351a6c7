import { addDays, type IsoDate } from '../../../src/kernel/bank-days.ts'
import type { ScheduleRow } from './store.ts'

export interface Period {
  readonly from: IsoDate
  readonly to: IsoDate
}

type Every = Pick<ScheduleRow, 'every' | 'weekday'>

/** The day on the wall in a zone. */
export const dayIn = (timeZone: string, now: Date): IsoDate =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now)

/** 1 Monday … 7 Sunday. */
const weekdayOf = (day: IsoDate) => new Date(day).getUTCDay() || 7

/** The period that is not over on a day: a schedule that begins then reports it first. Null with each payout. */
export function periodOn({ every, weekday }: Every, day: IsoDate): Period | null {
  if (every === 'payout') return null
  if (every === 'day') return { from: day, to: day }
  if (every === 'week') {
    const run = addDays(day, (weekday! - weekdayOf(day) + 7) % 7 || 7)
    return { from: addDays(run, -7), to: addDays(run, -1) }
  }
  const [year, month] = day.split('-').map(Number) as [number, number]
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  return { from: `${day.slice(0, 8)}01`, to: last }
}

/** The one after it. */
export const periodAfter = (every: Every, { to }: Period): Period | null => periodOn(every, addDays(to, 1))
