import { describe, expect, it } from 'vitest'
import {
  brandName,
  formatDateTime,
  formatList,
  formatMoney,
  formatShort,
} from '../../../src/kernel/format.ts'

describe('money', () => {
  it.each<[bigint, string, string, string]>([
    // amount                     currency  es-MX                                en
    [0n, 'mxn', '$0.00 MXN', '$0.00 MXN'],
    [1n, 'mxn', '$0.01 MXN', '$0.01 MXN'],
    [10n, 'mxn', '$0.10 MXN', '$0.10 MXN'],
    [99n, 'MXN', '$0.99 MXN', '$0.99 MXN'],
    [120000n, 'mxn', '$1,200.00 MXN', '$1,200.00 MXN'],
    [-5n, 'mxn', '−$0.05 MXN', '−$0.05 MXN'],
    [-120050n, 'mxn', '−$1,200.50 MXN', '−$1,200.50 MXN'],
    // 2^53 + 1 and beyond: a float would show another amount.
    [9007199254740993n, 'mxn', '$90,071,992,547,409.93 MXN', '$90,071,992,547,409.93 MXN'],
    [
      123456789012345678901234567890123n,
      'mxn',
      '$1,234,567,890,123,456,789,012,345,678,901.23 MXN',
      '$1,234,567,890,123,456,789,012,345,678,901.23 MXN',
    ],
    [120000n, 'usd', '$1,200.00 USD', '$1,200.00 USD'],
    [120000n, 'eur', '€1,200.00 EUR', '€1,200.00 EUR'],
    // ISO 4217, not CLDR: Colombian pesos have centavos.
    [120000n, 'cop', '$1,200.00 COP', '$1,200.00 COP'],
    [1200n, 'clp', '$1,200 CLP', '$1,200 CLP'],
    [1200n, 'jpy', '¥1,200 JPY', '¥1,200 JPY'],
  ])('%s %s', (amount, currency, spanish, english) => {
    expect(formatMoney(amount, currency, 'es-MX')).toBe(spanish)
    expect(formatMoney(amount, currency, 'en')).toBe(english)
  })

  it('names the code once where the sign is the code', () => {
    expect(formatMoney(1234567n, 'kwd', 'en').match(/KWD/g)).toHaveLength(1)
    expect(formatMoney(1234567n, 'kwd', 'en')).toContain('1,234.567')
  })

  it('leaves the code out beside an amount that has it', () => {
    expect(formatShort(9127n, 'mxn', 'es-MX')).toBe('$91.27')
  })
})

describe('dates are those of Mexico City', () => {
  it.each<[string, string, string]>([
    // instant               es-MX                              en
    ['2026-11-21T01:36:00Z', '20 de noviembre de 2026, 7:36 p.m.', 'November 20, 2026, 7:36 PM'],
    ['2026-11-21T06:00:00Z', '21 de noviembre de 2026, 12:00 a.m.', 'November 21, 2026, 12:00 AM'],
    // No daylight saving since October 2022: still UTC-6 in July.
    ['2026-07-21T05:59:00Z', '20 de julio de 2026, 11:59 p.m.', 'July 20, 2026, 11:59 PM'],
  ])('%s', (instant, spanish, english) => {
    const plain = (text: string) => text.replace(/\s/g, ' ')
    expect(plain(formatDateTime(new Date(instant), 'es-MX'))).toBe(spanish)
    expect(plain(formatDateTime(new Date(instant), 'en'))).toBe(english)
  })
})

it('lists terms as people say them', () => {
  expect(formatList([3, 6, 12], 'es-MX')).toBe('3, 6 o 12')
  expect(formatList([3, 6, 12], 'en')).toBe('3, 6, or 12')
  expect(formatList([3], 'es-MX')).toBe('3')
})

it('writes brands as people do, and unknown ones as they came', () => {
  expect(brandName('amex')).toBe('American Express')
  expect(brandName('constructor-pay')).toBe('constructor-pay')
})
