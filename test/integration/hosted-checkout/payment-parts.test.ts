import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { newSession, payByCard, sessionNow } from '../../support/checkout.ts'
import { asked, newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { adjustOrder, newDiscount } from '../../support/discounts.ts'
import { call, type Merchant, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { pageOf } from '../../support/pages.ts'
import { eventsOf, refund } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

const sql = adminSql('sandbox')

const paymentsPath = '/v1/payment-operations/payments'
const coffee = { name: 'Café', unit_amount: '4550', quantity: 2 }
const tips = { presets_bps: [1_500], allows_own_amount: true }

interface Parts {
  id: string
  public_id: string
  status: string
  amount: string
  amount_refunded: string
  amount_tip: string
}

const paymentOfSession = async (merchant: Merchant, id: string) =>
  (await call<{ data: Parts[] }>('GET', `${paymentsPath}?origin_id=${id}`, { bearer: merchant.apiKey })).body
    .data[0]!

test('a payment says the tip in it, also a second try, in its events and after a refund of a part', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, { line_items: [coffee], tips })
  await adjustOrder(session.public_id, { tip: '1500' })
  await payByCard(session, 'tok_sbx_decline_funds')
  const declined = await paymentOfSession(merchant, session.id)
  expect(declined).toMatchObject({ status: 'requires_payment_method', amount: '10465', amount_tip: '1365' })
  const { public_id } = declined
  await pay(session.public_id, await openLink(session.public_id, `?retry=${public_id}`), 'tok_sbx_approve')
  expect(await sessionNow(merchant, session)).toMatchObject({ amount_tip: '1365', status: 'complete' })
  const paid = await paymentOfSession(merchant, session.id)
  expect(paid).toMatchObject({ id: declined.id, status: 'succeeded', amount: '10465', amount_tip: '1365' })
  expect((await refund(merchant, { payment_id: paid.id, amount: '5000' })).status).toBe(201)
  const { body } = await call<Parts>('GET', `${paymentsPath}/${paid.id}`, { bearer: merchant.apiKey })
  expect(body).toMatchObject({ amount_refunded: '5000', amount_tip: '1365' })
  const events = await eventsOf(merchant.tenantId, paid.id)
  expect(events.length).toBeGreaterThan(2)
  for (const { object } of events) expect(object).toMatchObject({ amount_tip: '1365' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a payment carries what it paid for: lines, discounts and shipping, in its events too', async () => {
  const merchant = await newMerchant()
  const catalog = await newCatalog(merchant)
  const { id: item_id } = await newItem(merchant, catalog.id, { kind: 'service', price: { amount: '10000' } })
  await asked(merchant, 'POST', `/${catalog.id}/publish`)
  await newDiscount(merchant, { code: 'VERANO', percent_off_bps: 1_000 })
  const session = await newSession(merchant, {
    line_items: [coffee, { item_id, quantity: 1 }],
    discounts: [{ code: 'VERANO' }],
    shipping_options: [
      { name: 'Recoger', amount: '0' },
      { name: 'Paquetería', amount: '9900' },
    ],
    tips,
  })
  await adjustOrder(session.public_id, { shipping: '1', tip: '1500' })
  await payByCard(session)
  const paid = await paymentOfSession(merchant, session.id)
  const order = {
    line_items: [
      { id: null, item_id: null, name: 'Café', quantity: 2, amount_total: '9100', iva_rate: '16' },
      { item_id, name: expect.any(String), quantity: 1, amount_total: '10000', iva_rate: '16' },
    ],
    discounts: [{ code: 'VERANO', amount: '1910' }],
    shipping: { name: 'Paquetería', amount: '9900' },
  }
  const tip = Number(paid.amount_tip)
  expect([tip > 0, Number(paid.amount)]).toEqual([true, 9_100 + 10_000 - 1_910 + 9_900 + tip])
  expect(paid).toMatchObject({ order })
  for (const { object } of await eventsOf(merchant.tenantId, paid.id)) expect(object).toMatchObject({ order })
  // No row of a payment says that something else was bought for its money.
  for (const lie of [
    `"order" = jsonb_set("order", '{lines,0,total}', '"9101"')`,
    `"order" = jsonb_set("order", '{parts}', '[]')`,
    `"order" = jsonb_set("order", '{lines}', '[]')`,
    `"order" = '{}'`,
    'tip_amount_minor = tip_amount_minor - 1',
  ])
    await expect(sql(`update payments set ${lie} where id = $1`, [paid.id])).rejects.toMatchObject({
      constraint: expect.stringMatching(/^payments_(order|taxes)_sum$/),
    })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a payment of what has no lines carries none', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, { amount: '25000', description: 'Anticipo' })
  await payByCard(session)
  expect(await paymentOfSession(merchant, session.id)).toMatchObject({ description: 'Anticipo', order: null })
})

test('one item without IVA in its price costs the same by link and by checkout: IVA is rounded once for the line', async () => {
  const merchant = await newMerchant()
  const catalog = await newCatalog(merchant)
  const price = { price: { amount: '103' }, iva_rate: '16', price_includes_tax: false }
  const { id: item_id } = await newItem(merchant, catalog.id, { kind: 'service', ...price })
  await asked(merchant, 'POST', `/${catalog.id}/publish`)
  const session = await newSession(merchant, { line_items: [{ item_id, quantity: 25 }] })
  const make = async (fields: object) =>
    (await newLink(merchant, {
      manual_amount: undefined,
      amount_source: 'catalog_line_item',
      ...fields,
    })) as { id: string; public_id: string }
  const snapshot = { item_id: 'clip', name: 'Clip', unit_amount: '103', quantity: 25 }
  const untaxed = { ...snapshot, iva_rate: '16', price_includes_tax: false }
  const fixed = await make({ catalog_line_item: { item_id, quantity: 25 } })
  const own = await make({ catalog_line_item_snapshot: untaxed })
  const chosen = await make({ catalog_line_item: { item_id }, adjustable_quantity: { min: 10, max: 25 } })
  for (const [sold, query] of [
    [session, ''],
    [fixed, ''],
    [own, ''],
    [chosen, '?quantity=25'],
  ] as const) {
    await pay(sold.public_id, await openLink(sold.public_id, query), 'tok_sbx_approve')
    const line = {
      item_id: sold === own ? null : item_id,
      quantity: 25,
      amount_total: '2987',
      iva_rate: '16',
    }
    expect(await paymentOfSession(merchant, sold.id)).toMatchObject({
      amount: '2987',
      order: { line_items: [line], discounts: [], shipping: null },
      taxes: [{ iva_rate: '16', base: '2575', iva: '412' }],
    })
  }
  const unknown = await make({ catalog_line_item_snapshot: snapshot })
  await pay(unknown.public_id, await openLink(unknown.public_id), 'tok_sbx_approve')
  expect(await paymentOfSession(merchant, unknown.id)).toMatchObject({
    amount: '2575',
    description: 'Clip',
    order: null,
    taxes: [],
  })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('the markup of installments has its base and its IVA, at the rates of what was bought', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, {
    line_items: [
      { name: 'Silla', unit_amount: '80000' },
      { name: 'Libro', unit_amount: '40000', iva_rate: '0' },
    ],
    installment_options: [{ months: 3 }],
    installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: 500 },
  })
  const { location } = await pay(
    session.public_id,
    await openLink(session.public_id),
    'tok_sbx_msi_3_6_9_12',
    3,
  )
  // 60.00 on top: 40.00 at 16 % (34.48 + 5.52), 20.00 at 0 %.
  expect(await paymentOfSession(merchant, session.id)).toMatchObject({
    amount: '126000',
    amount_markup: '6000',
    taxes: [
      { iva_rate: '16', base: '72414', iva: '11586' },
      { iva_rate: '0', base: '42000', iva: '0' },
    ],
  })
  expect((await pageOf(location!)).html).toContain('$115.86')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
