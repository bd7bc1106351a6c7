import { describe, expect, it } from 'vitest'
import {
  bpsOf,
  minorFromNumber,
  parseMinorString,
  splitEvenly,
  splitLargestRemainder,
  toMinorString,
} from '../../../src/kernel/money.ts'

describe('bpsOf', () => {
  it.each([
    { amount: 120_000n, bps: 360, is: 4_320n },
    { amount: 120_000n, bps: 1195, is: 14_340n },
    { amount: 18_660n, bps: 1600, is: 2_986n },
    { amount: 0n, bps: 360, is: 0n },
    { amount: 100n, bps: 0, is: 0n },
    { amount: 100n, bps: 49, is: 0n },
    { amount: 100n, bps: 50, is: 1n },
    { amount: 300n, bps: 50, is: 2n },
    { amount: -100n, bps: 50, is: -1n },
    { amount: -100n, bps: 49, is: 0n },
    { amount: 1n, bps: 10_000, is: 1n },
    { amount: 999_999_999_999_999_999n, bps: 1, is: 100_000_000_000_000n },
  ])('$bps bps of $amount is $is', ({ amount, bps, is }) => {
    expect(bpsOf(amount, bps)).toBe(is)
  })

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s basis points', (bps) => {
    expect(() => bpsOf(1n, bps)).toThrow(RangeError)
  })
})

describe('splitEvenly', () => {
  it.each([
    { total: 10n, parts: 3, is: [4n, 3n, 3n] },
    { total: 109_530n, parts: 12, is: [9_133n, ...Array<bigint>(11).fill(9_127n)] },
    { total: 9n, parts: 3, is: [3n, 3n, 3n] },
    { total: 2n, parts: 3, is: [2n, 0n, 0n] },
    { total: 0n, parts: 2, is: [0n, 0n] },
    { total: -10n, parts: 3, is: [-4n, -3n, -3n] },
    { total: 7n, parts: 1, is: [7n] },
  ])('$total in $parts', ({ total, parts, is }) => {
    expect(splitEvenly(total, parts)).toEqual(is)
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses %s parts', (parts) => {
    expect(() => splitEvenly(1n, parts)).toThrow(RangeError)
  })
})

describe('splitLargestRemainder', () => {
  it.each([
    { total: 100n, weights: [1n, 1n, 1n], is: [34n, 33n, 33n] },
    { total: 101n, weights: [1n, 1n, 1n], is: [34n, 34n, 33n] },
    { total: 10n, weights: [6n, 3n, 1n], is: [6n, 3n, 1n] },
    { total: 7n, weights: [5n, 4n], is: [4n, 3n] },
    { total: 5n, weights: [0n, 1n, 0n], is: [0n, 5n, 0n] },
    { total: 1n, weights: [1n, 2n], is: [0n, 1n] },
    { total: -100n, weights: [1n, 1n, 1n], is: [-34n, -33n, -33n] },
    { total: 0n, weights: [1n, 2n], is: [0n, 0n] },
  ])('$total by $weights', ({ total, weights, is }) => {
    expect(splitLargestRemainder(total, weights)).toEqual(is)
  })

  it.each([[[]], [[0n, 0n]], [[2n, -1n]]])('refuses the weights %s', (weights) => {
    expect(() => splitLargestRemainder(1n, weights)).toThrow(RangeError)
  })
})

describe('minor-unit strings', () => {
  it.each([
    { text: '120000', is: 120_000n },
    { text: '-5', is: -5n },
    { text: '0', is: 0n },
    { text: '-0', is: 0n },
    { text: '007', is: 7n },
    { text: '999999999999999999', is: 999_999_999_999_999_999n },
    { text: '1000000000000000000', is: null },
    { text: '', is: null },
    { text: '-', is: null },
    { text: '+5', is: null },
    { text: '1.00', is: null },
    { text: '1e3', is: null },
    { text: '0x10', is: null },
    { text: ' 5', is: null },
    { text: '5\n', is: null },
    { text: '１２', is: null },
  ])('reads "$text" as $is', ({ text, is }) => {
    expect(parseMinorString(text)).toBe(is)
  })

  it('writes plain digits', () => {
    expect([toMinorString(120_000n), toMinorString(-1n)]).toEqual(['120000', '-1'])
  })
})

describe('minorFromNumber', () => {
  it.each([
    { value: 15_000, is: 15_000n },
    { value: -0, is: 0n },
    { value: -3, is: -3n },
    { value: 9_007_199_254_740_991, is: 9_007_199_254_740_991n },
    { value: 9_007_199_254_740_992, is: null },
    { value: 10.5, is: null },
    { value: Number.NaN, is: null },
    { value: Number.POSITIVE_INFINITY, is: null },
  ])('$value is $is', ({ value, is }) => {
    expect(minorFromNumber(value)).toBe(is)
  })
})
