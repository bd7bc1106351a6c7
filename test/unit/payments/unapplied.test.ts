import { expect, test } from 'vitest'
import { unappliedOf } from '../../../functions/payments/plan-unapplied.ts'

const funds = (
  id: string,
  amountMinor: bigint,
  remainingMinor: bigint,
  takenMinor: bigint | null = null,
) => ({
  id,
  amountMinor,
  remainingMinor,
  takenMinor,
})

test.each([
  ['nothing came', [], null],
  ['too much', [funds('a', 30n, 30n)], { receivedMinor: 30n, heldMinor: 30n }],
  [
    'two parts that did not complete it',
    [funds('a', 10n, 10n), funds('b', 5n, 5n)],
    { receivedMinor: 15n, heldMinor: 15n },
  ],
  ['a part that was sent back', [funds('a', 10n, 4n)], { receivedMinor: 10n, heldMinor: 4n }],
  ['all of it was sent back', [funds('a', 10n, 0n)], { receivedMinor: 10n, heldMinor: 0n }],
  ['the payment took all of it after all', [funds('a', 10n, 0n, 10n)], null],
  ['… in two shares', [funds('a', 10n, 0n, 4n), funds('a', 10n, 0n, 6n)], null],
  [
    '… and a part of other funds',
    [funds('a', 10n, 0n, 10n), funds('b', 9n, 2n, 7n)],
    { receivedMinor: 2n, heldMinor: 2n },
  ],
  ['a part of it paid another payment', [funds('a', 10n, 0n, 6n)], { receivedMinor: 4n, heldMinor: 0n }],
])('%s', (_, rows, unapplied) => {
  expect(unappliedOf(rows)).toEqual(unapplied)
})
