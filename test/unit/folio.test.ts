import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginningOf, folioOf, publicIdsOf } from '../../src/kernel/folio.ts'
import { base36Alphabet, publicId } from '../../src/kernel/ids.ts'

const start = fc.string({ unit: fc.constantFrom(...base36Alphabet), minLength: 8, maxLength: 8 })

test('a folio is read back into the public id behind its pod, however it is typed', () => {
  fc.assert(
    fc.property(start, (begins) => {
      const folio = folioOf(`spcs_a${begins}${'0'.repeat(23)}`)
      expect(folio).toMatch(/^[0-9A-HJKMNP-TV-Z]{3}(-[0-9A-HJKMNP-TV-Z]{3}){2}$/)
      expect(beginningOf(folio)).toBe(begins)
      const typed = folio.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
      expect(beginningOf(typed)).toBe(begins)
    }),
  )
})

test('a public id lies between the first and the last one of its folio', () => {
  const id = publicId('spcs')
  const [first = '', last = ''] = publicIdsOf(folioOf(id))
  expect([first, id, last].sort()).toEqual([first, id, last])
  expect(first.slice(0, 14)).toBe(last.slice(0, 14))
  expect(publicIdsOf('ABC-DEF-GH')).toEqual([])
})

test('a folio is the same in every pod', () => {
  const rest = publicId('spcs', 'a').slice(6)
  expect(folioOf(`spcs_a${rest}`)).toBe(folioOf(`spcs_z${rest}`))
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
