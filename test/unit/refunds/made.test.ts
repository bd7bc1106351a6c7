import { describe, expect, test } from 'vitest'
import { planHoldDecreased } from '../../../functions/money/disputes/plan-hold.ts'
import type { DisputeRow } from '../../../functions/money/disputes/store.ts'
import { refundLifecycle } from '../../../functions/money/refunds/lifecycle.ts'
import { planExternalRefund } from '../../../functions/money/refunds/plan-external.ts'
import { planNextPoll } from '../../../functions/money/refunds/plan-outcome.ts'
import { planResolve } from '../../../functions/money/refunds/plan-review.ts'
import type { RefundablePayment, RefundRow } from '../../../functions/money/refunds/store.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { isRefusal, type Plan, type Write } from '../../../src/kernel/plan.ts'
import type { RefundFacts } from '../../../src/processors/port.ts'
import { clockAt, now } from '../payments/samples.ts'
import { back, payment, refundRow, summary } from './samples.ts'

type State = RefundFacts['state']

const facts = (state: State, changes: Partial<RefundFacts> = {}): RefundFacts => ({
  refundRef: 're_1',
  attemptReference: payment().attemptId!,
  state,
  code: state === 'failed' ? 'declined_by_bank' : null,
  amountMinor: 6_000n,
  currency: 'mxn',
  ...changes,
})

/** A refund made at the processor, as recorded. */
const made = (status: RefundRow['status']) =>
  refundRow({
    status,
    origin: 'processor',
    processorRef: 're_1',
    reason: 'other',
    ...(status === 'amount_mismatch' ? { failureCode: 'amount_mismatch' } : {}),
  })

const holding = (heldMinor: bigint, id = 'd1', status = 'needs_response') =>
  ({
    id,
    heldMinor,
    status,
    version: 4,
    amountMinor: 10_000n,
    feeMinor: 15_000n,
    feeIvaMinor: 2_400n,
    evidence: {},
    evidenceFiles: {},
    evidenceDueBy: null,
    evidenceSubmittedAt: null,
    pendingAction: null,
    evidenceFailure: null,
    resolvedAt: null,
    createdAt: now,
    updatedAt: now,
  }) as unknown as DisputeRow

const holdingOf = (dispute: DisputeRow) => ({
  heldMinor: dispute.heldMinor,
  reduce: (byMinor: bigint, clock: Clock) => planHoldDecreased(dispute, byMinor, clock),
})

function learn(
  of: Partial<RefundablePayment>,
  told: RefundFacts,
  { status, disputes = [] }: { status?: RefundRow['status']; disputes?: readonly DisputeRow[] } = {},
): string[] {
  const refund = status ? made(status) : null
  const known = { payment: payment(of), refund, holdings: disputes.map(holdingOf) }
  const plan = planExternalRefund('simulator', known, told, clockAt())
  return plan ? summary(plan) : []
}

const counted = ['adjust amountRefundedMinor 6000', 'expect version 3']
const sent = 'post refund merchant_available -6000, refunds_in_flight 6000'
const paid = 'post refund_paid refunds_in_flight -6000, processor_clearing 6000'
/** To the buyer who asked for mails. */
const mailed = 'insert waiting'
const contradicted = ['insert amount_mismatch', 'refund.created', 'refund.amount_mismatch']

describe('first report', () => {
  const table: [state: State, writes: string[]][] = [
    ['processing', [...counted, 'insert processing', sent, 'refund.created', 'payment.refunded']],
    [
      'succeeded',
      [
        ...counted,
        'insert succeeded',
        sent,
        paid,
        mailed,
        'refund.created',
        'refund.succeeded',
        'payment.refunded',
      ],
    ],
    ['failed', []],
  ]
  test.each(table)('%s', (state, writes) => {
    expect(learn({}, facts(state))).toEqual(writes)
  })

  test("it does not wait for a balance or a dispute's end, and says where it was made", () => {
    const plan = planExternalRefund(
      'stripe',
      { payment: payment({ openDisputesCount: 1 }), refund: null, holdings: [] },
      facts('processing'),
      clockAt(),
    )!
    expect(plan.reply).toMatchObject({
      origin: 'processor',
      method: 'original',
      reason: 'other',
      status: 'processing',
      amount: '6000',
    })
    const { rows } = plan.writes.find(({ kind }) => kind === 'insert') as Extract<Write, { kind: 'insert' }>
    expect(rows[0]).toMatchObject({
      processor: 'stripe',
      processorRef: 're_1',
      nextCheckAt: new Date(now.getTime() + 60_000),
    })
  })
})

describe('what the payment can cover', () => {
  const reduced = (by: string, ...held: string[]) => [
    `adjust amountRefundedMinor 6000, adjust amountDisputedMinor -${by}`,
    'expect version 3',
    ...held.flatMap((each) => [
      'change needs_response -> same',
      `post reduced dispute_hold -${each}, merchant_available ${each}`,
    ]),
    'insert processing',
    sent,
    'refund.created',
    ...held.map(() => 'dispute.hold_decreased'),
    'payment.refunded',
  ]
  const booked = [...counted, 'insert processing', sent, 'refund.created', 'payment.refunded']
  const cases: [what: string, of: Partial<RefundablePayment>, disputes: DisputeRow[], writes: string[]][] = [
    ['exactly what is left', { amountRefundedMinor: 4_000n }, [], booked],
    ['a centavo more', { amountRefundedMinor: 4_001n }, [], contradicted],
    ['beside a dispute that leaves enough', { amountDisputedMinor: 4_000n }, [holding(4_000n)], booked],
    ['a dispute holds all', { amountDisputedMinor: 10_000n }, [holding(10_000n)], reduced('6000', '6000')],
    ['a dispute holds a part', { amountDisputedMinor: 5_000n }, [holding(5_000n)], reduced('1000', '1000')],
    [
      'two disputes hold it',
      { amountDisputedMinor: 10_000n },
      [holding(2_000n), holding(8_000n, 'd2')],
      reduced('6000', '2000', '4000'),
    ],
    [
      'one that holds nothing is left alone',
      { amountDisputedMinor: 10_000n },
      [holding(0n), holding(10_000n, 'd2')],
      reduced('6000', '6000'),
    ],
    [
      'what was lost, and what is held before it',
      { amountDisputedMinor: 10_000n },
      [holding(2_000n), holding(8_000n, 'd2', 'lost')],
      [
        'adjust amountRefundedMinor 6000, adjust amountDisputedMinor -6000',
        'expect version 3',
        'change needs_response -> same',
        'post reduced dispute_hold -2000, merchant_available 2000',
        'change lost -> same',
        'post reduced processor_clearing -4000, merchant_available 4000',
        'insert processing',
        sent,
        'refund.created',
        'dispute.hold_decreased',
        'dispute.hold_decreased',
        'payment.refunded',
      ],
    ],
    [
      'refunds of ours that were counted first leave too little',
      { amountRefundedMinor: 4_001n, amountDisputedMinor: 5_999n },
      [holding(5_998n)],
      contradicted,
    ],
  ]
  test.each(cases)('%s', (_what, of, disputes, writes) => {
    expect(learn(of, facts('processing'), { disputes })).toEqual(writes)
  })

  test('another currency is not booked, whatever is left', () => {
    expect(learn({}, facts('succeeded', { currency: 'usd' }))).toEqual(contradicted)
  })

  test('a contradiction shows what was left and what was refunded', () => {
    const known = { payment: payment({ amountDisputedMinor: 7_000n }), refund: null, holdings: [] }
    expect(planExternalRefund('simulator', known, facts('succeeded'), clockAt())!.reply).toMatchObject({
      status: 'amount_mismatch',
      failure_code: 'amount_mismatch',
      review: { ours: { amount: '3000', currency: 'mxn' }, theirs: { amount: '6000', currency: 'mxn' } },
    })
  })
})

test('a refund that succeeded is watched, and a lost dispute that it takes from is looked at again', () => {
  const dispute = { ...holding(10_000n, 'd1', 'lost'), nextCheckAt: null, checksCount: 15 }
  const known = {
    payment: payment({ amountDisputedMinor: 10_000n }),
    refund: null,
    holdings: [holdingOf(dispute)],
  }
  const day = new Date(now.getTime() + 86_400_000)
  const { writes, reply } = planExternalRefund('simulator', known, facts('succeeded'), clockAt())!
  expect(reply).toMatchObject({ status: 'succeeded' })
  expect(writes.find(({ kind }) => kind === 'change')).toMatchObject({
    set: { heldMinor: 4_000n, nextCheckAt: day, checksCount: 0 },
  })
  expect(writes.find(({ kind }) => kind === 'insert')).toMatchObject({ rows: [{ nextCheckAt: day }] })
})

describe('later reports', () => {
  const lost = 'refund.failed'
  const changes: Partial<Record<string, Partial<Record<State, string[]>>>> = {
    processing: {
      succeeded: ['change processing -> succeeded', paid, mailed, 'refund.succeeded'],
      failed: [
        'change processing -> failed',
        ...back,
        'post refund_reversed refunds_in_flight -6000, merchant_available 6000',
        lost,
        'payment.refund_reversed',
      ],
    },
    succeeded: {
      failed: [
        'change succeeded -> failed',
        ...back,
        'post refund_returned processor_clearing -6000, merchant_available 6000',
        lost,
        'payment.refund_reversed',
      ],
    },
    amount_mismatch: {
      processing: [
        ...counted,
        'change amount_mismatch -> processing',
        sent,
        'refund.processing',
        'payment.refunded',
      ],
      succeeded: [
        ...counted,
        'change amount_mismatch -> succeeded',
        sent,
        paid,
        mailed,
        'refund.succeeded',
        'payment.refunded',
      ],
      failed: ['change amount_mismatch -> failed', lost],
    },
  }
  const table = statusesOf(refundLifecycle).flatMap((status) =>
    (['processing', 'succeeded', 'failed'] as const).map((state): [typeof status, State, string[]] => [
      status,
      state,
      changes[status]?.[state] ?? [],
    ]),
  )
  test.each(table)('%s, reported as %s', (status, state, writes) => {
    expect(learn({}, facts(state), { status })).toEqual(writes)
  })

  test('what the payment cannot cover yet makes one event, and is asked about at growing intervals', () => {
    const of = { amountRefundedMinor: 10_000n }
    expect(learn(of, facts('succeeded'), { status: 'amount_mismatch' })).toEqual([])
    expect(learn({}, facts('succeeded', { amountMinor: 5_999n }), { status: 'amount_mismatch' })).toEqual([])
    const plan = planNextPoll({ ...made('amount_mismatch'), checksCount: 2 }, { state: 'unknown' }, now)
    expect(plan!.writes[0]).toMatchObject({ set: { nextCheckAt: new Date(now.getTime() + 12_000) } })
  })

  test('another amount than was booked goes to people', () => {
    const other = facts('succeeded', { amountMinor: 5_999n })
    expect(learn({}, other, { status: 'processing' })).toEqual([
      'change processing -> same',
      'refund.amount_mismatch',
    ])
  })
})

describe('a person decides', () => {
  const decide = (of: Partial<RefundablePayment>, decision: 'recheck' | 'succeeded' | 'failed') => {
    const source = { kind: 'payment', payment: payment(of) } as const
    const plan = planResolve(made('amount_mismatch'), source, decision, clockAt())
    return isRefusal(plan) ? plan.refused : summary(plan as Plan<object>)
  }
  test.each([
    ['failed', {}, ['change amount_mismatch -> failed', 'refund.failed']],
    ['recheck', {}, ['change amount_mismatch -> same']],
    [
      'succeeded',
      {},
      [
        ...counted,
        'change amount_mismatch -> succeeded',
        sent,
        paid,
        mailed,
        'refund.succeeded',
        'payment.refunded',
      ],
    ],
    ['succeeded', { amountDisputedMinor: 4_001n }, 'refund_exceeds_captured'],
    ['succeeded', { currency: 'usd' }, 'refund_currency_mismatch'],
  ] as const)('%s %o', (decision, of, expected) => {
    expect(decide(of, decision)).toEqual(expected)
  })
})
