import { describe, expect, test } from 'vitest'
import { choose, entryOf, kindOf, type OpenActivity } from '../../../functions/payouts/entries.ts'
import { nextPayoutOn, type Rhythm } from '../../../functions/payouts/schedule.ts'

describe('the next payout', () => {
  const daily = { interval: 'daily', anchorDay: null } as const
  const weekly = (anchorDay: number): Rhythm => ({ interval: 'weekly', anchorDay })
  const monthly = (anchorDay: number): Rhythm => ({ interval: 'monthly', anchorDay })
  const cases: [what: string, today: string, rhythm: Rhythm, next: string | null][] = [
    ['daily', '2026-11-18', daily, '2026-11-19'],
    ['daily, over a weekend', '2026-11-20', daily, '2026-11-23'],
    ['daily, over a holiday', '2026-12-24', daily, '2026-12-28'],
    ['weekly', '2026-11-18', weekly(5), '2026-11-20'],
    ['weekly, on its own day: the week after', '2026-11-20', weekly(5), '2026-11-27'],
    ['weekly, on a holiday', '2026-11-12', weekly(1), '2026-11-17'],
    ['weekly, on Sundays', '2026-11-18', weekly(7), '2026-11-23'],
    ['monthly', '2026-11-02', monthly(10), '2026-11-10'],
    ['monthly, over the end of the year', '2026-12-15', monthly(15), '2027-01-15'],
    ['monthly, in a short month', '2027-02-01', monthly(31), '2027-03-01'],
    ['monthly, on its last day', '2026-11-01', monthly(31), '2026-11-30'],
    ['by hand', '2026-11-18', { interval: 'manual', anchorDay: null }, null],
  ]
  test.each(cases)('%s', (_what, today, rhythm, next) => {
    expect(nextPayoutOn(today, rhythm)).toBe(next)
  })
})

const activity = (amountMinor: bigint, feeMinor = 0n, about = 'payment/release'): OpenActivity => {
  const [sourceType, entryKind] = about.split('/') as [string, string]
  return { id: `a${amountMinor}`, sourceType, sourceId: 's', entryKind, amountMinor, feeMinor }
}

describe('entries', () => {
  const lines: [about: string, amount: bigint, fee: bigint, kind: string, gross: bigint, feeShown: bigint][] =
    [
      ['payment/release', 90n, 10n, 'payment', 100n, 10n],
      ['payment/reserve_release', 5n, 10n, 'reserve', 5n, 0n],
      ['refund/refund', -40n, 0n, 'refund', -40n, 0n],
      ['dispute/hold', -100n, 0n, 'dispute', -100n, 0n],
      ['payout/payout_returned', 70n, 0n, 'payout_return', 70n, 0n],
    ]
  test.each(lines)('%s', (about, amount, fee, kind, gross, feeShown) => {
    expect(entryOf(activity(amount, fee, about))).toMatchObject({
      kind,
      grossMinor: gross,
      feeMinor: feeShown,
      netMinor: amount,
    })
  })

  test('a journal without a name here is no entry', () => {
    expect(() => kindOf('payout', 'payout')).toThrow(RangeError)
  })
})

describe('what a payout takes', () => {
  const cases: [what: string, debits: bigint[], credits: bigint[], available: bigint, taken: bigint[]][] = [
    ['all there is', [-30n], [50n, 60n], 80n, [-30n, 50n, 60n]],
    ['nothing of nothing', [], [], 0n, []],
    ['nothing while debits are more than credits', [-90n], [50n], -40n, []],
    ['nothing when they are as much', [-50n], [50n], 0n, []],
    ['fewer credits when debits that did not fit are to be recovered', [-30n], [50n, 60n], 25n, [-30n, 50n]],
    ['fewer debits when credits that did not fit cover them', [-30n, -90n], [50n], 500n, [-30n, 50n]],
  ]
  test.each(cases)('%s', (_what, debits, credits, available, taken) => {
    const chosen = choose(
      debits.map((each) => activity(each)),
      credits.map((each) => activity(each)),
      available,
    )
    expect(chosen.map(({ amountMinor }) => amountMinor)).toEqual(taken)
  })
})
