import { describe, expect, it, test } from 'vitest'
import {
  cardMethod,
  cardMethods,
  flowOf,
  isMethod,
  isPush,
  type Method,
  methods,
  methodsOf,
  pageMethods,
  pushMethods,
  transferMethod,
} from '../../../src/kernel/payment-methods.ts'

test('methods by their flow, in the order of the table', () => {
  expect(methods).toEqual(['card', 'card_present', 'oxxo', 'spei'])
  expect(pageMethods).toEqual(['card', 'oxxo', 'spei'])
  expect(cardMethods).toEqual(['card', 'card_present'])
  expect(methodsOf('voucher')).toEqual(['oxxo'])
  expect([cardMethod, transferMethod]).toEqual(['card', 'spei'])
  expect(methods.filter((method) => isPush({ method }))).toEqual(pushMethods)
})

describe('a method that is not in the table', () => {
  it.each(['paycash', '', 'Card', 'constructor', '__proto__'])('"%s" is none, and no card', (name) => {
    expect(isMethod(name)).toBe(false)
    expect(() => flowOf(name as Method)).toThrow('an unknown payment method')
    expect(() => isPush({ method: name as Method })).toThrow('an unknown payment method')
  })
})
