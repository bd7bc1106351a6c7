import { expect, test } from 'vitest'
import { noFields } from '../../../functions/people/customers/apply-fields.ts'
import type { CustomerRow } from '../../../functions/people/customers/store.ts'
import { whole } from '../../../functions/people/sync-sources/incoming.ts'
import { Stale } from '../../../src/http/publishing.ts'

const now = new Date('2026-06-13T12:00:00.000Z')
const customer = (id: string): CustomerRow => ({
  ...noFields,
  id,
  status: 'active',
  mergedInto: null,
  eraseAt: null,
  erasure: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
})
const match = (customerId: string) => ({ key: `i:source ${customerId}`, customerId })

test('a match whose customer was merged or erased before it was read is read again, never made again', () => {
  const customers = [customer('ana')]
  expect(whole([match('ana'), match('ana')], customers, [])).toMatchObject({ customers })
  expect(whole([], [], [])).toMatchObject({ matches: [] })
  expect(() => whole([match('ana'), match('eva')], customers, [])).toThrow(Stale)
})
