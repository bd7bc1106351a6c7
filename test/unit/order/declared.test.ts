import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { workspaceErrors } from '../../../functions/order/sales/api-pure.ts'
import { operations } from '../../../local/operations.ts'

/** The tables of what is sold, as the database has them: is_sold of door.kinds. */
const sold = [
  ...readFileSync('drizzle/sql/016_areas.sql', 'utf8').matchAll(/\('\w+', '(\w+)', \w+, \w+, true,/g),
].map(([, table]) => table!)

/** What only writes down what was paid elsewhere makes nothing for sale. */
const sellsNothing = ['table_external_payments.record']

const making = operations
  .map(({ contract }) => contract)
  .filter(
    ({ id, tables, location }) =>
      location && tables?.some((table) => sold.includes(table)) && !sellsNothing.includes(id),
  )

describe('what makes something for sale', () => {
  test('is found', () => {
    expect(sold).toContain('in_person_payments')
    expect(making.map(({ id }) => id)).toContain('payment_links.create')
  })

  test.each(making)('$id says that a workspace may not take payments', ({ errors }) => {
    expect(errors).toEqual(expect.arrayContaining([...workspaceErrors]))
  })
})
