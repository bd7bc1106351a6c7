import { describe, expect, test } from 'vitest'
import type { ItemForSale } from '../../../functions/digital-catalogs/api-pure.ts'
import { priced, promisedBy } from '../../../functions/hosted-checkout/lines.ts'

const item = (id: string, more: object = {}) =>
  ({
    id,
    name: `Item ${id}`,
    status: 'active',
    isForSale: true,
    components: [],
    ivaRate: '16',
    priceIncludesTax: true,
    tracksStock: true,
    soldQuantityMax: null,
    price: { amountMinor: 11_600n, currency: 'mxn' },
    ...more,
  }) as unknown as ItemForSale

describe('lines of a session', () => {
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
