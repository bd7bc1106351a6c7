import { expect, test } from 'vitest'
import { unappliedFunds } from '../../../drizzle/schema/push-payments.ts'
import { planApply } from '../../../functions/money/payments/plan-apply.ts'
import { planUnpaid } from '../../../functions/money/payments/plan-push-end.ts'
import { unappliedOf } from '../../../functions/money/payments/plan-unapplied.ts'
import type { Plan, Refusal } from '../../../src/kernel/plan.ts'
import { funds } from '../refunds/samples.ts'
import { clockAt, idOf } from './samples.ts'
import { speiSchedule, targetOf } from './spei-samples.ts'

const some = (id: string, amountMinor: bigint, remainingMinor: bigint, takenMinor: bigint | null = null) => ({
  id,
  amountMinor,
  remainingMinor,
  takenMinor,
})

test.each([
  ['nothing came', [], null],
  ['too much', [some('a', 30n, 30n)], { receivedMinor: 30n, heldMinor: 30n }],
  [
    'two parts that did not complete it',
    [some('a', 10n, 10n), some('b', 5n, 5n)],
    { receivedMinor: 15n, heldMinor: 15n },
  ],
  ['a part that was sent back', [some('a', 10n, 4n)], { receivedMinor: 10n, heldMinor: 4n }],
  ['all of it was sent back', [some('a', 10n, 0n)], { receivedMinor: 10n, heldMinor: 0n }],
  ['the payment took all of it after all', [some('a', 10n, 0n, 10n)], null],
  ['… in two shares', [some('a', 10n, 0n, 4n), some('a', 10n, 0n, 6n)], null],
  [
    '… and a part of other funds',
    [some('a', 10n, 0n, 10n), some('b', 9n, 2n, 7n)],
    { receivedMinor: 2n, heldMinor: 2n },
  ],
  ['a part of it paid another payment', [some('a', 10n, 0n, 6n)], { receivedMinor: 4n, heldMinor: 0n }],
])('%s', (_, rows, unapplied) => {
  expect(unappliedOf(rows)).toEqual(unapplied)
})

const missing = 10_000n
const [mine, more, settled, foreign] = [
  funds({ id: idOf(701), remainingMinor: 6_000n }),
  funds({ id: idOf(702), remainingMinor: 6_000n }),
  funds({ id: idOf(703), remainingMinor: 0n }),
  funds({ id: idOf(704), currency: 'usd' }),
]
const applying = (
  [first, ...others]: readonly [typeof mine, ...(typeof mine)[]],
  amountMinor: bigint | null = null,
  target = targetOf(),
) =>
  planApply(
    { ...target, payment: { ...target.payment, amountMinor: missing } },
    { funds: first, amountMinor, others },
    speiSchedule,
    () => ({ writes: [], events: [] }),
    clockAt(),
  )

test('funds beyond those that cover the payment are left alone, whatever they are', () => {
  const plan = applying([mine, more, more, settled, foreign])
  expect('reply' in plan && plan.reply.parts.map(({ amount }) => amount)).toEqual(['6000', '4000'])
})

const expired = targetOf({ status: 'expired' }, { status: 'expired' })
const refusals: [what: string, plan: ReturnType<typeof applying>, refused: string, param?: string][] = [
  ['of another currency', applying([foreign]), 'unapplied_funds_currency_mismatch', 'payment_id'],
  [
    'with others of another currency',
    applying([mine, foreign]),
    'unapplied_funds_currency_mismatch',
    'together_with',
  ],
  ['that are used', applying([settled]), 'unapplied_funds_settled'],
  ['with others that are used', applying([mine, settled]), 'unapplied_funds_settled', 'together_with'],
  [
    'too few for one that has expired',
    applying([mine], null, expired),
    'unapplied_funds_not_enough',
    'together_with',
  ],
  [
    'of which too little is asked',
    applying([mine, more], 1n, expired),
    'unapplied_funds_not_enough',
    'amount',
  ],
]
test.each(refusals)('funds %s are refused by the field', (_what, plan, refused, param) => {
  expect(plan).toEqual(param ? { refused, param } : { refused })
})

test('several funds are written in one order, however the caller names them, so that no two publishes deadlock', () => {
  const target = targetOf()
  const [a, b, c] = [funds({ id: idOf(701) }), funds({ id: idOf(702) }), funds({ id: idOf(703) })]
  const adjusted = (plan: Plan<unknown> | Refusal) =>
    'writes' in plan
      ? plan.writes.flatMap((each) =>
          each.kind === 'adjust' && each.table === unappliedFunds ? [each.id] : [],
        )
      : plan
  for (const [first, ...others] of [
    [a, b, c],
    [c, a, b],
    [b, c, a],
  ] as const) {
    const application = { funds: first, amountMinor: null, others }
    const plan = planApply(target, application, speiSchedule, () => ({ writes: [], events: [] }), clockAt())
    expect(adjusted(plan)).toEqual([a.id, b.id, c.id])
    expect('reply' in plan && plan.reply.parts.map((part) => part.unapplied_funds_id)).toEqual(
      [first, ...others].map(({ id }) => id),
    )
  }
  const applied = [c, a, b].map((each) => ({ ...each, takenMinor: 1n }))
  const bankTransfer = { clabe: target.clabe, counted: [], applied }
  expect(adjusted(planUnpaid({ ...target, bankTransfer }, clockAt()))).toEqual([a.id, b.id, c.id])
})
