import { describe, expect, test } from 'vitest'
import { parseFeeSchedules } from '../../../functions/money/payments/fee-schedule.ts'
import { planDue, release, reserveRelease } from '../../../functions/money/payments/plan-due.ts'
import { planOutcome } from '../../../functions/money/payments/plan-outcome.ts'
import { availableOn, feesOf, reserveOf } from '../../../functions/money/payments/pricing.ts'
import { answers, clockAt, configured, now, oxxoFees, scheduleOf, submission } from './samples.ts'

const schedule = scheduleOf({
  oxxo: { ...oxxoFees, fixedMinor: '250' },
  spei: {
    rateBps: 0,
    fixedMinor: '800',
    availabilityBankDays: 3,
    minimumAmountMinor: '1000',
    maximumAmountMinor: '10000000000',
  },
  reserve: { rateBps: 1_000, days: 90 },
})

describe('fees of cash', () => {
  test.each([
    // 3.9 % of 1,234.57 is 48.14823: 48.15 (half-up), and 2.50; IVA of 50.65 is 8.104.
    [
      'oxxo',
      123_457n,
      { processingMinor: 5_065n, installmentsMinor: 0n, ivaMinor: 810n, netMinor: 117_582n },
    ],
    // 3.9 % of 10.00 is 0.39; with 2.50 it is 2.89; IVA 0.4624.
    ['oxxo', 1_000n, { processingMinor: 289n, installmentsMinor: 0n, ivaMinor: 46n, netMinor: 665n }],
    ['spei', 1_000n, { processingMinor: 800n, installmentsMinor: 0n, ivaMinor: 128n, netMinor: 72n }],
    [
      'spei',
      9_999_999n,
      { processingMinor: 800n, installmentsMinor: 0n, ivaMinor: 128n, netMinor: 9_999_071n },
    ],
  ] as const)('%s of %s', (method, amountMinor, fees) => {
    expect(feesOf({ method, amountMinor, months: 1, schedule })).toEqual(fees)
  })

  test('each method has its own bank days: from a Thursday before a Monday that is a holiday', () => {
    const thursday = new Date('2026-11-12T18:00:00Z')
    expect(availableOn(thursday, schedule, 'oxxo')).toBe('2026-11-13')
    expect(availableOn(thursday, schedule, 'card')).toBe('2026-11-17')
    expect(availableOn(thursday, schedule, 'spei')).toBe('2026-11-18')
  })

  test.each([
    ['a rate that takes all', { rateBps: 10_000 }],
    ['a fixed fee above the minimum', { fixedMinor: '900' }],
  ])('a schedule with %s is refused', (_what, change) => {
    const bad = [configured({ oxxo: { ...oxxoFees, ...change } })]
    expect(() => parseFeeSchedules(JSON.stringify(bad))).toThrow(
      'FEE_SCHEDULES[0].oxxo: its fees would take all',
    )
  })
})

describe('the day on which the processor says that its money is there', () => {
  const captured = (settledOn?: string) => {
    const { payment, attempt } = submission()
    const answer = { ...answers.captured, ...(settledOn === undefined ? {} : { settledOn }) }
    const sold = () => ({ writes: [], events: [] })
    const plan = planOutcome({ payment, attempt }, answer, schedule, sold, clockAt(now))!
    return plan.reply as { available_on: string }
  }
  test.each(['2026-06-13', '2026-06-14', '2026-06-20'])(
    'is the day of the balance, sooner or later than the schedule says: %s',
    (day) => {
      expect(captured().available_on).toBe('2026-06-16')
      expect(captured(day).available_on).toBe(day)
    },
  )
})

describe('the reserve', () => {
  test.each([
    [114_989n, { reserveMinor: 11_499n, reserveReleaseOn: '2026-09-14' }],
    [4n, { reserveMinor: 0n, reserveReleaseOn: null }],
    [5n, { reserveMinor: 1n, reserveReleaseOn: '2026-09-14' }],
    [0n, { reserveMinor: 0n, reserveReleaseOn: null }],
    [-5n, { reserveMinor: 0n, reserveReleaseOn: null }],
  ])('of a net of %s', (netMinor, kept) => {
    expect(reserveOf(netMinor, '2026-06-16', schedule)).toEqual(kept)
  })

  test('is kept back when the net becomes available, and released once', () => {
    const { payment } = submission({}, { status: 'succeeded', fundsStatus: 'pending', netMinor: 114_989n })
    const kept = { ...payment, reserveMinor: 11_499n, reserveReleaseOn: '2026-09-14' }
    expect(planDue([kept], release, clockAt(now))!.writes.at(-1)).toMatchObject({
      kind: 'postEach',
      journals: [
        {
          entryKind: 'release',
          postings: [
            { account: 'merchant_pending', amountMinor: -114_989n },
            { account: 'merchant_available', amountMinor: 103_490n },
            { account: 'merchant_reserve', amountMinor: 11_499n },
          ],
        },
      ],
    })
    expect(planDue([kept], reserveRelease, clockAt(now))).toBeNull()
    const available = { ...kept, fundsStatus: 'available' as const }
    expect(planDue([available], reserveRelease, clockAt(now))!.writes).toMatchObject([
      { kind: 'changeEach', set: { reserveReleaseOn: null } },
      {
        kind: 'postEach',
        journals: [
          {
            entryKind: 'reserve_release',
            postings: [
              { account: 'merchant_reserve', amountMinor: -11_499n },
              { account: 'merchant_available', amountMinor: 11_499n },
            ],
          },
        ],
      },
    ])
    expect(planDue([{ ...available, reserveReleaseOn: null }], reserveRelease, clockAt(now))).toBeNull()
  })
})
