import { expect, test } from 'vitest'
import { event } from '../../../src/kernel/events.ts'

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
  // What the merchant wrote is the merchant's, and where a buyer pays is no secret.
  [
    { metadata: { clabe: account.clabe }, spei: { clabe: account.clabe } },
    { metadata: { clabe: account.clabe }, spei: { clabe: account.clabe } },
  ],
])('an event of %j tells %j', (object, expected) => {
  const made = event('e', 'refund.created', about, { id: 'r', ...object }, object)
  expect([made.object, made.previousAttributes]).toEqual([{ id: 'r', ...expected }, expected])
})
