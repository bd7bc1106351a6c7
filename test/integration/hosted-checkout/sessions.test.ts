import { describe, expect, test } from 'vitest'
import { brokenRules, pageState, paymentsOf, settleAttempts } from '../../support/books.ts'
import { payInCash, vouchersOf } from '../../support/cash.ts'
import {
  checkout,
  cup,
  newSession,
  onSale,
  payByCard,
  type Session,
  sessionNow,
  stateOf,
} from '../../support/checkout.ts'
import { newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { call, type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import { adjust, answerOf, levelsOf } from '../../support/stock.ts'

const htmlOf = async (path: string) => (await fetch(stack.sandbox.directUrl + path)).text()

const advance = async ({ apiKey }: Merchant, duration: string) => {
  await call('POST', '/v1/sandbox/clock', { bearer: apiKey, body: { advance: duration } })
  await trigger('sandbox')
}

const eventsOf = async ({ tenantId }: Merchant, { id }: Session) =>
  (
    await adminSql('sandbox')<{ type: string }>(
      'select type from events where tenant_id = $1 and resource_id = $2 order by sequence',
      [tenantId, id],
    )
  ).map(({ type }) => type)

const reservationsOf = async ({ tenantId }: Merchant) =>
  (
    await adminSql('sandbox')<{ status: string }>(
      'select status from stock_reservations where tenant_id = $1 order by created_at, id',
      [tenantId],
    )
  ).map(({ status }) => status)

describe('what a session sells', () => {
  test('lines that the merchant writes: each with its IVA, and their sum', async () => {
    const merchant = await newMerchant()
    const session = await newSession(merchant, {
      line_items: [
        cup,
        { name: 'Envoltura', unit_amount: '1000', quantity: 3, price_includes_tax: false },
        { name: 'Libro', unit_amount: '999', iva_rate: '0' },
      ],
    })
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      amount: '120479',
      amount_tax: '16480',
    })
    expect(
      session.line_items.map(({ amount_subtotal, amount_tax }) => [amount_subtotal, amount_tax]),
    ).toEqual([
      ['100000', '16000'],
      ['3000', '480'],
      ['999', '0'],
    ])
    expect(await sessionNow(merchant, session)).toEqual(session)
  })

  test('items of a published catalog, at the price of now', async () => {
    const merchant = await newMerchant()
    const [item] = await onSale(merchant, 5)
    const session = await newSession(merchant, { line_items: [{ item_id: item, quantity: 3 }] })
    expect(session).toMatchObject({ amount: '30000', amount_tax: '4138' })
    expect(session.line_items).toMatchObject([
      { item_id: item, name: 'Plato a', unit_amount: '10000', quantity: 3 },
    ])
  })

  test.each([
    [
      'an item that is not there',
      { line_items: [{ item_id: '0190a6d2-7c3e-7b1a-9f00-000000000031' }] },
      '404 catalog_item_not_found',
    ],
    [
      'a customer who is not there',
      { amount: '10000', customer_id: '0190a6d2-7c3e-7b1a-9f00-000000000031' },
      '404 customer_not_found',
    ],
    ['lines and an amount', { line_items: [cup], amount: '100' }, '422 parameter_unknown'],
    ['neither', {}, '422 parameter_missing'],
    [
      'an end within five minutes',
      { amount: '10000', expires_at: new Date(Date.now() + 60_000) },
      '422 parameter_invalid',
    ],
    [
      'an address that the settings do not allow',
      { amount: '10000', success_url: 'https://example.com/' },
      '422 return_origin_not_allowed',
    ],
    ['cash below its minimum', { amount: '500', payment_method_types: ['oxxo'] }, '422 amount_below_minimum'],
  ])('refused: %s', async (_what, fields, answer) => {
    const merchant = await newMerchant()
    expect(answerOf((await checkout(merchant, 'POST', '/sessions', fields)) as never)).toBe(answer)
  })

  test('refused: an item of a draft, and one without a price', async () => {
    const merchant = await newMerchant()
    const catalog = await newCatalog(merchant)
    for (const price of [{ amount: '10000' }, undefined]) {
      const { id } = await newItem(merchant, catalog.id, { kind: 'service', ...(price ? { price } : {}) })
      const refused = await checkout(merchant, 'POST', '/sessions', { line_items: [{ item_id: id }] })
      expect(answerOf(refused as never)).toBe('409 catalog_item_not_for_sale')
      await call('POST', `/v1/digital-catalogs/${catalog.id}/publish`, { bearer: merchant.apiKey })
    }
  })
})

test('paid by card: complete in the publish that books the money, once', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, { line_items: [cup], client_reference_id: 'order-7' })
  expect(await htmlOf(`/${session.public_id}?lang=es`)).toContain('<b>2 ×</b>')
  const { status, location } = await payByCard(session)
  expect(status).toBe(303)
  const paid = await sessionNow(merchant, session)
  expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid' })
  const payment = await call('GET', `/v1/payment-operations/payments/${paid.payment_id}`, {
    bearer: merchant.apiKey,
  })
  expect(payment.body).toMatchObject({
    amount: '116000',
    description: 'Taza azul',
    client_reference_id: 'order-7',
    origin: { type: 'checkout_session', id: session.id },
  })
  expect(await eventsOf(merchant, session)).toEqual([
    'checkout_session.created',
    'checkout_session.completed',
  ])
  expect((await pageState(location!.replace(/\?.*/, ''))).state).toBe('succeeded')
  expect((await pageState(`/${session.public_id}`)).status).toBe(410)
  expect(answerOf((await checkout(merchant, 'POST', `/sessions/${session.id}/expire`)) as never)).toBe(
    '409 checkout_session_closed',
  )
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a voucher: pending, not expired while it waits, complete when the till has the money', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, { line_items: [cup], payment_method_types: ['card', 'oxxo'] })
  await payInCash(session.public_id, await openLink(session.public_id, '?method=oxxo'), 'oxxo')
  expect(await stateOf(merchant, session)).toBe('open/pending')
  await advance(merchant, 'PT25H')
  expect(await stateOf(merchant, session)).toBe('open/pending')
  expect(answerOf((await checkout(merchant, 'POST', `/sessions/${session.id}/expire`)) as never)).toBe(
    '409 checkout_session_being_paid',
  )
  const [voucher] = await vouchersOf(merchant.tenantId)
  await call('POST', `/v1/sandbox/oxxo/${voucher!.reference}/pay`, { bearer: merchant.apiKey, body: {} })
  await trigger('sandbox')
  await expect.poll(() => stateOf(merchant, session)).toBe('complete/paid')
})

test('a voucher that is not paid ends, and then the session', async () => {
  const merchant = await newMerchant()
  const [item] = await onSale(merchant, 10)
  const session = await newSession(merchant, {
    line_items: [{ item_id: item, quantity: 2 }],
    payment_method_types: ['oxxo'],
  })
  await payInCash(session.public_id, await openLink(session.public_id, '?method=oxxo'), 'oxxo')
  expect(await levelsOf(merchant, item!)).toEqual(['10/2'])
  // The voucher has expired; what was paid until then may still be reported.
  await advance(merchant, 'P4D')
  await settleAttempts(merchant.tenantId, 1)
  expect(await levelsOf(merchant, item!)).toEqual(['10/2'])
  await advance(merchant, 'P30D')
  await settleAttempts(merchant.tenantId)
  expect(await levelsOf(merchant, item!)).toEqual(['10/0'])
  await trigger('sandbox')
  expect(await stateOf(merchant, session)).toBe('expired/unpaid')
  expect(await reservationsOf(merchant)).toEqual(['released'])
})

test.each([
  ['another amount', 'set amount_minor = amount_minor + 1'],
  ['a total that is not quantity times price', `set lines = jsonb_set(lines, '{0,quantity}', '3')`],
  ['IVA that does not add up', `set lines = jsonb_set(lines, '{0,amount_tax}', '"1"')`],
])('the schema takes no lines that do not add up: %s', async (_what, change) => {
  const merchant = await newMerchant()
  const { id } = await newSession(merchant)
  const write = adminSql('sandbox')(`update checkout_sessions ${change} where id = $1`, [id])
  await expect(write).rejects.toMatchObject({ constraint: 'checkout_sessions_lines_sum' })
})

describe('stock', () => {
  test('late money sells what is still there, and names what is missing', async () => {
    const merchant = await newMerchant()
    const [item] = await onSale(merchant, 10)
    const session = await newSession(merchant, {
      line_items: [{ item_id: item, quantity: 2 }],
      payment_method_types: ['oxxo'],
    })
    await payInCash(session.public_id, await openLink(session.public_id, '?method=oxxo'), 'oxxo')
    const [voucher] = await vouchersOf(merchant.tenantId)
    await call('POST', `/v1/sandbox/oxxo/${voucher!.reference}/expire`, { bearer: merchant.apiKey })
    await settleAttempts(merchant.tenantId)
    await adjust(merchant, item!, -9, { kind: 'lost' })
    await call('POST', `/v1/sandbox/oxxo/${voucher!.reference}/pay`, {
      bearer: merchant.apiKey,
      body: { late: true },
    })
    await settleAttempts(merchant.tenantId)
    const funds = await call<{ data: { id: string }[] }>('GET', '/v1/payment-operations/unapplied-funds', {
      bearer: merchant.apiKey,
    })
    const [payment] = await paymentsOf(merchant.tenantId)
    const applied = await call(
      'POST',
      `/v1/payment-operations/unapplied-funds/${funds.body.data[0]!.id}/apply`,
      { bearer: merchant.apiKey, body: { payment_id: payment!.id } },
    )
    expect(applied.status, applied.text).toBe(200)
    expect(await stateOf(merchant, session)).toBe('complete/paid')
    expect(await levelsOf(merchant, item!)).toEqual(['0/0'])
    const [row] = await adminSql('sandbox')('select shortages from stock_reservations where tenant_id = $1', [
      merchant.tenantId,
    ])
    expect(row).toEqual({ shortages: [{ item_id: item, quantity: 1 }] })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('an attempt holds it, a success sells it, and who comes too late reads the truth', async () => {
    const merchant = await newMerchant()
    const [item] = await onSale(merchant, 1)
    const lines = { line_items: [{ item_id: item }] }
    const [first, second] = [await newSession(merchant, lines), await newSession(merchant, lines)]
    const form = await openLink(second.public_id)
    await payByCard(first)
    expect(await levelsOf(merchant, item!)).toEqual(['0/0'])
    const body = new URLSearchParams({ ...form, card_token: 'tok_sbx_approve', locale: 'en' })
    const late = await fetch(`${stack.sandbox.directUrl}/${second.public_id}/attempts`, {
      method: 'POST',
      body,
    })
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('Sold out')])
    expect(await htmlOf(`/${second.public_id}?lang=es`)).toContain('Se agotó')
    await adjust(merchant, item!, 1)
    expect((await payByCard(second)).status).toBe(303)
    expect(await stateOf(merchant, second)).toBe('complete/paid')
    expect(await reservationsOf(merchant)).toEqual(['committed', 'committed'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a declined payment frees it at once; the next attempt takes it again', async () => {
    const merchant = await newMerchant()
    const [item] = await onSale(merchant, 2)
    const session = await newSession(merchant, { line_items: [{ item_id: item, quantity: 2 }] })
    const { location } = await payByCard(session, 'tok_sbx_decline_funds')
    expect(await levelsOf(merchant, item!)).toEqual(['2/0'])
    const retry = /spcs_[a-z0-9]{32}$/.exec(location!.replace(/\?.*/, ''))![0]
    const form = await openLink(session.public_id, `?retry=${retry}`)
    const body = new URLSearchParams({ ...form, card_token: 'tok_sbx_approve', locale: 'en' })
    await fetch(`${stack.sandbox.directUrl}/${session.public_id}/attempts`, {
      method: 'POST',
      body,
      redirect: 'manual',
    })
    expect(await levelsOf(merchant, item!)).toEqual(['0/0'])
    expect(await reservationsOf(merchant)).toEqual(['released', 'committed'])
  })

  test('a bundle takes its parts, and two lines of one item count together', async () => {
    const merchant = await newMerchant()
    const [plate, bowl] = await onSale(merchant, 5, 5)
    const { body: item } = await call<{ catalog_id: string }>('GET', `/v1/catalog-items/${plate}`, {
      bearer: merchant.apiKey,
    })
    const bundle = await newItem(merchant, item.catalog_id, {
      kind: 'bundle',
      name: 'Vajilla',
      price: { amount: '25000' },
      components: [
        { item_id: plate, quantity: 2 },
        { item_id: bowl, quantity: 1 },
      ],
    })
    const session = await newSession(merchant, {
      line_items: [{ item_id: bundle.id, quantity: 2 }, { item_id: plate }],
    })
    await payByCard(session)
    expect([await levelsOf(merchant, plate!), await levelsOf(merchant, bowl!)]).toEqual([['0/0'], ['3/0']])
  })
})

test('a form of older terms charges nothing, and its buyer sees what changed', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, { amount: '10000' })
  const form = await openLink(session.public_id)
  await checkout(merchant, 'PATCH', `/sessions/${session.id}`, { amount: '20000' })
  const late = await pay(session.public_id, form, 'tok_sbx_approve')
  expect([late.status, late.html]).toEqual([409, expect.stringContaining('The purchase has changed')])
  expect(await paymentsOf(merchant.tenantId)).toEqual([])
})

test('an open session changes until a payment is tried; then its terms are frozen', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant)
  const patch = (body: object) => checkout(merchant, 'PATCH', `/sessions/${session.id}`, body)
  expect((await patch({ line_items: [{ ...cup, quantity: 1 }] })).body).toMatchObject({
    amount: '58000',
    version: 2,
  })
  await payByCard(session, 'tok_sbx_decline_funds')
  expect(answerOf((await patch({ amount: '10000' })) as never)).toBe('409 checkout_session_terms_frozen')
  expect((await patch({ metadata: { order: '7' } })).status).toBe(200)
  expect((await checkout(merchant, 'POST', `/sessions/${session.id}/expire`)).body.status).toBe('expired')
  expect(answerOf((await patch({ metadata: {} })) as never)).toBe('409 checkout_session_closed')
  expect(await htmlOf(`/${session.public_id}?lang=es`)).toContain('El tiempo para pagar terminó')
})

test('the buyer goes back to the merchant, to origins of the settings alone', async () => {
  const merchant = await newMerchant()
  expect((await checkout(merchant, 'GET', '/settings')).body).toMatchObject({
    return_origins: [],
    version: 0,
  })
  const set = (return_origins: string[]) => checkout(merchant, 'PUT', '/settings', { return_origins })
  expect((await set(['https://tienda.example', 'http://localhost:3000'])).body).toMatchObject({ version: 1 })
  expect((await set(['https://tienda.example'])).body).toMatchObject({ version: 2 })
  for (const origin of [
    'https://tienda.example/path',
    'https://.',
    'https://-',
    'https://-tienda.example',
    'https://tienda..example',
    'https://tienda.example:99999',
    'https://tienda.example:443',
    'https://1.2',
  ]) {
    const { status, body } = await set([origin])
    expect([origin, status, body]).toMatchObject([origin, 422, { error: { param: 'return_origins.0' } }])
  }
  const session = await newSession(merchant, {
    amount: '10000',
    success_url: 'https://tienda.example/gracias?s={session}',
    cancel_url: 'https://tienda.example/carrito',
  })
  expect(await htmlOf(`/${session.public_id}`)).toContain('href="https://tienda.example/carrito"')
  const { location } = await payByCard(session)
  expect(await htmlOf(location!)).toContain(`href="https://tienda.example/gracias?s=${session.public_id}"`)
  for (const url of [
    'https://tienda.example.evil.com/',
    'https://tienda.example@evil.com/',
    'https://evil.com/#https://tienda.example',
  ])
    expect(
      answerOf(
        (await checkout(merchant, 'POST', '/sessions', { amount: '10000', success_url: url })) as never,
      ),
    ).toBe('422 return_origin_not_allowed')
  for (const param of ['success_url', 'cancel_url']) {
    const fields = {
      amount: '10000',
      success_url: 'https://tienda.example/',
      [param]: 'https://other.example/',
    }
    const { body } = await checkout(merchant, 'POST', '/sessions', fields)
    expect(body).toMatchObject({ error: { code: 'return_origin_not_allowed', param } })
    expect(JSON.stringify(body)).toContain('PUT /v1/hosted-checkout/settings')
  }
})
