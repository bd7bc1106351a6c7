import { describe, expect, test } from 'vitest'
import { hourFigures } from '../../../drizzle/schema/insights.ts'
import { type Hour, hourMs, isSpecialDay, unusualAt } from '../../../functions/insight/insights/unusual.ts'
import { mulberry32 } from '../../support/random.ts'

/** A Thursday at 17:00 in Mexico City, without a holiday in the eight weeks before it. */
const ends = new Date('2026-09-10T23:00:00Z')
const longAgo = new Date('2026-01-01T00:00:00Z')
const nothing = Object.fromEntries(hourFigures.map((figure) => [figure, 0])) as Omit<Hour, 'beginsAt'>

/** The hour that begins so many weeks and hours before the judged one. */
const hour = (weeks: number, counts: Partial<Omit<Hour, 'beginsAt'>>, hours = 0): Hour => ({
  beginsAt: new Date(ends.getTime() - (1 + hours + weeks * 168) * hourMs),
  ...nothing,
  ...counts,
})
const weekly = (counts: readonly Partial<Omit<Hour, 'beginsAt'>>[]) =>
  counts.map((each, week) => hour(week + 1, each))
const eightOf = (counts: Partial<Omit<Hour, 'beginsAt'>>) => weekly(Array(8).fill(counts))
const kindsAt = (hours: readonly Hour[], since = longAgo, at = ends) => [
  ...unusualAt(at, hours, since).keys(),
]

describe('an hour against the same hour of eight weeks', () => {
  const some = [90, 110, 100, 95, 105, 100, 98, 102].map((payments) => ({ payments }))
  test.each([
    ['as many as ever', 100, []],
    ['four spreads more (the square root of 100 is 10)', 140, []],
    ['one more than that', 141, ['payments_many']],
    ['four spreads fewer', 60, []],
    ['one fewer than that', 59, ['payments_few']],
    ['none at all', 0, ['payments_few']],
  ])('%s', (_, payments, kinds) => {
    expect(kindsAt([hour(0, { payments }), ...weekly(some)])).toEqual(kinds)
  })

  test('weeks that differ much make a wide spread', () => {
    const wild = [20, 180, 60, 140, 100, 30, 170, 100].map((payments) => ({ payments }))
    // The median is 100, the median deviation 55, the spread 81.5.
    expect(kindsAt([hour(0, { payments: 426 }), ...weekly(wild)])).toEqual([])
    expect(kindsAt([hour(0, { payments: 427 }), ...weekly(wild)])).toEqual(['payments_many'])
  })

  test('one week that stands out hides nothing', () => {
    const once = [100, 100, 100, 900, 100, 100, 100, 100].map((payments) => ({ payments }))
    expect(kindsAt([hour(0, { payments: 150 }), ...weekly(once)])).toEqual(['payments_many'])
  })

  test('where few are usual, nineteen are not said to be many', () => {
    expect(kindsAt([hour(0, { payments: 19 })])).toEqual([])
    expect(kindsAt([hour(0, { payments: 20 })])).toEqual(['payments_many'])
  })

  test('fewer than four weeks say nothing', () => {
    const since = (weeks: number) => new Date(ends.getTime() - (weeks * 168 + 1) * hourMs)
    const hours = [hour(0, { payments: 500 }), ...eightOf({ payments: 10 })]
    expect(kindsAt(hours, since(4))).toEqual(['payments_many'])
    expect(kindsAt(hours, new Date(since(4).getTime() + 1))).toEqual([])
  })
})

describe('a share', () => {
  const usual = eightOf({ payments: 100, decided: 100, declined: 10 })
  test('is compared in proportion: three times the payments, three times the declines', () => {
    expect(kindsAt([hour(0, { payments: 130, decided: 300, declined: 30 }), ...usual])).toEqual([])
    expect(kindsAt([hour(0, { payments: 130, decided: 100, declined: 23 }), ...usual])).toEqual([
      'cards_declined',
    ])
    const [evidence] = unusualAt(
      ends,
      [hour(0, { payments: 100, decided: 100, declined: 40 }), ...usual],
      longAgo,
    ).values()
    expect(evidence).toEqual({
      begins_at: '2026-09-10T22:00:00.000Z',
      ends_at: '2026-09-10T23:00:00.000Z',
      count: 40,
      of_count: 100,
      expected_count: 10,
      spread_count: 3,
      weeks_count: 8,
      decline_code: null,
    })
  })

  test('weeks with hardly any payments say nothing of it', () => {
    const few = eightOf({ payments: 4, decided: 4, declined: 0 })
    expect(kindsAt([hour(0, { payments: 12, decided: 12, declined: 12 }), ...few])).toEqual([])
  })

  test('of deliveries is one too', () => {
    const usual = eightOf({ deliveries: 500, deliveriesFailed: 2 })
    expect(kindsAt([hour(0, { deliveries: 500, deliveriesFailed: 300 }), ...usual])).toEqual([
      'webhooks_failed',
    ])
    expect(kindsAt([hour(0, { deliveries: 500, deliveriesFailed: 7 }), ...usual])).toEqual([])
  })
})

describe('a day against the same day of eight weeks', () => {
  test('counts what came in its 24 hours, and no hour more', () => {
    const spread = [0, 5, 11, 17, 23].map((hours) => hour(0, { refunds: 1 }, hours))
    expect(kindsAt(spread)).toEqual(['refunds_many'])
    expect(kindsAt([...spread.slice(1), hour(0, { refunds: 1 }, 24)])).toEqual([])
  })

  test.each([
    [{ refunds: 4 }, []],
    [{ disputes: 2 }, []],
    [{ disputes: 3 }, ['disputes_many']],
    [{ payoutsFailed: 1 }, ['payouts_failed']],
  ])('where there are none: %j', (counts, kinds) => {
    expect(kindsAt([hour(0, counts)])).toEqual(kinds)
  })
})

describe('days on which people buy otherwise', () => {
  test.each([
    ['2026-11-11', false],
    ['2026-11-12', true],
    ['2026-11-14', true],
    ['2026-11-16', true],
    ['2026-11-17', false],
    ['2025-11-13', true],
    ['2024-11-18', true],
    ['2026-05-01', true],
    ['2026-12-24', true],
    ['2026-12-31', true],
    ['2026-06-13', false],
  ])('%s: %s', (date, isSpecial) => {
    expect(isSpecialDay(date)).toBe(isSpecial)
  })

  test('are not judged by how many buy, and are no week to compare with', () => {
    // Thursday of Buen Fin, and the Thursday after it.
    const at = (date: string) => new Date(`${date}T23:00:00Z`)
    const around = (date: string, counts: Partial<Omit<Hour, 'beginsAt'>>): Hour => ({
      ...hour(0, counts),
      beginsAt: new Date(at(date).getTime() - hourMs),
    })
    const thursdays = ['2026-10-01', '2026-10-08', '2026-10-15', '2026-10-22', '2026-10-29', '2026-11-05']
    const usual = thursdays.map((date) => around(date, { payments: 100, decided: 100, declined: 5 }))
    const buenFin = around('2026-11-12', { payments: 900, decided: 900, declined: 45 })
    expect(kindsAt([...usual, buenFin], longAgo, at('2026-11-12'))).toEqual([])
    const evidence = unusualAt(at('2026-11-19'), [...usual, buenFin, around('2026-11-19', {})], longAgo)
    expect([...evidence]).toMatchObject([['payments_few', { expected_count: 100, weeks_count: 7 }]])
    // Declined cards are unusual on any day.
    const declined = around('2026-11-12', { payments: 900, decided: 900, declined: 450 })
    expect(kindsAt([...usual, declined], longAgo, at('2026-11-12'))).toEqual(['cards_declined'])
  })
})

test('chance alone is hardly ever called unusual: fewer than 1 of 200 hours, at any rate of sales', () => {
  const random = mulberry32(20_261_128)
  const poisson = (mean: number) => {
    let [count, left] = [0, Math.exp(-mean)]
    for (let product = random(); product > left; product *= random()) count++
    return count
  }
  for (const mean of [0.2, 1, 4, 15, 60, 200]) {
    let alarms = 0
    const tries = 2_000
    for (let n = 0; n < tries; n++) {
      const counts = () => {
        const payments = poisson(mean)
        const declined = Array.from({ length: payments }).filter(() => random() < 0.15).length
        return { payments, decided: payments, declined }
      }
      const hours = Array.from({ length: 9 }, (_, week) => hour(week, counts()))
      alarms += kindsAt(hours).length
    }
    expect(alarms / tries, `${mean} an hour`).toBeLessThan(1 / 200)
  }
})
