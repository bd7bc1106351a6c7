import { describe, expect, test } from 'vitest'
import { refundLifecycle } from '../../../functions/money/refunds/lifecycle.ts'
import { planFundsRefund } from '../../../functions/money/refunds/plan.ts'
import type { SourceRow } from '../../../functions/money/refunds/plan-source.ts'
import {
  planApprove,
  planCancel,
  planDestination,
  planReject,
  planSend,
} from '../../../functions/money/refunds/plan-waiting.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'
import { clockAt, now } from '../payments/samples.ts'
import {
  allowed,
  back,
  bound,
  cover,
  destination,
  funds,
  fundsId,
  ofPayment,
  payment,
  plenty,
  refundRow,
  summary,
} from './samples.ts'

describe('what has not been sent', () => {
  const sent = 'post refund merchant_available -6000, refunds_in_flight 6000, leaves 0'
  test('is sent to the CLABE once it is given', () => {
    const waiting = refundRow({ status: 'requires_destination', method: 'spei_out' })
    const planned = planDestination(waiting, { ...destination, holder: ' Ana ' }, plenty, clockAt())
    if (isRefusal(planned)) throw new Error(planned.refused)
    expect(planned.refund).toMatchObject({ destinationHolder: 'Ana', status: 'processing', version: 2 })
    expect(summary(planned.plan)).toEqual([
      'change requires_destination -> processing',
      'expect openDisputesCount 0',
      'count 6000',
      sent,
      'refund.processing',
    ])
  })

  test("waits for a person when it exceeds the key's limit", () => {
    const waiting = refundRow({ status: 'requires_destination', method: 'spei_out', nextCheckAt: null })
    const planned = planDestination(waiting, destination, bound, clockAt())
    if (isRefusal(planned)) throw new Error(planned.refused)
    expect(planned.refund).toMatchObject({ destinationClabe: destination.clabe, nextCheckAt: null })
    expect(summary(planned.plan)).toEqual([
      'change requires_destination -> pending_approval',
      'refund.pending_approval',
    ])
  })

  test('waits for the balance, with one event', () => {
    const none = cover([0n, 0n, 0n])
    const waiting = refundRow({ status: 'requires_destination', method: 'spei_out' })
    const first = planDestination(waiting, destination, none, clockAt())
    if (isRefusal(first)) throw new Error(first.refused)
    expect(summary(first.plan)).toEqual([
      'change requires_destination -> pending',
      'count 6000',
      'refund.pending',
    ])
    expect(summary(planSend(first.refund, none, clockAt()).plan)).toEqual(['change pending -> pending'])
    expect(summary(planSend(first.refund, plenty, clockAt()).plan)).toEqual([
      'change pending -> processing',
      'expect openDisputesCount 0',
      sent,
      'refund.processing',
    ])
  })

  test('sending a waiting refund requires that no dispute is open', () => {
    const waiting = refundRow({ status: 'pending', nextCheckAt: now })
    expect(summary(planSend(waiting, plenty, clockAt()).plan)).toEqual([
      'change pending -> processing',
      'expect openDisputesCount 0',
      sent,
      'refund.processing',
    ])
  })

  test.each(statusesOf(refundLifecycle))('%s: cancel and destination', (status) => {
    const refund = refundRow({ status, method: 'spei_out' })
    const canceled = planCancel(refund, ofPayment, clockAt())
    const directed = planDestination(refund, destination, plenty, clockAt())
    expect(isRefusal(canceled) ? canceled.refused : summary(canceled)).toEqual(
      ['pending', 'pending_approval', 'requires_destination'].includes(status)
        ? [`change ${status} -> canceled`, ...back, 'refund.canceled', 'payment.refund_reversed']
        : 'refund_not_cancelable',
    )
    expect(isRefusal(directed)).toBe(status !== 'requires_destination')
  })
})

describe('what waits for approval', () => {
  const seen = { amount: '6000', currency: 'mxn' }
  const waiting = refundRow({ status: 'pending_approval', method: 'spei_out', nextCheckAt: null })

  test("approved: sent, and counted in no day's limit", () => {
    const planned = planApprove(waiting, ofPayment, seen, 'ana', bound, clockAt())
    if (isRefusal(planned)) throw new Error(planned.refused)
    expect(planned.refund).toMatchObject({ approvedByUserId: 'ana', approvedAt: now, status: 'processing' })
    expect(summary(planned.plan)).toEqual([
      'change pending_approval -> processing',
      'expect openDisputesCount 0',
      'post refund merchant_available -6000, refunds_in_flight 6000, leaves 0',
      'refund.approved',
      'refund.processing',
    ])
  })

  test('approved above what the balance bears: it then waits by itself', () => {
    const planned = planApprove(waiting, ofPayment, seen, 'ana', cover([0n, 0n, 0n]), clockAt())
    if (isRefusal(planned)) throw new Error(planned.refused)
    expect(planned.refund).toMatchObject({ status: 'pending', pendingReason: 'insufficient_funds' })
    expect(planned.refund.nextCheckAt).not.toBeNull()
    expect(summary(planned.plan)).toEqual([
      'change pending_approval -> pending',
      'refund.approved',
      'refund.pending',
    ])
  })

  test.each([
    ['another amount', { amount: '6001' }, ofPayment, 'refund_terms_mismatch'],
    ['another currency', { currency: 'usd' }, ofPayment, 'refund_terms_mismatch'],
    [
      'beside a dispute',
      {},
      { kind: 'payment', payment: payment({ openDisputesCount: 1 }) } as SourceRow,
      'refund_blocked_by_dispute',
    ],
  ])('not approved: %s', (_what, changes, source, refused) => {
    expect(planApprove(waiting, source, { ...seen, ...changes }, 'ana', plenty, clockAt())).toMatchObject({
      refused,
    })
  })

  test('rejected: refundable again', () => {
    const plan = planReject(waiting, ofPayment, clockAt())
    expect(isRefusal(plan) ? plan : summary(plan)).toEqual([
      'change pending_approval -> canceled',
      ...back,
      'refund.canceled',
      'payment.refund_reversed',
    ])
  })

  const others = statusesOf(refundLifecycle).filter((status) => status !== 'pending_approval')
  test.each(others)('%s: neither approved nor rejected', (status) => {
    const refund = refundRow({ status, method: 'spei_out' })
    const refused = { refused: 'refund_not_pending_approval' }
    expect(planApprove(refund, ofPayment, seen, 'ana', plenty, clockAt())).toMatchObject(refused)
    expect(planReject(refund, ofPayment, clockAt())).toMatchObject(refused)
  })
})

describe('unapplied funds', () => {
  const of = { funds: funds({ remainingMinor: 6_000n }), amountMinor: 6_000n }
  const setApart = [
    'adjust remainingMinor -6000',
    'post refund unapplied_funds -6000, refunds_in_flight 6000',
  ] as const

  test.each([
    ['within what the key may send', allowed(6_000n), 'processing', ['count 6000'], []],
    ['more than the key may send', allowed(5_999n), 'pending_approval', [], ['refund.pending_approval']],
    ['back to where it came from', null, 'processing', [], []],
  ])('%s: set apart from the start', (_what, spendLimit, status, counts, asks) => {
    const asked = { reason: 'other' as const, metadata: {}, destination }
    const { refund, plan } = planFundsRefund(of, asked, 'simulator', spendLimit, clockAt())
    expect([refund.unappliedFundsId, refund.paymentId, refund.status]).toEqual([fundsId, null, status])
    const [first, journal] = setApart
    const events = ['refund.created', ...asks, 'unapplied_funds.refunded']
    expect(summary(plan)).toEqual([first, ...counts, `insert ${status}`, journal, ...events])
  })

  test('canceled: put back, and the ledger too', () => {
    const refund = refundRow({
      paymentId: null,
      unappliedFundsId: fundsId,
      method: 'spei_out',
      status: 'pending_approval',
    })
    const plan = planCancel(refund, { kind: 'funds', funds: funds() }, clockAt())
    if (isRefusal(plan)) throw new Error(plan.refused)
    expect(summary(plan)).toEqual([
      'change pending_approval -> canceled',
      'adjust remainingMinor 6000',
      'post refund_reversed refunds_in_flight -6000, unapplied_funds 6000',
      'refund.canceled',
      'unapplied_funds.refund_reversed',
    ])
  })
})
