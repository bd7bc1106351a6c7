import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { currency, paged, timestamp, uuid } from '../../../src/http/schemas.ts'
import { reading, writing } from './contract.ts'
import { exampleItem, examplePrice, ItemPrice, ofItem, price } from './contract-items.ts'

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

const ofPrice = { params: z.strictObject({ id: uuid }), notFound: 'catalog_price_not_found' } as const
const reply = { status: 200, schema: CatalogPrice } as const

export const create = contract({
  ...writing,
  ...ofItem,
  id: 'catalog_prices.create',
  tables: ['catalog_prices'],
  versioned: true,
  path: '/v1/catalog-items/:id/prices',
  location: '/v1/catalog-prices/:id',
  summary: 'Set a price of a catalog item',
  description:
    'A price does not change; another one takes its place. In effect is, of those that have started and not ended, the one that started last: a price for a weekend ends by itself, and the former one counts again.',
  body: z.strictObject({
    amount: price.describe('Minor units; `0`: free of charge.'),
    currency: currency.optional().describe('The catalog’s, unless you say otherwise.'),
    compare_at_amount: price
      .nullable()
      .default(null)
      .describe('A former or usual price, more than the amount.'),
    starts_at: timestamp.nullable().default(null).describe('When it takes effect; null: now.'),
    ends_at: timestamp.nullable().default(null).describe('When it ends; null: not yet known.'),
  }),
  reply: { status: 201, schema: CatalogPrice },
  errors: [
    'catalog_item_not_found',
    'catalog_item_archived',
    'catalog_item_not_sold',
    'catalog_prices_too_many',
  ],
  example: { body: { amount: '19900' }, reply: example },
})

export const list = contract({
  ...reading,
  ...ofItem,
  id: 'catalog_prices.list',
  path: '/v1/catalog-items/:id/prices',
  summary: 'List the prices of a catalog item',
  ...paged(CatalogPrice, example, {
    currency: currency.optional().describe('Only prices in this currency.'),
    at: timestamp
      .optional()
      .describe(
        'Only prices that have started by this time and not ended: the one that started last is in effect.',
      ),
  }),
  errors: ['cursor_invalid', 'catalog_item_not_found'],
})

export const get = contract({
  ...reading,
  ...ofPrice,
  id: 'catalog_prices.get',
  versioned: true,
  path: '/v1/catalog-prices/:id',
  summary: 'Get a catalog price',
  reply,
  errors: ['catalog_price_not_found'],
  example: { reply: example },
})

export const end = contract({
  ...writing,
  ...ofPrice,
  id: 'catalog_prices.end',
  tables: ['catalog_prices'],
  versioned: true,
  path: '/v1/catalog-prices/:id/end',
  summary: 'End a catalog price',
  description:
    'The price ends now. A price that has not started never takes effect: it ends at the time of its start.',
  reply,
  errors: ['catalog_price_not_found', 'catalog_price_ended'],
  example: { reply: { ...example, ends_at: '2026-06-13T12:00:00.000Z', version: 2 } },
})
