import { describe, expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { checkout, newSession, onSale, payByCard, sessionNow, stateOf } from '../../support/checkout.ts'
import { adjustOrder, newDiscount } from '../../support/discounts.ts'
import { newMerchant } from '../../support/merchant.ts'
import { pageOf } from '../../support/pages.ts'
import { stack } from '../../support/stack.ts'
import { answerOf, levelsOf } from '../../support/stock.ts'

const htmlOf = async (path: string) => (await fetch(stack.sandbox.directUrl + path)).text()
const coffee = { name: 'Café', unit_amount: '4550', quantity: 2, quantity_min: 1, quantity_max: 5 }

describe('quantities that the buyer chooses', () => {
  test('within the bounds of each line, and what they take from the stock', async () => {
    const merchant = await newMerchant()
    const [item] = await onSale(merchant, 3)
    const session = await newSession(merchant, {
      line_items: [{ item_id: item, quantity_min: 1, quantity_max: 9 }, coffee],
    })
    expect(session.line_items).toMatchObject([{ quantity_min: 1, quantity_max: 9 }, { quantity: 2 }])
    await adjustOrder(session.public_id, { 'quantity.0': '3', 'quantity.1': '4' })
    expect(await sessionNow(merchant, session)).toMatchObject({
      amount: '48200',
      line_items: [{ quantity: 3 }, { quantity: 4, amount_total: '18200' }],
    })
    const many = await adjustOrder(session.public_id, { 'quantity.0': '4', 'quantity.1': '3' })
    expect(many.location).toContain('order=quantity.stock&at=0&left=3')
    expect(await htmlOf(many.location)).toMatch(
      /Only 3 left\.[\s\S]*name="quantity\.0" value="3">\s*<input type="hidden" name="quantity\.1" value="3">\s*<button class="small">Change to 3</,
    )
    for (const [at, typed, problem] of [
      ['0', '4', 'quantity.stock'],
      ['1', '6', 'quantity.bounds'],
      ['1', '0', 'quantity.bounds'],
      ['1', 'x', 'quantity.bounds'],
    ] as const) {
      const { location } = await adjustOrder(session.public_id, { [`quantity.${at}`]: typed })
      expect(location).toContain(`order=${problem}&at=${at}`)
      const html = await htmlOf(location)
      expect(html).toContain(`id="quantity.${at}-error"`)
      expect(html).toContain(`value="${typed}" aria-invalid="true"`)
    }
    await payByCard(session)
    expect(await stateOf(merchant, session)).toBe('complete/paid')
    expect(await levelsOf(merchant, item!)).toEqual(['0/0'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('an order of more than is left says how many are, and one button takes as many, if they are still there', async () => {
    const merchant = await newMerchant()
    const [plates, cups] = await onSale(merchant, 5, 4)
    const bounds = { quantity_min: 1, quantity_max: 9 }
    const sell = (...lines: object[]) => newSession(merchant, { line_items: lines })
    const mine = await sell({ item_id: plates, quantity: 4, ...bounds }, { item_id: cups })
    const take = async (item_id: string | undefined, quantity: number) =>
      expect((await payByCard(await sell({ item_id, quantity }))).status).toBe(303)
    await take(plates, 2)
    const shown = await pageOf(`/${mine.public_id}?lang=en`)
    expect([shown.status, shown.title]).toEqual([409, expect.stringContaining('Only 3 left')])
    expect(shown.html).toContain('<bdi>Plato a</bdi></dt><dd>3 left')
    expect(shown.html).not.toContain('Plato b')
    expect(shown.html).toMatch(/name="quantity\.0" value="3">[\s\S]*Continue with 3</)
    await take(plates, 1)
    await adjustOrder(mine.public_id, { 'quantity.0': '3' })
    const gone = await pageOf(`/${mine.public_id}?lang=es`)
    expect([gone.status, gone.title]).toEqual([409, expect.stringContaining('Solo quedan 2')])
    await adjustOrder(mine.public_id, { 'quantity.0': '2' })
    expect((await payByCard(mine)).status).toBe(303)
    expect(await stateOf(merchant, mine)).toBe('complete/paid')
    expect(await sessionNow(merchant, mine)).toMatchObject({ amount: '30000' })
    // Nothing of the one is left, and the quantity of the other is not the buyer's.
    const both = await sell({ item_id: plates, ...bounds }, { item_id: cups, quantity: 4 })
    const fixed = await pageOf(`/${both.public_id}?lang=en`)
    expect(fixed.html).toMatch(/cannot be completed as it is[\s\S]*<dd>Sold out<[\s\S]*<dd>3 left</)
    expect(fixed.html).not.toContain('/order"')
    // A payment was tried: the order no longer changes.
    const tried = await sell({ item_id: cups, quantity: 3, ...bounds })
    await payByCard(tried, 'tok_sbx_decline_funds')
    await take(cups, 1)
    expect((await pageOf(`/${tried.public_id}?lang=en`)).html).toContain('cannot be completed as it is')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a line without bounds stays as it is', async () => {
    const merchant = await newMerchant()
    const session = await newSession(merchant, { line_items: [{ name: 'Café', unit_amount: '4550' }] })
    await adjustOrder(session.public_id, { 'quantity.0': '2' })
    expect(await sessionNow(merchant, session)).toMatchObject({ amount: '4550', version: 1 })
  })

  test.each([
    ['one bound alone', { quantity_min: 1 }, 'line_items.0.quantity_max'],
    ['a quantity outside', { quantity: 6, quantity_min: 1, quantity_max: 5 }, 'line_items.0.quantity'],
  ])('refused: %s', async (_what, fields, param) => {
    const merchant = await newMerchant()
    const refused = await checkout(merchant, 'POST', '/sessions', {
      line_items: [{ name: 'Café', unit_amount: '4550', ...fields }],
    })
    expect([answerOf(refused as never), refused.body.error?.param]).toEqual(['422 parameter_invalid', param])
  })
})

describe('tips', () => {
  const tips = { presets_bps: [1_000, 1_500], allows_own_amount: true }

  test('a preset is a part of what the lines cost after their discounts, and follows them', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant)
    const session = await newSession(merchant, {
      line_items: [coffee],
      discounts: [{ code: 'BUENFIN' }],
      tips,
    })
    expect(session).toMatchObject({ tips, amount_tip: '0', amount: '8190' })
    expect(await htmlOf(`/${session.public_id}?lang=en`)).toMatch(/value="1500"> 15 % · \$12\.29/)
    await adjustOrder(session.public_id, { tip: '1500' })
    expect(await sessionNow(merchant, session)).toMatchObject({
      amount_subtotal: '9100',
      amount_discount: '910',
      amount_tip: '1229',
      amount: '9419',
    })
    await adjustOrder(session.public_id, { 'quantity.0': '1' })
    expect(await sessionNow(merchant, session)).toMatchObject({ amount_tip: '614', amount: '4709' })
    await payByCard(session)
    expect(await stateOf(merchant, session)).toBe('complete/paid')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('an amount of the buyer’s own, none, and what is no tip', async () => {
    const merchant = await newMerchant()
    const session = await newSession(merchant, { line_items: [coffee], tips })
    const tip = (own: string) => adjustOrder(session.public_id, { tip: 'own', tip_own: own })
    await tip('20.50')
    expect(await sessionNow(merchant, session)).toMatchObject({ amount_tip: '2050', amount: '11150' })
    expect((await tip('veinte')).location).toContain('order=tip.amount')
    const { location } = await tip('91.01')
    expect(await htmlOf(location)).toContain('The tip cannot be more than your order')
    await adjustOrder(session.public_id, { tip: '2000' })
    expect(await sessionNow(merchant, session)).toMatchObject({ amount_tip: '0', amount: '9100' })
    await tip('20')
    await adjustOrder(session.public_id, { tip: '' })
    expect(await sessionNow(merchant, session)).toMatchObject({ amount_tip: '0', amount: '9100' })
  })

  test('not where the session takes none', async () => {
    const merchant = await newMerchant()
    const session = await newSession(merchant, { line_items: [coffee] })
    await adjustOrder(session.public_id, { tip: '1500' })
    expect(await sessionNow(merchant, session)).toMatchObject({ amount_tip: '0', version: 1 })
  })
})

describe('shipping', () => {
  const shipping_options = [
    { name: 'Paquetería, 3 días', amount: '9900' },
    { name: 'Recoger en tienda', amount: '0', iva_rate: 'exempt' },
  ]

  test('the first way is chosen until the buyer chooses another; neither discount nor tip counts it', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant)
    const tips = { presets_bps: [1_000], allows_own_amount: false }
    const session = await newSession(merchant, {
      line_items: [coffee],
      discounts: [{ code: 'BUENFIN' }],
      shipping_options,
      tips,
    })
    expect(session).toMatchObject({
      shipping_option: 'Paquetería, 3 días',
      amount_shipping: '9900',
      shipping_tax: { iva_rate: '16', base: '8534', iva: '1366' },
      taxes: [{ iva_rate: '16', base: '15594', iva: '2496' }],
      amount: '18090',
    })
    await adjustOrder(session.public_id, { tip: '1000' })
    expect(await sessionNow(merchant, session)).toMatchObject({ amount_tip: '819', amount: '18909' })
    expect(await htmlOf(`/${session.public_id}?lang=en`)).toContain('Shipping: Paquetería, 3 días')
    await adjustOrder(session.public_id, { shipping: '1' })
    expect(await sessionNow(merchant, session)).toMatchObject({
      shipping_option: 'Recoger en tienda',
      amount_subtotal: '9100',
      amount_discount: '910',
      amount_shipping: '0',
      shipping_tax: { iva_rate: 'exempt', base: '0', iva: '0' },
      amount_tip: '819',
      amount: '9009',
    })
    expect((await adjustOrder(session.public_id, { shipping: '7' })).location).toContain('order=order.amount')
    const changed = await checkout(merchant, 'PATCH', `/sessions/${session.id}`, { shipping_options: [] })
    expect(changed.body).toMatchObject({ shipping_option: null, amount: '9009' })
    await payByCard(session)
    expect(await stateOf(merchant, session)).toBe('complete/paid')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})
