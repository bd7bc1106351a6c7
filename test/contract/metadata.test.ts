import { expect, test } from 'vitest'
import { call, type Merchant, newMerchant } from '../support/merchant.ts'

/*
 * A merchant's metadata is free-form: any JSON comes back unchanged. What we would store as another value is refused.
 */

type Answer = { error?: { code: string; param: string | null } } & Record<string, unknown>

let shared: Promise<Merchant> | undefined
const merchant = () => {
  shared ??= newMerchant()
  return shared
}

/** The metadata as text, so that a test can send what no JavaScript value holds. */
const create = async (metadata: string) =>
  call<Answer>('POST', '/v1/payment-links', {
    bearer: (await merchant()).apiKey,
    body: `{"manual_amount":120000,"currency":"mxn","metadata":${metadata}}`,
  })

const kept: [what: string, metadata: unknown][] = [
  ['nothing', {}],
  ['numbers', { order: 1024, total: 12.5, debt: -3, none: 0, most: 9_007_199_254_740_991, least: 0.000_001 }],
  ['yes, no and nothing', { gift: true, signed: false, note: null }],
  ['objects and lists', { at: { store: { id: 7, tags: ['a', 'b'] } }, lines: [{ sku: 'a', n: 2 }, [], {}] }],
  ['eight levels', { a: [[[[[[[1]]]]]]] }],
  ['other alphabets', { ключ: ['値 🪑', { ñ: 'e\u0301' }] }],
  ['30,000 characters', { lines: [...Array.from({ length: 59 }, () => 'x'.repeat(500)), 'x'.repeat(309)] }],
  ['digits that are no card number', { order: 4_242_424_242_424_243, id: ['4242424242424243'] }],
]
test.each(kept)('stored unchanged: %s', async (_what, metadata) => {
  const { status, body, text } = await create(JSON.stringify(metadata))
  expect([status, body.metadata], text).toEqual([201, metadata])
  const read = await call('GET', `/v1/payment-links/${body.id}`, { bearer: (await merchant()).apiKey })
  expect(read.body.metadata).toEqual(metadata)
})

const refused: [what: string, metadata: string, code: string, param: string][] = [
  ['null', 'null', 'parameter_invalid', 'metadata'],
  ['a text', '"x"', 'parameter_invalid', 'metadata'],
  [
    'a text of 501 further in',
    JSON.stringify({ order: { lines: [{ note: 'x'.repeat(501) }] } }),
    'parameter_invalid',
    'metadata.order.lines.0.note',
  ],
  [
    'a key of 41 further in',
    JSON.stringify({ order: { ['k'.repeat(41)]: 1 } }),
    'parameter_invalid',
    `metadata.order.${'k'.repeat(41)}`,
  ],
  ['half a character further in', '{"a":["\\ud800"]}', 'parameter_invalid', 'metadata.a.0'],
  ['a card number as a number', '{"a":{"card":4242424242424242}}', 'card_number_refused', 'metadata.a.card'],
  ['a card number in a list', '{"a":["4242 4242 4242 4242"]}', 'card_number_refused', 'metadata.a.0'],
  ['a card number as a key further in', '{"a":{"4242424242424242":1}}', 'card_number_refused', 'metadata.a'],
  ['a number that no double holds', '{"a":9007199254740993}', 'parameter_invalid', 'metadata.a'],
  ['a number of 300 zeros', '{"a":[1e-300]}', 'parameter_invalid', 'metadata.a.0'],
  ['a number that is none', '{"a":[1e400]}', 'parameter_invalid', 'metadata.a.0'],
  ['nine levels', '{"a":[[[[[[[[1]]]]]]]]}', 'parameter_invalid', 'metadata.a.0.0.0.0.0.0.0'],
  [
    'more than 30,000 characters',
    JSON.stringify({ lines: Array.from({ length: 60 }, () => 'x'.repeat(500)) }),
    'parameter_invalid',
    'metadata',
  ],
]
test.each(refused)('refused: %s', async (_what, metadata, code, param) => {
  const { status, body, text } = await create(metadata)
  expect([status, body.error?.code, body.error?.param], text).toEqual([422, code, param])
})
