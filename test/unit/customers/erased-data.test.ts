import { readFileSync } from 'node:fs'
import { getTableColumns } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  customerConsents,
  customerContacts,
  customerNotes,
  customers,
} from '../../../drizzle/schema/customers.ts'
import { erasedData } from '../../../functions/people/customers/erased-data.ts'

test('the record of erasure has the list as it is', () => {
  const rows = readFileSync('docs/decisions/erasure.md', 'utf8')
    .split('\n')
    .filter((line) => /\| (deleted|kept) \|/.test(line))
  expect(rows).toEqual(
    erasedData.map(
      ({ where, fields, fate, why }) => `| ${where} | ${fields.join(', ')} | ${fate} | ${why} |`,
    ),
  )
})

test.each(
  Object.entries({
    customers,
    customer_contacts: customerContacts,
    customer_consents: customerConsents,
    customer_notes: customerNotes,
  }),
)('the list says of every text and list of %s what becomes of it', (where, table) => {
  const listed = erasedData.filter((entry) => entry.where === where).flatMap(({ fields }) => fields)
  const free = Object.values(getTableColumns(table)).filter(
    ({ dataType, enumValues, columnType, name }) =>
      (dataType === 'json' || dataType === 'array' || columnType === 'PgText') &&
      (enumValues ?? []).length === 0 &&
      name !== 'tenant_id',
  )
  expect(free.map(({ name }) => name).filter((name) => !listed.includes(name))).toEqual([])
})
