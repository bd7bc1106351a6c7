import './seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceAt } from '../../functions/goods/digital-catalogs/api-pure.ts'
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

const at = (minutes: number) => new Date(Date.UTC(2026, 5, 13, 12, minutes))
const prices = fc.array(
  fc.record({
    id: fc.uuid(),
    currency: fc.constantFrom('mxn', 'usd'),
    locationId: fc.constantFrom(null, 'one', 'other'),
    startsAt: fc.integer({ min: 0, max: 5 }).map(at),
    endsAt: fc.option(fc.integer({ min: 0, max: 9 }).map(at)),
  }),
)

test('the price in effect is the first of those in effect by place, start and id, in any order of the list', () => {
  fc.assert(
    fc.property(
      prices,
      fc.integer({ min: 0, max: 9 }).map(at),
      fc.constantFrom(null, 'one'),
      (list, now, place) => {
        const [first = null] = list
          .filter(
            ({ currency, locationId, startsAt, endsAt }) =>
              currency === 'mxn' &&
              (locationId === null || locationId === place) &&
              startsAt <= now &&
              (endsAt ?? at(60)) > now,
          )
          .sort(
            (a, b) =>
              Number(a.locationId === null) - Number(b.locationId === null) ||
              b.startsAt.getTime() - a.startsAt.getTime() ||
              (a.id < b.id ? 1 : -1),
          )
        expect(priceAt(list, 'mxn', now, place)).toBe(first)
        expect(priceAt([...list].reverse(), 'mxn', now, place)).toBe(first)
      },
    ),
  )
})
