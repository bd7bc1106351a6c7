import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { call, type Merchant, newLink, newMerchant } from '../support/merchant.ts'

/* The rules of section 2.3, one line a case: what is sent, the code that refuses it and the field that it names. */

type Answer = { error?: { code: string; param: string | null; message: string } } & Record<string, unknown>

let shared: Promise<Merchant> | undefined
const merchant = () => {
  shared ??= newMerchant()
  return shared
}

const create = async (body: unknown) =>
  call<Answer>('POST', '/v1/payment-links', { bearer: (await merchant()).apiKey, body })
const update = async (id: string, body: unknown) =>
  call<Answer>('PATCH', `/v1/payment-links/${id}`, { bearer: (await merchant()).apiKey, body })

const good = { manual_amount: 120_000, currency: 'mxn' }
const snapshot = { item_id: 'sku-1', name: 'Silla', unit_amount: '40000', quantity: 3 }
const fromCatalog = {
  amount_source: 'catalog_line_item',
  currency: 'mxn',
  catalog_line_item_snapshot: snapshot,
}
const item = (more: object) => ({ ...fromCatalog, catalog_line_item_snapshot: { ...snapshot, ...more } })
const unitAmount = 'catalog_line_item_snapshot.unit_amount'
const markup = 'installment_pricing.merchant_markup_bps'
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const months = (...terms: unknown[]) => ({
  ...good,
  installment_options: terms.map((term) => ({ months: term })),
})
const pricing = (fee_allocation: unknown, merchant_markup_bps: unknown) => ({
  ...good,
  installment_options: [{ months: 3 }],
  installment_pricing: { fee_allocation, merchant_markup_bps },
})

const refused: [what: string, body: object, code: string, param: string][] = [
  // amount_source: one of the two, and only that one
  ['no amount', { currency: 'mxn' }, 'parameter_missing', 'manual_amount'],
  [
    'manual without an amount',
    { ...good, amount_source: 'manual_amount', manual_amount: undefined },
    'parameter_missing',
    'manual_amount',
  ],
  [
    'manual with a line item',
    { ...good, catalog_line_item_snapshot: snapshot },
    'parameter_unknown',
    'catalog_line_item_snapshot',
  ],
  [
    'a line item with a manual amount',
    { ...fromCatalog, manual_amount: 1000 },
    'parameter_unknown',
    'manual_amount',
  ],
  [
    'a line item without one',
    { ...fromCatalog, catalog_line_item_snapshot: undefined },
    'parameter_missing',
    'catalog_line_item_snapshot',
  ],
  ['another source', { ...good, amount_source: 'cart' }, 'parameter_invalid', 'amount_source'],
  [
    'a line item without a name',
    item({ name: undefined }),
    'parameter_missing',
    'catalog_line_item_snapshot.name',
  ],
  ['a line item with more', item({ sku: 1 }), 'parameter_unknown', 'catalog_line_item_snapshot.sku'],
  ['a unit amount that is a number', item({ unit_amount: 40_000 }), 'parameter_invalid', unitAmount],
  ['a unit amount with a fraction', item({ unit_amount: '400.00' }), 'amount_malformed', unitAmount],
  ['a quantity of none', item({ quantity: 0 }), 'parameter_invalid', 'catalog_line_item_snapshot.quantity'],
  ['a unit amount of nothing', item({ unit_amount: '0' }), 'amount_below_minimum', unitAmount],
  ['a unit amount below nothing', item({ unit_amount: '-40000' }), 'amount_below_minimum', unitAmount],
  [
    'more than a bigint',
    item({ unit_amount: '999999999999999999', quantity: 10_000 }),
    'amount_above_maximum',
    unitAmount,
  ],

  // manual_amount: integer minor units
  ['a fraction', { ...good, manual_amount: 1200.5 }, 'parameter_invalid', 'manual_amount'],
  ['a fraction of a cent', { ...good, manual_amount: 120_000.0001 }, 'parameter_invalid', 'manual_amount'],
  ['below nothing', { ...good, manual_amount: -120_000 }, 'amount_below_minimum', 'manual_amount'],
  ['nothing', { ...good, manual_amount: 0 }, 'amount_below_minimum', 'manual_amount'],
  ['a cent below the minimum', { ...good, manual_amount: 999 }, 'amount_below_minimum', 'manual_amount'],
  [
    'a cent above the maximum',
    { ...good, manual_amount: 10_000_000_001 },
    'amount_above_maximum',
    'manual_amount',
  ],
  [
    'no safe integer',
    { ...good, manual_amount: 9_007_199_254_740_992 },
    'amount_above_maximum',
    'manual_amount',
  ],
  ['1e300', { ...good, manual_amount: 1e300 }, 'amount_above_maximum', 'manual_amount'],
  ['a text', { ...good, manual_amount: '120000' }, 'parameter_invalid', 'manual_amount'],
  ['null', { ...good, manual_amount: null }, 'parameter_invalid', 'manual_amount'],

  // currency
  ['capitals', { ...good, currency: 'MXN' }, 'parameter_invalid', 'currency'],
  ['two letters', { ...good, currency: 'mx' }, 'parameter_invalid', 'currency'],
  ['four letters', { ...good, currency: 'mxnn' }, 'parameter_invalid', 'currency'],
  ['a line end', { ...good, currency: 'mxn\n' }, 'parameter_invalid', 'currency'],
  ['a currency that is not offered', { ...good, currency: 'eur' }, 'currency_unsupported', 'currency'],

  // payment_method_types
  ['no method', { ...good, payment_method_types: [] }, 'parameter_invalid', 'payment_method_types'],
  [
    'oxxo in dollars',
    { ...good, currency: 'usd', payment_method_types: ['oxxo'] },
    'payment_method_unavailable',
    'payment_method_types.0',
  ],
  [
    'spei beside card, in dollars',
    { ...good, currency: 'usd', payment_method_types: ['card', 'spei'] },
    'payment_method_unavailable',
    'payment_method_types.1',
  ],
  [
    'more than a till takes',
    { ...good, manual_amount: 1_000_001, payment_method_types: ['card', 'oxxo'] },
    'amount_above_maximum',
    'manual_amount',
  ],
  [
    'another method',
    { ...good, payment_method_types: ['card', 'cash'] },
    'parameter_invalid',
    'payment_method_types.1',
  ],
  [
    'a method twice',
    { ...good, payment_method_types: ['card', 'card'] },
    'parameter_invalid',
    'payment_method_types',
  ],

  // installments
  ['a term that no bank offers', months(3, 5), 'installments_unavailable', 'installment_options.1.months'],
  ['a term of one month', months(1), 'parameter_invalid', 'installment_options.0.months'],
  ['a term of 61 months', months(61), 'parameter_invalid', 'installment_options.0.months'],
  ['half a month', months(3.5), 'parameter_invalid', 'installment_options.0.months'],
  ['months as text', months('3'), 'parameter_invalid', 'installment_options.0.months'],
  ['a term twice', months(3, 3), 'parameter_invalid', 'installment_options'],
  [
    'a term with a price',
    { ...good, installment_options: [{ months: 3, price: 1 }] },
    'parameter_unknown',
    'installment_options.0.price',
  ],
  [
    'a term for too little',
    { ...months(3, 12), manual_amount: 119_999 },
    'installments_unavailable',
    'installment_options.1.months',
  ],
  [
    'terms in dollars',
    { ...months(3), currency: 'usd' },
    'installments_unavailable',
    'installment_options.0.months',
  ],
  [
    'a plan that no bank offers',
    { ...good, installment_plan: { months: 7 } },
    'installments_unavailable',
    'installment_plan.months',
  ],
  [
    'a plan beside a choice',
    { ...months(3), installment_plan: { months: 6 } },
    'parameter_invalid',
    'installment_plan',
  ],
  ['absorb with a markup', pricing('absorb', 1), 'markup_not_allowed', markup],
  [
    'a markup without a term',
    { ...pricing('pass_to_buyer', 1), installment_options: [] },
    'markup_not_allowed',
    markup,
  ],
  ['a markup above the bound', pricing('pass_to_buyer', 3001), 'parameter_invalid', markup],
  ['a markup below nothing', pricing('pass_to_buyer', -1), 'parameter_invalid', markup],
  ['half a basis point', pricing('pass_to_buyer', 0.5), 'parameter_invalid', markup],
  ['another allocation', pricing('share', 0), 'parameter_invalid', 'installment_pricing.fee_allocation'],
  [
    'no allocation',
    { ...good, installment_pricing: { merchant_markup_bps: 0 } },
    'parameter_missing',
    'installment_pricing.fee_allocation',
  ],

  // expires_at
  ['a time that has passed', { ...good, expires_at: inDays(-0.001) }, 'parameter_invalid', 'expires_at'],
  ['more than 365 days', { ...good, expires_at: inDays(365.001) }, 'parameter_invalid', 'expires_at'],
  ['the year 9999', { ...good, expires_at: '9999-12-31T23:59:59Z' }, 'parameter_invalid', 'expires_at'],
  [
    'a time without its zone',
    { ...good, expires_at: '2026-12-31T00:00:00' },
    'parameter_invalid',
    'expires_at',
  ],
  ['a day', { ...good, expires_at: '2026-12-31' }, 'parameter_invalid', 'expires_at'],
  ['a day that is none', { ...good, expires_at: '2026-11-31T00:00:00Z' }, 'parameter_invalid', 'expires_at'],
  ['a number of seconds', { ...good, expires_at: 1_800_000_000 }, 'parameter_invalid', 'expires_at'],

  // description and metadata
  ['a description of 501', { ...good, description: 'x'.repeat(501) }, 'parameter_invalid', 'description'],
  ['a description with NUL', { ...good, description: 'a\u0000b' }, 'parameter_invalid', 'description'],
  ['half a character', { ...good, description: 'a\ud800b' }, 'parameter_invalid', 'description'],
  [
    '51 keys',
    { ...good, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, ''])) },
    'parameter_invalid',
    'metadata',
  ],
  [
    'a key of 41',
    { ...good, metadata: { ['k'.repeat(41)]: '' } },
    'parameter_invalid',
    `metadata.${'k'.repeat(41)}`,
  ],
  ['an empty key', { ...good, metadata: { '': '' } }, 'parameter_invalid', 'metadata.'],
  [
    'a key with half a character',
    { ...good, metadata: { '\udc00': '' } },
    'parameter_invalid',
    'metadata.\udc00',
  ],
  [
    'a value of 501',
    { ...good, metadata: { order: 'x'.repeat(501) } },
    'parameter_invalid',
    'metadata.order',
  ],
  ['metadata that is a list', { ...good, metadata: ['x'] }, 'parameter_invalid', 'metadata'],

  // fields that only we set
  ...[
    'id',
    'status',
    'public_id',
    'url',
    'revoked_at',
    'checkout_session_ref',
    'version',
    'tenant_id',
    'terms_version',
  ].map((name): [string, object, string, string] => [
    `a ${name} of one's own`,
    { ...good, [name]: 'x' },
    'parameter_unknown',
    name,
  ]),
]
test.each(refused)('refused: %s', async (_what, body, code, param) => {
  const { status, body: answer, text } = await create(body)
  expect([status, answer.error?.code, answer.error?.param], text).toEqual([
    422,
    code,
    JSON.parse(JSON.stringify(param)),
  ])
})

const accepted: [what: string, body: object, shown: object][] = [
  ['the minimum', { ...good, manual_amount: 1000 }, { manual_amount: 1000 }],
  ['the maximum', { ...good, manual_amount: 10_000_000_000 }, { manual_amount: 10_000_000_000 }],
  ['1.2e5', { ...good, manual_amount: 1.2e5 }, { manual_amount: 120_000 }],
  [
    'a line item',
    fromCatalog,
    { amount_source: 'catalog_line_item', manual_amount: null, catalog_line_item_snapshot: snapshot },
  ],
  ['dollars', { manual_amount: 100, currency: 'usd' }, { currency: 'usd' }],
  ['365 days', { ...good, expires_at: inDays(364.999) }, {}],
  [
    'an expiry with an offset',
    { ...good, expires_at: '2026-12-31T18:00:00-06:00' },
    { expires_at: '2027-01-01T00:00:00.000Z' },
  ],
  [
    'terms at their minimum',
    { ...months(12, 3), manual_amount: 120_000 },
    { installment_options: [{ months: 3 }, { months: 12 }] },
  ],
  [
    'a plan',
    { ...good, installment_plan: { months: 6 } },
    { installment_plan: { months: 6 }, installment_options: [] },
  ],
  [
    'the largest markup',
    pricing('pass_to_buyer', 3000),
    { installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: 3000 } },
  ],
  [
    'absorb',
    { ...good, installment_pricing: { fee_allocation: 'absorb' } },
    { installment_pricing: { fee_allocation: 'absorb', merchant_markup_bps: 0 } },
  ],
  [
    'every letter there is',
    { ...good, description: 'Ñandú ☕ 日本 🪑 ‮', metadata: { ключ: '値 🪑' } },
    { description: 'Ñandú ☕ 日本 🪑 ‮', metadata: { ключ: '値 🪑' } },
  ],
  [
    'text that means something to others',
    {
      ...good,
      description: `'; drop table x; -- <script> \${x} %s`,
      metadata: { constructor: 'a', toString: 'b' },
    },
    { description: `'; drop table x; -- <script> \${x} %s`, metadata: { constructor: 'a', toString: 'b' } },
  ],
  [
    '50 keys',
    {
      ...good,
      metadata: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 'x'.repeat(500)])),
    },
    {},
  ],
  [
    'digits that are no card number',
    { ...good, metadata: { order: '4242424242424243', id: randomUUID() } },
    {},
  ],
]
test.each(accepted)('accepted: %s', async (_what, body, shown) => {
  const { status, body: link, text } = await create(body)
  expect(status, text).toBe(201)
  expect(link).toMatchObject(shown)
  const read = await call('GET', `/v1/payment-links/${link.id}`, { bearer: (await merchant()).apiKey })
  expect(read.body).toEqual(link)
})

test('every key of metadata is kept', async () => {
  const { status, body } = await create(
    '{"manual_amount":120000,"currency":"mxn","metadata":{"__proto__":"x","a":"b"}}',
  )
  if (status === 201) expect(JSON.stringify(body.metadata)).toContain('__proto__')
  else expect([status, body.error?.code, body.error?.param]).toEqual([422, 'parameter_unknown', '__proto__'])
})

const changes: [what: string, body: object, code: string, param: string | null][] = [
  ['no field', {}, 'parameter_invalid', null],
  ['the source', { amount_source: 'manual_amount' }, 'parameter_unknown', 'amount_source'],
  ['the currency', { currency: 'usd' }, 'parameter_unknown', 'currency'],
  ['the status', { status: 'paid' }, 'parameter_unknown', 'status'],
  ['a fraction', { manual_amount: 0.5 }, 'parameter_invalid', 'manual_amount'],
  ['less than the minimum', { manual_amount: 1 }, 'amount_below_minimum', 'manual_amount'],
  [
    'absorb with a markup',
    { installment_pricing: { fee_allocation: 'absorb', merchant_markup_bps: 5 } },
    'markup_not_allowed',
    markup,
  ],
  [
    'a term that the amount does not carry',
    { manual_amount: 20_000, installment_options: [{ months: 3 }] },
    'installments_unavailable',
    'installment_options.0.months',
  ],
  [
    'a till takes less than that',
    { payment_method_types: ['oxxo'], manual_amount: 1_000_001 },
    'amount_above_maximum',
    'manual_amount',
  ],
  ['a time that has passed', { expires_at: '2026-01-01T00:00:00Z' }, 'parameter_invalid', 'expires_at'],
  ['a card number', { description: '4242424242424242' }, 'card_number_refused', 'description'],
]
test.each(changes)('a change is refused: %s', async (_what, body, code, param) => {
  const link = await newLink(await merchant())
  const { status, body: answer, text } = await update(link.id, body)
  expect([status, answer.error?.code, answer.error?.param], text).toEqual([422, code, param])
  const read = await call('GET', `/v1/payment-links/${link.id}`, { bearer: (await merchant()).apiKey })
  expect(read.body.version).toBe(1)
})
