import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import {
  type FeeSchedule,
  minimumAmount,
  parseFeeSchedules,
} from '../../../functions/money/payments/fee-schedule.ts'
import { disputeFeeOf, feesOf } from '../../../functions/money/payments/pricing.ts'
import { PROJECT } from '../../../local/project.ts'
import { bpsOf } from '../../../src/kernel/money.ts'
import { cardMethod, presentedMethod, pushMethods } from '../../../src/kernel/payment-methods.ts'
import { stripeCosts } from '../../../src/processors/stripe/costs.ts'

// A sale on the environment's own account must not cost more than it brings, nor be paid out before its money is there.

const { vars } = unstable_readConfig(
  { config: join(PROJECT, 'wrangler.toml'), env: 'live' },
  { hideWarnings: true },
)
const live = parseFeeSchedules(JSON.stringify(vars.FEE_SCHEDULES)).filter(
  ({ currency }) => currency === stripeCosts.currency,
)

interface Sold {
  readonly method: (typeof pushMethods)[number] | typeof cardMethod | typeof presentedMethod
  readonly months: number
  readonly costBps: number
  readonly costMinor: bigint
  readonly leastMinor: bigint
}

function soldUnder(schedule: FeeSchedule): Sold[] {
  const { card, foreignCardBps, installments } = stripeCosts
  const atOnce = { method: cardMethod, months: 1, costMinor: card.fixedMinor }
  const foreign = {
    ...atOnce,
    costBps: card.rateBps + foreignCardBps,
    leastMinor: minimumAmount(schedule, 1),
  }
  const { rateBps, fixedMinor } = stripeCosts[presentedMethod]
  const presented = {
    method: presentedMethod,
    months: 1,
    costBps: rateBps + foreignCardBps,
    costMinor: fixedMinor,
    leastMinor: minimumAmount(schedule, 1),
  }
  const terms = [...schedule.installments.keys()].map((months) => {
    const bps = installments[months as keyof typeof installments]
    expect(bps, `what Stripe takes for ${months} months`).toBeDefined()
    return { ...atOnce, months, costBps: card.rateBps + bps, leastMinor: minimumAmount(schedule, months) }
  })
  const pushed = pushMethods.flatMap((method) => {
    const terms = schedule[method]
    const { rateBps: costBps, fixedMinor: costMinor } = stripeCosts[method]
    return terms ? [{ method, months: 1, costBps, costMinor, leastMinor: terms.minimumAmountMinor }] : []
  })
  return [foreign, ...(schedule[presentedMethod] ? [presented] : []), ...terms, ...pushed]
}

test('live has schedules in pesos', () => expect(live.length).toBeGreaterThan(0))

test.each(live.map((schedule) => [schedule.version, schedule] as const))(
  '%s charges at least what Stripe takes, of every method, term and amount',
  (_version, schedule) => {
    const losses = soldUnder(schedule).flatMap(({ method, months, costBps, costMinor, leastMinor }) =>
      [0n, 1n, 137n, 5_000n, 1_000_000n, 99_999_999n].flatMap((moreMinor) => {
        const amountMinor = leastMinor + moreMinor
        const { processingMinor, installmentsMinor } = feesOf({ method, amountMinor, months, schedule })
        const taken = bpsOf(amountMinor, costBps) + costMinor
        const left = processingMinor + installmentsMinor - taken
        // Each of our two fees is rounded for itself.
        return left < -1n ? [`${method}, ${months} months, ${amountMinor}: ${left}`] : []
      }),
    )
    expect(losses).toEqual([])
  },
)

test.each(live.map((schedule) => [schedule.version, schedule] as const))(
  '%s charges at least what Stripe takes for a dispute,',
  (_version, schedule) => {
    expect(disputeFeeOf(schedule).feeMinor).toBeGreaterThanOrEqual(stripeCosts.disputeMinor)
  },
)

test.each(live.map((schedule) => [schedule.version, schedule] as const))(
  '%s makes no balance available before Stripe has settled it',
  (_version, schedule) => {
    expect(schedule.availabilityBankDays).toBeGreaterThanOrEqual(stripeCosts.card.settledBankDays)
    if (schedule[presentedMethod])
      expect(schedule.availabilityBankDays).toBeGreaterThanOrEqual(
        stripeCosts[presentedMethod].settledBankDays,
      )
    for (const method of pushMethods)
      expect(schedule[method]?.availabilityBankDays ?? 60, method).toBeGreaterThanOrEqual(
        stripeCosts[method].settledBankDays,
      )
  },
)
