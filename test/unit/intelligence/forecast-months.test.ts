import { expect, test } from 'vitest'
import { type Movement, Movements } from '../../../functions/insight/intelligence/forecast.ts'
import { addBankDays, addDays, isBankDay } from '../../../src/kernel/bank-days.ts'
import { mulberry32, type Random } from '../../support/random.ts'

const begins = '2024-03-01'
const monthsBegin = '2024-07-01'
const monthsEnd = '2026-07-01'
const buenFin = ['2024-11-15', '2024-11-16', '2024-11-17', '2024-11-18', ...days('2025-11-13', '2025-11-18')]
/** The shop was closed. */
const lostWeek = new Set(days('2025-03-10', '2025-03-17'))
const ofWeekday = [1.3, 0.7, 0.8, 0.9, 1, 1.5, 1.8]

function days(from: string, to: string): string[] {
  const all: string[] = []
  for (let day = from; day < to; day = addDays(day, 1)) all.push(day)
  return all
}

/** Two years of one merchant: weekdays, chance, holidays, El Buen Fin and a lost week. A sale settles in two bank days. */
function sold(random: Random): Movement[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return days(begins, monthsEnd)
    .filter((day) => !lostWeek.has(day))
    .map((day) => {
      const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
      const isHoliday = weekday > 0 && weekday < 6 && !isBankDay(day)
      const usual = 200_000 * ofWeekday[weekday]! * (buenFin.includes(day) ? 3 : isHoliday ? 0.6 : 1)
      const amountMinor = BigInt(Math.round(usual * Math.exp(0.25 * normal())))
      return { knownOn: day, availableOn: addBankDays(day, 2), amountMinor }
    })
}

test('over 24 months what is certain is exact, and between P10 and P90 lie eight of ten days', () => {
  const within: Record<number, number[]> = {}
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const sales = sold(mulberry32(seed))
    const movements = new Movements(sales)
    for (const ahead of [1, 2, 7, 14, 30]) {
      let [held, said] = [0, 0]
      for (const day of days(monthsBegin, monthsEnd)) {
        const asOf = addDays(day, -ahead)
        // Computed a second time, from the sales themselves.
        let [certain, came] = [0n, 0n]
        for (const { availableOn, knownOn, amountMinor } of sales) {
          if (availableOn !== day) continue
          came += amountMinor
          if (knownOn <= asOf) certain += amountMinor
        }
        expect(movements.known(day, asOf)).toBe(certain)
        const { p10Minor, p90Minor } = movements.likely(day, asOf)!
        const rest = came - certain
        // Where nothing ever comes, saying so is no skill.
        if (p10Minor === p90Minor && rest === p10Minor) continue
        said++
        if (p10Minor <= rest && rest <= p90Minor) held++
      }
      const share = Math.round((1000 * held) / said) / 10
      if (said > 0) within[ahead] = [...(within[ahead] ?? []), share]
    }
  }
  console.log(`forecast: per cent of days between P10 and P90, by days ahead: ${JSON.stringify(within)}`)
  expect(Object.keys(within)).toEqual(['7', '14', '30'])
  for (const shares of Object.values(within))
    for (const share of shares) {
      expect(share).toBeGreaterThanOrEqual(75)
      expect(share).toBeLessThanOrEqual(85)
    }
})
