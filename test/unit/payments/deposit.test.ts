import { describe, expect, it } from 'vitest'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { clabes, speiDeposits, unappliedFunds } from '../../../drizzle/schema/push-payments.ts'
import { planArrival } from '../../../functions/money/payments/plan-deposit.ts'
import { availableOn } from '../../../functions/money/payments/pricing.ts'
import { clockAt } from './samples.ts'
import { depositOf, inserted, speiSchedule, targetOf, written } from './spei-samples.ts'

const nothingSold = () => ({ writes: [], events: [] })
const arrive = (amount: bigint, target: Parameters<typeof planArrival>[1]) =>
  planArrival(depositOf(amount), target, speiSchedule, nothingSold, clockAt())

describe('a transfer that arrives', () => {
  // [received before, arrives, counted, unapplied with its reason, the payment then]
  const waiting: [bigint, bigint, bigint, string | null, string][] = [
    [0n, 1n, 1n, null, 'requires_action'],
    [0n, 119_999n, 119_999n, null, 'requires_action'],
    [0n, 120_000n, 120_000n, null, 'succeeded'],
    [0n, 120_001n, 120_000n, 'overpaid 1', 'succeeded'],
    [50_000n, 69_999n, 69_999n, null, 'requires_action'],
    [50_000n, 70_000n, 70_000n, null, 'succeeded'],
    [119_999n, 1n, 1n, null, 'succeeded'],
    [119_999n, 120_000n, 1n, 'overpaid 119999', 'succeeded'],
  ]
  it.each(waiting)('%d received, %d arrives: %d counted, unapplied %s, %s', (...row) => {
    const [received, amount, counted, unapplied, status] = row
    const plan = arrive(amount, targetOf({ amountReceivedMinor: received }))
    expect(inserted(plan, speiDeposits)).toMatchObject([{ appliedMinor: counted, amountMinor: amount }])
    expect(inserted(plan, unappliedFunds).map((f) => `${f.reason} ${f.amountMinor}`)).toEqual(
      unapplied === null ? [] : [unapplied],
    )
    const set = written(plan, payments, 'change')?.set as { status?: string } | undefined
    expect(set?.status ?? 'requires_action').toBe(status)
    expect(plan.events[0]!.type).toBe(
      status === 'succeeded' ? 'payment.succeeded' : 'payment.partially_funded',
    )
  })

  const filling: [bigint, bigint, bigint, string[]][] = [
    [120_000n, 20_000n, 100_000n, ['overpaid 20000']],
    [140_000n, 20_000n, 120_000n, ['overpaid 20000']],
    [20_000n, 20_000n, 0n, ['overpaid 20000']],
  ]
  it.each(filling)('%d arrives, of which %d fills a balance below zero: %d counted', (...row) => {
    const [amountMinor, belowZeroMinor, counted, unapplied] = row
    const deposit = { ...depositOf(amountMinor), belowZeroMinor }
    const plan = planArrival(deposit, targetOf(), speiSchedule, nothingSold, clockAt())
    expect(inserted(plan, speiDeposits)).toMatchObject([{ appliedMinor: counted, amountMinor }])
    expect(inserted(plan, unappliedFunds).map((f) => `${f.reason} ${f.amountMinor}`)).toEqual(unapplied)
    expect(plan.events.map(({ type }) => type).includes('payment.partially_funded')).toBe(
      counted === 100_000n,
    )
  })

  it('part of the amount raises a counter, and changes nothing that another transfer waits for', () => {
    const plan = arrive(500n, targetOf())
    expect(plan.writes.map(({ kind }) => kind)).toEqual(['adjust', 'expect', 'insert', 'post'])
    expect(plan.writes[0]).toMatchObject({ deltas: { amountReceivedMinor: 500n, version: 1 } })
  })

  it('the last part settles attempt, payment and CLABE, and books what came before it moves on', () => {
    const plan = arrive(120_000n, targetOf())
    expect(written(plan, paymentAttempts, 'change')?.set).toMatchObject({ status: 'captured' })
    expect(written(plan, payments, 'change')?.set).toMatchObject({
      amountReceivedMinor: 120_000n,
      amountCapturedMinor: 120_000n,
    })
    expect(written(plan, clabes, 'change')?.set).toMatchObject({
      status: 'quarantined',
      quarantineEndsAt: new Date('2026-09-10T18:00:00.000Z'),
    })
    const journals = plan.writes.flatMap((w) => (w.kind === 'post' ? [w.entryKind] : []))
    expect(journals).toEqual(['deposit', 'capture'])
  })

  it('the day is the one that the processor tells, and else the schedule of bank days', () => {
    const dayOf = (settledOn?: string) => {
      const arrived = { ...depositOf(120_000n), ...(settledOn === undefined ? {} : { settledOn }) }
      const plan = planArrival(arrived, targetOf(), speiSchedule, nothingSold, clockAt())
      expect(inserted(plan, speiDeposits)[0]).not.toHaveProperty('settledOn')
      return written(plan, payments, 'change')!.set as { availableOn: string }
    }
    expect(dayOf('2026-07-31').availableOn).toBe('2026-07-31')
    expect(dayOf().availableOn).toBe(availableOn(clockAt().now, speiSchedule, 'spei'))
  })

  const over: [string, Parameters<typeof targetOf>, string][] = [
    [
      'a payment that was paid',
      [{ status: 'succeeded' }, { status: 'captured' }, 'quarantined'],
      'already_paid',
    ],
    [
      'a payment that has expired',
      [{ status: 'expired' }, { status: 'expired' }, 'quarantined'],
      'paid_late',
    ],
    [
      'a payment that was canceled',
      [{ status: 'canceled' }, { status: 'canceled' }, 'quarantined'],
      'paid_late',
    ],
    [
      'a payment that is paid by card now',
      [{ status: 'processing', method: 'card' }, { status: 'canceled' }, 'quarantined'],
      'paid_late',
    ],
    [
      'a payment that waits on another CLABE now',
      [{ status: 'requires_action' }, { status: 'canceled' }, 'quarantined'],
      'paid_late',
    ],
  ]
  it.each(over)('%s: nothing is counted, all of it is unapplied', (_, target, reason) => {
    const plan = arrive(70_000n, targetOf(...target))
    expect(inserted(plan, speiDeposits)).toMatchObject([{ appliedMinor: 0n }])
    expect(inserted(plan, unappliedFunds)).toMatchObject([
      { reason, amountMinor: 70_000n, remainingMinor: 70_000n },
    ])
    expect(plan.writes.map(({ kind }) => kind)).toEqual(['insert', 'post', 'insert'])
  })

  it('a CLABE that was never assigned has no payment', () => {
    const plan = arrive(70_000n, null)
    expect(inserted(plan, speiDeposits)).toMatchObject([{ paymentId: null, appliedMinor: 0n }])
    expect(inserted(plan, unappliedFunds)).toMatchObject([{ reason: 'unknown_clabe', paymentId: null }])
  })
})
