import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { newSession, onSale } from '../../support/checkout.ts'
import { newPaired } from '../../support/devices.ts'
import { asked, newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { codes, newDiscount } from '../../support/discounts.ts'
import { digital, entitled } from '../../support/entitlements.ts'
import { linkOfLines, ofAllRates, type SoldLink } from '../../support/link-lines.ts'
import { call, type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { pageOf } from '../../support/pages.ts'
import { eventsOf, refund } from '../../support/refunds.ts'
import { newCounter, ringUp } from '../../support/registers.ts'
import { adminSql } from '../../support/stack.ts'
import { levelsOf } from '../../support/stock.ts'
import { billOf } from '../../support/table-pay.ts'
import { type Paired, present, process } from '../../support/terminal.ts'

const sql = adminSql('sandbox')

const buy = async ({ public_id }: { public_id: string }, query = '') =>
  pay(public_id, await openLink(public_id, query), 'tok_sbx_approve')

interface Paid {
  id: string
  amount: string
  taxes: object[]
  order: { line_items: object[] }
}
const paymentOf = async ({ apiKey }: Merchant, { id }: { id: string }) =>
  (await call<{ data: Paid[] }>('GET', `/v1/payment-operations/payments?origin_id=${id}`, { bearer: apiKey }))
    .body.data[0]!

const change = ({ apiKey }: Merchant, { id }: { id: string }, body: object) =>
  call<SoldLink>('PATCH', `/v1/payment-links/${id}`, { bearer: apiKey, body: body as never })

test('lines cost the same by a link and by a checkout, to the cent, at every rate of IVA', async () => {
  const merchant = await newMerchant()
  const items = await ofAllRates(merchant)
  const orders = [
    ...items.map((item_id) => [{ item_id, quantity: 25 }]),
    items.map((item_id, at) => ({ item_id, quantity: 3 + at })),
    [
      { item_id: items[1]!, quantity: 1 },
      { item_id: items[1]!, quantity: 1 },
    ],
  ]
  for (const line_items of orders) {
    const link = await linkOfLines(merchant, line_items)
    const session = await newSession(merchant, { line_items })
    const asTheyAre = { measured: null, modifiers: [] }
    expect(session.line_items).toEqual(link.line_items.map((line) => ({ ...line, ...asTheyAre })))
    expect(link).toMatchObject({
      amount: session.amount,
      manual_amount: null,
      catalog_line_item_snapshot: null,
    })
    await buy(link)
    await buy(session)
    const [byLink, byCheckout] = [await paymentOf(merchant, link), await paymentOf(merchant, session)]
    for (const field of ['amount', 'taxes', 'order', 'description'] as const)
      expect(byLink).toHaveProperty(field, (byCheckout as never)[field])
  }
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a register, a table and a reader charge for the same lines what a checkout does', async () => {
  const merchant = await newMerchant()
  const items = await ofAllRates(merchant)
  const line_items = items.map((item_id, at) => ({ item_id, quantity: 3 + at }))
  const session = await newSession(merchant, { line_items })
  await buy(session)
  const byCheckout = await paymentOf(merchant, session)
  const { body: order } = await ringUp(await newCounter(merchant), { line_items })
  await buy(order)
  const bill = await billOf(merchant, [], { line_items })
  await bill.pay(bill.lines.map((line) => `line=${line}`).join('&'))
  const { body: action } = await process(
    { merchant, reader: await newPaired(merchant) },
    {
      amount: session.amount,
      line_items,
    },
  )
  await present({ merchant, reader: { id: action.reader_id, object: 'reader' } as Paired })
  const paid = [order, bill, { id: action.in_person_payment_id }]
  for (const origin of paid) {
    const payment = await paymentOf(merchant, origin)
    expect(payment).toMatchObject({ amount: byCheckout.amount, taxes: byCheckout.taxes })
  }
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('an attempt takes the stock of all lines, a payment grants what they deliver, and sold out is said', async () => {
  const merchant = await newMerchant()
  const [plate, cup] = (await onSale(merchant, 5, 4)) as [string, string]
  const guide = await digital(merchant, { kind: 'license_key', keys: 'generated', name: 'Guía' })
  const link = await linkOfLines(
    merchant,
    [{ item_id: plate, quantity: 2 }, { item_id: cup }, { item_id: guide, quantity: 2 }, { item_id: plate }],
    { usage: 'multi_use' },
  )
  const { html } = await pageOf(`/${link.public_id}?lang=en`)
  for (const shown of ['<b>2 ×</b>', 'Plato a', 'Plato b', 'Guía', '$600.00']) expect(html).toContain(shown)
  expect((await buy(link)).status).toBe(303)
  expect([await levelsOf(merchant, plate), await levelsOf(merchant, cup)]).toEqual([['2/0'], ['3/0']])
  const { body } = await entitled<{ data: object[] }>(merchant, 'GET', `/entitlements?item_id=${guide}`)
  expect(body.data).toHaveLength(2)
  const short = await pageOf(`/${link.public_id}?lang=en`)
  expect([short.status, short.html]).toEqual([409, expect.stringContaining('cannot be completed as it is')])
  await buy(await linkOfLines(merchant, [{ item_id: plate, quantity: 2 }]))
  expect((await pageOf(`/${link.public_id}?lang=en`)).title).toContain('Sold out')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('receipt, events and refunds read the payment of a link of lines', async () => {
  const merchant = await newMerchant()
  const [plate, cup] = (await onSale(merchant, 5, 4)) as [string, string]
  const link = await linkOfLines(merchant, [{ item_id: plate, quantity: 2 }, { item_id: cup }])
  const { location } = await buy(link)
  const receipt = await pageOf(location!)
  for (const shown of ['Plato a', 'Plato b', '$300.00', '$41.38']) expect(receipt.html).toContain(shown)
  const paid = await paymentOf(merchant, link)
  expect(paid.order.line_items).toMatchObject([
    { item_id: plate, name: 'Plato a', quantity: 2, amount_total: '20000' },
    { item_id: cup, name: 'Plato b', quantity: 1, amount_total: '10000' },
  ])
  for (const { object } of await eventsOf(merchant.tenantId, paid.id))
    expect(object).toMatchObject({ order: paid.order })
  for (const { object } of await eventsOf(merchant.tenantId, link.id))
    expect(object).toMatchObject({ line_items: [{ item_id: plate }, { item_id: cup }], amount: '30000' })
  const part = await refund(merchant, {
    payment_id: paid.id,
    amount: '10000',
    line_items: [{ id: plate, quantity: 1 }],
  })
  expect([part.status, part.text]).toEqual([201, expect.stringContaining('"amount":"10000"')])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('lines change while a link is open: at prices of then, and forms of the old ones are shown again', async () => {
  const merchant = await newMerchant()
  const [plate, cup] = (await onSale(merchant, 9, 9)) as [string, string]
  const link = await linkOfLines(merchant, [{ item_id: plate }], { usage: 'multi_use' })
  await asked(merchant, 'POST', `/items/${plate}/prices`, { amount: '12000' })
  expect((await pageOf(`/${link.public_id}?lang=en`)).html).toContain('$100.00')
  const { body: copy } = await call<SoldLink>('POST', `/v1/payment-links/${link.id}/duplicate`, {
    bearer: merchant.apiKey,
  })
  expect(copy).toMatchObject({ line_items: link.line_items, amount: '10000' })
  const form = await openLink(link.public_id)
  const line_items = [{ item_id: plate, quantity: 2 }, { item_id: cup }]
  const { body } = await change(merchant, link, { line_items })
  expect(body).toMatchObject({
    amount: '34000',
    line_items: [{ amount_total: '24000' }, { amount_total: '10000' }],
  })
  const refused = await pay(link.public_id, form, 'tok_sbx_approve')
  expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('$340.00')])
  expect((await buy(link)).status).toBe(303)
  expect([await levelsOf(merchant, plate), await levelsOf(merchant, cup)]).toEqual([['7/0'], ['8/0']])
  expect((await change(merchant, link, { line_items })).status, 'the same lines are no change').toBe(200)
  const fewer = await change(merchant, link, { line_items: [{ item_id: plate }] })
  expect(fewer.body.error?.code).toBe('payment_link_terms_frozen')
  expect((await change(merchant, link, { description: 'Vajilla' })).status).toBe(200)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a line that becomes another one of the same price moves the terms: an open form is shown again', async () => {
  const merchant = await newMerchant()
  const [plate, cup] = (await onSale(merchant, 9, 9)) as [string, string]
  const link = await linkOfLines(merchant, [{ item_id: plate }], { usage: 'multi_use' })
  const form = await openLink(link.public_id)
  const { body } = await change(merchant, link, { line_items: [{ item_id: cup }] })
  expect(body).toMatchObject({ amount: link.amount, line_items: [{ item_id: cup }] })
  expect((await pay(link.public_id, form, 'tok_sbx_approve')).status).toBe(409)
  expect((await buy(link)).status).toBe(303)
  expect([await levelsOf(merchant, plate), await levelsOf(merchant, cup)]).toEqual([['9/0'], ['8/0']])
})

test('a template with lines makes links of them, and a body that says the amount leaves them out', async () => {
  const merchant = await newMerchant()
  const [plate] = (await onSale(merchant, 3)) as [string]
  const { id: discount_id } = await newDiscount(merchant, { percent_off_bps: 5_000 })
  const ofLines = {
    amount_source: 'catalog_line_item',
    line_items: [{ item_id: plate, quantity: 2 }],
    discounts: [{ discount_id }],
    allows_discount_codes: true,
  }
  const templateOf = async (name: string, settings: object) => {
    const { body } = await call<{ id: string }>('POST', '/v1/payment-link-templates', {
      bearer: merchant.apiKey,
      body: { name, settings: { currency: 'mxn', ...settings } },
    })
    return async (fields: object) =>
      (
        await call<SoldLink>('POST', `/v1/payment-link-templates/${body.id}/payment-links`, {
          bearer: merchant.apiKey,
          body: fields as never,
        })
      ).body
  }
  const from = await templateOf('Vajilla', ofLines)
  expect(await from({})).toMatchObject({ amount: '10000', line_items: [{ item_id: plate, quantity: 2 }] })
  const plain = { line_items: [], discounts: [], allows_discount_codes: false }
  expect(await from({ manual_amount: 5_000 })).toMatchObject({ manual_amount: 5_000, ...plain })
  const counted = await templateOf('Boletos', {
    manual_amount: 5_000,
    adjustable_quantity: { min: 1, max: 9 },
  })
  expect(await counted({ manual_amount: 6_000 })).toMatchObject({ adjustable_quantity: { max: 9 } })
  const buyer_amount = { amount_min: '2000', amount_max: '9000', presets: [] }
  expect(await counted({ buyer_amount })).toMatchObject({ buyer_amount, adjustable_quantity: null })
  expect(await counted(ofLines)).toMatchObject({ amount: '10000', adjustable_quantity: null })
})

test('a duplicate leaves out a discount that is over', async () => {
  const merchant = await newMerchant()
  const [plate] = (await onSale(merchant, 3)) as [string]
  const [kept, over] = [
    await newDiscount(merchant, { code: 'CASA', percent_off_bps: 1_000 }),
    await newDiscount(merchant, { code: 'AYER', percent_off_bps: 5_000 }),
  ]
  const discounts = [{ discount_id: over.id }, { discount_id: kept.id }]
  const link = await linkOfLines(merchant, [{ item_id: plate }], { discounts })
  await codes(merchant, 'PATCH', `/${over.id}`, { active: false })
  const { status, body } = await call<SoldLink>('POST', `/v1/payment-links/${link.id}/duplicate`, {
    bearer: merchant.apiKey,
  })
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({ amount: '9000', discounts: [expect.objectContaining({ code: 'CASA' })] }),
  ])
})

test('refused', async () => {
  const merchant = await newMerchant()
  const [item] = (await onSale(merchant, 1)) as [string]
  const draft = await newItem(merchant, (await newCatalog(merchant)).id, { price: { amount: '10000' } })
  const line_items = [{ item_id: item }]
  const snapshot = { item_id: 'x', name: 'X', unit_amount: '100', quantity: 1 }
  const cases: readonly (readonly [fields: object, code: string, param: string])[] = [
    [
      { line_items: [...line_items, { item_id: draft.id }] },
      'catalog_item_not_for_sale',
      'line_items.1.item_id',
    ],
    [{ line_items: [{ item_id: merchant.ownerId }] }, 'catalog_item_not_found', 'line_items.0.item_id'],
    [{ line_items, currency: 'usd' }, 'catalog_item_not_for_sale', 'line_items.0.item_id'],
    [{ line_items: [] }, 'parameter_invalid', 'line_items'],
    [{ line_items: Array(101).fill({ item_id: item }) }, 'parameter_invalid', 'line_items'],
    [{ line_items: [{ name: 'Taza', unit_amount: '100' }] }, 'parameter_missing', 'line_items.0.item_id'],
    [{ line_items, manual_amount: 100 }, 'parameter_unknown', 'manual_amount'],
    [{ line_items, amount_source: 'manual_amount', manual_amount: 100 }, 'parameter_unknown', 'line_items'],
    [{ line_items, catalog_line_item: { item_id: item } }, 'parameter_unknown', 'line_items'],
    [{ line_items, catalog_line_item_snapshot: snapshot }, 'parameter_unknown', 'line_items'],
    [
      { line_items, buyer_amount: { amount_min: '1000', amount_max: '2000' } },
      'parameter_unknown',
      'buyer_amount',
    ],
    [{ line_items, adjustable_quantity: { min: 1, max: 2 } }, 'parameter_unknown', 'adjustable_quantity'],
  ]
  for (const [fields, code, param] of cases) {
    const { body } = await call<SoldLink>('POST', '/v1/payment-links', {
      bearer: merchant.apiKey,
      body: { amount_source: 'catalog_line_item', currency: 'mxn', ...fields },
    })
    expect(body.error, JSON.stringify(fields).slice(0, 200)).toMatchObject({ code, param })
  }
  const link = await linkOfLines(merchant, line_items)
  const changes: readonly (readonly [link: { id: string }, body: object, param: string])[] = [
    [link, { manual_amount: 100 }, 'manual_amount'],
    [link, { adjustable_quantity: { min: 1, max: 2 } }, 'adjustable_quantity'],
    [
      (
        await call<SoldLink>('POST', '/v1/payment-links', {
          bearer: merchant.apiKey,
          body: { manual_amount: 5_000, currency: 'mxn' },
        })
      ).body,
      { line_items },
      'line_items',
    ],
  ]
  for (const [of, body, param] of changes)
    expect((await change(merchant, of, body)).body.error).toMatchObject({ param })
})

test('no row of a link says that its lines cost something else, or that it sells two ways', async () => {
  const merchant = await newMerchant()
  const [item] = (await onSale(merchant, 1)) as [string]
  const { id } = await linkOfLines(merchant, [{ item_id: item, quantity: 2 }])
  for (const [lie, constraint] of [
    ['amount_minor = amount_minor - 1', 'lines_sum'],
    [`lines = jsonb_set(lines, '{0,quantity}', '3')`, 'lines_sum'],
    [`lines = jsonb_set(lines, '{0,amount_tax}', '"0"')`, 'lines_sum'],
    [`lines = lines #- '{0,unit_amount}'`, 'lines_sum'],
    [`lines = '[]', amount_minor = 0`, '(lines_sum|lines_bounded)'],
    ['lines = null', 'amount_source'],
    [`amount_source = 'manual_amount'`, 'amount_source'],
    ['quantity_min = 1, quantity_max = 1', 'lines_counted'],
  ])
    await expect(sql(`update payment_links set ${lie} where id = $1`, [id]), lie).rejects.toMatchObject({
      constraint: expect.stringMatching(new RegExp(`^payment_links_${constraint}$`)),
    })
})
