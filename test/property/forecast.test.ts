import './seed.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Movement, Movements } from '../../functions/insight/intelligence/forecast.ts'
import { rateCountMin, rateOf } from '../../functions/insight/intelligence/rates.ts'
import { addDays } from '../../src/kernel/bank-days.ts'

const today = '2026-10-05'

/** A merchant that sells the same in each week: so much on each weekday, available two days later. */
const steady = (weeks: number, ofDay: (day: string) => bigint): Movement[] =>
  Array.from({ length: weeks * 7 }, (_, back) => {
    const knownOn = addDays(today, -back)
    return { knownOn, availableOn: addDays(knownOn, 2), amountMinor: ofDay(knownOn) }
  })
const byWeekday = (day: string) => BigInt(100 * (1 + new Date(`${day}T00:00:00Z`).getUTCDay()))

describe('a forecast', () => {
  test('of a merchant who sells the same in each week is right, and says so', () => {
    const movements = new Movements(steady(30, byWeekday))
    for (let ahead = 1; ahead <= 45; ahead++) {
      const day = addDays(today, ahead)
      const usual = byWeekday(addDays(day, -2))
      const known = movements.known(day, today)
      // What was captured until today is certain; the rest of the day is likely.
      expect(known).toBe(ahead <= 2 ? usual : 0n)
      const rest = usual - known
      expect(movements.likely(day, today)).toEqual({
        p10Minor: rest,
        p50Minor: rest,
        p90Minor: rest,
        weeksCount: 8,
      })
    }
    expect(movements.meanError(7, today)).toEqual({ amountMinor: 0n, daysCount: 28 })
    expect(movements.meanError(30, today)).toEqual({ amountMinor: 0n, daysCount: 28 })
  })

  test('compares with no day that is not over: what a morning has brought is no sample of a day', () => {
    const sales = steady(30, byWeekday).map((sale) => ({ ...sale, availableOn: sale.knownOn }))
    const evening = new Movements(sales)
    const morning = new Movements(sales.filter(({ knownOn }) => knownOn !== today))
    for (let ahead = 1; ahead <= 45; ahead++) {
      const day = addDays(today, ahead)
      expect(morning.likely(day, today)).toEqual(evening.likely(day, today))
    }
  })

  test('of a merchant who has sold for two weeks has no likely part and no error', () => {
    const movements = new Movements(steady(2, byWeekday))
    expect(movements.likely(addDays(today, 1), today)).toBeNull()
    expect(movements.meanError(7, today)).toBeNull()
  })

  test('of nothing is nothing', () => {
    const movements = new Movements([])
    expect([movements.known(today, today), movements.likely(today, today)]).toEqual([0n, null])
  })

  test('names only amounts that were, in order, and never what came after the day it is made on', () => {
    const movement = fc.record({
      knownOn: fc.integer({ min: 0, max: 150 }).map((back) => addDays(today, -back)),
      lag: fc.integer({ min: 0, max: 5 }),
      amountMinor: fc.bigInt(-1_000n, 1_000n),
    })
    const later = fc.array(
      fc.record({
        knownOn: fc.integer({ min: 1, max: 40 }).map((ahead) => addDays(today, ahead)),
        lag: fc.integer({ min: 0, max: 5 }),
        amountMinor: fc.bigInt(-1_000n, 1_000n),
      }),
    )
    const rows = (drawn: { knownOn: string; lag: number; amountMinor: bigint }[]) =>
      drawn.map(({ lag, ...rest }) => ({ ...rest, availableOn: addDays(rest.knownOn, lag) }))
    fc.assert(
      fc.property(
        fc.array(movement, { maxLength: 60 }),
        later,
        fc.integer({ min: 1, max: 45 }),
        (past, future, ahead) => {
          const day = addDays(today, ahead)
          const now = new Movements(rows(past))
          const likely = now.likely(day, today)
          expect(new Movements(rows([...past, ...future])).likely(day, today)).toEqual(likely)
          if (!likely) return
          const { p10Minor, p50Minor, p90Minor } = likely
          expect(p10Minor <= p50Minor && p50Minor <= p90Minor).toBe(true)
        },
      ),
    )
  })
})

describe('a rate', () => {
  test.each([
    [0, 0, { rate_bps: null, rate_low_bps: null, rate_high_bps: null }],
    // Newcombe 1998 (https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8%3C857::AID-SIM777%3E3.0.CO;2-E), table I.
    [81, 263, { rate_bps: 3080, rate_low_bps: 2552, rate_high_bps: 3663 }],
    [15, 148, { rate_bps: 1014, rate_low_bps: 623, rate_high_bps: 1605 }],
    [0, 20, { rate_bps: null, rate_low_bps: 0, rate_high_bps: 1612 }],
    [1, 29, { rate_bps: null, rate_low_bps: 61, rate_high_bps: 1718 }],
  ])('%i of %i', (hits, decided, rate) => {
    expect(rateOf(hits, decided)).toEqual(rate)
  })

  test('lies within its interval, which is within 0 and 1', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (decided, share) => {
          const hits = Math.round(decided * share)
          const { rate_bps, rate_low_bps, rate_high_bps } = rateOf(hits, decided)
          expect(0 <= rate_low_bps! && rate_low_bps! <= rate_high_bps! && rate_high_bps! <= 10_000).toBe(true)
          expect(rate_bps === null).toBe(decided < rateCountMin)
          if (rate_bps !== null) expect(rate_low_bps! <= rate_bps && rate_bps <= rate_high_bps!).toBe(true)
        },
      ),
    )
  })
})
