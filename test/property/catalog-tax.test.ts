import './seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ivaRates, taxOf } from '../../src/kernel/iva.ts'

const amounts = fc.bigInt(-999_999_999_999n, 999_999_999_999n)
const rates = fc.constantFrom(...ivaRates)

test('an amount and its IVA: net and tax sum to the total, and the tax is the nearest to its rate', () => {
  fc.assert(
    fc.property(amounts, rates, fc.boolean(), (amount, rate, includesTax) => {
      const { netMinor, taxMinor, totalMinor } = taxOf(amount, rate, includesTax)
      const percent = rate === 'exempt' ? 0n : BigInt(rate)
      expect(netMinor + taxMinor).toBe(totalMinor)
      expect(includesTax ? totalMinor : netMinor).toBe(amount)
      // Twice the distance of the tax from its exact value, in hundredths and more: half of a unit at most.
      const parts = includesTax ? 100n + percent : 100n
      const off = 2n * (taxMinor * parts - amount * percent)
      const size = amount < 0n ? -off : off
      expect(size > -parts && size <= parts).toBe(true)
      expect(taxOf(-amount, rate, includesTax)).toEqual({
        netMinor: -netMinor,
        taxMinor: -taxMinor,
        totalMinor: -totalMinor,
      })
    }),
  )
})

test.each([
  [11_600n, '16', true, 10_000n, 1_600n],
  [10_000n, '16', false, 10_000n, 1_600n],
  [10_800n, '8', true, 10_000n, 800n],
  [100n, 'exempt', true, 100n, 0n],
  [100n, '0', false, 100n, 0n],
  [3n, '16', false, 3n, 0n],
  // 0.5 and 12.5 of a unit are rounded up.
  [25n, '8', false, 25n, 2n],
  [29n, '16', true, 25n, 4n],
] as const)('%s at %s, contained: %s', (amount, rate, includesTax, netMinor, taxMinor) => {
  expect(taxOf(amount, rate, includesTax)).toMatchObject({ netMinor, taxMinor })
})
