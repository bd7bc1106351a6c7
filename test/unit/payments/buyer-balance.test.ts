import { expect, test } from 'vitest'
import { payments } from '../../../drizzle/schema/payments.ts'
import {
  buyerBalanceMovements,
  unappliedFunds,
  unappliedFundsWithdrawals,
} from '../../../drizzle/schema/push-payments.ts'
import { isNews, planMovement } from '../../../functions/money/payments/plan-buyer-balance.ts'
import type { DepositRow } from '../../../functions/money/payments/store.ts'
import type { BalanceMovement } from '../../../src/processors/port.ts'
import { funds } from '../refunds/samples.ts'
import { clockAt, idOf } from './samples.ts'
import { inserted, targetOf, written } from './spei-samples.ts'

const movement = (
  kind: BalanceMovement['kind'],
  changeMinor: bigint,
  belowZeroMinor = 0n,
  currency = 'mxn',
): BalanceMovement => ({
  movementRef: 'cus_1/ccsbtxn_9',
  kind,
  attemptReference: idOf(900),
  changeMinor,
  belowZeroMinor,
  currency,
})

const left = (id: number, remainingMinor: bigint) => funds({ id: idOf(id), remainingMinor })

const counted = (id: number, appliedMinor: bigint) =>
  ({ id: idOf(id), appliedMinor, currency: 'mxn' }) as DepositRow

/** A payment with what is left of its buyer's funds, and the transfers that it counts while it waits. */
function balanceOf(
  has: { readonly funds?: bigint[]; readonly counts?: bigint[] },
  [payment, attempt, clabe]: Parameters<typeof targetOf> = [],
) {
  const counts = has.counts ?? []
  const received = counts.reduce((sum, each) => sum + each, 0n)
  const target = targetOf({ amountReceivedMinor: received, ...payment }, attempt, clabe)
  return {
    ...target,
    bankTransfer: {
      clabe: target.clabe,
      counted: counts.map((each, n) => counted(500 + n, each)),
      applied: [],
    },
    funds: (has.funds ?? []).map((each, n) => left(701 + n, each)),
  }
}

const paid: Parameters<typeof targetOf> = [{ status: 'succeeded' }, { status: 'captured' }, 'quarantined']

// [movement, funds left (the newest first), posted, taken of each]
const booked: [BalanceMovement, bigint[], Record<string, bigint>, bigint[]][] = [
  [movement('returned', -500n), [500n], { unapplied_funds: -500n, processor_clearing: 500n }, [500n]],
  [
    movement('reversed', -500n),
    [200n, 900n],
    { unapplied_funds: -500n, processor_clearing: 500n },
    [200n, 300n],
  ],
  [movement('taken', -500n), [900n], { unapplied_funds: -500n, merchant_available: 500n }, [500n]],
  [
    movement('reversed', -500n, 400n),
    [100n],
    { unapplied_funds: -100n, buyer_overdrafts: -400n, processor_clearing: 500n },
    [100n],
  ],
  [movement('reversed', -500n, 500n), [100n], { buyer_overdrafts: -500n, processor_clearing: 500n }, []],
  [movement('overdraft_covered', 500n, 500n), [], { buyer_overdrafts: 500n, merchant_available: -500n }, []],
  [movement('return_failed', 500n), [], { unapplied_funds: 500n, processor_clearing: -500n }, []],
  [
    movement('refund_kept', 500n, 200n),
    [],
    { unapplied_funds: 300n, buyer_overdrafts: 200n, processor_clearing: -500n },
    [],
  ],
  [movement('refilled', 500n, 200n), [500n], { unapplied_funds: -200n, buyer_overdrafts: 200n }, [200n]],
]
test.each(booked)('%o of %o', (moved, has, posted, taken) => {
  const plan = planMovement(moved, balanceOf({ funds: has }, paid), clockAt())!
  expect(inserted(plan, buyerBalanceMovements)).toMatchObject([
    { movementRef: moved.movementRef, kind: moved.kind },
  ])
  const journals = plan.writes.filter((each) => each.kind === 'post')
  expect(journals).toHaveLength(1)
  expect(Object.fromEntries(journals[0]!.postings.map((each) => [each.account, each.amountMinor]))).toEqual(
    posted,
  )
  expect(inserted(plan, unappliedFundsWithdrawals).map((each) => each.amountMinor)).toEqual(taken)
  expect(plan.events.filter(({ type }) => type === 'unapplied_funds.withdrawn')).toHaveLength(taken.length)
})

test('what comes back to the buyer is unapplied funds without a transfer', () => {
  const plan = planMovement(movement('return_failed', 500n), balanceOf({}, paid), clockAt())!
  const [row] = inserted(plan, buyerBalanceMovements)
  expect(inserted(plan, unappliedFunds)).toMatchObject([
    { reason: 'came_back', amountMinor: 500n, remainingMinor: 500n, depositId: null, movementId: row!.id },
  ])
  expect(plan.events.map(({ type }) => type)).toEqual(['unapplied_funds.created'])
})

test('a waiting payment counts less: parts of its newest transfers are unapplied, and gone', () => {
  const balance = balanceOf({ funds: [100n], counts: [300n, 200n] })
  const plan = planMovement(movement('returned', -400n), balance, clockAt())!
  expect(written(plan, payments, 'change')?.set).toMatchObject({ amountReceivedMinor: 200n })
  const apart = inserted(plan, unappliedFunds)
  expect(apart.map((each) => [each.depositId, each.reason, each.amountMinor])).toEqual([
    [idOf(501), 'incomplete', 200n],
    [idOf(500), 'incomplete', 100n],
  ])
  expect(
    inserted(plan, unappliedFundsWithdrawals).map((each) => [each.unappliedFundsId, each.amountMinor]),
  ).toEqual(
    expect.arrayContaining([
      [idOf(701), 100n],
      [apart[0]!.id, 200n],
      [apart[1]!.id, 100n],
    ]),
  )
  const [told] = plan.events
  expect([told!.type, told!.object.withdrawal, told!.object.withdrawn, told!.previousAttributes]).toEqual([
    'payment.funds_withdrawn',
    'returned',
    '300',
    { amount_received: '500' },
  ])
})

test('the payment that was paid with what a bank takes back is named', () => {
  const plan = planMovement(movement('reversed', -500n, 500n), balanceOf({}, paid), clockAt())!
  expect(plan.events.map(({ type, object }) => [type, object.withdrawn])).toEqual([
    ['payment.funds_withdrawn', '500'],
  ])
  expect(written(plan, payments, 'change')).toBeUndefined()
})

test.each([
  ['more than there is', movement('returned', -500n), balanceOf({ funds: [499n] }, paid)],
  ['more than a payment counts', movement('returned', -500n), balanceOf({ counts: [499n] })],
  ['another currency', movement('returned', -500n, 0n, 'usd'), balanceOf({ funds: [500n] }, paid)],
  ['a payment that the books call paid lets it go', movement('unapplied', 500n), balanceOf({}, paid)],
  ['a card', movement('returned', -500n), { ...balanceOf({ funds: [500n] }, paid), bankTransfer: null }],
])('nothing is booked: %s', (_, moved, balance) => {
  expect(planMovement(moved, balance, clockAt())).toBeNull()
})

test.each([
  [movement('unapplied', 500n), false],
  [movement('unapplied', 500n, 1n), true],
  [movement('returned', -500n), true],
])('%o changes the books: %s', (moved, changes) => {
  expect(isNews(moved)).toBe(changes)
})
