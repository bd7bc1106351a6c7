import { describe, expect, it } from 'vitest'
import { clabeWithCheckDigit, isClabe } from '../../../src/kernel/clabe.ts'

describe('CLABE', () => {
  it.each([
    // Published: the standard's own example, STP, Santander, and the two of the sandbox.
    '032180000118359719',
    '646180111805034237',
    '012914002014112176',
    '646180000000000012',
    '646180000000000025',
  ])('%s has the right check digit', (clabe) => {
    expect(isClabe(clabe)).toBe(true)
    expect(clabeWithCheckDigit(clabe.slice(0, 17))).toBe(clabe)
  })

  it.each([
    ['a wrong check digit', '032180000118359718'],
    ['two neighbors swapped', '032180000118395719'],
    ['one digit too few', '03218000011835971'],
    ['one digit too many', '0321800001183597190'],
    ['spaces', '032 180 00011835971 9'],
    ['letters', '03218000011835971X'],
    ['digits of another script', '٠٣٢١٨٠٠٠٠١١٨٣٥٩٧١٩'],
    ['a line break at the end', '032180000118359719\n'],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(isClabe(text)).toBe(false)
  })

  it.each(['', '6461800000000000', '646180000000000012', '6461800000000000x'])(
    'makes no CLABE of %o',
    (digits) => {
      expect(() => clabeWithCheckDigit(digits)).toThrow(RangeError)
    },
  )
})
