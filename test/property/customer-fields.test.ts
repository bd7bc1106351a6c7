import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyFields,
  type FieldChanges,
  noFields,
  timeToChange,
} from '../../functions/people/customers/apply-fields.ts'

const changes: fc.Arbitrary<FieldChanges> = fc.record(
  {
    name: fc.option(fc.constantFrom('Ana', 'José Pérez', 'Zoë')),
    email: fc.option(fc.constantFrom('ana@example.com', 'zoe@example.com')),
    tags: fc.subarray(['vip', 'new', 'late']),
    externalId: fc.option(fc.constantFrom('a', 'b')),
    metadata: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom<string | number>('x', 1)),
  },
  { requiredKeys: [] },
)
/** Few times and sources, so that many updates meet at one. */
const update = fc.record({
  changes,
  source: fc.constantFrom('api', 'sync:one', 'sync:two'),
  at: fc.constantFrom(1, 2, 3).map((day) => new Date(Date.UTC(2026, 0, day))),
})
type Update = typeof update extends fc.Arbitrary<infer U> ? U : never

const after = (updates: readonly Update[]) =>
  updates.reduce((customer, { changes, ...saying }) => applyFields(customer, changes, saying), noFields)

test('the same updates in any order make the same customer', () => {
  fc.assert(
    fc.property(
      fc
        .array(update, { maxLength: 8 })
        .chain((updates) =>
          fc.tuple(fc.constant(updates), fc.shuffledSubarray(updates, { minLength: updates.length })),
        ),
      ([updates, shuffled]) => {
        expect(after(shuffled)).toEqual(after(updates))
        expect(after([...updates, ...updates])).toEqual(after(updates))
      },
    ),
    { numRuns: 500 },
  )
})

test('a field is of the source that set it last, and keeps when and by which', () => {
  const [early, late] = [new Date(1000), new Date(2000)]
  const synced = applyFields(noFields, { name: 'Ana', tags: ['vip'] }, { source: 'sync:one', at: late })
  const changed = applyFields(synced, { name: 'Anna', phone: '+525512345678' }, { source: 'api', at: early })
  expect(changed).toMatchObject({
    name: 'Ana',
    phone: '+525512345678',
    fieldStamps: { name: [2000, 'sync:one'], tags: [2000, 'sync:one'], phone: [1000, 'api'] },
    terms: ['n:ana', 't:vip'],
  })
  expect(timeToChange(changed, { name: 'Anna' }, early)).toEqual(new Date(2001))
  expect(timeToChange(changed, { phone: null }, late)).toEqual(late)
})
