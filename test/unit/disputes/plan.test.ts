import { describe, expect, test } from 'vitest'
import { disputeLifecycle } from '../../../functions/money/disputes/lifecycle.ts'
import { planFacts } from '../../../functions/money/disputes/plan.ts'
import { refusalOfEvidence } from '../../../functions/money/disputes/plan-answer.ts'
import type { DisputedPayment } from '../../../functions/money/disputes/store.ts'
import { allMoves } from '../../../src/kernel/lifecycle.ts'
import type { Plan } from '../../../src/kernel/plan.ts'
import type { DisputeFacts } from '../../../src/processors/claims.ts'
import { clockAt, now } from '../payments/samples.ts'
import { changed, disputed, facts, paid, type Status, statuses } from './samples.ts'

/** A plan in one line: its change to the payment's counts, its journals, its events. */
function told(
  plan: Plan<object> | null,
): { counted: object; journals: readonly string[]; events: readonly string[] } | null {
  if (!plan) return null
  const counted = plan.writes.flatMap((write) => (write.kind === 'adjust' ? [write.deltas] : []))[0]
  return {
    counted: counted ?? {},
    journals: plan.writes.flatMap((write) => (write.kind === 'post' ? [write.entryKind] : [])),
    events: plan.events.map(({ type }) => type),
  }
}

const learn = (known: Parameters<typeof planFacts>[1], fact: DisputeFacts) =>
  told(planFacts('simulator', known, fact, clockAt()))

describe("a dispute that is new to us begins in the processor's status", () => {
  const held = { amountDisputedMinor: 10_000n }
  const table: [state: Status, expected: ReturnType<typeof told>][] = [
    [
      'needs_response',
      {
        counted: { ...held, openDisputesCount: 1 },
        journals: ['hold'],
        events: ['dispute.created', 'payment.disputed'],
      },
    ],
    [
      'under_review',
      {
        counted: { ...held, openDisputesCount: 1 },
        journals: ['hold'],
        events: ['dispute.created', 'dispute.under_review', 'payment.disputed'],
      },
    ],
    [
      'lost',
      {
        counted: held,
        journals: ['hold', 'lost'],
        events: ['dispute.created', 'dispute.lost', 'payment.disputed'],
      },
    ],
    ['won', { counted: {}, journals: [], events: ['dispute.created', 'dispute.won'] }],
  ]
  test.each(table)('%s', (state, expected) => {
    expect(learn({ payment: paid(), dispute: null }, facts(state))).toEqual(expected)
  })

  const amounts: [what: string, payment: Partial<DisputedPayment>, claimed: bigint, held: bigint][] = [
    ['the whole', {}, 10_000n, 10_000n],
    ['a part', {}, 4_000n, 4_000n],
    ['more than was captured', {}, 10_001n, 10_000n],
    ['what was refunded in part', { amountRefundedMinor: 7_000n }, 10_000n, 3_000n],
    ['what others hold in part', { amountDisputedMinor: 6_000n }, 6_000n, 4_000n],
    ['what was refunded wholly', { amountRefundedMinor: 10_000n }, 10_000n, 0n],
    ['what was never captured here', { amountCapturedMinor: 0n }, 10_000n, 0n],
    ['what another attempt captured', { attemptStatus: 'canceled' }, 10_000n, 0n],
    ['what another attempt captured, in review', { attemptStatus: 'amount_mismatch' }, 10_000n, 0n],
  ]
  test.each(amounts)('%s: it holds what is left', (_what, changes, amountMinor, heldMinor) => {
    const plan = planFacts(
      'simulator',
      { payment: paid(changes), dispute: null },
      facts('needs_response', { amountMinor }),
      clockAt(),
    )!
    const [row] = plan.writes.flatMap((write) => (write.kind === 'insert' ? write.rows : []))
    expect(row).toMatchObject({ amountMinor, heldMinor, status: 'needs_response' })
    const postings = plan.writes.flatMap((write) => (write.kind === 'post' ? write.postings : []))
    expect(postings.map(({ amountMinor: each }) => each)).toEqual(
      heldMinor === 0n ? [] : [-heldMinor, heldMinor],
    )
  })
})

describe('a dispute that we know', () => {
  const back = { amountDisputedMinor: -10_000n }
  const again = { amountDisputedMinor: 10_000n }
  const opened = { openDisputesCount: 1 }
  const closed = { openDisputesCount: -1 }
  const won = {
    counted: { ...back, ...closed },
    journals: ['release'],
    events: ['dispute.won', 'payment.dispute_released'],
  }
  const lost = { counted: closed, journals: ['lost'], events: ['dispute.lost'] }
  const heldAgain = {
    counted: { ...again, ...opened },
    journals: ['hold'],
    events: ['dispute.reopened', 'payment.disputed'],
  }
  const lookedAtAgain = { counted: opened, journals: ['reopened'], events: ['dispute.reopened'] }
  const moves: Record<string, ReturnType<typeof told>> = {
    'needs_response under_review': { counted: {}, journals: [], events: ['dispute.under_review'] },
    'needs_response won': won,
    'needs_response lost': lost,
    'under_review needs_response': { counted: {}, journals: [], events: ['dispute.reopened'] },
    'under_review won': won,
    'under_review lost': lost,
    'won needs_response': heldAgain,
    'won under_review': heldAgain,
    'won lost': { counted: again, journals: ['hold', 'lost'], events: ['dispute.lost', 'payment.disputed'] },
    'lost needs_response': lookedAtAgain,
    'lost under_review': lookedAtAgain,
    'lost won': {
      counted: back,
      journals: ['overturned'],
      events: ['dispute.won', 'payment.dispute_released'],
    },
  }
  const table = statuses.flatMap((from) => statuses.map((to): [Status, Status] => [from, to]))
  test.each(table)('%s, and the processor says %s', (from, to) => {
    expect(learn(disputed(from), facts(to))).toEqual(moves[`${from} ${to}`] ?? null)
  })

  test('the database allows exactly these moves, and those of inquiries', () => {
    const allowed = allMoves(disputeLifecycle).map(({ from, to }) => `${from} ${to}`)
    expect(allowed.filter((pair) => !pair.includes('inquiry'))).toEqual(Object.keys(moves).sort())
  })

  const rounds: [from: Status, to: Status, round: number][] = [
    ['needs_response', 'under_review', 1],
    ['under_review', 'needs_response', 2],
    ['under_review', 'won', 1],
    ['under_review', 'lost', 1],
    ['lost', 'won', 1],
    ['won', 'lost', 2],
    ['won', 'needs_response', 2],
    ['won', 'under_review', 2],
    ['lost', 'needs_response', 2],
    ['lost', 'under_review', 2],
  ]
  test.each(rounds)('%s, then %s: round %i, in its journals too', (from, to, round) => {
    const plan = planFacts('simulator', disputed(from), facts(to), clockAt())!
    expect(changed(plan)).toMatchObject({ status: to, round })
    expect(new Set(plan.writes.flatMap((write) => (write.kind === 'post' ? [write.round] : [])))).toEqual(
      new Set(plan.writes.some(({ kind }) => kind === 'post') ? [round] : []),
    )
  })

  const before = new Date(now.getTime() - 3_600_000)
  test.each(table.filter(([from, to]) => from !== to))(
    '%s, then %s: the event has the former status, and a decision time only for what is decided',
    (from, to) => {
      const plan = planFacts('simulator', disputed(from, { resolvedAt: before }), facts(to), clockAt())!
      const isOver = to === 'won' || to === 'lost'
      expect(plan.events[0]).toMatchObject({
        object: { status: to, resolved_at: isOver ? now.toISOString() : null },
        previousAttributes: { status: from, resolved_at: before.toISOString() },
      })
      expect(changed(plan)).toMatchObject({
        nextCheckAt: new Date(now.getTime() + (isOver ? 24 : 1) * 3_600_000),
      })
    },
  )

  const claimed: [what: string, refunded: bigint, others: bigint, taken: bigint][] = [
    ['nothing refunded since', 0n, 0n, 10_000n],
    ['a part refunded since', 4_000n, 0n, 6_000n],
    ['a part refunded, and more held by another dispute', 4_000n, 5_000n, 1_000n],
    ['all of it refunded since', 10_000n, 0n, 0n],
  ]
  test.each(claimed)(
    'won, and claimed again with %s: no more than is left',
    (_what, refunded, others, taken) => {
      const { payment, dispute } = disputed('won')
      const then = { ...payment, amountRefundedMinor: refunded, amountDisputedMinor: others }
      for (const to of ['needs_response', 'under_review', 'lost'] as const) {
        const plan = planFacts('simulator', { payment: then, dispute }, facts(to), clockAt())!
        expect(changed(plan)).toMatchObject({ heldMinor: taken })
        expect(plan.reply).toMatchObject({
          amount: '10000',
          amount_held: String(taken),
          amount_uncovered: String(10_000n - taken),
        })
        expect(plan.events[0]!.previousAttributes).toEqual({
          status: 'won',
          ...(taken === 10_000n ? {} : { amount_held: '10000', amount_uncovered: '0' }),
          ...(to === 'lost' ? { resolved_at: null } : {}),
        })
        const postings = plan.writes.flatMap((write) => (write.kind === 'post' ? write.postings : []))
        const sums: Record<string, bigint> = {}
        for (const { account, amountMinor } of postings) sums[account] = (sums[account] ?? 0n) + amountMinor
        const [held, gone] = to === 'lost' ? [0n, taken] : [taken, 0n]
        expect(sums).toEqual(
          taken === 0n
            ? {}
            : {
                merchant_available: -taken,
                dispute_hold: held,
                ...(to === 'lost' ? { processor_clearing: gone } : {}),
              },
        )
      }
    },
  )

  test.each(statuses)('%s, all of it refunded before: the end books nothing', (state) => {
    const { payment, dispute } = disputed('needs_response', { heldMinor: 0n })
    const refunded = { ...payment, amountDisputedMinor: 0n, amountRefundedMinor: 10_000n }
    expect(learn({ payment: refunded, dispute }, facts(state))?.journals ?? []).toEqual([])
  })

  test('lost also takes the amount that a failed refund has freed since', () => {
    const { payment, dispute } = disputed('needs_response', { heldMinor: 3_000n })
    const now3 = { ...payment, amountDisputedMinor: 3_000n, amountRefundedMinor: 2_000n }
    const plan = planFacts('simulator', { payment: now3, dispute }, facts('lost'), clockAt())!
    expect(told(plan)).toEqual({
      counted: { amountDisputedMinor: 5_000n, openDisputesCount: -1 },
      journals: ['lost'],
      events: ['dispute.lost', 'payment.disputed'],
    })
    expect(plan.writes.flatMap((write) => (write.kind === 'post' ? write.postings : []))).toEqual([
      { account: 'dispute_hold', amountMinor: -3_000n },
      { account: 'merchant_available', amountMinor: -5_000n },
      { account: 'processor_clearing', amountMinor: 8_000n },
    ])
  })
})

describe('a deadline that the bank moves while it asks', () => {
  const later = new Date('2026-06-26T18:00:00.000Z')
  const submitted = { evidenceSubmittedAt: now }
  const table: [
    what: string,
    from: Status,
    changes: object,
    to: Date | null,
    event: string,
    round: number,
  ][] = [
    ['a later one', 'needs_response', {}, later, 'dispute.updated', 1],
    ['an earlier one', 'needs_response', submitted, now, 'dispute.updated', 1],
    ['none any more', 'needs_response', submitted, null, 'dispute.updated', 1],
    ['a later one after evidence', 'needs_response', submitted, later, 'dispute.reopened', 2],
    ['of an inquiry', 'inquiry_needs_response', { heldMinor: 0n }, later, 'dispute.updated', 1],
    [
      'of an inquiry after evidence',
      'inquiry_needs_response',
      { ...submitted, heldMinor: 0n },
      later,
      'dispute.inquiry_reopened',
      2,
    ],
  ]
  test.each(table)('%s: is recorded, once', (_what, from, changes, evidenceDueBy, event, round) => {
    const known = disputed(from, changes)
    const plan = planFacts('simulator', known, facts(from, { evidenceDueBy }), clockAt())!
    expect(told(plan)).toEqual({ counted: {}, journals: [], events: [event] })
    expect(plan.events[0]).toMatchObject({
      object: { evidence_due_by: evidenceDueBy && evidenceDueBy.toISOString() },
      previousAttributes: { evidence_due_by: '2026-06-19T18:00:00.000Z' },
    })
    const moved = { ...known, dispute: { ...known.dispute, ...changed(plan) } }
    expect(moved.dispute).toMatchObject({ evidenceDueBy, round })
    expect(learn(moved, facts(from, { evidenceDueBy }))).toBeNull()
  })

  test('evidence is taken until the new one', () => {
    const known = disputed('needs_response', { evidenceDueBy: now })
    const plan = planFacts('simulator', known, facts('needs_response', { evidenceDueBy: later }), clockAt())!
    const moved = { ...known.dispute, ...changed(plan) }
    expect(refusalOfEvidence(known.dispute, now)).toMatchObject({ refused: 'dispute_evidence_overdue' })
    expect(refusalOfEvidence(moved, now)).toBeNull()
  })

  test.each(['under_review', 'won', 'lost'] as const)('%s: nobody is asked', (status) => {
    expect(learn(disputed(status), facts(status, { evidenceDueBy: later }))).toBeNull()
  })
})

describe('what a failed refund has freed since', () => {
  const left = (status: Status, changes: Partial<DisputedPayment> = {}) => {
    const { payment, dispute } = disputed(status, { heldMinor: 3_000n, round: 2 })
    const counted = { amountDisputedMinor: 3_000n, amountRefundedMinor: 1_000n, ...changes }
    return { payment: { ...payment, ...counted }, dispute }
  }
  const table: [status: Status, journals: string[], sums: Record<string, bigint>][] = [
    ['needs_response', ['hold'], { merchant_available: -6_000n, dispute_hold: 6_000n }],
    ['under_review', ['hold'], { merchant_available: -6_000n, dispute_hold: 6_000n }],
    ['lost', ['hold', 'lost'], { merchant_available: -6_000n, dispute_hold: 0n, processor_clearing: 6_000n }],
  ]
  test.each(table)('%s: is taken when the processor reports the same again', (status, journals, sums) => {
    const plan = planFacts('simulator', left(status), facts(status), clockAt())!
    expect(told(plan)).toEqual({
      counted: { amountDisputedMinor: 6_000n },
      journals,
      events: ['dispute.hold_increased', 'payment.disputed'],
    })
    expect(changed(plan)).toEqual({ heldMinor: 9_000n, round: 3, updatedAt: now })
    expect(plan.events[0]).toMatchObject({
      object: { status, amount_held: '9000', amount_uncovered: '1000' },
      previousAttributes: { amount_held: '3000', amount_uncovered: '7000' },
    })
    const booked: Record<string, bigint> = {}
    for (const write of plan.writes) {
      if (write.kind !== 'post') continue
      expect(write.round).toBe(3)
      for (const { account, amountMinor } of write.postings)
        booked[account] = (booked[account] ?? 0n) + amountMinor
    }
    expect(booked).toEqual(sums)
  })

  test('won, or still refunded: nothing is taken', () => {
    expect(learn(left('won', { amountDisputedMinor: 0n }), facts('won'))).toBeNull()
    expect(learn(left('lost', { amountRefundedMinor: 7_000n }), facts('lost'))).toBeNull()
  })
})
