import { describe, expect, test } from 'vitest'
import type { ItemForSale } from '../../../functions/goods/digital-catalogs/api-pure.ts'
import { isChecked, measure } from '../../../functions/goods/digital-catalogs/contract-counter.ts'
import { isSameBarcode, isSoldAsItIs } from '../../../functions/goods/digital-catalogs/sale.ts'
import { asksForOne, madeUp, priceOfMeasure } from '../../../functions/order/lines/made-up.ts'

const milk = {
  name: 'Leche',
  choices_min: 1,
  choices_max: 1,
  choices: [
    { name: 'Entera', amount: '0' },
    { name: 'Almendra', amount: '1200' },
  ],
}
const extras = {
  name: 'Extras',
  choices_min: 0,
  choices_max: 2,
  choices: ['Canela', 'Vainilla', 'Crema'].map((name) => ({ name, amount: '500' })),
}

const item = (more: object = {}) =>
  ({ name: 'Latte', measureUnit: null, modifiers: [], ...more }) as unknown as ItemForSale
const latte = item({ modifiers: [milk, extras] })
const cheese = item({ name: 'Queso Oaxaca', measureUnit: 'kg' })

const made = (wish: object, of: ItemForSale, priceMinor = 5800n) => {
  const one = madeUp(wish, of, priceMinor, 'line_items.0')
  return 'refused' in one
    ? `${one.refused} ${one.param}: ${one.message}`
    : [one.name, one.unitMinor, one.measured?.measure ?? null]
}

const chosen = (...of: readonly (readonly [string, string])[]) => ({
  modifiers: of.map(([group, choice]) => ({ group, choice })),
})

describe('a measure', () => {
  test.each([
    ['0.350', 18_000n, 6_300n],
    ['1', 18_000n, 18_000n],
    ['1.5', 1n, 2n],
    ['0.001', 499n, 0n],
    ['0.001', 500n, 1n],
    ['0.333', 29_900n, 9_957n],
    ['999999.999', 999_999_999_999n, 999_999_998_999_000_000n],
  ])('%s at %s a unit comes to %s: rounded half up', (text, unitMinor, minor) => {
    expect(priceOfMeasure(unitMinor, text)).toBe(minor)
  })

  test.each([
    ['0.350', true],
    ['12', true],
    ['0.001', true],
    ['999999.999', true],
    ['0', false],
    ['0.000', false],
    ['.5', false],
    ['01', false],
    ['1.', false],
    ['0.0005', false],
    ['1000000', false],
    ['-1', false],
    ['1e3', false],
    ['1,5', false],
  ])('%s: %s', (text, isOne) => {
    expect(measure.safeParse(text).success).toBe(isOne)
  })
})

describe('one of an item', () => {
  test.each([
    ['by the piece', {}, item(), ['Latte', 5800n, null]],
    ['measured', { measure: '0.350' }, cheese, ['Queso Oaxaca 0.350 kg', 2030n, '0.350']],
    ['with a choice', chosen(['Leche', 'Almendra']), latte, ['Latte (Almendra)', 7000n, null]],
    [
      'with choices in the order of the groups',
      chosen(['Extras', 'Canela'], ['Leche', 'Entera'], ['Extras', 'Crema']),
      latte,
      ['Latte (Entera, Canela, Crema)', 6800n, null],
    ],
    [
      'measured and with a choice, which its measure does not multiply',
      { measure: '0.5', ...chosen(['Extras', 'Canela']) },
      item({ name: 'Jamón', measureUnit: 'kg', modifiers: [extras] }),
      ['Jamón 0.5 kg (Canela)', 3400n, '0.5'],
    ],
    [
      'without its measure',
      {},
      cheese,
      'parameter_missing line_items.0.measure: This item is measured: say how much, in kg.',
    ],
    [
      'so little that it costs nothing',
      { measure: '0.001' },
      item({ name: 'Perejil', measureUnit: 'kg' }),
      'parameter_invalid line_items.0.measure: So little of this item costs nothing.',
      499n,
    ],
    [
      'with a measure of a piece',
      { measure: '2' },
      item(),
      'parameter_unknown line_items.0.measure: This item is sold by the piece: give its quantity alone.',
    ],
    [
      'without what must be chosen',
      {},
      latte,
      'parameter_invalid line_items.0.modifiers: Of Leche a line names 1.',
    ],
    [
      'with too many',
      chosen(['Leche', 'Entera'], ['Extras', 'Canela'], ['Extras', 'Crema'], ['Extras', 'Vainilla']),
      latte,
      'parameter_invalid line_items.0.modifiers: Of Extras a line names 0 to 2.',
    ],
    [
      'with a group of another item',
      chosen(['Tamaño', 'Grande']),
      latte,
      'parameter_invalid line_items.0.modifiers.0.group: The item has no such group of modifiers.',
    ],
    [
      'with a choice of another group',
      chosen(['Leche', 'Canela']),
      latte,
      'parameter_invalid line_items.0.modifiers.0.choice: The group has no such choice.',
    ],
    [
      'with one choice twice',
      chosen(['Leche', 'Entera'], ['Extras', 'Canela'], ['Extras', 'Canela']),
      latte,
      'parameter_invalid line_items.0.modifiers.2.choice: The line names this choice already.',
    ],
  ] as const)('%s', (_what, wish, of, expected, priceMinor: bigint = 5800n) => {
    expect(made(wish, of, priceMinor)).toEqual(expected)
  })

  test('a request asks for it again, in whatever order and with whatever zeros', () => {
    const wish = { measure: '0.5', ...chosen(['Extras', 'Canela'], ['Extras', 'Crema']) }
    const one = madeUp(wish, item({ measureUnit: 'kg', modifiers: [extras] }), 1n, '')
    if ('refused' in one) throw new Error(one.refused)
    const again = { measure: '0.500', modifiers: wish.modifiers.toReversed() }
    expect(asksForOne(wish, one)).toBe(true)
    expect(asksForOne(again, one)).toBe(true)
    expect(asksForOne({ ...wish, measure: '0.501' }, one)).toBe(false)
    expect(asksForOne({ modifiers: wish.modifiers }, one)).toBe(false)
    expect(asksForOne({ ...wish, ...chosen(['Extras', 'Canela']) }, one)).toBe(false)
    expect(asksForOne({ ...wish, ...chosen(['Extras', 'Canela'], ['Extras', 'Vainilla']) }, one)).toBe(false)
  })

  test('pages sell what needs no word of the buyer', () => {
    expect([item(), item({ modifiers: [extras] }), latte, cheese].map(isSoldAsItIs)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('a barcode', () => {
  // Check digits as GS1 publishes them; the last digit of each is moved by one.
  test.each(['96385074', '036000291452', '7501055300075', '10614141000415'])(
    '%s has its check digit',
    (code) => {
      expect(isChecked(code)).toBe(true)
      expect(isChecked(code.slice(0, -1) + ((Number(code.at(-1)) + 1) % 10))).toBe(false)
    },
  )

  test.each(['12345', 'PAN-01', '1234567890'])('%s is a code of the merchant’s own', (code) => {
    expect(isChecked(code)).toBe(true)
  })

  test('leading zeros do not tell two apart', () => {
    expect(isSameBarcode('036000291452', '0036000291452')).toBe(true)
    expect(isSameBarcode('036000291452', '36000291452')).toBe(true)
    expect(isSameBarcode('036000291452', '360002914520')).toBe(false)
  })
})
