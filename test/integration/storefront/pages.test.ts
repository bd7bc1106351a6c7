import { beforeAll, describe, expect, test } from 'vitest'
import { shownItems } from '../../../functions/goods/digital-catalogs/api.ts'
import { asked } from '../../support/digital-catalogs.ts'
import { explained, vacuumed } from '../../support/explain.ts'
import { call, newMerchant } from '../../support/merchant.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { fresh, newShop, order, put, type Shop, see } from '../../support/storefront.ts'

test('items with price, former price, variants, what is sold out, and who sells', async () => {
  const shop = await newShop({ description: 'Barro de Dolores Hidalgo' })
  await adminSql('sandbox')(
    `update tenants set support_email = 'hola@ceramica.example', support_phone = '+525512345678',
       fiscal_profile = '{"rfc":"CAZ010101AB1","legal_name":"CERAMICA AZUL SA DE CV","tax_regime":"601","postal_code":"37800"}'
     where tenant_id = $1`,
    [shop.merchant.tenantId],
  )
  await put(shop, 'Taza <b>azul</b>', { price: { amount: '9000', compare_at_amount: '12000' } })
  await put(shop, 'Agotada', { onHand: 0 })
  await put(shop, 'Sin precio', { price: null })
  const shirt = await put(shop, 'Playera', { options: [{ name: 'Talla', values: ['S', 'M'] }], price: null })
  await put(shop, 'Playera', { variant_of: shirt.id, option_values: { Talla: 'S' }, amount: '15000' })
  await put(shop, 'Playera', {
    variant_of: shirt.id,
    option_values: { Talla: 'M' },
    amount: '17000',
    onHand: 0,
  })
  const { status, html, headers } = await see(shop.path)
  expect(status).toBe(200)
  expect(html).toContain('Taza &lt;b&gt;azul&lt;/b&gt;')
  expect(html).toMatch(/<s>.*\$120\.00<\/s>.*<b>\$90\.00<\/b>/)
  expect(html).toContain('S: $150.00</option>')
  expect(html).toContain('<option disabled>M: Sold out</option>')
  expect(html.match(/<p class="out">Sold out<\/p>/g)).toHaveLength(1)
  expect(html).toContain('<p class="out">Not available now</p>')
  expect(html).toContain('CERAMICA AZUL SA DE CV')
  expect(html).toContain('mailto:hola@ceramica.example')
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
  expect(headers.get('cache-control')).toBe('no-store')
})

test('drafts, archived catalogs and unknown ones answer alike, and an address names no other', async () => {
  const shop = await newShop()
  const item = await put(shop, 'Taza')
  const hidden = await put(shop, 'Oculta', { status: 'inactive' })
  const stranger = await newShop()
  const draft = await asked<{ public_id: string; url: null }>(shop.merchant, 'POST', '', { name: 'Borrador' })
  expect(draft.body.url).toBe(null)
  const unknown = await see(`/k/scat_${'a'.repeat(32)}`)
  expect(unknown.status).toBe(404)
  for (const path of [
    `/k/${draft.body.public_id}`,
    `${shop.path}/${hidden.id}`,
    `${stranger.path}/${item.id}`,
    `/k/scat_${'a'.repeat(32)}/${item.id}`,
    '/k/scat_short',
    `${shop.path}/nothing`,
  ]) {
    const { status, html } = await see(path)
    expect([path, status]).toEqual([path, 404])
    expect(html.replaceAll(path, '')).toBe(unknown.html.replaceAll(`/k/scat_${'a'.repeat(32)}`, ''))
  }
  expect((await see(`${shop.path}/${item.id}`)).status).toBe(200)
  await asked(shop.merchant, 'POST', `/${shop.catalog.id}/archive`)
  expect((await see(fresh(shop.path))).status).toBe(404)
})

test('the catalog’s reply has the address of its page while it is published', async () => {
  const shop = await newShop()
  const at = `/${shop.catalog.id}`
  const published = await asked<{ url: string | null }>(shop.merchant, 'GET', at)
  expect(published.body.url).toBe(`https://${stack.sandbox.linkBaseUrl}${shop.path}`)
  expect((await asked<{ url: string | null }>(shop.merchant, 'POST', `${at}/unpublish`)).body.url).toBe(null)
})

test('terms that a catalog cannot have are refused', async () => {
  const merchant = await newMerchant()
  const of = (body: object) => asked(merchant, 'POST', '', { name: 'Tienda', ...body })
  expect((await of({ currency: 'usd', payment_method_types: ['card', 'oxxo'] })).body.error).toMatchObject({
    code: 'payment_method_unavailable',
    param: 'payment_method_types.1',
  })
  expect((await of({ location_id: crypto.randomUUID() })).body.error).toMatchObject({
    code: 'location_not_found',
    param: 'location_id',
  })
  for (const body of [{ payment_method_types: [] }, { installment_options: [{ months: 3 }, { months: 3 }] }])
    expect((await of(body)).status).toBe(422)
})

test('search by words, a category, and pages that name every item once', async () => {
  const shop = await newShop()
  const category = await call<{ id: string }>('POST', `/v1/digital-catalogs/${shop.catalog.id}/categories`, {
    bearer: shop.merchant.apiKey,
    body: { name: 'Tazas' },
  })
  for (let at = 0; at < 30; at++)
    await put(shop, `${at % 2 ? 'Taza' : 'Plato'} ${at}`, at % 3 ? {} : { category_id: category.body.id })
  const names = (html: string) => [...html.matchAll(/data-name="([^"]*)"/g)].map(([, name]) => name)
  const first = await see(shop.path)
  expect(names(first.html)).toHaveLength(24)
  const next = /href="([^"]*after=[^"]*)">More items/.exec(first.html)![1]!.replaceAll('&amp;', '&')
  const second = await see(next)
  expect(new Set([...names(first.html), ...names(second.html)]).size).toBe(30)
  expect(second.html).not.toContain('>More items<')
  expect(names((await see(`${shop.path}?q=plat`)).html)).toHaveLength(15)
  expect(names((await see(`${shop.path}?category=${category.body.id}`)).html)).toHaveLength(10)
  expect(names((await see(`${shop.path}?q=taza&category=${category.body.id}`)).html)).toHaveLength(5)
  for (const odd of [
    'q=%00%F0%9F',
    'after=zz',
    'category=x',
    `q=${'a'.repeat(5_000)}`,
    'after=0.zzzzzzzzz.0190a6d2-7c3e-7b1a-9f00-000000000081',
  ])
    expect([odd, (await see(`${shop.path}?${odd}`)).status]).toEqual([odd, 200])
})

test('items and variants stand in the order that the merchant sets, over its pages and in a category', async () => {
  const shop = await newShop()
  const { apiKey: bearer } = shop.merchant
  const category = await call<{ id: string }>('POST', `/v1/digital-catalogs/${shop.catalog.id}/categories`, {
    bearer,
    body: { name: 'Tazas' },
  })
  const made: string[] = []
  for (let at = 0; at < 26; at++)
    made.push((await put(shop, `Taza ${at}`, { position: at % 13, category_id: category.body.id })).id)
  const names = (html: string) => [...html.matchAll(/data-name="([^"]*)"/g)].map(([, name]) => name)
  // The lowest first; of equals the newest.
  const inOrder = Array.from({ length: 13 }, (_, at) => [`Taza ${at + 13}`, `Taza ${at}`]).flat()
  const all = async (path: string) => {
    const first = await see(path)
    const next = /href="([^"]*after=[^"]*)">More items/.exec(first.html)![1]!.replaceAll('&amp;', '&')
    return [...names(first.html), ...names((await see(next)).html)]
  }
  expect(await all(shop.path)).toEqual(inOrder)
  expect(await all(`${shop.path}?category=${category.body.id}`)).toEqual(inOrder)
  const moved = await call<{ position: number }>('PATCH', `/v1/catalog-items/${made[25]!}`, {
    bearer,
    body: { position: 0 },
  })
  expect(moved.body.position).toBe(0)
  expect(names((await see(fresh(shop.path))).html).slice(0, 3)).toEqual(['Taza 25', 'Taza 13', 'Taza 0'])
  for (const position of [-1, 1.5, 1_000_001])
    expect(
      (await call('PATCH', `/v1/catalog-items/${made[0]!}`, { bearer, body: { position } })).body,
    ).toMatchObject({ error: { code: 'parameter_invalid', param: 'position' } })

  const shirt = await put(shop, 'Playera', { options: [{ name: 'Talla', values: ['S', 'M'] }], price: null })
  const sized = (Talla: string, position: number) =>
    put(shop, 'Playera', { variant_of: shirt.id, option_values: { Talla }, position })
  await sized('M', 2)
  await sized('S', 1)
  const { html } = await see(`${shop.path}/${shirt.id}`)
  expect([...html.matchAll(/data-label="(\w)"/g)].map(([, label]) => label)).toEqual(['S', 'M'])
})

test('an item’s own page begins at one; the list begins at none; a way on stays in sight', async () => {
  const shop = await newShop()
  const item = await put(shop, 'Taza')
  const field = (html: string) =>
    new RegExp(`name="quantity.${item.id}"[^>]* value="([^"]*)"`).exec(html)?.[1]
  const [list, alone] = [await see(shop.path), await see(`${shop.path}/${item.id}`)]
  expect([field(list.html), field(alone.html)]).toEqual(['', '1'])
  for (const { html } of [list, alone])
    expect(html).toMatch(/<div class="way-on">[\s\S]*<button class="primary"[^>]*>Continue<\/button>/)
  expect((await order(shop, alone, { [item.id]: field(alone.html)! })).location).toMatch(/^\/spcs_/)
})

test('a link’s preview has title, image and price; search engines come where the merchant wants them', async () => {
  const shop = await newShop({ listed_in_search: true, description: 'Barro "fino" & más' })
  const item = await put(shop, 'Taza', {
    amount: '10000',
    price_includes_tax: false,
    description: 'Hecha\na mano',
  })
  const list = await see(shop.path)
  expect(list.html).toContain('<meta property="og:description" content="Barro &quot;fino&quot; &amp; más">')
  const { html, headers } = await see(`${shop.path}/${item.id}`)
  for (const [name, content] of [
    ['og:type', 'product'],
    ['og:title', 'Taza'],
    ['og:description', 'Hecha a mano'],
    ['og:url', `https://${stack.sandbox.linkBaseUrl}${shop.path}/${item.id}`],
    ['product:price:amount', '116.00'],
    ['product:price:currency', 'MXN'],
  ])
    expect(html).toContain(`<meta property="${name}" content="${content}">`)
  // Never a sandbox's page.
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
  const live = await newMerchant({ environment: 'live' })
  for (const isListed of [true, false]) {
    const { body } = await call<{ id: string; public_id: string }>('POST', '/v1/digital-catalogs', {
      bearer: live.apiKey,
      environment: 'live',
      body: { name: 'Tienda', listed_in_search: isListed },
    })
    await call('POST', `/v1/digital-catalogs/${body.id}/publish`, {
      bearer: live.apiKey,
      environment: 'live',
    })
    const tag = async (query = '') =>
      (await fetch(`${stack.live.directUrl}/k/${body.public_id}${query}`)).headers.get('x-robots-tag')
    expect(await tag()).toBe(isListed ? 'all' : 'noindex, nofollow')
    expect(await tag('?q=taza')).toBe('noindex, nofollow')
  }
})

const rows = 20_000

describe('a page costs the same on the first page and half way down', () => {
  let shop: Shop
  let catalogId: string
  let farAt: Date
  beforeAll(async () => {
    shop = await newShop()
    const item = await put(shop, 'Taza')
    catalogId = shop.catalog.id
    await adminSql('sandbox')(
      `insert into catalog_items (tenant_id, id, catalog_id, status, kind, name, options, components, iva_rate,
         price_includes_tax, tracks_stock, revocation_policy, metadata, terms, created_at, updated_at)
       select i.tenant_id, gen_random_uuid(), i.catalog_id, 'active', i.kind, 'Taza ' || n, '[]', '[]', '16', true, false,
         'never', '{}', array['n:taza', 'n:' || n], now() - n * interval '1 minute', now()
       from catalog_items i, generate_series(1, $2::int) n where i.id = $1`,
      [item.id, rows],
    )
    farAt = new Date(Date.now() - (rows / 2) * 60_000)
    for (const table of ['catalog_items', 'catalog_item_terms', 'catalog_prices']) await vacuumed(table)
  })

  test.each([
    ['all', {}],
    ['one word', { term0: 'n:taza' }],
  ])('%s', async (_what, filter) => {
    const window = (more: object) => ({ ofCatalog: catalogId, at: new Date(), rows: 25, ...filter, ...more })
    const buffersOf = async (more: object) =>
      (await explained(shop.merchant.tenantId, shownItems(window(more)))).buffers
    const first = await buffersOf({})
    const far = await buffersOf({
      ...('term0' in filter ? {} : { afterPosition: 0 }),
      afterCreatedAt: farAt,
      afterId: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
    })
    expect(first).toBeLessThanOrEqual(600)
    expect(far).toBeLessThanOrEqual(1.2 * first + 10)
  })
})
