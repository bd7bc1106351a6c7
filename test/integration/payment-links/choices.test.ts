import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { payInCash } from '../../support/cash.ts'
import { newSession, onSale, payByCard } from '../../support/checkout.ts'
import { adjustOrder } from '../../support/discounts.ts'
import { linkOfLines, ofAllRates, orderAt, type SoldLink } from '../../support/link-lines.ts'
import { call, type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { open, pageOf, sendForm } from '../../support/pages.ts'
import { adminSql } from '../../support/stack.ts'

const sql = adminSql('sandbox')

const tips = { presets_bps: [1_000, 1_500], allows_own_amount: true }
const shipping_options = [
  { name: 'Paquetería', amount: '9900' },
  { name: 'Libros por correo', amount: '3333', iva_rate: '0' },
  { name: 'Recoger', amount: '0' },
]
const offered = { usage: 'multi_use', tips, shipping_options }

interface Paid {
  status: string
  amount: string
  amount_tip: string
  order: { shipping: { name: string } | null }
}
const paymentsOf = async ({ apiKey }: Merchant, { id }: { id: string }) =>
  (await call<{ data: Paid[] }>('GET', `/v1/payment-operations/payments?origin_id=${id}`, { bearer: apiKey }))
    .body.data

/** Plates at 100.00, of which there are many. */
async function plates(merchant: Merchant, quantity: number, fields: object = {}): Promise<SoldLink> {
  const [item_id] = await onSale(merchant, 200)
  return linkOfLines(merchant, [{ item_id, quantity }], { ...offered, ...fields })
}

const choices: readonly Readonly<Record<string, string>>[] = [
  {},
  { shipping: '1' },
  { tip: '1500' },
  { shipping: '2', tip: '1000' },
  { shipping: '0', tip: 'own', tip_own: '12.34' },
]

test('shipping and tips cost the same by a link and by a checkout, whatever a buyer chooses', async () => {
  const merchant = await newMerchant()
  const items = await ofAllRates(merchant)
  const line_items = items.map((item_id, at) => ({ item_id, quantity: 1 + at }))
  const link = await linkOfLines(merchant, line_items, offered)
  expect(link).toMatchObject({ tips, shipping_options: [{ iva_rate: '16' }, { iva_rate: '0' }, {}] })
  for (const [at, chosen] of choices.entries()) {
    const session = await newSession(merchant, { line_items, tips, shipping_options })
    await adjustOrder(session.public_id, chosen)
    await payByCard(session)
    const query = await orderAt(link, chosen)
    expect((await pay(link.public_id, await openLink(link.public_id, query), 'tok_sbx_approve')).status).toBe(
      303,
    )
    const [[byLink, ...others], [byCheckout]] = [
      await paymentsOf(merchant, link),
      await paymentsOf(merchant, session),
    ]
    expect(others).toHaveLength(at)
    for (const field of ['amount', 'amount_tip', 'taxes', 'order'] as const)
      expect(byLink, JSON.stringify(chosen)).toHaveProperty(field, (byCheckout as never)[field])
  }
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('what the page shows as chosen is charged; a form that says otherwise is shown first, and charges nothing', async () => {
  const merchant = await newMerchant()
  const link = await plates(merchant, 2)
  const query = await orderAt(link, { shipping: '2', tip: '1000' })
  const { html } = await pageOf(`/${link.public_id}${query}&lang=en`)
  expect(html).toContain('$220.00')
  expect(html).toMatch(/name="shipping"[^>]* value="2" checked/)
  expect(html).toMatch(/name="tip"[^>]* value="1000" checked/)
  const other = await sendForm(link, { card_token: 'tok_sbx_approve', shipping: '0', tip: '1000' }, { query })
  expect([other.status, await paymentsOf(merchant, link)]).toEqual([303, []])
  const shown = other.headers.get('location')!
  expect((await pageOf(shown)).html).toContain('$319.00')
  const paid = await sendForm(
    link,
    { card_token: 'tok_sbx_approve', shipping: '0', tip: '1000' },
    { query: new URL(shown, 'https://x.example').search },
  )
  expect(paid.status).toBe(303)
  expect(await paymentsOf(merchant, link)).toMatchObject([
    { amount: '31900', amount_tip: '2000', order: { shipping: { name: 'Paquetería' } } },
  ])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a choice that cannot be had: the page says why and takes no money until it is corrected', async () => {
  const merchant = await newMerchant()
  const link = await plates(merchant, 2)
  for (const [chosen, says] of [
    [{ tip: 'own', tip_own: 'mucho' }, 'Write the tip as an amount'],
    [{ tip: 'own', tip_own: '200.01' }, 'cannot be more than your order'],
    [{ tip: 'own', tip_own: '4242 4242 4242 4242' }, 'Write the tip as an amount'],
    [{ shipping: '7' }, 'cannot be paid here'],
  ] as const) {
    const query = await orderAt(link, chosen)
    expect(query).not.toContain('4242')
    const { html } = await pageOf(`/${link.public_id}${query}`)
    expect(html, JSON.stringify(chosen)).toContain('role="alert"')
    expect(html.toLowerCase()).toContain(says.toLowerCase())
    expect(html).not.toContain('name="quote"')
  }
  // Nothing of what is not offered is added to the price.
  const { html } = await pageOf(`/${link.public_id}?tip=9999&lang=en`)
  expect(html).toContain('$299.00')
})

test('a choice that no method takes is refused with its price; one that some take offers those', async () => {
  const merchant = await newMerchant()
  const cash = { payment_method_types: ['oxxo'] }
  const dear = [
    { name: 'Recoger', amount: '0' },
    { name: 'Flete', amount: '90000' },
  ]
  const link = await plates(merchant, 95, { ...cash, shipping_options: dear })
  const query = await orderAt(link, { shipping: '1' })
  const { html } = await pageOf(`/${link.public_id}${query}`)
  expect(html).toContain('role="alert"')
  expect(html).not.toContain('name="quote"')
  const both = await plates(merchant, 95, { payment_method_types: ['card', 'oxxo'], shipping_options: dear })
  const cards = await pageOf(`/${both.public_id}${await orderAt(both, { shipping: '1' })}`)
  expect([cards.html.includes('name="quote"'), cards.html.includes('id="by-oxxo"')]).toEqual([true, false])
})

test('a second try after a declined card, and a voucher, pay what was chosen', async () => {
  const merchant = await newMerchant()
  const link = await plates(merchant, 2, { payment_method_types: ['card', 'oxxo'] })
  for (const [chosen, amount, tip] of [
    [{ shipping: '1', tip: '1500' }, '26333', '3000'],
    [{ shipping: '2', tip: 'own', tip_own: '7.77' }, '20777', '777'],
  ] as const) {
    const form = await openLink(link.public_id, await orderAt(link, chosen))
    const { location } = await pay(link.public_id, form, 'tok_sbx_decline_funds')
    const retry = `?retry=${/spcs_[a-z0-9]{32}/.exec(location!)![0]}`
    await pay(link.public_id, await openLink(link.public_id, retry), 'tok_sbx_approve')
    const [paid] = await paymentsOf(merchant, link)
    expect(paid).toMatchObject({ status: 'succeeded', amount, amount_tip: tip })
  }
  const form = await openLink(link.public_id, `${await orderAt(link, { shipping: '2' })}&method=oxxo`)
  expect((await payInCash(link.public_id, form, 'oxxo')).status).toBe(303)
  expect((await paymentsOf(merchant, link))[0]).toMatchObject({ status: 'requires_action', amount: '20000' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('what buyers may add changes while a link is open, and not after its first payment', async () => {
  const merchant = await newMerchant()
  const link = await plates(merchant, 1)
  const change = (body: object) =>
    call<SoldLink>('PATCH', `/v1/payment-links/${link.id}`, { bearer: merchant.apiKey, body: body as never })
  const form = await openLink(link.public_id, await orderAt(link, { tip: '1500' }))
  expect(
    (await change({ tips: null, shipping_options: [{ name: 'Correo', amount: '500' }] })).body,
  ).toMatchObject({
    amount: '10500',
    tips: null,
  })
  const refused = await pay(link.public_id, form, 'tok_sbx_approve')
  expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('$105.00')])
  expect((await pageOf(`/${link.public_id}?tip=1500&lang=en`)).html).not.toContain('name="tip"')
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  expect((await change({ tips })).body.error?.code).toBe('payment_link_terms_frozen')
  const { body: copy } = await call<SoldLink>('POST', `/v1/payment-links/${link.id}/duplicate`, {
    bearer: merchant.apiKey,
  })
  expect(copy).toMatchObject({ amount: '10500', shipping_options: [{ name: 'Correo' }] })
})

test('refused without lines, and by the schema', async () => {
  const merchant = await newMerchant()
  for (const [fields, param] of [
    [{ tips }, 'tips'],
    [{ shipping_options }, 'shipping_options'],
  ] as const) {
    const { body } = await call<SoldLink>('POST', '/v1/payment-links', {
      bearer: merchant.apiKey,
      body: { manual_amount: 10_000, currency: 'mxn', ...fields },
    })
    expect(body.error).toMatchObject({ code: 'parameter_unknown', param })
  }
  const link = await plates(merchant, 1)
  for (const [lie, constraint] of [
    [`shipping_options = '[]'`, 'lines_sum'],
    [`shipping_options = jsonb_set(shipping_options, '{0,amount}', '"9901"')`, 'lines_sum'],
    [
      `lines = null, catalog_line_item_snapshot = '{"unit_amount": "19900", "quantity": 1, "price_includes_tax": true}'`,
      'lines_offered',
    ],
  ])
    await expect(sql(`update payment_links set ${lie} where id = $1`, [link.id]), lie).rejects.toMatchObject({
      constraint: `payment_links_${constraint}`,
    })
})

test('an address of a link without lines takes no choice, and a link that offers none has none', async () => {
  const merchant = await newMerchant()
  const [item_id] = await onSale(merchant, 9)
  const plain = await linkOfLines(merchant, [{ item_id }])
  for (const query of ['', '?tip=1500&shipping=1&code=NADA&quantity.0=3']) {
    const { html } = await pageOf(`/${plain.public_id}${query}`)
    expect([html.includes('$100.00'), html.includes('name="tip"')]).toEqual([true, false])
  }
  const reply = await open(`/${plain.public_id}/order`, {
    method: 'POST',
    body: new URLSearchParams({ tip: '1500' }),
  })
  expect(reply.status).toBe(303)
})
