import { expect, test } from 'vitest'
import { brokenRules, settleAttempts } from '../../support/books.ts'
import { newSession, onSale, payByCard } from '../../support/checkout.ts'
import { adjustOrder } from '../../support/discounts.ts'
import { digital, entitled } from '../../support/entitlements.ts'
import { linkOfLines, ofAllRates, orderAt } from '../../support/link-lines.ts'
import { call, type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { open, pageOf } from '../../support/pages.ts'
import { adminSql } from '../../support/stack.ts'
import { levelsOf } from '../../support/stock.ts'

const sql = adminSql('sandbox')

const many = { usage: 'multi_use' }
const bounds = { quantity_min: 1, quantity_max: 5 }

interface Paid {
  id: string
  amount: string
}
const paymentsOf = async ({ apiKey }: Merchant, { id }: { id: string }) =>
  (await call<{ data: Paid[] }>('GET', `/v1/payment-operations/payments?origin_id=${id}`, { bearer: apiKey }))
    .body.data

const buy = async (
  link: { public_id: string } & Parameters<typeof orderAt>[0],
  chosen: Record<string, string>,
) => pay(link.public_id, await openLink(link.public_id, await orderAt(link, chosen)), 'tok_sbx_approve')

test('quantities that buyers choose by line cost the same by a link and by a checkout', async () => {
  const merchant = await newMerchant()
  const items = await ofAllRates(merchant)
  const line_items = items.map((item_id) => ({ item_id, quantity: 2, quantity_min: 1, quantity_max: 40 }))
  const link = await linkOfLines(merchant, line_items, many)
  expect(link.line_items).toMatchObject(
    items.map((item_id) => ({ item_id, quantity_min: 1, quantity_max: 40 })),
  )
  for (const chosen of [
    { 'quantity.0': '25' },
    Object.fromEntries(items.map((_, at) => [`quantity.${at}`, String(3 * at + 1)])),
  ]) {
    const session = await newSession(merchant, { line_items })
    await adjustOrder(session.public_id, chosen)
    await payByCard(session)
    expect((await buy(link, chosen)).status).toBe(303)
    const [[byLink], [byCheckout]] = [await paymentsOf(merchant, link), await paymentsOf(merchant, session)]
    for (const field of ['amount', 'taxes', 'order'] as const)
      expect(byLink, JSON.stringify(chosen)).toHaveProperty(field, (byCheckout as never)[field])
  }
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('each payment takes and grants what its buyer chose, also a second try with another quantity', async () => {
  const merchant = await newMerchant()
  const [plate, cup] = (await onSale(merchant, 20, 20)) as [string, string]
  const guide = await digital(merchant, { kind: 'license_key', keys: 'generated', name: 'Guía' })
  const link = await linkOfLines(
    merchant,
    [
      { item_id: plate, ...bounds },
      { item_id: cup, quantity: 2 },
      { item_id: guide, ...bounds },
    ],
    many,
  )
  const levels = async () => [...(await levelsOf(merchant, plate)), ...(await levelsOf(merchant, cup))]
  await buy(link, { 'quantity.0': '4', 'quantity.2': '3' })
  expect(await levels()).toEqual(['16/0', '18/0'])
  const first = await openLink(link.public_id, await orderAt(link, { 'quantity.0': '5' }))
  const { location } = await pay(link.public_id, first, 'tok_sbx_decline_funds')
  const retry = /spcs_[a-z0-9]{32}/.exec(location!)![0]
  const { html } = await pageOf(`/${link.public_id}?retry=${retry}`)
  expect(html).toMatch(/name="quantity.0"[^>]* value="5"/)
  await pay(link.public_id, await openLink(link.public_id, `?retry=${retry}&quantity.0=2`), 'tok_sbx_approve')
  expect(await levels()).toEqual(['14/0', '16/0'])
  const { body } = await entitled<{ data: object[] }>(merchant, 'GET', `/entitlements?item_id=${guide}`)
  expect(body.data).toHaveLength(4)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a quantity out of its bounds, or beyond what is left, takes no money; one button takes what is left', async () => {
  const merchant = await newMerchant()
  const [plate] = (await onSale(merchant, 4)) as [string]
  const link = await linkOfLines(merchant, [{ item_id: plate, ...bounds }], {
    ...many,
    tips: { presets_bps: [1_000] },
  })
  for (const quantity of ['0', '6', 'tres']) {
    const { html } = await pageOf(`/${link.public_id}${await orderAt(link, { 'quantity.0': quantity })}`)
    expect([html.includes('id="quantity.0-error"'), html.includes('name="quote"')], quantity).toEqual([
      true,
      false,
    ])
  }
  const { html } = await pageOf(
    `/${link.public_id}${await orderAt(link, { 'quantity.0': '5', tip: '1000' })}`,
  )
  expect([html.includes('name="quantity.0" value="4"'), html.includes('name="quote"')]).toEqual([true, false])
  const late = await openLink(link.public_id, await orderAt(link, { 'quantity.0': '4', tip: '1000' }))
  await buy(link, { 'quantity.0': '2' })
  const refused = await pay(link.public_id, late, 'tok_sbx_approve')
  expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('Only 2 left')])
  const action = /action="([^"]+\/order[^"]*)"/.exec(refused.html)![1]!.replaceAll('&amp;', '&')
  const offered = await open(action, {
    method: 'POST',
    body: new URLSearchParams({ 'quantity.0': '2', locale: 'en' }),
  })
  expect((await pageOf(offered.headers.get('location')!)).html).toContain('$220.00')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a page that begins with more than is left offers what is left', async () => {
  const merchant = await newMerchant()
  const [plate] = (await onSale(merchant, 3)) as [string]
  const link = await linkOfLines(merchant, [{ item_id: plate, quantity: 5, ...bounds }], many)
  const short = await pageOf(`/${link.public_id}?lang=en`)
  expect([short.status, short.title]).toEqual([409, expect.stringContaining('Only 3 left')])
  expect(short.html).toContain('name="quantity.0" value="3"')
  expect((await buy(link, { 'quantity.0': '3' })).status).toBe(303)
  expect(await levelsOf(merchant, plate)).toEqual(['0/0'])
  expect((await pageOf(`/${link.public_id}?lang=en`)).title).toContain('Sold out')
})

test('50 buyers at once of two of a line with seven left: three are charged', async () => {
  const merchant = await newMerchant()
  const [plate] = (await onSale(merchant, 7)) as [string]
  const link = await linkOfLines(merchant, [{ item_id: plate, ...bounds }], many)
  const query = await orderAt(link, { 'quantity.0': '2' })
  const forms = await Promise.all(Array.from({ length: 50 }, () => openLink(link.public_id, query)))
  await Promise.all(forms.map((form) => pay(link.public_id, form, 'tok_sbx_approve')))
  await settleAttempts(merchant.tenantId)
  const paid = await paymentsOf(merchant, link)
  expect(paid.map(({ amount }) => amount)).toEqual(['20000', '20000', '20000'])
  expect(await levelsOf(merchant, plate)).toEqual(['1/0'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('no payment is made of more, or of less, than the link sells', async () => {
  const merchant = await newMerchant()
  const [plate] = (await onSale(merchant, 99)) as [string]
  const link = await linkOfLines(
    merchant,
    [{ item_id: plate, quantity: 2, quantity_min: 2, quantity_max: 5 }],
    many,
  )
  const form = await openLink(link.public_id, await orderAt(link, { 'quantity.0': '3' }))
  await pay(link.public_id, form, 'tok_sbx_decline_generic')
  const [{ id }] = (await paymentsOf(merchant, link)) as [Paid]
  // The same payment once more, of another quantity at the same price.
  const copy = (quantity: number) =>
    sql(
      `insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(),
         'public_id', 'spcs_' || replace(gen_random_uuid()::text, '-', ''), 'amount_minor', p.amount_minor / 3 * $2,
         'taxes', jsonb_build_array(jsonb_build_object('rate', '16', 'base', (p.amount_minor / 3 * $2)::text, 'iva', '0')),
         'order', jsonb_set(jsonb_set(p."order", '{lines,0,quantity}', to_jsonb($2::int)),
           '{lines,0,total}', to_jsonb((p.amount_minor / 3 * $2)::text))))).*
       from payments p where p.id = $1`,
      [id, quantity],
    )
  await copy(5)
  await copy(2)
  for (const quantity of [6, 1])
    await expect(copy(quantity)).rejects.toMatchObject({ constraint: 'payments_order_of_link' })
})

test('no row of a payment says that other lines of the link were bought, or takes other stock', async () => {
  const merchant = await newMerchant()
  const [plate, cup] = (await onSale(merchant, 9, 9)) as [string, string]
  const link = await linkOfLines(merchant, [{ item_id: plate, ...bounds }, { item_id: cup }], many)
  await buy(link, { 'quantity.0': '3' })
  const [{ id }] = (await paymentsOf(merchant, link)) as [Paid]
  for (const lie of [
    `"order" = jsonb_set("order", '{lines,0,quantity}', '6')`,
    `"order" = jsonb_set("order", '{lines,0,quantity}', '2')`,
    `"order" = jsonb_set("order", '{lines,1,quantity}', '2')`,
    `"order" = jsonb_set(jsonb_set("order", '{lines,0,total}', '"29999"'), '{lines,1,total}', '"10001"')`,
    `"order" = jsonb_set("order", '{lines,0,item_id}', to_jsonb('${cup}'::text))`,
    `"order" = "order" #- '{lines,1}'`,
    '"order" = null',
  ])
    await expect(sql(`update payments set ${lie} where id = $1`, [id]), lie).rejects.toMatchObject({
      constraint: expect.stringMatching(/^payments_order_(of_link|sum)$/),
    })
  await sql(`update payments set takes = '[]', delivers = '[]' where id = $1`, [id])
  const takes = [
    { item_id: plate, quantity: 3 },
    { item_id: cup, quantity: 1 },
  ].sort((a, b) => (a.item_id < b.item_id ? -1 : 1))
  expect(await sql('select takes, delivers from payments where id = $1', [id])).toEqual([
    { takes, delivers: null },
  ])
})
