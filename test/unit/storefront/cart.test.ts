import { describe, expect, test } from 'vitest'
import type { ItemForSale } from '../../../functions/goods/digital-catalogs/api-pure.ts'
import { type CartLine, cartOf, problemsOf } from '../../../functions/selling/storefront/cart.ts'
import { choiceOf, leftOf, unitOf } from '../../../functions/selling/storefront/offer.ts'

const id = (n: number) => `0190a6d2-7c3e-7b1a-9f00-${String(n).padStart(12, '0')}`
const item = (n: number, more: object = {}) =>
  ({
    id: id(n),
    catalogId: 'c',
    name: `Item ${n}`,
    optionValues: null,
    isForSale: true,
    components: [],
    measureUnit: null,
    modifiers: [],
    ivaRate: '16',
    priceIncludesTax: true,
    tracksStock: false,
    soldQuantityMax: null,
    price: { amountMinor: 100n, compareAtMinor: null, currency: 'mxn' },
    ...more,
  }) as unknown as ItemForSale
const catalog = { id: 'c', currency: 'mxn' }
const line = (n: number, typed: string, seenMinor = 100n): CartLine => ({ itemId: id(n), typed, seenMinor })

describe('the lines of a form', () => {
  test.each([
    ['a row', { 'choice.a': `${id(1)}:100`, 'quantity.a': ' 2 ' }, [line(1, '2')]],
    [
      'rows without a quantity',
      { 'choice.a': `${id(1)}:100`, 'quantity.a': '', 'choice.b': `${id(2)}:100`, 'quantity.b': '00' },
      [],
    ],
    ['no field for the quantity', { 'choice.a': `${id(1)}:100` }, []],
    ['an option that is not for sale', { 'choice.a': '', 'quantity.a': '1' }, []],
    [
      'an item twice',
      { 'choice.a': `${id(1)}:100`, 'quantity.a': '1', 'choice.b': `${id(1)}:90`, 'quantity.b': '3' },
      [line(1, '3', 90n)],
    ],
    ['no number stays as typed', { 'choice.a': `${id(1)}:100`, 'quantity.a': '-1' }, [line(1, '-1')]],
    ['no form of ours', { 'choice.a': 'x', 'quantity.a': '1' }, null],
    ['a file', { 'choice.a': `${id(1)}:100`, 'quantity.a': new Blob() }, null],
  ] as const)('%s', (_what, fields, lines) => {
    expect(cartOf(fields)).toEqual(lines)
  })
})

describe('what is wrong with a line', () => {
  const counted = item(1, { tracksStock: true })
  const few = leftOf([counted], [{ itemId: id(1), available: 2 }])
  test.each([
    ['nothing', line(1, '2'), counted, undefined],
    ['more than there is', line(1, '3'), counted, { kind: 'few_left', most: 2 }],
    ['no number', line(1, '1.5'), counted, { kind: 'quantity', most: 2 }],
    ['0 of it', line(1, '+0'), counted, { kind: 'quantity', most: 2 }],
    ['more than an order may have', line(1, '4'), item(1, { soldQuantityMax: 3 }), { kind: 'most', most: 3 }],
    ['another price', line(1, '1', 90n), item(1), { kind: 'price', from: 90n, to: 100n }],
    ['no longer for sale', line(1, '1'), item(1, { isForSale: false }), { kind: 'gone' }],
    ['no price', line(1, '1'), item(1, { price: null }), { kind: 'gone' }],
    ['something measured', line(1, '1'), item(1, { measureUnit: 'kg' }), { kind: 'gone' }],
    ['another catalog’s', line(1, '1'), item(1, { catalogId: 'd' }), { kind: 'gone' }],
  ] as const)('%s', (_what, asked, sold, problem) => {
    expect(problemsOf([asked], [sold], catalog, few).get(id(1))).toEqual(problem)
  })

  test('lines of one stock take from it in turn; a line that fails takes nothing', () => {
    const bundle = item(2, { components: [{ item_id: id(1), quantity: 2 }] })
    const left = leftOf([counted], [{ itemId: id(1), available: 5 }])
    const items = [counted, bundle]
    const kinds = (...lines: CartLine[]) => [...problemsOf(lines, items, catalog, left).values()]
    expect(kinds(line(2, '2'), line(1, '1'))).toEqual([])
    expect(kinds(line(2, '2'), line(1, '2'))).toEqual([{ kind: 'few_left', most: 1 }])
    expect(kinds(line(2, '3'), line(1, '5'))).toEqual([{ kind: 'few_left', most: 2 }])
    expect(left.get(id(1))).toBe(5)
  })
})

test('a counted item without a level at the place is sold out, one that is not counted never', () => {
  const [counted, free] = [item(1, { tracksStock: true }), item(2)]
  const left = leftOf([counted, free], [])
  expect([choiceOf(counted, left).state, choiceOf(free, left).state]).toEqual(['sold_out', 'for_sale'])
})

test('prices are shown with their IVA', () => {
  expect(unitOf(item(1, { priceIncludesTax: false }))).toBe(116n)
  expect(unitOf(item(1, { priceIncludesTax: false, ivaRate: 'exempt' }))).toBe(100n)
  expect(choiceOf(item(1, { priceIncludesTax: false, ivaRate: '8' }), new Map()).addedPercent).toBe(8)
})
