import './seed.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bpsOf,
  minorFromNumber,
  parseMinorString,
  splitEvenly,
  splitLargestRemainder,
  toMinorString,
} from '../../src/kernel/money.ts'

const amount = fc.bigInt(-(10n ** 17n), 10n ** 17n)
const sum = (parts: bigint[]) => parts.reduce((total, part) => total + part, 0n)
const size = (value: bigint) => (value < 0n ? -value : value)

describe('money', () => {
  it('bpsOf is the nearest whole unit, the half away from zero', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 20_000 }), (of, bps) => {
        // The definition without any rounding: |10000 * result - amount * bps| <= 5000, and on the tie the larger.
        const error = size(10_000n * size(bpsOf(of, bps)) - size(of) * BigInt(bps))
        expect(error <= 5_000n).toBe(true)
        if (error === 5_000n) expect(10_000n * size(bpsOf(of, bps)) > size(of) * BigInt(bps)).toBe(true)
        expect(bpsOf(-of, bps)).toBe(-bpsOf(of, bps))
      }),
    )
  })

  it('splitEvenly sums exactly; all but the first are equal, and the first is less than a part more', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 60 }), (total, parts) => {
        const [first, ...rest] = splitEvenly(total, parts)
        expect(sum([first!, ...rest])).toBe(total)
        expect(rest).toHaveLength(parts - 1)
        expect(new Set(rest).size).toBeLessThanOrEqual(1)
        expect(size(first! - (rest[0] ?? first!)) < BigInt(parts)).toBe(true)
      }),
    )
  })

  it('splitLargestRemainder sums exactly and gives each its exact share within one unit', () => {
    const weights = fc
      .array(fc.bigInt(0n, 10n ** 12n), { minLength: 1, maxLength: 20 })
      .filter((list) => list.some((weight) => weight > 0n))
    fc.assert(
      fc.property(amount, weights, (total, list) => {
        const shares = splitLargestRemainder(total, list)
        expect(sum(shares)).toBe(total)
        for (const [index, share] of shares.entries()) {
          expect(size(share * sum(list) - total * list[index]!) < sum(list)).toBe(true)
        }
      }),
    )
  })

  it('equal weights differ by one unit at most', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 30 }), (total, parts) => {
        const shares = splitLargestRemainder(total, Array<bigint>(parts).fill(1n)).map(size)
        const least = size(total) / BigInt(parts)
        for (const share of shares) expect([least, least + 1n]).toContain(share)
      }),
    )
  })

  it('strings and numbers come back unchanged', () => {
    fc.assert(
      fc.property(amount, fc.maxSafeInteger(), (value, number) => {
        expect(parseMinorString(toMinorString(value))).toBe(value)
        expect(Number(minorFromNumber(number))).toBe(number)
      }),
    )
  })

  it('a string is read exactly when it has the form', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^-?\d{0,20}$/), fc.stringMatching(/^-?\d{1,18}$/))
    fc.assert(
      fc.property(text, (value) => {
        expect(parseMinorString(value) !== null).toBe(/^-?\d{1,18}$/.test(value))
      }),
    )
  })
})
