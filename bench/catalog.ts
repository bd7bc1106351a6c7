import { itemsForSale, itemsPage } from '../functions/goods/digital-catalogs/store.ts'
import { levelAt, levelsPage, movementsPage } from '../functions/goods/inventory/store.ts'
import type { Stack } from '../local/stack.ts'
import { wordTerms } from '../src/kernel/fold.ts'
import { termSlots } from '../src/platform/searching.ts'
import { type Buffers, type List, listBuffers } from './buffers.ts'
import { fill } from './lists.ts'

const CATALOG = '00000000-0000-4000-8000-0000000000ca'
const itemOf = (number: number) => `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const of = (filters: Record<string, unknown>) => ({ ofCatalog: CATALOG, at: new Date(), ...filters })
const words = (text: string) => of(termSlots(wordTerms(text)))

/** Each has two prices; every tenth is a service, every 50th archived; every 50th is called coffee, every 2,000th of Chiapas. */
const items: List = {
  name: 'catalog items',
  page: (values) => itemsPage(values),
  cases: [
    { what: 'all', filters: of({}) },
    { what: 'status', filters: of({ status: 'inactive' }) },
    { what: 'kind', filters: of({ kind: 'service' }) },
    { what: 'sku', filters: of({ sku: 'S777777' }), onePage: true },
    { what: 'a word that 20,000 have', filters: words('café'), onePage: true },
    { what: 'the beginning of a word', filters: words('chia'), onePage: true },
    { what: 'two words', filters: words('cafe chiapas'), onePage: true },
    { what: 'a word that none has', filters: words('zzyzx'), onePage: true },
    { what: 'metadata', filters: of({ metadataKey: 'shop', metadataValue: '7' }) },
  ],
}

/** `rows` items in one catalog. */
async function fillItems(stack: Stack, tenantId: string, rows: number): Promise<void> {
  await fill(
    stack.postgres,
    ['digital_catalogs', 'catalog_items', 'catalog_item_terms', 'catalog_prices', 'metadata_entries'],
    `with catalog as (
       insert into digital_catalogs (tenant_id, id, public_id, status, name, currency, metadata, created_at, updated_at)
       values ($1, $3, 'scat_' || repeat('0', 32), 'published', 'Todo', 'mxn', '{}', now(), now())),
     made as materialized (
       select n, ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as id,
         timestamptz '2026-01-01' + n * interval '1 second' as at,
         case when n % 50 = 0 then array['n:cafe'] else array['n:te' || n] end
           || case when n % 2000 = 0 then array['n:chiapas'] else array['n:azul' || n] end as terms
       from generate_series(1, $2::int) n),
     named as (
       insert into catalog_item_terms (tenant_id, catalog_id, term, created_at, id)
       select $1, $3, term, at, id from made cross join lateral unnest(terms) term),
     described as (
       insert into metadata_entries (tenant_id, resource, entry, created_at, id)
       select $1, 'catalog_item', door.metadata_entry('shop', (n % 40)::text), at, id from made),
     priced as (
       insert into catalog_prices (tenant_id, id, item_id, amount_minor, currency, starts_at, version, created_at, updated_at)
       select $1, gen_random_uuid(), id, 9900 + price, 'mxn', at, 1, at, at
       from made cross join generate_series(1, 2) price)
     insert into catalog_items (tenant_id, id, catalog_id, status, kind, name, sku, options, components, iva_rate,
       price_includes_tax, tracks_stock, revocation_policy, metadata, terms, version, created_at, updated_at)
     select $1, id, $3, case when n % 50 = 1 then 'inactive' else 'active' end,
       case when n % 10 = 0 then 'service' else 'physical_count' end, 'x', 'S' || n, '[]', '[]', '16', true, true, 'never',
       jsonb_build_object('shop', n % 40), terms, 1, at, at from made`,
    [tenantId, rows, CATALOG],
  )
}

/** A page of one row: what a checkout or a page reads of an item. */
const read =
  (query: (number: number) => ReturnType<List['page']>, number: number): List['page'] =>
  () =>
    query(number)

/** A level for each of them, with a movement. */
const fillStock = (stack: Stack, tenantId: string, rows: number): Promise<void> =>
  fill(
    stack.postgres,
    ['stock_levels', 'stock_movements'],
    `with made as materialized (
       select n, ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as item, gen_random_uuid() as id,
         timestamptz '2026-01-01' + n * interval '1 second' as at from generate_series(1, $2::int) n),
     moved as (
       insert into stock_movements (tenant_id, id, level_id, item_id, kind, quantity, created_at)
       select $1, gen_random_uuid(), id, item, case when n % 10 = 0 then 'returned' else 'received' end, 5, at from made)
     insert into stock_levels (tenant_id, id, item_id, on_hand, reserved, low_since, version, created_at, updated_at)
     select $1, id, item, 5, 0, case when n % 20 = 0 then at end, 1, at, at from made`,
    [tenantId, rows],
  )

const lists: List[] = [
  items,
  {
    name: 'stock levels',
    page: (values) => levelsPage(values),
    cases: [
      { what: 'all', filters: {} },
      { what: 'low', filters: { isLow: true } },
      { what: 'item', filters: { itemId: itemOf(777_777) }, onePage: true },
    ],
  },
  {
    name: 'stock movements',
    page: (values) => movementsPage(values),
    cases: [
      { what: 'all', filters: {} },
      { what: 'kind', filters: { kind: 'returned' } },
      { what: 'item', filters: { itemId: itemOf(777_777) }, onePage: true },
    ],
  },
  {
    name: 'items',
    page: read((number) => itemsForSale([itemOf(number)], new Date()), 777_777),
    cases: [{ what: 'one for sale', filters: {}, onePage: true }],
  },
  {
    name: 'stock levels',
    page: read((number) => levelAt({ itemId: itemOf(number), locationId: null }), 777_777),
    cases: [{ what: 'one item at a place', filters: {}, onePage: true }],
  },
]

/** Buffers of the lists and look-ups of a catalog and its stock, over `rows` of each. */
export async function catalogBuffers(stack: Stack, tenantId: string, rows: number): Promise<Buffers[]> {
  await fillItems(stack, tenantId, rows)
  await fillStock(stack, tenantId, rows)
  const measured: Buffers[] = []
  for (const list of lists) measured.push(await listBuffers(stack, tenantId, list, rows))
  return measured
}
