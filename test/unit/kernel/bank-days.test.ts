import { describe, expect, it } from 'vitest'
import { addBankDays, isBankDay, mexicoCityDate, mexicoCityInstant } from '../../../src/kernel/bank-days.ts'

/** Weekdays on which banks are closed. */
function closedWeekdays(year: number): string[] {
  const closed: string[] = []
  for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += 86_400_000) {
    const date = new Date(day).toISOString().slice(0, 10)
    const weekday = new Date(day).getUTCDay()
    if (weekday !== 0 && weekday !== 6 && !isBankDay(date)) closed.push(date.slice(5))
  }
  return closed
}

describe('isBankDay', () => {
  it.each([
    { year: 2024, closed: '01-01 02-05 03-18 03-28 03-29 05-01 09-16 10-01 11-18 12-12 12-25' },
    { year: 2025, closed: '01-01 02-03 03-17 04-17 04-18 05-01 09-16 11-17 12-12 12-25' },
    { year: 2026, closed: '01-01 02-02 03-16 04-02 04-03 05-01 09-16 11-02 11-16 12-25' },
    { year: 2027, closed: '01-01 02-01 03-15 03-25 03-26 09-16 11-02 11-15' },
    { year: 2030, closed: '01-01 02-04 03-18 04-18 04-19 05-01 09-16 10-01 11-18 12-12 12-25' },
  ])('$year', ({ year, closed }) => {
    expect(closedWeekdays(year).join(' ')).toBe(closed)
  })

  it.each(['2026-06-13', '2026-06-14', '2024-11-02'])('weekends: %s is closed', (date) => {
    expect(isBankDay(date)).toBe(false)
  })

  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-6-1',
    '2026-06-13T00:00:00Z',
    '',
    'today',
    '1999-01-04',
    '2022-12-30',
    '2100-01-04',
  ])('refuses "%s"', (date) => {
    expect(() => isBankDay(date)).toThrow(RangeError)
  })
})

describe('addBankDays', () => {
  it.each([
    { date: '2026-06-10', n: 0, is: '2026-06-10', why: 'a Wednesday' },
    { date: '2026-06-13', n: 0, is: '2026-06-15', why: 'a Saturday rolls forward' },
    { date: '2026-06-10', n: 1, is: '2026-06-11', why: 'the next day' },
    { date: '2026-06-12', n: 1, is: '2026-06-15', why: 'over a weekend' },
    { date: '2026-06-13', n: 1, is: '2026-06-15', why: 'from a Saturday' },
    { date: '2026-04-01', n: 1, is: '2026-04-06', why: 'over Holy Week' },
    { date: '2026-04-03', n: 2, is: '2026-04-07', why: 'from Good Friday' },
    { date: '2026-12-24', n: 2, is: '2026-12-29', why: 'over Christmas' },
    { date: '2026-12-31', n: 1, is: '2027-01-04', why: 'over New Year' },
    { date: '2024-09-30', n: 1, is: '2024-10-02', why: 'over the change of government' },
  ])('$date + $n is $is ($why)', ({ date, n, is }) => {
    expect(addBankDays(date, n)).toBe(is)
  })

  it.each([-1, 1.5, 367, Number.NaN])('refuses %s days', (n) => {
    expect(() => addBankDays('2026-06-10', n)).toThrow(RangeError)
  })
})

describe('Mexico City', () => {
  it.each([
    { instant: '2026-06-13T05:59:59.999Z', is: '2026-06-12' },
    { instant: '2026-06-13T06:00:00.000Z', is: '2026-06-13' },
    { instant: '2026-12-31T23:00:00.000Z', is: '2026-12-31' },
    { instant: '2027-01-01T05:59:00.000Z', is: '2026-12-31' },
    { instant: '2028-03-01T05:00:00.000Z', is: '2028-02-29' },
  ])('$instant falls on $is', ({ instant, is }) => {
    expect(mexicoCityDate(new Date(instant))).toBe(is)
  })

  it.each([
    { date: '2026-06-13', time: '23:59', is: '2026-06-14T05:59:00.000Z' },
    { date: '2026-06-13', time: '00:00', is: '2026-06-13T06:00:00.000Z' },
    { date: '2026-01-13', time: '09:30', is: '2026-01-13T15:30:00.000Z' },
  ])('$time on $date is $is', ({ date, time, is }) => {
    expect(mexicoCityInstant(date, time).toISOString()).toBe(is)
  })

  it('agrees with the time-zone database', () => {
    for (const instant of ['2023-07-01T05:30:00Z', '2026-01-15T05:30:00Z', '2026-07-15T06:30:00Z']) {
      const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' }).format(
        new Date(instant),
      )
      expect(mexicoCityDate(new Date(instant))).toBe(date)
    }
  })

  it.each(['24:00', '9:30', '12:60', '', '12:30:00'])('refuses the time "%s"', (time) => {
    expect(() => mexicoCityInstant('2026-06-13', time)).toThrow(RangeError)
  })
})
