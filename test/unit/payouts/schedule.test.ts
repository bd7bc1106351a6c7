import { expect, test } from 'vitest'
import { type Interval, nextPayoutOn } from '../../../functions/money/payouts/plan-schedule.ts'
import { addDays, isBankDay } from '../../../src/kernel/bank-days.ts'

// 2026: Thursday 1 January, Monday 2 February and Monday 16 March are closed; Easter is 5 April.
test.each<[Interval, number | null, string, string | null, string]>([
  ['daily', null, '2026-06-15', '2026-06-16', 'the next day'],
  ['daily', null, '2026-06-12', '2026-06-15', 'over a weekend'],
  ['daily', null, '2026-06-13', '2026-06-15', 'on a Saturday'],
  ['daily', null, '2026-04-01', '2026-04-06', 'over Easter'],
  ['weekly', 5, '2026-06-15', '2026-06-19', 'later this week'],
  ['weekly', 1, '2026-06-15', '2026-06-22', 'today is behind'],
  ['weekly', 1, '2026-06-16', '2026-06-22', 'next week'],
  ['weekly', 7, '2026-06-15', '2026-06-22', 'a Sunday moves to Monday'],
  ['weekly', 6, '2026-06-21', '2026-06-22', 'the Saturday that lies behind moved to tomorrow'],
  ['weekly', 1, '2026-03-15', '2026-03-17', 'a closed Monday moves to Tuesday'],
  ['weekly', 1, '2026-03-17', '2026-03-23', 'and is not paid twice'],
  ['monthly', 15, '2026-06-14', '2026-06-15', 'tomorrow'],
  ['monthly', 15, '2026-06-15', '2026-07-15', 'next month'],
  ['monthly', 31, '2026-06-15', '2026-06-30', 'the last day of a shorter month'],
  ['monthly', 31, '2026-02-10', '2026-03-02', 'the last of February is a Saturday'],
  ['monthly', 30, '2027-02-10', '2027-03-01', 'the last of February is a Sunday'],
  [
    'monthly',
    31,
    '2026-12-31',
    '2027-02-02',
    'over the turn of the year: 31 January is a Sunday, 1 February closed',
  ],
  ['monthly', 1, '2026-12-31', '2027-01-04', 'New Year moves'],
  ['manual', null, '2026-06-15', null, 'by hand'],
])('%s %s after %s: %s (%s)', (interval, anchor, today, next) => {
  expect(nextPayoutOn(interval, anchor, today)).toBe(next)
})

test('every payout day of three years is a future bank day, and none is skipped', () => {
  const wrong: string[] = []
  for (const [interval, anchor, longest] of [
    ['daily', null, 6],
    ...[1, 2, 3, 4, 5, 6, 7].map((day) => ['weekly', day, 13] as const),
    ...[1, 15, 28, 29, 30, 31].map((day) => ['monthly', day, 38] as const),
  ] as const) {
    for (let today = '2025-01-01'; today < '2028-01-01'; today = addDays(today, 1)) {
      const next = nextPayoutOn(interval, anchor, today)!
      if (!isBankDay(next) || next <= today || next > addDays(today, longest))
        wrong.push(`${interval} ${anchor} after ${today}: ${next}`)
    }
  }
  expect(wrong).toEqual([])
})
