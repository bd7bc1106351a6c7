import { describe, expect, it } from 'vitest'
import {
  type FeeSchedule,
  minimumAmount,
  parseFeeSchedules,
  scheduleAt,
  scheduleByVersion,
} from '../../../functions/money/payments/fee-schedule.ts'
import {
  availableOn,
  buyerTotal,
  cardFees,
  disputeFeeOf,
  feesOf,
  installmentOffers,
} from '../../../functions/money/payments/pricing.ts'

const clip = {
  version: 'mxn-2026-01',
  effectiveFrom: '2026-01-01T06:00:00Z',
  currency: 'mxn',
  card: { rateBps: 360, fixedMinor: '0' },
  installments: { 3: 450, 6: 750, 9: 990, 12: 1195 },
  ivaBps: 1600,
  availabilityBankDays: 2,
  installmentMinimumPerMonthMinor: '10000',
  minimumAmountMinor: '1000',
}

function scheduleOf(changes: Record<string, unknown> = {}): FeeSchedule {
  return parseFeeSchedules(JSON.stringify([{ ...clip, ...changes }]))[0]!
}

const schedule = scheduleOf()
const fixed = scheduleOf({ card: { rateBps: 360, fixedMinor: '300' } })
const absorb = { feeAllocation: 'absorb', merchantMarkupBps: 0 } as const
const passOn = (merchantMarkupBps: number) => ({ feeAllocation: 'pass_to_buyer', merchantMarkupBps }) as const

describe('a card that is presented to a device', () => {
  const presented = scheduleOf({ card_present: { rateBps: 290, fixedMinor: '100' } })
  const of = (months: number, schedule = presented) =>
    feesOf({ method: 'card_present', amountMinor: 120_000n, months, schedule })

  it('has a rate of its own, and the surcharge of its term', () => {
    expect(of(1)).toEqual({
      processingMinor: 3_580n,
      installmentsMinor: 0n,
      ivaMinor: 573n,
      netMinor: 115_847n,
    })
    expect(of(3)).toMatchObject({ processingMinor: 3_580n, installmentsMinor: 5_400n })
  })

  it('is not priced where the schedule has no rate for it, and never below its cost', () => {
    expect(() => of(1, schedule)).toThrow('has no card_present')
    expect(() => scheduleOf({ card_present: { rateBps: 290, fixedMinor: '1000' } })).toThrow(
      'the fees of a single payment would take all of 1000',
    )
  })
})

describe('cardFees', () => {
  it.each([
    // areas.md 23.3, Clip at twelve months
    {
      amount: 120_000n,
      months: 12,
      of: schedule,
      processing: 4_320n,
      msi: 14_340n,
      iva: 2_986n,
      net: 98_354n,
    },
    { amount: 120_000n, months: 1, of: schedule, processing: 4_320n, msi: 0n, iva: 691n, net: 114_989n },
    {
      amount: 120_000n,
      months: 3,
      of: schedule,
      processing: 4_320n,
      msi: 5_400n,
      iva: 1_555n,
      net: 108_725n,
    },
    { amount: 120_000n, months: 1, of: fixed, processing: 4_620n, msi: 0n, iva: 739n, net: 114_641n },
    { amount: 1_000n, months: 1, of: fixed, processing: 336n, msi: 0n, iva: 54n, net: 610n },
    // half-up at each line: 36.5 -> 37 and 5.92 -> 6
    { amount: 1_014n, months: 1, of: schedule, processing: 37n, msi: 0n, iva: 6n, net: 971n },
    // below the minimum, fees may exceed the amount: calculated as they are, refused before any charge
    { amount: 100n, months: 1, of: fixed, processing: 304n, msi: 0n, iva: 49n, net: -253n },
    { amount: 0n, months: 1, of: schedule, processing: 0n, msi: 0n, iva: 0n, net: 0n },
  ])('$amount in $months: net $net', ({ amount, months, of, processing, msi, iva, net }) => {
    expect(cardFees({ amountMinor: amount, months, schedule: of })).toEqual({
      processingMinor: processing,
      installmentsMinor: msi,
      ivaMinor: iva,
      netMinor: net,
    })
  })

  it.each([2, 18, 0, -1])('refuses a term of %s months', (months) => {
    expect(() => cardFees({ amountMinor: 1n, months, schedule })).toThrow(RangeError)
  })
})

describe('buyerTotal', () => {
  it.each([
    { amount: 100_000n, pricing: absorb, months: 6, is: 100_000n },
    { amount: 100_000n, pricing: null, months: 6, is: 100_000n },
    { amount: 100_000n, pricing: passOn(0), months: 6, is: 100_000n },
    { amount: 100_000n, pricing: passOn(870), months: 6, is: 108_700n },
    { amount: 100_000n, pricing: passOn(870), months: 12, is: 108_700n },
    { amount: 100_000n, pricing: passOn(870), months: 1, is: 100_000n },
    { amount: 99_999n, pricing: passOn(5), months: 3, is: 100_049n },
    { amount: 1_000n, pricing: passOn(5), months: 3, is: 1_001n },
    { amount: 999n, pricing: passOn(5), months: 3, is: 999n },
  ])('$amount with $pricing in $months is $is', ({ amount, pricing, months, is }) => {
    expect(buyerTotal({ amountMinor: amount, pricing, months })).toBe(is)
  })
})

describe('installmentOffers', () => {
  const offer = (months: number, first: bigint, per: bigint, total: bigint) => ({
    months,
    firstPaymentMinor: first,
    perMonthMinor: per,
    buyerTotalMinor: total,
  })
  const all = [3, 6, 9, 12]
  const twelve = [offer(12, 9_133n, 9_127n, 109_530n)]

  it.each([
    {
      name: 'the remainder goes first',
      amount: 109_530n,
      allowed: [12],
      eligible: all,
      pricing: absorb,
      of: scheduleOf({ installmentMinimumPerMonthMinor: '0' }),
      is: twelve,
    },
    {
      name: 'every term, shortest first',
      amount: 120_000n,
      allowed: [12, 3, 9, 6],
      eligible: all,
      pricing: absorb,
      of: schedule,
      is: [
        offer(3, 40_000n, 40_000n, 120_000n),
        offer(6, 20_000n, 20_000n, 120_000n),
        offer(9, 13_336n, 13_333n, 120_000n),
        offer(12, 10_000n, 10_000n, 120_000n),
      ],
    },
    {
      name: 'one markup for every term',
      amount: 60_000n,
      allowed: all,
      eligible: all,
      pricing: passOn(870),
      of: schedule,
      is: [offer(3, 21_740n, 21_740n, 65_220n), offer(6, 10_870n, 10_870n, 65_220n)],
    },
    {
      name: 'one centavo below the minimum',
      amount: 29_999n,
      allowed: all,
      eligible: all,
      pricing: absorb,
      of: schedule,
      is: [],
    },
    {
      name: 'at the minimum',
      amount: 30_000n,
      allowed: all,
      eligible: all,
      pricing: absorb,
      of: schedule,
      is: [offer(3, 10_000n, 10_000n, 30_000n)],
    },
    {
      name: 'a markup opens no term',
      amount: 29_999n,
      allowed: all,
      eligible: all,
      pricing: passOn(2_000),
      of: schedule,
      is: [],
    },
    {
      name: 'debit cards are eligible for nothing',
      amount: 120_000n,
      allowed: all,
      eligible: [],
      pricing: absorb,
      of: schedule,
      is: [],
    },
    {
      name: 'only what the link allows',
      amount: 120_000n,
      allowed: [3],
      eligible: all,
      pricing: absorb,
      of: schedule,
      is: [offer(3, 40_000n, 40_000n, 120_000n)],
    },
    {
      name: 'only what the card is eligible for',
      amount: 120_000n,
      allowed: all,
      eligible: [3],
      pricing: null,
      of: schedule,
      is: [offer(3, 40_000n, 40_000n, 120_000n)],
    },
    {
      name: 'a term named twice appears once',
      amount: 120_000n,
      allowed: [3, 3],
      eligible: [3, 3],
      pricing: null,
      of: schedule,
      is: [offer(3, 40_000n, 40_000n, 120_000n)],
    },
    {
      name: 'no term without a price',
      amount: 999_999n,
      allowed: [18, 24, 1],
      eligible: [18, 24, 1],
      pricing: absorb,
      of: schedule,
      is: [],
    },
  ])('$name', ({ amount, allowed, eligible, pricing, of, is }) => {
    expect(
      installmentOffers({
        amountMinor: amount,
        allowedMonths: allowed,
        eligibleMonths: eligible,
        pricing,
        schedule: of,
      }),
    ).toEqual(is)
  })
})

describe('availableOn', () => {
  it.each([
    { captured: '2026-06-10T18:00:00Z', is: '2026-06-12', why: 'two bank days' },
    { captured: '2026-06-11T05:59:00Z', is: '2026-06-12', why: 'still the evening before in Mexico City' },
    { captured: '2026-06-12T18:00:00Z', is: '2026-06-16', why: 'over a weekend' },
    { captured: '2026-04-01T18:00:00Z', is: '2026-04-07', why: 'over Holy Week' },
  ])('captured $captured: $is ($why)', ({ captured, is }) => {
    expect(availableOn(new Date(captured), schedule, 'card')).toBe(is)
  })
})

describe('minimumAmount', () => {
  it.each([
    { months: 1, is: 1_000n },
    { months: 3, is: 30_000n },
    { months: 12, is: 120_000n },
  ])('$months months: $is', ({ months, is }) => {
    expect(minimumAmount(schedule, months)).toBe(is)
  })
})

describe('scheduleAt and scheduleByVersion', () => {
  const schedules = parseFeeSchedules(
    JSON.stringify([
      { ...clip, version: 'b', effectiveFrom: '2026-07-01T06:00:00Z' },
      { ...clip, version: 'usd', currency: 'usd', installments: {}, effectiveFrom: '2026-03-01T06:00:00Z' },
      { ...clip, version: 'a' },
    ]),
  )

  it.each([
    { at: '2026-01-01T05:59:59.999Z', currency: 'mxn', is: undefined },
    { at: '2026-01-01T06:00:00.000Z', currency: 'mxn', is: 'a' },
    { at: '2026-07-01T05:59:59.999Z', currency: 'mxn', is: 'a' },
    { at: '2026-07-01T06:00:00.000Z', currency: 'mxn', is: 'b' },
    { at: '2030-01-01T00:00:00.000Z', currency: 'usd', is: 'usd' },
    { at: '2030-01-01T00:00:00.000Z', currency: 'eur', is: undefined },
  ])('$currency at $at: $is', ({ at, currency, is }) => {
    expect(scheduleAt(schedules, new Date(at), currency)?.version).toBe(is)
  })

  it('finds the version that a stored payment names', () => {
    expect(scheduleByVersion(schedules, 'a')?.effectiveFrom.toISOString()).toBe('2026-01-01T06:00:00.000Z')
    expect(scheduleByVersion(schedules, 'gone')).toBeUndefined()
  })
})

describe('disputeFeeOf', () => {
  it.each([
    { fee: '15000', feeMinor: 15_000n, ivaMinor: 2_400n },
    // 2.56 and 2.4: half-up
    { fee: '16', feeMinor: 16n, ivaMinor: 3n },
    { fee: '15', feeMinor: 15n, ivaMinor: 2n },
    { fee: undefined, feeMinor: 0n, ivaMinor: 0n },
  ])('$fee', ({ fee, ...expected }) => {
    expect(disputeFeeOf(scheduleOf(fee === undefined ? {} : { disputeFeeMinor: fee }))).toEqual(expected)
  })
})

describe('parseFeeSchedules', () => {
  it('reads every field', () => {
    expect(schedule).toEqual({
      version: 'mxn-2026-01',
      effectiveFrom: new Date('2026-01-01T06:00:00Z'),
      currency: 'mxn',
      card: { rateBps: 360, fixedMinor: 0n },
      card_present: null,
      oxxo: null,
      spei: null,
      reserve: { rateBps: 0, days: 0 },
      refundOverdraftMinor: 0n,
      disputeFeeMinor: 0n,
      installments: new Map([
        [3, 450],
        [6, 750],
        [9, 990],
        [12, 1195],
      ]),
      ivaBps: 1600,
      availabilityBankDays: 2,
      installmentMinimumPerMonthMinor: 10_000n,
      minimumAmountMinor: 1_000n,
    })
  })

  it.each([
    { json: 'nonsense', says: 'FEE_SCHEDULES: not JSON' },
    { json: '[]', says: 'FEE_SCHEDULES: expected a JSON array with schedules' },
    { json: '{}', says: 'FEE_SCHEDULES: expected a JSON array with schedules' },
    { json: '[null]', says: 'FEE_SCHEDULES[0]: not an object' },
  ])('$json: $says', ({ json, says }) => {
    expect(() => parseFeeSchedules(json)).toThrow(says)
  })

  it.each<{ change: Record<string, unknown>; says: string }>([
    { change: { version: '' }, says: 'FEE_SCHEDULES[0].version: expected' },
    { change: { version: 7 }, says: 'FEE_SCHEDULES[0].version: expected' },
    { change: { effectiveFrom: '2026-01-01' }, says: 'FEE_SCHEDULES[0].effectiveFrom: expected' },
    {
      change: { effectiveFrom: '2026-13-01T00:00:00Z' },
      says: 'FEE_SCHEDULES[0].effectiveFrom: no such instant',
    },
    { change: { currency: 'MXN' }, says: 'FEE_SCHEDULES[0].currency: expected' },
    { change: { card: undefined }, says: 'FEE_SCHEDULES[0].card: not an object' },
    {
      change: { card: { rateBps: 3.6, fixedMinor: '0' } },
      says: 'FEE_SCHEDULES[0].card.rateBps: expected a whole number',
    },
    {
      change: { card: { rateBps: 360, fixedMinor: 0 } },
      says: 'FEE_SCHEDULES[0].card.fixedMinor: expected minor units',
    },
    { change: { installments: [] }, says: 'FEE_SCHEDULES[0].installments: not an object' },
    { change: { installments: { 1: 100 } }, says: 'FEE_SCHEDULES[0].installments.1: expected months' },
    { change: { installments: { '3 ': 100 } }, says: 'FEE_SCHEDULES[0].installments.3 : expected months' },
    { change: { installments: { 3: -1 } }, says: 'FEE_SCHEDULES[0].installments.3: expected a whole number' },
    { change: { disputeFeeMinor: 150 }, says: 'FEE_SCHEDULES[0].disputeFeeMinor: expected minor units' },
    { change: { ivaBps: '1600' }, says: 'FEE_SCHEDULES[0].ivaBps: expected a whole number' },
    {
      change: { availabilityBankDays: 61 },
      says: 'FEE_SCHEDULES[0].availabilityBankDays: expected a whole number',
    },
    {
      change: { installmentMinimumPerMonthMinor: '-1' },
      says: 'FEE_SCHEDULES[0].installmentMinimumPerMonthMinor: expected minor',
    },
    {
      change: { minimumAmountMinor: undefined },
      says: 'FEE_SCHEDULES[0].minimumAmountMinor: expected minor',
    },
    { change: { surprise: 1 }, says: 'FEE_SCHEDULES[0].surprise: unknown field' },
    {
      change: { minimumAmountMinor: '300', card: { rateBps: 360, fixedMinor: '300' } },
      says: 'the fees of a single payment would take all of 300',
    },
    { change: { installments: { 3: 8_500 } }, says: 'the fees of 3 months would take all of 30000' },
  ])('$change', ({ change, says }) => {
    expect(() => scheduleOf(change)).toThrow(says)
  })

  it.each([
    { other: {}, says: 'version "mxn-2026-01" appears twice' },
    { other: { currency: 'usd' }, says: 'version "mxn-2026-01" appears twice' },
    { other: { version: 'b' }, says: 'start at the same instant' },
  ])('two schedules: $says', ({ other, says }) => {
    expect(() => parseFeeSchedules(JSON.stringify([clip, { ...clip, ...other }]))).toThrow(says)
  })
})
