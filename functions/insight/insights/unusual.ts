import type { HourFigure, InsightEvidence, InsightKind } from '../../../drizzle/schema/insights.ts'
import { isBankDay, mexicoCityDate } from '../../../src/kernel/bank-days.ts'

export const hourMs = 3_600_000
export const weekMs = 168 * hourMs
/** With how many of the same hours an hour is compared, and with how many at least. */
export const weeksMax = 8
export const weeksMin = 4
/** How many spreads from the median are unusual. */
const spreadsMax = 4
/** The median absolute deviation of a normal distribution times this is its standard deviation. */
const deviationScale = 1.4826

export type Hour = { readonly beginsAt: Date } & { readonly [F in HourFigure]: number }

interface Measure {
  /** How many hours are judged as one, and compared with the same hours a week apart. */
  readonly hours: 1 | 24
  readonly counts: HourFigure
  /** A share of these: weeks with more of them have more of what is counted. */
  readonly of?: HourFigure
  readonly isLow?: true
  /** Fewer are not unusual, whatever the weeks say. */
  readonly countMin: number
  /** Holidays and Buen Fin are nothing unusual. */
  readonly isOfCalendar?: true
}

const measures: { readonly [K in InsightKind]: Measure } = {
  payments_few: { hours: 1, counts: 'payments', isLow: true, countMin: 0, isOfCalendar: true },
  payments_many: { hours: 1, counts: 'payments', countMin: 20, isOfCalendar: true },
  cards_declined: { hours: 1, counts: 'declined', of: 'decided', countMin: 10 },
  refunds_many: { hours: 24, counts: 'refunds', countMin: 5 },
  disputes_many: { hours: 24, counts: 'disputes', countMin: 3 },
  payouts_failed: { hours: 24, counts: 'payoutsFailed', countMin: 1 },
  webhooks_failed: { hours: 1, counts: 'deliveriesFailed', of: 'deliveries', countMin: 10 },
}

export const kinds = Object.keys(measures) as readonly InsightKind[]
/** Weeks with fewer of what a share is of say nothing about the share. */
const ofMin = 5

/** What is unusual, with its evidence. */
export type Unusual = ReadonlyMap<InsightKind, InsightEvidence>

/**
 * Judges the hour and the day that end at `endsAt` against the same hours of up to eight weeks: unusual is what lies more
 * than four spreads from the median. The spread is that of the weeks (1.4826 times the median absolute deviation), and at
 * least that of chance (the square root of the median). `hours`: what was counted; an hour that is left out had nothing.
 * `since`: before it there was no workspace. Counts alone, no money: floating point, and evidence rounded half up.
 */
export function unusualAt(endsAt: Date, hours: readonly Hour[], since: Date): Unusual {
  const byBegin = new Map(hours.map((hour) => [hour.beginsAt.getTime(), hour]))
  const found = new Map<InsightKind, InsightEvidence>()
  for (const kind of kinds) {
    const evidence = judged(measures[kind], endsAt.getTime(), byBegin, since.getTime())
    if (evidence) found.set(kind, evidence)
  }
  return found
}

function judged(
  measure: Measure,
  ends: number,
  hours: ReadonlyMap<number, Hour>,
  since: number,
): InsightEvidence | null {
  const lengthMs = measure.hours * hourMs
  if (measure.isOfCalendar && isSpecial(ends - lengthMs, ends)) return null
  const sum = (figure: HourFigure, end: number) => {
    let counted = 0
    for (let at = end - lengthMs; at < end; at += hourMs) counted += hours.get(at)?.[figure] ?? 0
    return counted
  }
  const count = sum(measure.counts, ends)
  if (count < measure.countMin) return null
  const of = measure.of ? sum(measure.of, ends) : null
  const weeks: number[] = []
  for (let week = 1; week <= weeksMax; week++) {
    const end = ends - week * weekMs
    if (end - lengthMs < since || isSpecial(end - lengthMs, end)) continue
    const counted = sum(measure.counts, end)
    const among = measure.of ? sum(measure.of, end) : null
    // As many as this week would have had with its share.
    if (among === null) weeks.push(counted)
    else if (among >= ofMin) weeks.push((counted * of!) / among)
  }
  if (weeks.length < weeksMin) return null
  const expected = median(weeks)
  const deviation = deviationScale * median(weeks.map((each) => Math.abs(each - expected)))
  const spread = Math.max(deviation, Math.sqrt(expected))
  const apart = measure.isLow ? expected - count : count - expected
  if (apart <= spreadsMax * spread) return null
  return {
    begins_at: new Date(ends - lengthMs).toISOString(),
    ends_at: new Date(ends).toISOString(),
    count,
    of_count: of,
    expected_count: Math.round(expected),
    spread_count: Math.round(spread),
    weeks_count: weeks.length,
    decline_code: null,
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const isSpecial = (begins: number, ends: number): boolean =>
  isSpecialDay(mexicoCityDate(new Date(begins))) || isSpecialDay(mexicoCityDate(new Date(ends - 1)))

/**
 * Whether people in Mexico buy unlike on other days: banks are closed on a weekday, Christmas and New Year's Eve, and El
 * Buen Fin, which ends on the third Monday of November and begins on the Thursday before at the earliest.
 */
export function isSpecialDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`)
  const weekday = day.getUTCDay()
  const monthAndDay = date.slice(5)
  if (monthAndDay === '12-24' || monthAndDay === '12-31') return true
  if (weekday !== 0 && weekday !== 6 && !isBankDay(date)) return true
  // The Monday that ends it is the 15th at the earliest, the 21st at the latest.
  const monday = day.getUTCDate() + ((8 - weekday) % 7)
  return date.slice(5, 7) === '11' && (weekday >= 4 || weekday <= 1) && monday >= 15 && monday <= 21
}
