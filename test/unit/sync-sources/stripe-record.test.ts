import { expect, test } from 'vitest'
import { recordsOf } from '../../../functions/people/sync-sources/stripe/record.ts'
import type { StripeCustomer } from '../../../src/processors/stripe/index.ts'
import { emptyCustomer } from '../../support/stripe-customers.ts'

const at = new Date('2026-06-13T12:00:00.000Z')
const street = {
  line1: 'Orizaba 101',
  line2: '',
  city: 'CDMX',
  state: null,
  postal_code: '06700',
  country: 'MX',
}
const kept = {
  line1: 'Orizaba 101',
  line2: null,
  neighborhood: null,
  city: 'CDMX',
  state: null,
  postal_code: '06700',
  country: 'MX',
}

test.each<[what: string, Partial<StripeCustomer>, fields: object, misfits?: string[]]>([
  ['nothing', {}, {}],
  ['a name', { name: ' Ana Torres ' }, { name: 'Ana Torres' }],
  ['an address to write to', { email: 'Ana@Example.com' }, { email: 'ana@example.com' }],
  ['a number of Mexico', { phone: '55 1234 5678' }, { phone: '+525512345678' }],
  ['a number that is none', { name: 'Ana', phone: 'ask her' }, { name: 'Ana' }, ['customer.phone']],
  ['an address that is none', { email: 'ana' }, {}, ['customer.email']],
  ['the first language', { preferred_locales: ['es-mx', 'en'] }, { locale: 'es-MX' }],
  [
    'both addresses',
    { address: street, shipping: { name: 'Ana', phone: null, address: street } as never },
    {
      addresses: [
        { label: 'billing', ...kept },
        { label: 'shipping', ...kept },
      ],
    },
  ],
  ['a country and a postal code alone', { address: { ...street, line1: null, city: null } }, {}],
  ['metadata', { metadata: { order: '1024' } }, { metadata: { order: '1024' } }],
  [
    'metadata with a card number',
    { metadata: { order: '1024', card: '4242 4242 4242 4242' } },
    { metadata: { order: '1024' } },
    ['customer.metadata.card'],
  ],
  [
    'a name with a card number',
    { name: '4242 4242 4242 4242', email: 'a@b.mx' },
    { email: 'a@b.mx' },
    ['customer.name'],
  ],
])('of a customer with %s', (_what, customer, fields, misfits = []) => {
  const [first, ...others] = recordsOf({ ...emptyCustomer, ...customer } as StripeCustomer, at)
  expect(first).toEqual({
    record: { external_id: 'cus_Ana', updated_at: '2026-06-13T12:00:00.000Z', customer: fields },
  })
  expect(others.map((one) => 'fault' in one && [one.externalId, one.fault.param])).toEqual(
    misfits.map((param) => ['cus_Ana', param]),
  )
})

test.each([
  ['what was changed alone', ['email'], { email: 'ana@example.com' }],
  [
    'what was emptied',
    ['phone', 'address', 'preferred_locales'],
    { phone: null, addresses: [], locale: null },
  ],
  ['nothing of ours', ['balance'], {}],
])('an event says %s', (_what, changed, customer) => {
  const ana = { ...emptyCustomer, name: 'Ana', email: 'ana@example.com' }
  expect(recordsOf(ana, at, changed)).toEqual([{ record: expect.objectContaining({ customer }) }])
})
