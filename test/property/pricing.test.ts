import './seed.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type FeeSchedule,
  minimumAmount,
  parseFeeSchedules,
} from '../../functions/money/payments/fee-schedule.ts'
import { buyerTotal, cardFees, installmentOffers } from '../../functions/money/payments/pricing.ts'

const config = fc.record({
  version: fc.constant('v'),
  effectiveFrom: fc.constant('2026-01-01T06:00:00Z'),
  currency: fc.constant('mxn'),
  card: fc.record({ rateBps: fc.nat(1_000), fixedMinor: fc.nat(1_000).map(String) }),
  installments: fc.dictionary(fc.constantFrom('3', '6', '9', '12', '18', '24'), fc.nat(3_000)),
  ivaBps: fc.constantFrom(0, 800, 1_600),
  availabilityBankDays: fc.nat(5),
  installmentMinimumPerMonthMinor: fc.nat(20_000).map(String),
  minimumAmountMinor: fc.nat(5_000).map(String),
})

const pricing = fc.oneof(
  fc.constant(null),
  fc.constant({ feeAllocation: 'absorb' as const, merchantMarkupBps: 0 }),
  fc.nat(3_000).map((merchantMarkupBps) => ({ feeAllocation: 'pass_to_buyer' as const, merchantMarkupBps })),
)

function accepted(json: unknown): FeeSchedule | undefined {
  try {
    return parseFeeSchedules(JSON.stringify([json]))[0]
  } catch {
    return undefined
  }
}

describe('pricing', () => {
  it('every schedule that is accepted leaves the merchant something from the minimum on, and the lines add up', () => {
    fc.assert(
      fc.property(config, fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, 10n ** 12n)), (json, above) => {
        const schedule = accepted(json)
        fc.pre(schedule !== undefined)
        for (const months of [1, ...schedule.installments.keys()]) {
          const amountMinor = minimumAmount(schedule, months) + above
          const { processingMinor, installmentsMinor, ivaMinor, netMinor } = cardFees({
            amountMinor,
            months,
            schedule,
          })
          expect(processingMinor + installmentsMinor + ivaMinor + netMinor).toBe(amountMinor)
          expect(netMinor > 0n).toBe(true)
          expect(installmentsMinor >= 0n && ivaMinor >= 0n).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('every offer was asked for, reaches its minimum and sums to what the buyer pays', () => {
    const months = fc.subarray([3, 6, 9, 12, 18, 24])
    fc.assert(
      fc.property(
        config,
        fc.bigInt(1n, 10n ** 9n),
        months,
        months,
        pricing,
        (json, amountMinor, allowed, eligible, choice) => {
          const schedule = accepted(json)
          fc.pre(schedule !== undefined)
          const offers = installmentOffers({
            amountMinor,
            allowedMonths: allowed,
            eligibleMonths: eligible,
            pricing: choice,
            schedule,
          })
          const expected = allowed.filter(
            (term) =>
              eligible.includes(term) &&
              schedule.installments.has(term) &&
              amountMinor >= minimumAmount(schedule, term),
          )
          expect(offers.map((offer) => offer.months)).toEqual(expected)
          for (const offer of offers) {
            const total = offer.firstPaymentMinor + BigInt(offer.months - 1) * offer.perMonthMinor
            expect(total).toBe(offer.buyerTotalMinor)
            expect(total).toBe(buyerTotal({ amountMinor, pricing: choice, months: offer.months }))
            expect(offer.firstPaymentMinor >= offer.perMonthMinor).toBe(true)
            expect(offer.buyerTotalMinor).toBe(offers[0]!.buyerTotalMinor)
          }
        },
      ),
    )
  })
})
