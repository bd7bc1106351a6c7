/** A calendar date in Mexico, `YYYY-MM-DD`: sorts as text. */
export type IsoDate = string

const dayMs = 86_400_000
// Mexico ended daylight saving on 2022-10-30; the center of the country has been at UTC-6 all year since.
const mexicoCityOffsetMs = 6 * 3_600_000

/**
 * Whether banks in Mexico open on `date`. Computed by the rules that the CNBV repeats each December in the Diario
 * Oficial ("dias del año en que las entidades financieras deberan cerrar"): weekends; 1 January; first Monday of
 * February; third Monday of March; Thursday and Friday before Easter; 1 May; 16 September; 1 October of a year with
 * a change of the federal executive (2024, then every six); 2 November; third Monday of November; 12 and 25 December.
 * @throws RangeError when `date` is not a date of the years 2023-2099.
 */
export function isBankDay(date: IsoDate): boolean {
  return isOpen(toDay(date))
}

/**
 * The `n`-th bank day after `date`; with `n` = 0 the date itself, or the next bank day when banks are closed then.
 * @throws RangeError on a bad date, or when `n` is not a whole number from 0 to 366.
 */
export function addBankDays(date: IsoDate, n: number): IsoDate {
  if (!Number.isInteger(n) || n < 0 || n > 366) throw new RangeError(`addBankDays: ${n} days`)
  let day = toDay(date)
  for (let left = n; left > 0 || !isOpen(day); ) {
    day += dayMs
    if (left > 0 && isOpen(day)) left--
  }
  return toDate(day)
}

/** `date` moved by `n` calendar days. */
export function addDays(date: IsoDate, n: number): IsoDate {
  return toDate(toDay(date) + n * dayMs)
}

/** How many days `to` lies after `from`; below zero where it lies before. */
export const daysBetween = (from: IsoDate, to: IsoDate): number => (Date.parse(to) - Date.parse(from)) / dayMs

/** The date on the wall of Mexico City at `instant` (UTC-6; right from November 2022 on). */
export function mexicoCityDate(instant: Date): IsoDate {
  return toDate(instant.getTime() - mexicoCityOffsetMs)
}

/**
 * The instant when clocks in Mexico City show `time` (`HH:MM`, 00:00 to 23:59) on `date`.
 * @throws RangeError on a bad date or time.
 */
export function mexicoCityInstant(date: IsoDate, time: string): Date {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  if (!hours || !minutes) throw new RangeError(`"${time}" is not a time HH:MM`)
  return new Date(toDay(date) + Number(hours) * 3_600_000 + Number(minutes) * 60_000 + mexicoCityOffsetMs)
}

/** Midnight UTC of the date: only a number to count days with. */
function toDay(date: IsoDate): number {
  const day = /^20\d\d-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(day) || toDate(day) !== date || date < '2023')
    throw new RangeError(`"${date}" is not a date`)
  return day
}

function toDate(day: number): IsoDate {
  return new Date(day).toISOString().slice(0, 10)
}

function isOpen(day: number): boolean {
  const weekday = new Date(day).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  const year = new Date(day).getUTCFullYear()
  const easter = easterSunday(year)
  return (
    !fixedClosings(year).has(toDate(day).slice(5)) && day !== easter - 3 * dayMs && day !== easter - 2 * dayMs
  )
}

function fixedClosings(year: number): Set<string> {
  const days = ['01-01', '05-01', '09-16', '11-02', '12-12', '12-25']
  days.push(monday(year, 2, 1), monday(year, 3, 3), monday(year, 11, 3))
  if ((year - 2024) % 6 === 0) days.push('10-01')
  return new Set(days)
}

/** `MM-DD` of the `nth` Monday of a month. */
function monday(year: number, month: number, nth: number): string {
  const weekdayOfFirst = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  const day = 1 + ((8 - weekdayOfFirst) % 7) + (nth - 1) * 7
  return `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** The anonymous Gregorian computus (Meeus, Astronomical Algorithms, chapter 8). */
function easterSunday(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const position = h + l - 7 * m + 114
  return Date.UTC(year, Math.floor(position / 31) - 1, (position % 31) + 1)
}
