import { describe, expect, test } from 'vitest'
import { workspaceErrors } from '../../../functions/order/sales/api-pure.ts'
import { kinds } from '../../../local/declarations.ts'
import { operations } from '../../../local/operations.ts'

const sold = Object.values(kinds).flatMap(({ origin, table }) => (origin ? [table] : []))

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
