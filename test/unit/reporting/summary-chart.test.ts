import { describe, expect, test } from 'vitest'
import { summaryChart } from '../../../functions/insight/reporting/charts/summary.ts'
import { presentSummary } from '../../../functions/insight/reporting/present-summary.ts'
import { elementsOf, numberOf, ofClass, texts } from '../../support/svg.ts'

const row = (group: string | null, grossMinor: bigint, refundsMinor = 0n) => ({
  group,
  grossMinor,
  refundsMinor,
  disputesMinor: 0n,
  feesMinor: grossMinor / 30n,
  ivaMinor: grossMinor / 200n,
  paymentsCount: 1,
  refundsCount: 0,
  disputesCount: 0,
})
const shown = {
  begins_on: '2026-10-01',
  ends_on: '2026-10-31',
  time_zone: 'America/Mexico_City',
  currency: 'mxn',
  by: 'location',
} as const
const summary = (rows: ReturnType<typeof row>[]) =>
  presentSummary(shown, new Date('2026-11-01T12:00:30Z'), rows)

describe('the picture of a summary', () => {
  test('has a bar as long as what was captured of each group, a mark at its net, and both amounts in words', () => {
    const report = summary([row('roma', 120_000n), row('condesa', 60_000n, 90_000n), row(null, 0n)])
    const elements = elementsOf(summaryChart(report, 'en'))
    const [axis] = ofClass(elements, 'axis')
    const zero = numberOf(axis!, 'x1')
    const [, ...bars] = ofClass(elements, 'bar')
    const [, ...marks] = ofClass(elements, 'range')
    const rows = [report, ...report.groups]
    const perMinor = numberOf(bars[0]!, 'width') / Number(report.amount_gross)
    const said = texts(elements)
    for (const [at, { amount_gross, amount_net }] of rows.entries()) {
      expect(numberOf(bars[at]!, 'x')).toBe(zero)
      expect(numberOf(bars[at]!, 'width')).toBeCloseTo(Number(amount_gross) * perMinor, 1)
      const [, place] = /^M([\d.]+) /.exec(marks[at]!.attributes.d!)!
      expect(Number(place)).toBeCloseTo(zero + Number(amount_net) * perMinor, 1)
    }
    expect(said).toEqual(
      expect.arrayContaining(['All', 'roma', 'condesa', 'At no location', '$1,200.00 · net $1,154.00']),
    )
    expect(said).toContain('$600.00 · net −$323.00')
    expect(said).toContain('With what was booked until 2026-11-01 12:00 UTC.')
  })

  test('in Spanish shows as many groups as fit, and says how many more there are', () => {
    const rows = Array.from({ length: 40 }, (_, at) => row(`2026-10-${at}`, 100n))
    const said = texts(elementsOf(summaryChart(summary(rows), 'es-MX')))
    expect(said).toEqual(expect.arrayContaining(['Todo', 'cobrado', 'neto', 'y 9 grupos más']))
  })

  test('of days without a payment has no bar', () => {
    const elements = elementsOf(summaryChart({ ...summary([]), by: null }, 'en'))
    expect(
      ofClass(elements, 'bar')
        .slice(1)
        .map((bar) => numberOf(bar, 'width')),
    ).toEqual([0])
  })
})
