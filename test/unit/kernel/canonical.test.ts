import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { type Json, withinDepth } from '../../../src/kernel/json.ts'

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

function nested(levels: number): Json {
  let value: Json = 1
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value }
  return value
}

describe('canonicalJson', () => {
  it.each<{ name: string; value: Json; is: string }>([
    { name: 'sorted keys', value: { b: 1, a: 2 }, is: '{"a":2,"b":1}' },
    {
      name: 'sorted at every depth',
      value: { z: [{ y: 1, x: { d: 0, c: 0 } }] },
      is: '{"z":[{"x":{"c":0,"d":0},"y":1}]}',
    },
    { name: 'arrays keep their order', value: [3, 1, 2], is: '[3,1,2]' },
    { name: 'keys that look like numbers as text', value: { 9: 1, 10: 1 }, is: '{"10":1,"9":1}' },
    { name: 'capitals first', value: { a: 1, B: 1, _: 1 }, is: '{"B":1,"_":1,"a":1}' },
    { name: 'by code unit, not code point', value: { '\ufb33': 1, '😀': 2 }, is: '{"😀":2,"\ufb33":1}' },
    { name: 'non-ASCII as it is', value: { clé: 'ñandú 漢' }, is: '{"clé":"ñandú 漢"}' },
    { name: 'no normalization', value: ['\u00e9', 'e\u0301'], is: '["\u00e9","e\u0301"]' },
    { name: 'control characters escaped', value: '\n"\\\u0001', is: '"\\n\\"\\\\\\u0001"' },
    { name: 'line separators as they are', value: '\u2028/', is: '"\u2028/"' },
    { name: 'numbers', value: [1, -0, 1.5, 1e21, 100], is: '[1,0,1.5,1e+21,100]' },
    { name: 'constants', value: [true, false, null], is: '[true,false,null]' },
    { name: 'empty', value: [{}, [], ''], is: '[{},[],""]' },
    { name: 'absent members', value: { a: undefined, b: 1 }, is: '{"b":1}' },
    {
      name: 'a key of __proto__',
      value: JSON.parse('{"b":1,"__proto__":2}') as Json,
      is: '{"__proto__":2,"b":1}',
    },
  ])('$name', ({ value, is }) => {
    expect(canonicalJson(value)).toBe(is)
  })

  it.each([
    {
      // key order and array order as a client might send them
      value: {
        scopes: ['payment_links:read', 'refunds:write'],
        environment: 'sandbox',
        description: 'Storefront',
      },
      is: 'c807457de80bfe13f0bb60d71575dfb9fbe1e801827ffc6917250cff02185a55',
    },
    {
      value: { key_ref_id: '0190a6d2-7c3e-7b1a-9f00-000000000001' },
      is: '476b472467cce629bd8a930773d80308c58843bca323b89382ce8ae88e9b7427',
    },
  ])('params_hash vector $is', ({ value, is }) => {
    expect(sha256(canonicalJson(value))).toBe(is)
  })

  it.each<[string, unknown]>([
    ['NaN', Number.NaN],
    ['Infinity', [Number.POSITIVE_INFINITY]],
    ['bigint', { a: 1n }],
    ['a hole', [undefined]],
    ['a function', () => 1],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value as Json)).toThrow(TypeError)
  })

  it('refuses what is nested too deep, without overflowing the stack', () => {
    expect(canonicalJson(nested(64))).toContain('1')
    expect(() => canonicalJson(nested(65))).toThrow(RangeError)
    expect(() => canonicalJson(nested(200_000))).toThrow('deeper than 64')
  })
})

describe('withinDepth', () => {
  it.each([
    { levels: 0, limit: 0, is: true },
    { levels: 1, limit: 0, is: false },
    { levels: 3, limit: 3, is: true },
    { levels: 4, limit: 3, is: false },
    { levels: 200_000, limit: 64, is: false },
  ])('$levels levels within $limit: $is', ({ levels, limit, is }) => {
    expect(withinDepth(nested(levels), limit)).toBe(is)
  })

  it('agrees with canonicalJson by default', () => {
    expect([withinDepth(nested(64)), withinDepth(nested(65))]).toEqual([true, false])
  })
})
