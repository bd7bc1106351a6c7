import { describe, expect, it } from 'vitest'
import {
  base36,
  base36Alphabet,
  base62,
  base62Alphabet,
  madeAtMs,
  publicId,
  randomToken,
  uuidv7,
} from '../../../src/kernel/ids.ts'

describe('uuidv7', () => {
  it.each([
    { ms: 0, starts: '00000000-0000-7' },
    { ms: 1, starts: '00000000-0001-7' },
    // The time of the example in RFC 9562, appendix A.6.
    { ms: 0x017f22e279b0, starts: '017f22e2-79b0-7' },
    { ms: 2 ** 48 - 1, starts: 'ffffffff-ffff-7' },
  ])('$ms ms begins $starts', ({ ms, starts }) => {
    const id = uuidv7(ms)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(id.startsWith(starts)).toBe(true)
  })

  it.each([-1, 0.5, 2 ** 48, Number.NaN])('refuses the time %s', (ms) => {
    expect(() => uuidv7(ms)).toThrow(RangeError)
  })

  it('gives a new id every time', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => uuidv7(5))).size).toBe(1_000)
  })
})

describe('random text', () => {
  it.each(['splink', 'spcs'] as const)('publicId(%s) is the prefix and 32 characters', (prefix) => {
    expect(publicId(prefix)).toMatch(new RegExp(`^${prefix}_[a-z0-9]{32}$`))
  })

  it.each([
    { bytes: 32, length: 43 },
    { bytes: 16, length: 22 },
    { bytes: 3, length: 4 },
  ])('randomToken($bytes) has $length characters of base64url', ({ bytes, length }) => {
    expect(randomToken(bytes)).toMatch(new RegExp(`^[A-Za-z0-9_-]{${length}}$`))
  })

  it('randomToken has 32 bytes by default', () => {
    expect(randomToken()).toHaveLength(43)
  })

  it.each([
    { name: 'base36', make: base36, alphabet: base36Alphabet },
    { name: 'base62', make: base62, alphabet: base62Alphabet },
  ])('$name uses every character equally often', ({ make, alphabet }) => {
    const expected = 1_000
    const seen = new Map<string, number>()
    for (const char of make(alphabet.length * expected)) seen.set(char, (seen.get(char) ?? 0) + 1)
    expect([...seen.keys()].sort().join('')).toBe(alphabet)
    // A byte modulo 36 or 62 would favor the first letters by 14 % or 25 %: more than nine standard deviations.
    const chiSquared = [...seen.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    expect(chiSquared).toBeLessThan(alphabet.length - 1 + 9 * Math.sqrt(2 * alphabet.length))
  })
})

it('a version 7 UUID contains its time; others contain none', () => {
  for (const ms of [0, 1, 1_781_352_005_123, 2 ** 48 - 1]) expect(madeAtMs(uuidv7(ms))).toBe(ms)
  for (const other of [crypto.randomUUID(), '', 'splink_1', '00000000-0000-8000-8000-000000000000'])
    expect(madeAtMs(other)).toBeNull()
})
