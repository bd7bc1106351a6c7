import { expect, test } from 'vitest'
import { event, formerValues } from '../../../src/kernel/events.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'

const about = { type: 'refund', id: 'r' }
const account = { clabe: '032180000118359719', holder: 'Ana Torres' }
const told = { clabe_last4: '9719' }

test.each([
  [{ destination: account }, { destination: told }],
  [{ destination: { type: 'clabe', ...account } }, { destination: { type: 'clabe', ...told } }],
  [{ destination: null }, { destination: null }],
  [
    { destination: { type: 'tenant', tenant_id: 'tn_1' } },
    { destination: { type: 'tenant', tenant_id: 'tn_1' } },
  ],
  [{}, {}],
  // Metadata is the merchant's own text, and the CLABE that a buyer pays to is no secret.
  [
    { metadata: { clabe: account.clabe }, spei: { clabe: account.clabe } },
    { metadata: { clabe: account.clabe }, spei: { clabe: account.clabe } },
  ],
])('an event of %j shows %j', (object, expected) => {
  const another = Object.fromEntries(Object.keys(object).map((key) => [key, 'another']))
  expect(event('e', 'refund.created', about, { id: 'r', ...object }).object).toEqual({ id: 'r', ...expected })
  expect(event('e', 'refund.created', about, another, object).previousAttributes).toEqual(expected)
})

test('an event leaves out the fields that the area says', () => {
  const before = { id: 'b', holder: 'Ana Torres', status: 'verified' }
  const of = (type: string) =>
    event(
      'e',
      'bank_account.disabled',
      { type, id: 'b' },
      { ...before, holder: 'Eva', status: 'disabled' },
      before,
    )
  expect(of('bank_account')).toMatchObject({
    object: { id: 'b', status: 'disabled' },
    previousAttributes: { status: 'verified' },
  })
  expect([of('bank_account').object.holder, of('bank_account').previousAttributes.holder]).toEqual([
    undefined,
    undefined,
  ])
  expect(of('refund').object.holder).toBe('Eva')
})

test.each<[what: string, before: JsonObject, after: JsonObject, former: JsonObject]>([
  ['nothing changed', { a: 1, b: null, c: [1] }, { a: 1, b: null, c: [1] }, {}],
  [
    'what the event shows elsewhere',
    { version: 1, updated_at: 'then' },
    { version: 2, updated_at: 'now' },
    {},
  ],
  ['some', { a: '1', b: null, c: false }, { a: '2', b: 'x', c: false }, { a: '1', b: null }],
  [
    'an object is given whole',
    { fee: { a: '0', b: '0' } },
    { fee: { a: '1', b: '0' } },
    { fee: { a: '0', b: '0' } },
  ],
  [
    'keys in another order',
    { card: { brand: 'visa', last4: '4242' } },
    { card: { last4: '4242', brand: 'visa' } },
    {},
  ],
  ['items in another order', { list: ['a', 'b'] }, { list: ['b', 'a'] }, { list: ['a', 'b'] }],
  ['a member that is undefined is absent', { card: { a: 1, b: undefined } }, { card: { a: 1 } }, {}],
])('former values: %s', (_what, before, after, former) => {
  expect(formerValues(before, after)).toEqual(former)
})
