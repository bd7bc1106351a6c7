import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginningOf, folioOf } from '../../src/kernel/folio.ts'
import { base36Alphabet } from '../../src/kernel/ids.ts'

const start = fc.string({ unit: fc.constantFrom(...base36Alphabet), minLength: 8, maxLength: 8 })

test('a folio is read back into the beginning of the public id, however it is typed', () => {
  fc.assert(
    fc.property(start, (begins) => {
      const folio = folioOf(`spcs_${begins}${'0'.repeat(24)}`)
      expect(folio).toMatch(/^[0-9A-HJKMNP-TV-Z]{3}(-[0-9A-HJKMNP-TV-Z]{3}){2}$/)
      expect(beginningOf(folio)).toBe(begins)
      const typed = folio.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
      expect(beginningOf(typed)).toBe(begins)
    }),
  )
})

test.each(['', 'ABC-DEF-GH', 'ABC-DEF-GHJK', 'ABC-DEF-GHU', 'ZZZ-ZZZ-ZZZ', 'ABC_DEF_GHJ'])(
  '%j is no folio',
  (typed) => {
    expect(beginningOf(typed)).toBeNull()
  },
)

test('what is no public id has none', () => {
  expect(() => folioOf('0199f3a2-7c3e-7b1a-9f00-000000000001')).toThrow(RangeError)
})
