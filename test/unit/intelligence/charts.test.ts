import { describe, expect, test } from 'vitest'
import { acceptanceChart } from '../../../functions/insight/intelligence/charts/acceptance.ts'
import { cashFlowChart } from '../../../functions/insight/intelligence/charts/cash-flow.ts'
import {
  type AcceptanceReport,
  type CashFlowForecast,
  presentAcceptance,
} from '../../../functions/insight/intelligence/present.ts'
import { addDays } from '../../../src/kernel/bank-days.ts'
import { below, mulberry32 } from '../../support/random.ts'
import { elementsOf, numberOf, ofClass, texts } from '../../support/svg.ts'

const row = (group: string | null, accepted: number, declined: number) => ({
  group,
  payments: accepted + declined,
  accepted,
  declined,
  abandoned: 0,
  open: 0,
  unknown: 0,
  firstAccepted: accepted,
  blocked: 0,
  retried: 0,
  recovered: 0,
  acceptedMinor: 0n,
})
const acceptance = (groups: ReturnType<typeof row>[], total = row(null, 340, 60)): AcceptanceReport =>
  presentAcceptance(
    { begins_on: '2026-10-01', ends_on: '2026-10-31', currency: 'mxn' },
    'brand',
    total,
    groups,
  )

describe('the picture of accepted cards', () => {
  test('has a bar as long as each rate, and its interval', () => {
    const random = mulberry32(7)
    const groups = Array.from({ length: 12 }, (_, at) =>
      row(`g${at}`, 30 + below(random, 400), below(random, 200)),
    )
    const report = acceptance(groups)
    const elements = elementsOf(acceptanceChart(report, 'en'))
    const grid = ofClass(elements, 'axis').map((line) => numberOf(line, 'x1'))
    const [zero, whole] = [grid[0]!, grid.at(-1)!]
    const rows = [report, ...report.groups]
    const bars = ofClass(elements, 'bar')
    expect(bars).toHaveLength(rows.length)
    const ranges = ofClass(elements, 'range')
    for (const [at, { rate_bps, rate_low_bps, rate_high_bps }] of rows.entries()) {
      expect(numberOf(bars[at]!, 'width')).toBeCloseTo((rate_bps! / 10_000) * (whole - zero), 1)
      const [, low, high] = /^M([\d.]+) [\d.]+H([\d.]+)/.exec(ranges[at]!.attributes.d!)!
      expect(Number(low)).toBeCloseTo(zero + (rate_low_bps! / 10_000) * (whole - zero), 1)
      expect(Number(high)).toBeCloseTo(zero + (rate_high_bps! / 10_000) * (whole - zero), 1)
    }
  })

  test('says the numbers beside the bars; few payments have no bar, none have no interval', () => {
    const elements = elementsOf(acceptanceChart(acceptance([row('amex', 5, 2), row(null, 0, 0)]), 'es-MX'))
    expect(texts(elements)).toEqual(
      expect.arrayContaining([
        'Todas',
        '85.00 % · 340 de 400',
        'amex',
        '7: pocas para una tasa',
        'Sin dato',
        'ninguna decidida',
      ]),
    )
    expect([ofClass(elements, 'bar').length, ofClass(elements, 'range').length]).toEqual([1, 2])
  })

  test('has twenty groups, and says how many there are more', () => {
    const groups = Array.from({ length: 23 }, (_, at) => row(`g${at}`, 40, 4))
    const said = texts(elementsOf(acceptanceChart(acceptance(groups), 'en')))
    expect(said).toContain('g19')
    expect(said).not.toContain('g20')
    expect(said).toContain('and 3 groups more')
    const one = elementsOf(acceptanceChart(acceptance(groups.slice(0, 21)), 'en'))
    expect(texts(one)).toContain('and one group more')
  })

  test('says no rate of all where one was declined', () => {
    const said = texts(elementsOf(acceptanceChart(acceptance([], row(null, 2_499, 1)), 'en')))
    expect(said).toContain('99.96 % · 2499 of 2500')
  })

  test('shows a name as text, whatever stands in it', () => {
    const svg = acceptanceChart(acceptance([row('<a"&\'b>', 40, 4)]), 'en')
    expect(texts(elementsOf(svg))).toContain('<a"&\'b>')
    expect(svg).not.toContain('<a"')
  })
})

const forecast = (days: number, likely: boolean, random = mulberry32(3)): CashFlowForecast => ({
  object: 'cash_flow_forecast',
  currency: 'mxn',
  as_of: '2026-11-26',
  available: '1250000',
  days: Array.from({ length: days }, (_, at) => {
    const p10 = below(random, 50_000)
    const p50 = p10 + below(random, 50_000)
    return {
      day: addDays('2026-11-26', at + 1),
      certain: {
        amount_released: String(below(random, 900_000)),
        amount_reserve_released: String(below(random, 9_000)),
      },
      likely: likely
        ? { p10: String(p10), p50: String(p50), p90: String(p50 + below(random, 90_000)), weeks_count: 8 }
        : null,
    }
  }),
  payouts: [{ day: addDays('2026-11-26', 3), amount_certain: '1', amount_likely: null }],
  errors: [
    { days_ahead: 7, amount_mean: '96000', days_count: 28 },
    { days_ahead: 30, amount_mean: null, days_count: 0 },
  ],
})

describe('the picture of what will be in the balance', () => {
  test.each([2, 14, 45])('of %i days has a bar, a band and a line where the amounts are', (days) => {
    const shown = forecast(days, true)
    const elements = elementsOf(cashFlowChart(shown, 'en'))
    const bars = ofClass(elements, 'bar').slice(1) // the first is the legend's
    expect(bars).toHaveLength(days)
    // The bars are to each other as their amounts are; the axis begins at zero.
    const certain = shown.days.map(
      ({ certain: each }) => Number(each.amount_released) + Number(each.amount_reserve_released),
    )
    const largest = certain.indexOf(Math.max(...certain))
    const perMinor = numberOf(bars[largest]!, 'height') / certain[largest]!
    const bottom = numberOf(bars[largest]!, 'y') + numberOf(bars[largest]!, 'height')
    for (const [at, bar] of bars.entries())
      expect(numberOf(bar, 'height')).toBeCloseTo(certain[at]! * perMinor, 1)
    const half = ofClass(elements, 'likely').at(-1)!.attributes.d!
    const points = [...half.matchAll(/[ML]([\d.]+),([\d.]+)/g)].map(([, , y]) => Number(y))
    expect(points).toHaveLength(days)
    for (const [at, y] of points.entries())
      expect(y).toBeCloseTo(bottom - (certain[at]! + Number(shown.days[at]!.likely!.p50)) * perMinor, 0)
    expect(texts(elements)).toContain('7 days ahead, the mean error of the last month was $960.')
  })

  test('leaves out a payout of today, which has no place on the axis', () => {
    const shown = forecast(14, true)
    const today = { ...shown.payouts[0]!, day: shown.as_of }
    const drawn = cashFlowChart({ ...shown, payouts: [today, ...shown.payouts] }, 'en')
    expect(drawn).not.toContain('NaN')
    expect(ofClass(elementsOf(drawn), 'day')).toHaveLength(1)
  })

  test('of one day has a mark in place of the band and the line', () => {
    const elements = elementsOf(cashFlowChart(forecast(1, true), 'en'))
    const [, ...marks] = ofClass(elements, 'likely')
    expect([ofClass(elements, 'range').length, marks.length, ofClass(elements, 'band').length]).toEqual([
      1, 1, 1,
    ])
    expect(ofClass(elements, 'range')[0]!.attributes.d).toMatch(/^M[\d.]+ [\d.]+V[\d.]+M/)
  })

  test('of which only the nearer days have a likely part says so', () => {
    const shown = forecast(14, true)
    const days = shown.days.map((each, at) => (at < 7 ? each : { ...each, likely: null }))
    const said = texts(elementsOf(cashFlowChart({ ...shown, days }, 'en')))
    expect(said).toContain('Where there is no band, there are too few weeks to say what is likely.')
    expect(said).toContain('7 days ahead, the mean error of the last month was $960.')
  })

  test('of few weeks says so, and has no band', () => {
    const elements = elementsOf(cashFlowChart(forecast(14, false), 'es-MX'))
    expect(ofClass(elements, 'likely')).toHaveLength(1)
    expect(texts(elements)).toContain('Donde no hay banda, las semanas son pocas para decir qué es probable.')
  })

  test('of a merchant without a sale has axes and no bar', () => {
    const empty = forecast(14, false)
    const days = empty.days.map((each) => ({
      ...each,
      certain: { amount_released: '0', amount_reserve_released: '0' },
    }))
    const elements = elementsOf(cashFlowChart({ ...empty, days }, 'en'))
    expect(
      ofClass(elements, 'bar')
        .slice(1)
        .map((bar) => numberOf(bar, 'height')),
    ).toEqual(Array(14).fill(0))
  })

  test('draws what leaves the balance below zero', () => {
    const one = forecast(3, false)
    const days = one.days.map((each, at) => ({
      ...each,
      certain: { amount_released: at === 1 ? '-50000' : '50000', amount_reserve_released: '0' },
    }))
    const [above, below_] = ofClass(elementsOf(cashFlowChart({ ...one, days }, 'en')), 'bar').slice(1)
    expect(numberOf(below_!, 'y')).toBeCloseTo(numberOf(above!, 'y') + numberOf(above!, 'height'), 1)
    expect(numberOf(below_!, 'height')).toBeCloseTo(numberOf(above!, 'height'), 1)
  })
})
