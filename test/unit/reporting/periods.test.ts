import { expect, test } from 'vitest'
import { dayIn, periodAfter, periodOn } from '../../../functions/insight/reporting/periods.ts'

const week = (weekday: number) => ({ every: 'week', weekday }) as const
const [day, month, payout] = (['day', 'month', 'payout'] as const).map((every) => ({ every, weekday: null }))

test.each([
  ['a day', day!, '2026-06-13', '2026-06-13', '2026-06-13'],
  ['a month', month!, '2026-06-13', '2026-06-01', '2026-06-30'],
  ['a leap month', month!, '2028-02-29', '2028-02-01', '2028-02-29'],
  ['December', month!, '2026-12-31', '2026-12-01', '2026-12-31'],
  // A Saturday.
  ['a week that is reported on Monday', week(1), '2026-06-13', '2026-06-08', '2026-06-14'],
  ['a week that is reported on Saturday', week(6), '2026-06-13', '2026-06-13', '2026-06-19'],
  ['a week that is reported on Sunday', week(7), '2026-06-13', '2026-06-07', '2026-06-13'],
])('%s is the period that is not over', (_, every, on, from, to) => {
  expect(periodOn(every, on)).toEqual({ from, to })
})

test('with each payout there is none', () => {
  expect(periodOn(payout!, '2026-06-13')).toBeNull()
})

test.each([day!, month!, week(3)])('periods of $every follow each other without a gap', (every) => {
  let period = periodOn(every, '2026-11-28')!
  for (let at = 0; at < 40; at++) {
    const next = periodAfter(every, period)!
    expect(Date.parse(next.from) - Date.parse(period.to)).toBe(86_400_000)
    period = next
  }
})

test('the day is that of the zone', () => {
  const now = new Date('2026-06-13T06:30:00Z')
  expect([dayIn('America/Mexico_City', now), dayIn('America/Tijuana', now)]).toEqual([
    '2026-06-13',
    '2026-06-12',
  ])
})
