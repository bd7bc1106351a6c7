import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { itemsForSale } from '../../../functions/goods/digital-catalogs/store.ts'
import { newSession } from '../../support/checkout.ts'
import { newEmail } from '../../support/customer.ts'
import { newLocation } from '../../support/devices.ts'
import { asked, type Item, newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { answered } from '../../support/explain.ts'
import { received } from '../../support/mails.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { below, mulberry32 } from '../../support/random.ts'
import { consentTo, ended, mailsOf, newRecoverable, send, wayBack } from '../../support/recovery.ts'
import {
  newCounter,
  newOrder,
  orderNow,
  payOrder,
  type RegisterOrder,
  ringUp,
} from '../../support/registers.ts'
import { adminSql } from '../../support/stack.ts'
import { fresh, newShop, order, put, see } from '../../support/storefront.ts'
import { newTable, tablePay } from '../../support/table-pay.ts'

const cola = '7501055300075'
const listed = async (merchant: Merchant, catalogId: string, query: string) =>
  (await asked<{ data: Item[] }>(merchant, 'GET', `/${catalogId}/items?${query}`)).body.data.map(
    ({ name }) => name,
  )

const milk = {
  name: 'Leche',
  choices_min: 1,
  choices: [{ name: 'Entera' }, { name: 'Almendra', amount: '1200' }],
}

type Shown = RegisterOrder & {
  line_items: { item_id: string; name: string; unit_amount: string; amount_total: string }[]
}

test('a barcode is of one item of the workspace, whatever its leading zeros, until that is archived', async () => {
  const merchant = await newMerchant()
  const [catalog, other] = [await newCatalog(merchant), await newCatalog(merchant)]
  const first = await newItem(merchant, catalog.id, { name: 'Jabón', barcode: '036000291452' })
  const second = { kind: 'file', name: 'Otro', barcode: '0036000291452' }
  const taken = await asked(merchant, 'POST', `/${other.id}/items`, second)
  expect([taken.status, taken.body.error]).toMatchObject([
    409,
    { code: 'catalog_item_barcode_taken', param: 'barcode' },
  ])
  expect(await listed(merchant, catalog.id, 'barcode=0036000291452')).toEqual(['Jabón'])
  expect(await listed(merchant, other.id, 'barcode=036000291452')).toEqual([])
  await asked(merchant, 'POST', `/items/${first.id}/archive`)
  expect((await asked(merchant, 'POST', `/${other.id}/items`, second)).status).toBe(201)
  const restored = await asked(merchant, 'POST', `/items/${first.id}/restore`)
  expect(restored.body.error?.code).toBe('catalog_item_barcode_taken')
})

test('fifty items that ask for one barcode at once: one has it', async () => {
  const merchant = await newMerchant()
  const catalog = await newCatalog(merchant)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      asked(merchant, 'POST', `/${catalog.id}/items`, { kind: 'file', name: `Uno ${at}`, barcode: cola }),
    ),
  )
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses).toEqual([201, ...Array<number>(49).fill(409)])
})

test.each([
  [{ barcode: '7501055300076' }, 'barcode'],
  [{ barcode: '0000' }, 'barcode'],
  [{ barcode: 'a b c d' }, 'barcode'],
  [{ kind: 'file', measure_unit: 'kg' }, 'measure_unit'],
  [{ measure_unit: 'kg', tracks_stock: true }, 'tracks_stock'],
  [{ measure_unit: 'lb' }, 'measure_unit'],
  [{ modifiers: [{ ...milk, choices_max: 3 }] }, 'modifiers.0'],
  [{ modifiers: [{ ...milk, choices_min: 2 }] }, 'modifiers.0'],
  [{ modifiers: [milk, milk] }, 'modifiers'],
  [{ modifiers: [{ ...milk, choices: [] }] }, 'modifiers.0.choices'],
  [{ modifiers: [{ ...milk, choices: [{ name: 'Entera', amount: '-1' }] }] }, 'modifiers.0.choices.0.amount'],
])('an item is refused with its field: %j', async (fields, param) => {
  const merchant = await newMerchant()
  const catalog = await newCatalog(merchant)
  const made = { kind: 'physical_count', name: 'Uno', ...fields }
  const { status, body } = await asked(merchant, 'POST', `/${catalog.id}/items`, made)
  expect([status, body.error?.param]).toEqual([422, param])
})

test('what an item is measured in stays, and it has no counted stock: the database says so too', async () => {
  const merchant = await newMerchant()
  const catalog = await newCatalog(merchant)
  const item = await newItem(merchant, catalog.id, { kind: 'physical_count', measure_unit: 'kg' })
  expect(item).toMatchObject({ measure_unit: 'kg', tracks_stock: false })
  const sql = adminSql('sandbox')
  const set = (what: string) => sql(`update catalog_items set ${what} where id = $1`, [item.id])
  await expect(set(`measure_unit = 'g'`)).rejects.toThrow('append-only')
  await expect(set(`barcode = '0000', barcode_key = ''`)).rejects.toThrow('catalog_items_barcode_form')
  await expect(set(`barcode = '0123', barcode_key = '0123'`)).rejects.toThrow('catalog_items_barcode_key')
  await expect(set('tracks_stock = true')).rejects.toThrow(/append-only|catalog_items_measured/)
  const [choice, group] = [
    { name: 'a', amount: '5' },
    { name: 'x', choices_min: 0, choices_max: 1 },
  ]
  for (const modifiers of [
    [1],
    [{ ...group, choices: [{ ...choice, amount: '-5' }] }],
    [{ ...group, choices: [{ ...choice, amount: 'x' }] }],
    [{ ...group, choices: [{ amount: '5' }] }],
    [{ ...group, choices: [] }],
    [{ ...group, choices_min: 2, choices: [choice] }],
  ])
    await expect(set(`modifiers = '${JSON.stringify(modifiers)}'`)).rejects.toThrow(
      'catalog_items_modifiers_form',
    )
  const patch = await asked(merchant, 'PATCH', `/items/${item.id}`, { measure_unit: 'g' })
  expect(patch.body.error?.code).toBe('parameter_unknown')
})

test('a till scans, weighs and asks for choices; the buyer pays what the lines say', async () => {
  const shop = await newShop()
  await put(shop, 'Refresco', { amount: '2000', barcode: cola })
  const cheese = await put(shop, 'Queso Oaxaca', { amount: '18000', measure_unit: 'kg' })
  const latte = await put(shop, 'Latte', { amount: '5800', modifiers: [milk] })
  const counter = await newCounter(shop.merchant)
  const request = {
    client_reference_id: 'folio-1',
    line_items: [
      { barcode: `0${cola}`, quantity: 2 },
      { item_id: cheese.id, measure: '0.350' },
      { item_id: latte.id, modifiers: [{ group: 'Leche', choice: 'Almendra' }], quantity: 2 },
    ],
  }
  const sale = (await newOrder(counter, request)) as Shown
  expect(
    sale.line_items.map(({ name, unit_amount, amount_total }) => [name, unit_amount, amount_total]),
  ).toEqual([
    ['Refresco', '2000', '4000'],
    ['Queso Oaxaca 0.350 kg', '6300', '6300'],
    ['Latte (Almendra)', '7000', '14000'],
  ])
  expect(sale.amount).toBe('24300')
  expect(sale.line_items).toMatchObject([
    { measured: null, modifiers: [] },
    { measured: { measure: '0.350', unit: 'kg', unit_amount: '18000' }, modifiers: [] },
    { measured: null, modifiers: [{ group: 'Leche', choice: 'Almendra', amount: '1200' }] },
  ])
  // The same sale by its name, as a till sends it again: the first order, with other zeros too.
  const again = await ringUp(counter, request)
  expect([again.status, again.body.id]).toEqual([201, sale.id])
  const lighter = request.line_items.map((line) => ('measure' in line ? { ...line, measure: '0.3' } : line))
  const other = await ringUp(counter, { ...request, line_items: lighter })
  expect(other.body.error?.code).toBe('register_order_reference_used')
  await payOrder(sale)
  const { payment_id } = await orderNow(counter, sale)
  const { body } = await call<{ order: { line_items: object[] } }>(
    'GET',
    `/v1/payment-operations/payments/${payment_id}`,
    { bearer: shop.merchant.apiKey },
  )
  expect(body.order.line_items).toMatchObject([
    { name: 'Refresco', amount_total: '4000' },
    { name: 'Queso Oaxaca 0.350 kg', amount_total: '6300' },
    { name: 'Latte (Almendra)', amount_total: '14000' },
  ])
})

test.each([
  [{ barcode: '0012345670' }, '404 catalog_item_not_found line_items.0.barcode'],
  [{ barcode: cola, measure: '1' }, '422 parameter_unknown line_items.0.measure'],
  [{ barcode: cola, measure: '0' }, '422 parameter_invalid line_items.0.measure'],
  [{ barcode: '7501055300076' }, '422 parameter_invalid line_items.0.barcode'],
  [
    { barcode: cola, modifiers: [{ group: 'Leche', choice: 'Entera' }] },
    '422 parameter_invalid line_items.0.modifiers.0.group',
  ],
  [
    { barcode: cola, item_id: '0190a6d2-7c3e-7b1a-9f00-000000000061' },
    '422 parameter_unknown line_items.0.barcode',
  ],
])('a line is refused with its field: %j', async (line, answer) => {
  const shop = await newShop()
  await put(shop, 'Refresco', { barcode: cola })
  const { status, body } = await ringUp(await newCounter(shop.merchant), { line_items: [line] })
  expect(`${status} ${body.error?.code} ${body.error?.param}`).toBe(answer)
})

test('another workspace’s barcode is not found', async () => {
  await put(await newShop(), 'Refresco', { barcode: cola })
  const { body } = await ringUp(await newCounter(), { line_items: [{ barcode: cola }] })
  expect([body.error?.code, body.error?.param]).toEqual(['catalog_item_not_found', 'line_items.0.barcode'])
})

test('the page of a catalog sells nothing that needs a measure or a choice', async () => {
  const shop = await newShop()
  await put(shop, 'Queso Oaxaca', { measure_unit: 'kg' })
  await put(shop, 'Latte', { modifiers: [milk] })
  await put(shop, 'Concha', { modifiers: [{ ...milk, choices_min: 0 }] })
  const { html } = await see(shop.path)
  const unavailable = html.split('<li').filter((part) => part.includes('Sold at the counter'))
  expect(unavailable.map((part) => /Queso Oaxaca|Latte|Concha/.exec(part)?.[0])).toEqual([
    'Latte',
    'Queso Oaxaca',
  ])
})

const priceAt = (merchant: Merchant, item: Item, amount: string, location_id: string | null, more = {}) =>
  asked<Item>(merchant, 'POST', `/items/${item.id}/prices`, { amount, location_id, ...more })

test('a price of a location comes before one of none, where something is sold there', async () => {
  const shop = await newShop()
  const { merchant } = shop
  const [here, elsewhere] = [await newLocation(merchant, 'Centro'), await newLocation(merchant, 'Norte')]
  const item = await put(shop, 'Refresco', { amount: '2000' })
  const costs = async (location_id: string | null) => {
    const lines = [{ item_id: item.id, quantity: 1 }]
    return (await newSession(merchant, { line_items: lines, location_id })).amount
  }
  expect((await priceAt(merchant, item, '2500', here)).status).toBe(201)
  await priceAt(merchant, item, '1900', null)
  expect([await costs(here), await costs(elsewhere), await costs(null)]).toEqual(['2500', '1900', '1900'])
  const shown = await asked(merchant, 'GET', `/items/${item.id}`)
  expect(shown.body.price).toMatchObject({ amount: '1900', location_id: null })
  // Where the price of the place has ended, that of none counts again.
  const { body: prices } = await asked<{ data: { id: string; amount: string }[] }>(
    merchant,
    'GET',
    `/items/${item.id}/prices?location_id=${here}`,
  )
  expect(prices.data.map(({ amount }) => amount)).toEqual(['2500'])
  await asked(merchant, 'POST', `/prices/${prices.data[0]!.id}/end`)
  expect(await costs(here)).toBe('1900')
})

test('the page of a catalog has the prices of its location, and sells at them', async () => {
  const merchant = await newMerchant()
  const here = await newLocation(merchant, 'Centro')
  const shop = await newShop({ location_id: here }, merchant)
  const item = await put(shop, 'Refresco', { amount: '2000' })
  await priceAt(merchant, item, '2750', here)
  const page = await see(fresh(shop.path))
  expect(page.html).toContain('27.50')
  expect(page.html).not.toContain('20.00')
  const { location } = await order(shop, page, { [item.id]: 2 })
  const { html } = await see(location!)
  expect(html).toContain('55.00')
})

test('a price of a location that there is not is refused', async () => {
  const shop = await newShop()
  const item = await put(shop, 'Refresco')
  const strange = await newLocation(await newMerchant(), 'Centro')
  const { status, body } = await priceAt(shop.merchant, item, '1', strange)
  expect([status, body.error?.code, body.error?.param]).toEqual([404, 'location_not_found', 'location_id'])
})

type Priced = { id: string; location_id: string | null; amount: number; starts: number; ends: number | null }

/** The price in effect, said a second time: of the place before one of none, then the last that started, then by id. */
const inEffect = (prices: readonly Priced[], place: string | null, at: number) =>
  prices
    .filter(
      ({ location_id, starts, ends }) =>
        [null, place].includes(location_id) && starts <= at && (ends ?? 99) > at,
    )
    .sort(
      (a, b) =>
        Number(a.location_id === null) - Number(b.location_id === null) ||
        b.starts - a.starts ||
        (a.id < b.id ? 1 : -1),
    )[0]?.amount ?? null

test('the price in effect is that of the place, of those the last that started: two that say so agree', async () => {
  const { merchant, catalog } = await newShop()
  const item = await newItem(merchant, catalog.id)
  const places = [null, await newLocation(merchant, 'Centro'), await newLocation(merchant, 'Norte')]
  const midnight = Date.UTC(2026, 5, 13)
  const at = (hour: number) => new Date(midnight + hour * 3_600_000)
  const generator = mulberry32(7)
  const random = (max: number) => below(generator, max)
  const prices = Array.from({ length: 80 }, (_, amount): Priced => {
    const starts = random(8)
    const ends = random(3) === 0 ? null : starts + random(6)
    return { id: randomUUID(), location_id: places[random(3)]!, amount, starts, ends }
  })
  await adminSql('sandbox')(
    `insert into catalog_prices (tenant_id, id, item_id, location_id, amount_minor, currency, starts_at, ends_at, created_at, updated_at)
     select $1, p.id, $2, p.location_id, p.amount, 'mxn', $3::timestamptz + p.starts * interval '1 hour',
       $3::timestamptz + p.ends * interval '1 hour', now(), now()
     from jsonb_to_recordset($4) p (id uuid, location_id uuid, amount bigint, starts int, ends int)`,
    [merchant.tenantId, item.id, at(0), JSON.stringify(prices)],
  )
  for (const place of places)
    for (let hour = 0; hour < 14; hour++) {
      const soldAt = place === null ? {} : { location: place }
      const [found] = await answered(merchant.tenantId, itemsForSale([item.id], at(hour), soldAt))
      const amount = found!.price && Number(found!.price.amountMinor)
      expect([place, hour, amount]).toEqual([place, hour, inEffect(prices, place, hour)])
    }
})

test('a bundle has no part that is measured', async () => {
  const shop = await newShop()
  const parts = [await put(shop, 'Pan'), await put(shop, 'Queso', { measure_unit: 'kg' })]
  const components = parts.map(({ id }) => ({ item_id: id, quantity: 1 }))
  const bundle = { kind: 'bundle', name: 'Desayuno', components }
  const { body } = await asked(shop.merchant, 'POST', `/${shop.catalog.id}/items`, bundle)
  expect(body.error?.code).toBe('catalog_item_components_invalid')
})

test('a link sells nothing that needs a measure or a choice, in either form', async () => {
  const shop = await newShop()
  const cheese = await put(shop, 'Queso Oaxaca', { measure_unit: 'kg' })
  const link = { amount_source: 'catalog_line_item', currency: 'mxn' }
  const made = async (more: object) => {
    const { body } = await call<Item>('POST', '/v1/payment-links', {
      bearer: shop.merchant.apiKey,
      body: { ...link, ...more },
    })
    return `${body.error?.code} ${body.error?.param}`
  }
  const line = { item_id: cheese.id, quantity: 1 }
  expect(await made({ catalog_line_item: line })).toBe('catalog_item_not_for_sale catalog_line_item.item_id')
  expect(await made({ line_items: [line] })).toBe('catalog_item_not_for_sale line_items.0.item_id')
})

test('a bill of a table has what was weighed and chosen by its name, and nothing that costs nothing', async () => {
  const shop = await newShop()
  const cheese = await put(shop, 'Queso Oaxaca', { amount: '499', measure_unit: 'kg', barcode: 'QUESO-1' })
  const counted = await put(shop, 'Refresco', { barcode: cola, onHand: 5 })
  const free = await put(shop, 'Agua', { amount: '0' })
  const table = await newTable(shop.merchant)
  const opened = (line: object) =>
    tablePay(shop.merchant, 'POST', `/tables/${table.id}/sessions`, { line_items: [line] })
  const refused = async (line: object) => {
    const { status, body: answer } = await opened(line)
    return `${status} ${answer.error?.code} ${answer.error?.param}`
  }
  expect(await refused({ item_id: cheese.id, measure: '0.001' })).toBe(
    '422 parameter_invalid line_items.0.measure',
  )
  expect(await refused({ item_id: free.id })).toBe('422 parameter_invalid line_items.0.item_id')
  expect(await refused({ barcode: cola })).toMatch(/table_line_not_served line_items.0.barcode$/)
  expect(await refused({ item_id: counted.id })).toMatch(/table_line_not_served line_items.0.item_id$/)
  const { body } = await opened({ barcode: 'QUESO-1', measure: '0.5' })
  expect(body.line_items).toMatchObject([{ name: 'Queso Oaxaca 0.5 kg', unit_amount: '250' }])
})

test('a till that sends a sale again gets it, though its barcode is another item’s by then', async () => {
  const shop = await newShop()
  const item = await put(shop, 'Refresco', { barcode: cola })
  const counter = await newCounter(shop.merchant)
  const sale = { client_reference_id: 'folio-2', line_items: [{ barcode: cola }] }
  const first = await newOrder(counter, sale)
  await asked(shop.merchant, 'PATCH', `/items/${item.id}`, { barcode: null })
  const again = await ringUp(counter, sale)
  expect([again.status, again.body.id]).toEqual([201, first.id])
})

test('a buyer who comes back to a checkout finds what was weighed and chosen for them', async () => {
  const shop = await newShop()
  const cheese = await put(shop, 'Queso Oaxaca', { amount: '18000', measure_unit: 'kg' })
  const latte = await put(shop, 'Latte', { amount: '5800', modifiers: [milk] })
  const line_items = [
    { item_id: cheese.id, measure: '0.350', quantity: 2 },
    { item_id: latte.id, modifiers: [{ group: 'Leche', choice: 'Almendra' }] },
  ]
  const session = await newRecoverable(shop.merchant, { line_items })
  expect(session.amount).toBe('19600')
  const to = newEmail()
  await consentTo(session, to)
  await ended(shop.merchant, session)
  expect(await mailsOf(session)).toEqual(['sent'])
  const [mail] = await received(to)
  const { location } = await send(wayBack(mail!), {})
  const { html } = await see(location)
  expect(html).toContain('Queso Oaxaca 0.350 kg')
  expect(html).toContain('Latte (Almendra)')
  expect(html).toContain('196.00')
})
