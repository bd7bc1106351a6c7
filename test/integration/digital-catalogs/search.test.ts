import { beforeAll, expect, test } from 'vitest'
import { itemsForSale, itemsPage } from '../../../functions/goods/digital-catalogs/store.ts'
import { sessionForSale } from '../../../functions/selling/hosted-checkout/store.ts'
import { wordTerms } from '../../../src/kernel/fold.ts'
import { termSlots } from '../../../src/platform/searching.ts'
import { newSession, onSale } from '../../support/checkout.ts'
import { asked, type Catalog, type Item, newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { answered, explained, type PlanNode, pastTriggers, vacuumed } from '../../support/explain.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { newLocation } from '../../support/policy.ts'
import { adminSql } from '../../support/stack.ts'

test('items are found by words of their name, within their catalog and beside other filters', async () => {
  const merchant = await newMerchant()
  const catalog = await newCatalog(merchant)
  const elsewhere = await newCatalog(merchant)
  await newItem(merchant, elsewhere.id, { name: 'Café de Chiapas' })
  const { id } = await newItem(merchant, catalog.id, { name: 'Café de Chiapas', metadata: { roast: 'dark' } })
  await newItem(merchant, catalog.id, { name: 'Curso de café', kind: 'access', metadata: { roast: 'dark' } })
  const found = async (query: string) => {
    const list = await asked<{ data: Item[] }>(merchant, 'GET', `/${catalog.public_id}/items?${query}`)
    return list.body.data.map(({ name }) => name)
  }
  for (const [query, names] of [
    ['query=CAFE', ['Curso de café', 'Café de Chiapas']],
    ['query=chia caf', ['Café de Chiapas']],
    ['query=de cur', ['Curso de café']],
    ['query=d', []],
    ['query=caf&kind=access', ['Curso de café']],
    ['query=caf&metadata[roast]=dark', ['Curso de café', 'Café de Chiapas']],
    ['metadata[roast]=dark&kind=file', ['Café de Chiapas']],
  ] as const)
    expect([query, await found(query)]).toEqual([query, names])

  await asked(merchant, 'PATCH', `/items/${id}`, { name: 'Té verde' })
  expect([await found('query=chiapas'), await found('query=te verde')]).toEqual([[], ['Té verde']])
  expect((await asked(merchant, 'GET', `/${catalog.id}/items?query=%21`)).status).toBe(422)
})

const rows = 10_000
let merchant: Merchant
let catalog: Catalog

/** A large catalog beside one as large in another workspace, each item with two prices. */
beforeAll(async () => {
  merchant = await newMerchant()
  catalog = await newCatalog(merchant)
  const other = await newMerchant()
  const both = [catalog, await newCatalog(other)]
  const filling: readonly (readonly [statement: string, values: readonly unknown[]])[] = [
    [
      `insert into catalog_items (tenant_id, id, catalog_id, status, kind, name, sku, barcode, barcode_key, options, components, iva_rate,
       price_includes_tax, tracks_stock, revocation_policy, metadata, terms, created_at, updated_at)
     select c.tenant_id, gen_random_uuid(), c.id, case when n % 50 = 0 then 'inactive' else 'active' end,
       case when n % 10 = 0 then 'service' else 'file' end, 'x', 'S' || n, 'BAR-' || n, 'BAR-' || n, '[]', '[]', '16', true, false, 'never',
       jsonb_build_object('shop', n % 40),
       array[case when n % 10 = 0 then 'n:cafe' else 'n:te' || n end, case when n % 100 < 2 then 'n:chiapas' else 'n:azul' || n end],
       now() - n * interval '1 minute', now()
     from digital_catalogs c, generate_series(1, $2::int) n where c.id = any($1::uuid[])`,
      [both.map(({ id }) => id), rows],
    ],
    [
      `insert into catalog_prices (tenant_id, id, item_id, amount_minor, currency, starts_at, created_at, updated_at)
     select i.tenant_id, gen_random_uuid(), i.id, n, 'mxn', now(), now(), now()
     from catalog_items i, generate_series(1, 2) n where i.catalog_id = any($1::uuid[])`,
      [both.map(({ id }) => id)],
    ],
    [
      `insert into stock_levels (tenant_id, id, item_id, on_hand, reserved, version, created_at, updated_at)
     select i.tenant_id, gen_random_uuid(), i.id, 0, 0, 1, now(), now()
     from catalog_items i where i.catalog_id = any($1::uuid[])`,
      [both.map(({ id }) => id)],
    ],
    [
      `insert into catalog_item_terms (tenant_id, catalog_id, term, created_at, id)
     select i.tenant_id, i.catalog_id, t.term, i.created_at, i.id
     from catalog_items i, unnest(i.terms) t (term) where i.catalog_id = any($1::uuid[])`,
      [both.map(({ id }) => id)],
    ],
    [
      `insert into metadata_entries (tenant_id, resource, entry, created_at, id)
     select i.tenant_id, 'catalog_item', door.metadata_entry('shop', i.metadata->>'shop'), i.created_at, i.id
     from catalog_items i where i.catalog_id = any($1::uuid[])`,
      [both.map(({ id }) => id)],
    ],
  ]
  for (const each of filling) await pastTriggers(...each)
  await Promise.all(
    ['catalog_items', 'catalog_item_terms', 'catalog_prices', 'metadata_entries', 'stock_levels'].map(
      vacuumed,
    ),
  )
})

const metadata = { metadataKey: 'shop', metadataValue: '7' }
const words = (text: string) => termSlots(wordTerms(text))
/** Buffers by what has to be read: 21 items with their prices, or besides all terms that begin so. */
const cases: readonly [what: string, values: object, most: number][] = [
  ['no filter', {}, 250],
  ['a status', { status: 'inactive' }, 350],
  ['a kind', { kind: 'service' }, 350],
  ['a sku', { sku: 'S77' }, 60],
  ['a barcode', { barcodeKey: 'BAR-77' }, 60],
  ['metadata', metadata, 450],
  ['a word', words('cafe'), 500],
  ['the beginning of words', words('caf chia'), 500],
  ['a word and metadata', { ...words('cafe'), ...metadata }, 500],
]
const deep = {
  afterCreatedAt: new Date(Date.now() - (rows / 2) * 60_000),
  afterId: '00000000-0000-4000-8000-000000000000',
}

test.each(cases)(
  'a page by %s reads indexes and what it shows, the first as one far down',
  async (_what, values, most) => {
    for (const at of [{}, deep]) {
      const query = itemsPage({ rows: 21, ofCatalog: catalog.id, at: new Date(), ...values, ...at })
      const { nodes, buffers } = await explained(merchant.tenantId, query)
      const plan = nodes.map((node) =>
        [node['Node Type'], node['Relation Name'], node['Index Name']].join(' '),
      )
      expect(plan.filter((node) => /^Seq Scan catalog_/.test(node))).toEqual([])
      expect(buffers, plan.join(', ')).toBeLessThanOrEqual(most)
    }
  },
)

/** Large tables that were read from end to end. */
const scannedWhole = (nodes: readonly PlanNode[]) =>
  nodes
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name'])
    .filter((table) => table?.startsWith('catalog_') || table?.startsWith('stock_'))

test('a sale looks up the item, its price and what it relies on, however many items there are', async () => {
  const options = [{ name: 'Talla', values: ['S'] }]
  const parent = await newItem(merchant, catalog.id, { options })
  const fields = { variant_of: parent.id, option_values: { Talla: 'S' } }
  const parts = [await newItem(merchant, catalog.id, fields), await newItem(merchant, catalog.id)]
  const components = parts.map(({ id: item_id }) => ({ item_id, quantity: 1 }))
  const bundle = await newItem(merchant, catalog.id, { kind: 'bundle', components })
  const query = itemsForSale([bundle.id, parts[0]!.id], new Date())
  const { nodes, buffers } = await explained(merchant.tenantId, query)
  expect(scannedWhole(nodes)).toEqual([])
  const plan = nodes.map((node) => `${node['Index Name'] ?? node['Node Type']} ${node['Shared Hit Blocks']}`)
  expect(buffers, plan.join(', ')).toBeLessThanOrEqual(80)
})

test('a line looks up its item by what was scanned, and the price of its location', async () => {
  const here = await newLocation(merchant)
  await adminSql('sandbox')(
    `insert into catalog_prices (tenant_id, id, item_id, location_id, amount_minor, currency, starts_at, ends_at, created_at, updated_at)
     select i.tenant_id, gen_random_uuid(), i.id, $2, 2500, 'mxn', now() - n * interval '1 hour',
       case when n > 1 then now() - interval '1 minute' end, now(), now()
     from catalog_items i, generate_series(1, 1000) n where i.catalog_id = $1 and i.sku in ('S77', 'S78')`,
    [catalog.id, here],
  )
  await vacuumed('catalog_prices')
  const query = itemsForSale([], new Date(), { location: here, barcodes: ['BAR-77', '00BAR-78', 'BAR-no'] })
  const found = await answered(merchant.tenantId, query)
  expect(found.map(({ sku, price }) => [sku, price?.amountMinor])).toEqual([
    ['S77', 2500n],
    ['S78', 2500n],
  ])
  const { nodes, buffers } = await explained(merchant.tenantId, query)
  const plan = nodes.map((node) => `${node['Index Name'] ?? node['Node Type']} ${node['Shared Hit Blocks']}`)
  expect(buffers, plan.join(', ')).toBeLessThanOrEqual(80)
})

test('the page of a checkout looks up the stock of what it sells, however much there is', async () => {
  const shown = async (of: Merchant) => {
    const [item] = await onSale(of, 5)
    const session = await newSession(of, { line_items: [{ item_id: item, quantity: 1 }] })
    return explained(of.tenantId, sessionForSale({ publicId: session.public_id }))
  }
  const alone = await shown(await newMerchant())
  const { nodes, buffers } = await shown(merchant)
  expect(scannedWhole(nodes)).toEqual([])
  expect(buffers).toBeLessThanOrEqual(alone.buffers + 10)
})
