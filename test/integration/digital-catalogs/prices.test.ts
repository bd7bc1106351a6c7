import { expect, test } from 'vitest'
import { itemsForSale } from '../../../functions/goods/digital-catalogs/store.ts'
import { asked, type Item, newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { answered } from '../../support/explain.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

type Price = {
  id: string
  amount: string
  starts_at: string
  ends_at: string | null
  error?: { code: string }
}

const minutes = (from: number) => new Date(Date.now() + from * 60_000).toISOString()
const setPrice = (merchant: Merchant, item: Item, body: object) =>
  asked<Price>(merchant, 'POST', `/items/${item.id}/prices`, body)
const shown = async (merchant: Merchant, { id }: Item) =>
  (await asked(merchant, 'GET', `/items/${id}`)).body.price?.amount ?? null

async function made(fields: object = {}) {
  const merchant = await newMerchant()
  const catalog = await newCatalog(merchant)
  return { merchant, catalog, item: await newItem(merchant, catalog.id, fields) }
}

test('the last one that started counts until it ends, in the currency of the catalog', async () => {
  const { merchant, item } = await made()
  expect(await shown(merchant, item)).toBe(null)
  await setPrice(merchant, item, { amount: '10000' })
  expect(await shown(merchant, item)).toBe('10000')
  const sale = (
    await setPrice(merchant, item, { amount: '8000', compare_at_amount: '10000', ends_at: minutes(60) })
  ).body
  await setPrice(merchant, item, { amount: '500', currency: 'usd' })
  const later = (await setPrice(merchant, item, { amount: '9000', starts_at: minutes(60) })).body
  expect(await shown(merchant, item)).toBe('8000')

  const ended = await asked<Price>(merchant, 'POST', `/prices/${sale.id}/end`)
  expect(ended.body.ends_at! < sale.ends_at!).toBe(true)
  expect(await shown(merchant, item)).toBe('10000')
  const never = await asked<Price>(merchant, 'POST', `/prices/${later.id}/end`)
  expect(never.body.ends_at).toBe(later.starts_at)
  for (const { id } of [sale, later])
    expect((await asked<Price>(merchant, 'POST', `/prices/${id}/end`)).body.error?.code).toBe(
      'catalog_price_ended',
    )

  const amounts = async (query: string) =>
    (await asked<{ data: Price[] }>(merchant, 'GET', `/items/${item.id}/prices?${query}`)).body.data.map(
      ({ amount }) => amount,
    )
  expect(await amounts('')).toEqual(['9000', '500', '8000', '10000'])
  expect(await amounts('currency=usd')).toEqual(['500'])
  expect(await amounts(`currency=mxn&at=${minutes(120)}`)).toEqual(['10000'])
})

test('a sandbox’s clock brings a price that is set for later into effect, and ends one', async () => {
  const { merchant, item } = await made({ price: { amount: '10000' } })
  await setPrice(merchant, item, { amount: '8000', starts_at: minutes(60), ends_at: minutes(180) })
  const advance = async (seconds: number) => {
    const [{ moved } = { moved: null }] = await adminSql('sandbox')<{ moved: string }>(
      `select door.move_deadlines($1, $2 * interval '1 second', 0)::text as moved`,
      [merchant.tenantId, seconds],
    )
    expect(moved).toBe('')
  }
  await advance(2 * 3600)
  expect(await shown(merchant, item)).toBe('8000')
  await advance(2 * 3600)
  expect(await shown(merchant, item)).toBe('10000')
})

test.each([
  ['that has passed', { starts_at: '2020-01-01T00:00:00Z' }, 'parameter_invalid'],
  ['that ends before it starts', { starts_at: minutes(60), ends_at: minutes(30) }, 'parameter_invalid'],
  ['compared with less', { compare_at_amount: '100' }, 'parameter_invalid'],
])('no price %s', async (_what, more, code) => {
  const { merchant, item } = await made()
  expect((await setPrice(merchant, item, { amount: '100', ...more })).body.error?.code).toBe(code)
})

test('a parent has no price, an archived item gets none, and 100 are the most, also at once', async () => {
  const { merchant, catalog, item } = await made()
  const parent = await newItem(merchant, catalog.id, { options: [{ name: 'Talla', values: ['S'] }] })
  expect((await setPrice(merchant, parent, { amount: '1' })).body.error?.code).toBe('catalog_item_not_sold')
  await adminSql('sandbox')(
    `insert into catalog_prices (tenant_id, id, item_id, amount_minor, currency, starts_at, created_at, updated_at)
     select $1, gen_random_uuid(), $2, n, 'mxn', now() + n * interval '1 hour', now(), now() from generate_series(1, 99) n`,
    [merchant.tenantId, item.id],
  )
  const both = await Promise.all([1, 2].map((amount) => setPrice(merchant, item, { amount: `${amount}` })))
  expect(both.map(({ body }) => body.error?.code ?? '').sort()).toEqual(['', 'catalog_prices_too_many'])
  await asked(merchant, 'POST', `/items/${item.id}/archive`)
  expect((await setPrice(merchant, item, { amount: '1' })).body.error?.code).toBe('catalog_item_archived')
})

test('prices that another one has followed for good do not count, in each currency and at each place', async () => {
  const { merchant, item } = await made()
  await adminSql('sandbox')(
    `insert into catalog_prices (tenant_id, id, item_id, amount_minor, currency, starts_at, ends_at, created_at, updated_at)
     select $1, gen_random_uuid(), $2, n, case when n % 2 = 0 then 'mxn' else 'usd' end, now() - n * interval '1 hour',
       case when n <= 97 then now() + interval '1 day' end, now(), now() from generate_series(1, 300) n`,
    [merchant.tenantId, item.id],
  )
  // 97 that end, and one without an end of each currency.
  const place = await call<{ id: string }>('POST', '/v1/workspace/locations', {
    bearer: merchant.apiKey,
    body: { name: 'Centro', time_zone: 'America/Mexico_City' },
  })
  const set = async (more: object) => (await setPrice(merchant, item, { amount: '500', ...more })).status
  expect([await set({}), await set({ starts_at: minutes(60) }), await set({})]).toEqual([201, 201, 409])
  expect(await set({ location_id: place.body.id })).toBe(201)
})

test.each([
  'amount_minor = 1',
  `starts_at = now() - interval '1 year'`,
  `currency = 'usd'`,
  'ends_at = null',
])('a price does not change: %s', async (set) => {
  const { merchant, item } = await made({ price: { amount: '100' } })
  await asked(merchant, 'POST', `/prices/${item.price!.id}/end`)
  const write = adminSql('sandbox')(`update catalog_prices set ${set} where id = $1`, [item.price!.id])
  await expect(write).rejects.toThrow('append-only')
})

test('for sale is what is active in a published catalog, with all that it relies on', async () => {
  const { merchant, catalog, item } = await made({ price: { amount: '100' } })
  const options = [{ name: 'Talla', values: ['S'] }]
  const parent = await newItem(merchant, catalog.id, { options })
  const variant = await newItem(merchant, catalog.id, {
    variant_of: parent.id,
    option_values: { Talla: 'S' },
  })
  const components = [item, variant].map(({ id }) => ({ item_id: id, quantity: 1 }))
  const bundle = await newItem(merchant, catalog.id, { kind: 'bundle', components })
  const all = { item, parent, variant, bundle }
  const forSale = async () => {
    const rows = await answered(
      merchant.tenantId,
      itemsForSale(
        Object.values(all).map(({ id }) => id),
        new Date(),
      ),
    )
    return Object.entries(all)
      .filter(([, { id }]) => rows.find((row) => row.id === id)!.isForSale)
      .map(([name]) => name)
  }
  expect(await forSale()).toEqual([])
  await asked(merchant, 'POST', `/${catalog.id}/publish`)
  expect(await forSale()).toEqual(['item', 'variant', 'bundle'])
  await asked(merchant, 'POST', `/items/${parent.id}/deactivate`)
  expect(await forSale()).toEqual(['item'])
  await asked(merchant, 'POST', `/items/${parent.id}/activate`)
  await asked(merchant, 'POST', `/items/${item.id}/archive`)
  expect(await forSale()).toEqual(['variant'])
})

test('categories are listed by position; active ones of a catalog have different names', async () => {
  const { merchant, catalog, item } = await made()
  const create = (name: string, position: number) =>
    asked(merchant, 'POST', `/${catalog.public_id}/categories`, { name, position })
  const [last, first] = [(await create('Libros', 2)).body, (await create('Cursos', 1)).body]
  expect((await create('CURSOS', 3)).body.error?.code).toBe('catalog_category_name_taken')
  const list = await asked<{ data: Item[] }>(merchant, 'GET', `/${catalog.id}/categories`)
  expect(list.body.data.map(({ id }) => id)).toEqual([first.id, last.id])

  const other = await newCatalog(merchant)
  const elsewhere = await asked(merchant, 'POST', `/${other.id}/categories`, { name: 'Libros' })
  const file = (category_id: string) => asked(merchant, 'PATCH', `/items/${item.id}`, { category_id })
  expect((await file(elsewhere.body.id)).body.error?.code).toBe('catalog_category_not_found')
  expect((await file(first.id)).body).toMatchObject({ category_id: first.id })

  for (const [move, code] of [
    ['restore', 'catalog_category_not_archived'],
    ['archive', undefined],
    ['archive', 'catalog_category_archived'],
  ] as const)
    expect((await asked(merchant, 'POST', `/categories/${first.id}/${move}`)).body.error?.code).toBe(code)
  expect((await create('Cursos', 1)).status).toBe(201)
  expect((await asked(merchant, 'POST', `/categories/${first.id}/restore`)).body.error?.code).toBe(
    'catalog_category_name_taken',
  )
})

test('a catalog has at most 200 categories, also where two are made at once', async () => {
  const { merchant, catalog } = await made()
  await adminSql('sandbox')(
    `insert into catalog_categories (tenant_id, id, catalog_id, status, name, position, created_at, updated_at)
     select $1, gen_random_uuid(), $2, 'active', 'C' || n, n, now(), now() from generate_series(1, 199) n`,
    [merchant.tenantId, catalog.id],
  )
  const both = await Promise.all(
    ['Libros', 'Cursos'].map((name) => asked(merchant, 'POST', `/${catalog.id}/categories`, { name })),
  )
  expect(both.map(({ body }) => body.error?.code ?? '').sort()).toEqual(['', 'catalog_categories_too_many'])
})
