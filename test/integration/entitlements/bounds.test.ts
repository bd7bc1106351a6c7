import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { publicId } from '../../../src/kernel/ids.ts'
import { brokenRules } from '../../support/books.ts'
import { checkout, newSession, onSale } from '../../support/checkout.ts'
import { newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { buy, digital } from '../../support/entitlements.ts'
import { call, type Link, type Merchant, newMerchant } from '../../support/merchant.ts'
import { pageOf } from '../../support/pages.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { choicesIn, fresh, newShop, order, put, see } from '../../support/storefront.ts'

const refusedWith = ({ status, body }: { status: number; body: { error?: object } }) => [status, body.error]
const outOfBounds = (param: string) => [
  422,
  expect.objectContaining({
    code: 'parameter_invalid',
    param,
    message: expect.stringContaining('at most 1000'),
  }),
]

/** A bundle of this many vouchers, a file and a service. */
async function bundleOf(merchant: Merchant, vouchers: number): Promise<string> {
  const { id: catalog } = await newCatalog(merchant)
  const part = async (kind: string) => (await newItem(merchant, catalog, { kind, name: kind })).id
  const components = [
    { item_id: await part('voucher'), quantity: vouchers },
    { item_id: await part('file'), quantity: 1000 },
    { item_id: await part('service'), quantity: 1000 },
  ]
  const fields = { kind: 'bundle', name: 'Paquete', price: { amount: '10000' }, components }
  const { id } = await newItem(merchant, catalog, fields)
  await call('POST', `/v1/digital-catalogs/${catalog}/publish`, { bearer: merchant.apiKey })
  return id
}

const sell = (merchant: Merchant, ...line_items: readonly object[]) =>
  checkout(merchant, 'POST', '/sessions', { line_items })

const linkOf = (merchant: Merchant, item_id: string, fields: object) =>
  call<Link & { error?: object }>('POST', '/v1/payment-links', {
    bearer: merchant.apiKey,
    body: {
      amount_source: 'catalog_line_item',
      currency: 'mxn',
      catalog_line_item: { item_id },
      ...fields,
    } as never,
  })

test('a checkout grants at most 1000 things; files count once, and what is not delivered not at all', async () => {
  const merchant = await newMerchant()
  const [bundle, voucher] = [await bundleOf(merchant, 333), await digital(merchant, { kind: 'voucher' })]
  const three = { item_id: bundle, quantity: 3 }
  expect((await sell(merchant, three)).status).toBe(201)
  const more = await sell(merchant, three, { item_id: voucher, quantity: 1 })
  expect(refusedWith(more)).toEqual(outOfBounds('line_items.1.quantity'))
  const chosen = { item_id: bundle, quantity: 1, quantity_min: 1, quantity_max: 4 }
  expect(refusedWith(await sell(merchant, chosen))).toEqual(outOfBounds('line_items.0.quantity_max'))
  const [thing] = (await onSale(merchant, 0)) as [string]
  expect((await sell(merchant, { item_id: thing, quantity: 10_000 })).status).toBe(201)
  const { id } = await newSession(merchant, { line_items: [three] })
  const changed = await checkout(merchant, 'PATCH', `/sessions/${id}`, {
    line_items: [{ item_id: voucher, quantity: 1001 }],
  })
  expect(refusedWith(changed)).toEqual(outOfBounds('line_items.0.quantity'))
})

test('a link grants at most 1000 things to one buyer', async () => {
  const merchant = await newMerchant()
  const voucher = await digital(merchant, { kind: 'voucher' })
  const whole = await linkOf(merchant, voucher, { catalog_line_item: { item_id: voucher, quantity: 1001 } })
  expect(refusedWith(whole)).toEqual(outOfBounds('catalog_line_item.quantity'))
  const chosen = await linkOf(merchant, voucher, { adjustable_quantity: { min: 1, max: 1001 } })
  expect(refusedWith(chosen)).toEqual(outOfBounds('adjustable_quantity.max'))
  const { body: link } = await linkOf(merchant, voucher, { adjustable_quantity: { min: 1, max: 1000 } })
  const raised = await call<{ error?: object }>('PATCH', `/v1/payment-links/${link.id}`, {
    bearer: merchant.apiKey,
    body: { adjustable_quantity: { min: 1, max: 1001 } },
  })
  expect(refusedWith(raised)).toEqual(outOfBounds('adjustable_quantity.max'))
})

test('the most of an item in one order bounds a link that is changed, too', async () => {
  const merchant = await newMerchant()
  const item = await digital(merchant, { kind: 'service', sold_quantity_max: 3 })
  const { body: link } = await linkOf(merchant, item, { adjustable_quantity: { min: 1, max: 3 } })
  const raise = (max: number) =>
    call<{ error?: object }>('PATCH', `/v1/payment-links/${link.id}`, {
      bearer: merchant.apiKey,
      body: { adjustable_quantity: { min: 1, max } },
    })
  expect(refusedWith(await raise(4))).toEqual([
    422,
    expect.objectContaining({ code: 'parameter_invalid', param: 'adjustable_quantity.max' }),
  ])
  expect((await raise(2)).status).toBe(200)
})

test('a catalog’s page says how many things one order may grant', async () => {
  const shop = await newShop()
  const voucher = await put(shop, 'Vale', { kind: 'voucher', amount: '1000' })
  const page = await see(fresh(shop.path))
  expect(choicesIn(page)[voucher.id]).toBeDefined()
  const refused = await order(shop, page, { [voucher.id]: 1001 })
  expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('up to 1000 files')])
  expect((await order(shop, page, { [voucher.id]: 1000 })).status).toBe(303)
})

test('the database refuses more, of a checkout and of a link, and sums of stock that no level holds', async () => {
  const merchant = await newMerchant()
  const voucher = await digital(merchant, { kind: 'voucher' })
  const [thing] = (await onSale(merchant, 1)) as [string]
  const session = await newSession(merchant, { line_items: [{ item_id: thing }] })
  const { body: link } = await linkOf(merchant, voucher, { adjustable_quantity: { min: 1, max: 500 } })
  const write = (table: string, id: string, set: string) =>
    adminSql('sandbox')(`update ${table} set ${set} where id = $1`, [id])
  const delivers = (quantity: number) => `delivers = '[{"item_id":"${voucher}","quantity":${quantity}}]'`
  const takes = (quantity: number) =>
    `stock = '{"location_id":null,"lines":[{"item_id":"${thing}","quantity":${quantity}}]}'`
  const refusals: readonly (readonly [table: string, id: string, set: string, what: string])[] = [
    ['checkout_sessions', session.id, delivers(1001), 'grants'],
    ['checkout_sessions', session.id, takes(1_000_000_001), 'stock'],
    ['payment_links', link.id, delivers(3), 'grants'],
    ['payment_links', link.id, 'quantity_max = 1001', 'grants'],
    ['payment_links', link.id, takes(2_000_001), 'stock'],
  ]
  for (const [table, id, set, what] of refusals)
    await expect(write(table, id, set), set).rejects.toMatchObject({ constraint: `${table}_${what}_bounded` })
  const copy = (table: string, id: string, fields: object) =>
    adminSql('sandbox')(
      `insert into ${table} select (jsonb_populate_record(o, $2)).* from ${table} o where id = $1`,
      [
        id,
        { id: randomUUID(), public_id: publicId(table === 'payment_links' ? 'splink' : 'spcs'), ...fields },
      ],
    )
  const much = { delivers: [{ item_id: voucher, quantity: 1001 }] }
  for (const [table, id] of [
    ['checkout_sessions', session.id],
    ['payment_links', link.id],
  ] as const) {
    await expect(copy(table, id, much)).rejects.toMatchObject({ constraint: `${table}_grants_bounded` })
    await copy(table, id, {})
  }
  await write('checkout_sessions', session.id, delivers(1000))
  await write('payment_links', link.id, delivers(2))
})

test('the receipt shows all that a payment granted', async () => {
  const merchant = await newMerchant()
  const { receipt, paymentId } = await buy(merchant, [await bundleOf(merchant, 499), 2])
  await trigger('sandbox')
  const codes = [...(await pageOf(`${receipt}?lang=en`)).html.matchAll(/<code translate="no">/g)]
  const [{ count } = { count: 0 }] = await adminSql('sandbox')<{ count: number }>(
    `select count(*)::int as count from entitlements where payment_id = $1 and kind = 'voucher'`,
    [paymentId],
  )
  expect([codes.length, count]).toEqual([998, 998])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
