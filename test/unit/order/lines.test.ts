import { describe, expect, test } from 'vitest'
import type { ItemForSale } from '../../../functions/goods/digital-catalogs/api-pure.ts'
import { leftFrom } from '../../../functions/goods/inventory/api-pure.ts'
import { priced, promisedBy } from '../../../functions/order/lines/lines.ts'
import { isShort, shortageOf } from '../../../functions/order/lines/shortage.ts'

const item = (id: string, more: object = {}) =>
  ({
    id,
    name: `Item ${id}`,
    status: 'active',
    isForSale: true,
    components: [],
    measureUnit: null,
    modifiers: [],
    ivaRate: '16',
    priceIncludesTax: true,
    tracksStock: true,
    soldQuantityMax: null,
    price: { amountMinor: 11_600n, currency: 'mxn' },
    ...more,
  }) as unknown as ItemForSale

describe('lines', () => {
  test.each([
    ['contained', { unit_amount: '58000', price_includes_tax: true }, ['100000', '16000', '116000']],
    ['added', { unit_amount: '50000', price_includes_tax: false }, ['100000', '16000', '116000']],
    ['8 %', { unit_amount: '54', iva_rate: '8' }, ['100', '8', '108']],
    ['exempt', { unit_amount: '999', iva_rate: 'exempt' }, ['1998', '0', '1998']],
    ['rounded half up once for the line', { unit_amount: '3', price_includes_tax: false }, ['6', '1', '7']],
  ] as const)('IVA, %s', (_what, more, amounts) => {
    const line = { name: 'Taza', quantity: 2, iva_rate: '16' as const, price_includes_tax: true, ...more }
    const found = priced([line], [], 'mxn')
    if ('refused' in found) throw new Error(found.refused)
    const [{ amount_subtotal, amount_tax, amount_total } = { amount_total: '' }] = found.lines
    expect([amount_subtotal, amount_tax, amount_total]).toEqual(amounts)
    expect(found.amountMinor).toBe(BigInt(amounts[2]))
  })

  test('lines of one item take their sum from the stock; a bundle takes its parts; other items nothing', () => {
    const items = [
      item('b'),
      item('a'),
      item('file', { tracksStock: false, kind: 'file' }),
      item('set', {
        tracksStock: false,
        components: [
          { item_id: 'a', quantity: 2 },
          { item_id: 'file', quantity: 1 },
        ],
      }),
    ]
    const asked = ['b', 'set', 'b', 'file'].map((item_id) => ({ item_id, quantity: 3 }))
    const found = priced(asked, items, 'mxn')
    if ('refused' in found) throw new Error(found.refused)
    expect(found.amountMinor).toBe(139_200n)
    expect(promisedBy(found.lines, null)).toEqual({
      stock: {
        location_id: null,
        lines: [
          { item_id: 'a', quantity: 6 },
          { item_id: 'b', quantity: 6 },
        ],
      },
      delivers: [{ item_id: 'file', quantity: 6 }],
    })
  })

  test.each([
    ['an item that is not there', [], 'mxn', 'catalog_item_not_found'],
    ['one that is not for sale', [item('x', { isForSale: false })], 'mxn', 'catalog_item_not_for_sale'],
    ['one without a price', [item('x', { price: null })], 'mxn', 'catalog_item_not_for_sale'],
    ['a price in another currency', [item('x')], 'usd', 'catalog_item_not_for_sale'],
    ['more than one order may have', [item('x', { soldQuantityMax: 5 })], 'mxn', 'parameter_invalid'],
  ] as const)('refused: %s', (_what, items, currency, code) => {
    const asked = [
      { item_id: 'x', quantity: 3 },
      { item_id: 'x', quantity: 3 },
    ]
    expect(priced(asked, items, currency)).toMatchObject({ refused: code })
  })
})

describe('what is left of what lines take', () => {
  type Sold = Parameters<typeof shortageOf>[0][number]
  const line = (name: string, quantity: number, takes: Record<string, number>, bounds: object = {}) =>
    ({
      name,
      quantity,
      takes: Object.entries(takes).map(([item_id, each]) => ({ item_id, quantity: each })),
      ...bounds,
    }) as unknown as Sold
  const chosen = { quantity_min: 1, quantity_max: 9 }
  test.each([
    ['enough', [line('A', 3, { a: 1 }, chosen)], { a: 3 }, null],
    ['nothing', [line('A', 3, { a: 1 }, chosen)], { a: 0 }, null],
    ['not counted', [line('A', 3, {}, chosen)], null, null],
    ['fewer', [line('A', 3, { a: 1 }, chosen)], { a: 2 }, [[['A', 2]], { 0: 2 }]],
    ['a bundle of two', [line('A', 3, { a: 2 }, chosen)], { a: 5 }, [[['A', 2]], { 0: 2 }]],
    [
      'fewer than the least',
      [line('A', 3, { a: 1 }, { quantity_min: 3, quantity_max: 5 })],
      { a: 2 },
      [[['A', 2]], null],
    ],
    ['a fixed quantity', [line('A', 3, { a: 1 })], { a: 2 }, [[['A', 2]], null]],
    [
      'a fixed line takes its part first',
      [line('A', 3, { a: 1 }, chosen), line('B', 1, { a: 2 })],
      { a: 4 },
      [
        [
          ['A', 4],
          ['B', 2],
        ],
        { 0: 2 },
      ],
    ],
    [
      'two of one stock, in their order',
      [line('A', 3, { a: 1 }, chosen), line('B', 3, { a: 1 }, chosen)],
      { a: 4 },
      [
        [
          ['A', 4],
          ['B', 4],
        ],
        { 1: 1 },
      ],
    ],
    [
      'one is gone, another not',
      [line('A', 1, { a: 1 }, chosen), line('B', 2, { b: 1 }, chosen)],
      { a: 0, b: 1 },
      [
        [
          ['A', 0],
          ['B', 1],
        ],
        null,
      ],
    ],
  ] as const)('%s', (_what, lines, left, said) => {
    const found = leftFrom(left)
    const shortage = shortageOf(lines, found)
    const wanted = said && {
      lines: said[0].map(([name, count]) => ({ name, left: count })),
      offer: said[1] && { quantities: said[1] },
    }
    expect(shortage).toEqual(wanted)
    expect(isShort(lines, found) || shortage === null).toBe(true)
    expect(shortageOf(lines, found, true)?.offer ?? null).toBe(null)
  })
})
