import { expect, test } from 'vitest'
import type { catalogItems } from '../../../drizzle/schema/digital-catalogs.ts'
import { create, update } from '../../../functions/goods/digital-catalogs/contract-items.ts'
import { planCreate, planUpdate } from '../../../functions/goods/digital-catalogs/plan-items.ts'
import type { CatalogRow, PricedItem } from '../../../functions/goods/digital-catalogs/store.ts'
import { isRefusal, type Write } from '../../../src/kernel/plan.ts'

const now = new Date('2026-06-13T12:00:00.000Z')
let ids = 0
const settings = { linkBaseUrl: 'pay.example' }
const clock = { now, settings, newId: () => `0190a6d2-7c3e-7b1a-9f00-${String(++ids).padStart(12, '0')}` }

const catalog: CatalogRow = {
  id: clock.newId(),
  publicId: 'scat_x',
  status: 'published',
  name: 'Tienda',
  description: null,
  currency: 'mxn',
  paymentMethodTypes: null,
  installmentMonths: [],
  locationId: null,
  isListedInSearch: false,
  metadata: {},
  version: 1,
  createdAt: now,
  updatedAt: now,
}
const made = (body: object) =>
  planCreate(catalog, create.body!.parse({ kind: 'file', name: 'Recetario', ...body }), clock)
const rowOf = (body: object = {}): PricedItem => {
  const plan = made(body)
  if (isRefusal(plan)) throw new Error(plan.message)
  const [write] = plan.writes as readonly Extract<Write, { kind: 'insert' }>[]
  return { ...(write!.rows[0] as typeof catalogItems.$inferSelect), price: null }
}
const options = [{ name: 'Talla', values: ['S', 'M'] }]
const parts = ['81', '82'].map((end) => ({
  item_id: `0190a6d2-7c3e-7b1a-9f00-0000000000${end}`,
  quantity: 1,
}))
const variant = { variant_of: parts[0]!.item_id, option_values: { Talla: 'S' } }

test.each([
  [{ kind: 'bundle' }, 'components'],
  [{ kind: 'bundle', components: parts.slice(1) }, 'components'],
  [{ components: parts }, 'components'],
  [{ kind: 'bundle', components: parts, options }, 'options'],
  [{ kind: 'bundle', components: parts, tracks_stock: true }, 'tracks_stock'],
  [{ ...variant, options }, 'options'],
  [{ ...variant, option_values: null }, 'option_values'],
  [{ option_values: { Talla: 'S' } }, 'option_values'],
  [{ options, tracks_stock: true }, 'tracks_stock'],
  [{ options, price: { amount: '1' } }, 'price'],
  [{ keys: 'pool' }, 'keys'],
  [{ kind: 'access', downloads_max: 3 }, 'downloads_max'],
  [{ price: { amount: '100', compare_at_amount: '100' } }, 'price.compare_at_amount'],
])('an item of %j is refused for %s', (body, param) => {
  expect(made(body)).toMatchObject({ refused: 'parameter_invalid', param })
})

test.each([
  [{}, { tracksStock: false, keys: null, terms: ['n:recetario'], ivaRate: '16' }],
  [{ kind: 'physical_count' }, { tracksStock: true }],
  [{ kind: 'physical_count', options }, { tracksStock: false }],
  [{ kind: 'physical_count', ...variant }, { tracksStock: true }],
  [{ kind: 'license_key' }, { keys: 'pool' }],
  [{ kind: 'license_key', keys: 'generated' }, { keys: 'generated' }],
  [
    { kind: 'bundle', components: parts, sku: ' P-1 ' },
    { tracksStock: false, sku: 'P-1' },
  ],
  [{ name: 'Café de José' }, { terms: ['n:cafe', 'n:de', 'n:jose'] }],
])('an item of %j is taken', (body, row) => {
  expect(rowOf(body)).toMatchObject(row)
})

test('a first price in another currency than the catalog’s is kept and not shown', () => {
  expect(made({ price: { amount: '0', currency: 'usd' } })).toMatchObject({
    reply: { price: null },
    writes: [{}, { rows: [{ currency: 'usd', amountMinor: 0n, startsAt: now, endsAt: null }] }],
  })
})

test.each([
  [{}, { options }, 'options'],
  [{ options }, { options: [] }, 'options'],
  [{ kind: 'access' }, { downloads_max: 1 }, 'downloads_max'],
])('%j does not change by %j', (before, change, param) => {
  expect(planUpdate(rowOf(before), update.body!.parse(change), clock)).toMatchObject({
    refused: 'parameter_invalid',
    param,
  })
})

test.each([
  ['sat_product_code', '5510150', false],
  ['sat_product_code', '55101500', true],
  ['sat_unit_code', 'h87', false],
  ['sat_unit_code', 'H87', true],
  ['iva_rate', '15', false],
  ['iva_rate', 'exempt', true],
  ['options', [{ name: 'a', values: ['b', 'b'] }], false],
  ['options', [{ name: 'a', values: [] }], false],
  ['options', [...options, ...options], false],
  ['options', Array.from('abcd', (name) => ({ name, values: ['x'] })), false],
  ['components', [parts[0], parts[0]], false],
  ['price', { amount: '-1' }, false],
  ['price', { amount: '0' }, true],
  ['price', { amount: '1000000000000' }, false],
  ['sku', '4242 4242 4242 4242', false],
  ['sku', '', false],
])('%s %j is taken: %s', (field, value, taken) => {
  expect(create.body!.safeParse({ kind: 'file', name: 'Recetario', [field]: value }).success).toBe(taken)
})
