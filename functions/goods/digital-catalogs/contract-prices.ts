import * as z from 'zod'
import { resource } from '../../../src/http/contract-resource.ts'
import { currency, timestamp, uuid } from '../../../src/http/schemas.ts'
import { inCatalogs } from './contract.ts'
import { exampleItem, examplePrice, ItemPrice, items, price } from './contract-items.ts'

export const CatalogPrice = z
  .strictObject({
    ...ItemPrice.shape,
    object: z.literal('catalog_price'),
    item_id: uuid.describe('The item that it is for.'),
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'CatalogPrice' })

const example = {
  ...examplePrice,
  object: 'catalog_price',
  item_id: exampleItem.id,
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const prices = resource({
  ...inCatalogs,
  path: '/v1/catalog-prices',
  within: { ...items.one, path: `${items.one.path}/prices` },
  tables: ['catalog_prices'],
  notFound: 'catalog_price_not_found',
  versioned: true,
  schema: CatalogPrice,
  example,
})

export const create = prices.create({
  id: 'catalog_prices.create',
  summary: 'Set a price of a catalog item',
  description:
    'A price does not change; another one takes its place. Where something is sold at a location, its prices there come before those of no location. In effect is, of those that have started and not ended, the one that started last: a price for a weekend ends by itself, and the former one counts again.',
  body: z.strictObject({
    amount: price.describe('Minor units; `0`: free of charge.'),
    currency: currency.optional().describe('The catalog’s, unless you say otherwise.'),
    compare_at_amount: price
      .nullable()
      .default(null)
      .describe('A former or usual price, more than the amount.'),
    location_id: uuid
      .nullable()
      .default(null)
      .describe('The location where it is the price; null: wherever no price of the place is in effect.'),
    starts_at: timestamp.nullable().default(null).describe('When it takes effect; null: now.'),
    ends_at: timestamp.nullable().default(null).describe('When it ends; null: not yet known.'),
  }),
  errors: ['catalog_item_archived', 'catalog_item_not_sold', 'catalog_prices_too_many', 'location_not_found'],
  example: { amount: '19900' },
})

export const list = prices.list({
  id: 'catalog_prices.list',
  summary: 'List the prices of a catalog item',
  filters: {
    currency: currency.optional().describe('Only prices in this currency.'),
    location_id: uuid.optional().describe('Only prices at this location.'),
    at: timestamp
      .optional()
      .describe(
        'Only prices that have started by this time and not ended: the one that started last is in effect.',
      ),
  },
})

export const get = prices.get({ id: 'catalog_prices.get', summary: 'Get a catalog price' })

export const end = prices.move('end', {
  id: 'catalog_prices.end',
  summary: 'End a catalog price',
  description:
    'The price ends now. A price that has not started never takes effect: it ends at the time of its start.',
  errors: ['catalog_price_ended'],
  example: { ends_at: '2026-06-13T12:00:00.000Z', version: 2 },
})
