import './seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ivaRates, type RateTax, taxesWithMarkup, taxOf } from '../../src/kernel/iva.ts'

const taxes = fc
  .uniqueArray(fc.record({ rate: fc.constantFrom(...ivaRates), paid: fc.bigInt(0n, 999_999_999n) }), {
    minLength: 1,
    selector: ({ rate }) => rate,
  })
  .filter((parts) => parts.some(({ paid }) => paid > 0n))
  .map((parts) =>
    parts.map(({ rate, paid }): RateTax => {
      const { netMinor, taxMinor } = taxOf(paid, rate, true)
      return { iva_rate: rate, base: String(netMinor), iva: String(taxMinor) }
    }),
  )
const sum = (all: readonly RateTax[]) =>
  all.reduce((total, { base, iva }) => total + BigInt(base) + BigInt(iva), 0n)

test('bases and IVA with a markup sum to what is charged; the IVA of each rate is its part within a cent a rounding', () => {
  fc.assert(
    fc.property(taxes, fc.bigInt(0n, 99_999_999n), (before, markup) => {
      const after = taxesWithMarkup(before, markup)
      expect(sum(after)).toBe(sum(before) + markup)
      for (const { iva_rate, base, iva } of after) {
        const percent = iva_rate === 'exempt' ? 0n : BigInt(iva_rate)
        const off = BigInt(base) * percent - BigInt(iva) * 100n
        expect(off <= 200n && off >= -200n).toBe(true)
      }
    }),
  )
})

test.each([
  [
    'nothing on top',
    [{ iva_rate: '16', base: '100', iva: '16' }],
    0n,
    [{ iva_rate: '16', base: '100', iva: '16' }],
  ],
  ['no rates', [], 500n, []],
] as const)('%s', (_what, before, markup, after) => {
  expect(taxesWithMarkup(before, markup)).toEqual(after)
})
