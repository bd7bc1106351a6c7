import { expect, test } from 'vitest'
import { rowWithId } from '../../../src/kernel/plan.ts'

test('a row that a publish returned is found by its id, as it was last, wherever it stands', () => {
  const rows = [
    { id: 'payment', version: '3' },
    { id: 'link', version: '1' },
    { id: 'link', version: '2' },
  ]
  expect(rowWithId(rows, 'link')).toEqual({ id: 'link', version: '2' })
  expect(rowWithId(rows, 'payment')).toEqual({ id: 'payment', version: '3' })
  expect(rowWithId(rows, 'another')).toBeUndefined()
  expect(rowWithId([], 'link')).toBeUndefined()
})
