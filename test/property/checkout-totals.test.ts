import './seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NamedDiscount } from '../../functions/order/lines/discounts.ts'
import { discounted, subtotalOf, sumOf } from '../../functions/order/lines/discounts.ts'
import { priced } from '../../functions/order/lines/lines.ts'
import { shippedBy } from '../../functions/order/lines/shipping.ts'
import { taxedLines, taxesOf } from '../../functions/order/lines/taxes.ts'
import { withExtras } from '../../functions/order/lines/total.ts'

const lines = fc.array(
  fc.record({
    name: fc.constant('Taza'),
    unit_amount: fc.bigInt(1n, 9_999_999n).map(String),
    quantity: fc.integer({ min: 1, max: 50 }),
    iva_rate: fc.constantFrom('16', '8', '0', 'exempt'),
    price_includes_tax: fc.boolean(),
  }),
  { minLength: 1, maxLength: 20 },
)

const discount = fc
  .oneof(
    fc.record({ amountOffMinor: fc.bigInt(1n, 999_999_999n), percentOffBps: fc.constant(null) }),
    fc.record({ amountOffMinor: fc.constant(null), percentOffBps: fc.integer({ min: 1, max: 10_000 }) }),
  )
  .map(
    (off) =>
      ({
        ...off,
        isActive: true,
        startsAt: null,
        endsAt: null,
        currency: null,
        usesMax: null,
        uses: 0,
      }) as const,
  )

const now = new Date(0)

test('what is paid is the lines less the discounts, to the cent; no discount takes more than is left', () => {
  fc.assert(
    fc.property(lines, fc.array(discount, { maxLength: 5 }), (asked, taken) => {
      const sold = priced(asked as Parameters<typeof priced>[0], [], 'mxn')
      if ('refused' in sold) throw new Error(sold.refused)
      const wanted = taken.map((each, at) => ({
        discount: {
          ...each,
          id: String(at),
          code: `C${at}`,
          subtotalMinorMin: null,
          usesPerCustomerMax: null,
          customerUses: 0,
        } as unknown as NamedDiscount,
        isBuyers: false,
        param: '',
      }))
      const sale = { subtotalMinor: sold.amountMinor, currency: 'mxn', customerId: null, now }
      const less = discounted(wanted, sale)
      if ('refused' in less) throw new Error(less.refused)
      expect(less.amountMinor).toBe(
        sold.lines.reduce((sum, { amount_total }) => sum + BigInt(amount_total), 0n) - sumOf(less.discounts),
      )
      let left = sold.amountMinor
      for (const [at, { amount }] of less.discounts.entries()) {
        const off = BigInt(amount)
        const { percentOffBps, amountOffMinor } = taken[at]!
        expect(off >= 0n && off <= left).toBe(true)
        if (amountOffMinor !== null) expect(off === amountOffMinor || off === left).toBe(true)
        else {
          // Twice the distance from the exact value: half of a unit at most, and upwards where it is half.
          const twice = 2n * (off * 10_000n - left * BigInt(percentOffBps!))
          expect(twice > -10_000n && twice <= 10_000n).toBe(true)
        }
        left -= off
      }
      expect(less.amountMinor).toBe(left)
    }),
  )
})

const shipping = fc.array(
  fc.record({
    name: fc.constant('DHL'),
    amount: fc.bigInt(0n, 99_999n).map(String),
    iva_rate: fc.constantFrom('16', '8', '0', 'exempt'),
  }),
  { maxLength: 1 },
)

test('each line’s share of the discounts lowers its base and its IVA, and shipping has its own: to the cent, as a CFDI has it', () => {
  fc.assert(
    fc.property(lines, fc.bigInt(0n, 10_000n), shipping, (asked, bps, option) => {
      const sold = priced(asked as Parameters<typeof priced>[0], [], 'mxn')
      if ('refused' in sold) throw new Error(sold.refused)
      const offMinor = (sold.amountMinor * bps) / 10_000n
      const discounts = [{ discount_id: '', code: '', amount: String(offMinor), is_buyers: false }]
      const taxed = taxedLines({ lines: sold.lines, discounts })
      const sum = (of: (line: (typeof taxed)[number]) => bigint) =>
        taxed.reduce((all, line) => all + of(line), 0n)
      expect(sum(({ shareMinor }) => shareMinor)).toBe(offMinor)
      expect(sum(({ baseMinor, ivaMinor }) => baseMinor + ivaMinor)).toBe(sold.amountMinor - offMinor)
      for (const [at, { shareMinor, discountMinor, baseMinor, ivaMinor }] of taxed.entries()) {
        const { amount_subtotal, amount_tax, amount_total, iva_rate } = sold.lines[at]!
        const percent = iva_rate === 'exempt' ? 0n : BigInt(iva_rate)
        expect(baseMinor + ivaMinor).toBe(BigInt(amount_total) - shareMinor)
        // Importe less Descuento is Base, and none of them is negative.
        expect(BigInt(amount_subtotal) - discountMinor).toBe(baseMinor)
        expect([shareMinor, discountMinor, baseMinor, ivaMinor].every((minor) => minor >= 0n)).toBe(true)
        // The IVA is the rate of its base within a cent, which the SAT allows for rounding.
        const apart = 100n * ivaMinor - baseMinor * percent
        expect(apart > -100n && apart < 100n).toBe(true)
        // A share is its proportion, rounded down or up.
        const exact = offMinor * BigInt(amount_total) - shareMinor * sold.amountMinor
        expect(exact > -sold.amountMinor && exact < sold.amountMinor).toBe(true)
        if (offMinor === 0n)
          expect([baseMinor, ivaMinor]).toEqual([BigInt(amount_subtotal), BigInt(amount_tax)])
      }
      const shipped = shippedBy(option, 0)
      const byRate = taxesOf({ lines: sold.lines, discounts, ...shipped })
      const all = byRate.reduce((total, { base, iva }) => total + BigInt(base) + BigInt(iva), 0n)
      expect(all).toBe(sold.amountMinor - offMinor + shipped.shippingMinor)
      const sent = shipped.shippingMinor > 0n ? option.map(({ iva_rate }) => iva_rate) : []
      const rates = new Set([...asked.map(({ iva_rate }) => iva_rate), ...sent])
      expect(new Set(byRate.map(({ iva_rate }) => iva_rate))).toEqual(rates)
    }),
  )
})

const sent = fc
  .bigInt(0n, 99_999n)
  .map((minor) => shippedBy([{ name: 'DHL', amount: String(minor), iva_rate: '16' }], 0))

test('with shipping and a tip: never more than what is paid without it, and what is paid is the parts', () => {
  const choice = fc.record({
    tipBps: fc.option(fc.integer({ min: 1, max: 5_000 })),
    tipMinor: fc.bigInt(0n, 9_999_999n),
  })
  fc.assert(
    fc.property(
      fc.bigInt(0n, 999_999_999n),
      choice,
      fc.boolean(),
      sent,
      (amountMinor, tip, allows_own_amount, by) => {
        const tipOptions = { presets_bps: [1_000, ...(tip.tipBps ? [tip.tipBps] : [])], allows_own_amount }
        const paid = withExtras({ amountMinor }, { tipOptions, ...tip, ...by })
        expect(paid.tipMinor >= 0n && paid.tipMinor <= amountMinor).toBe(true)
        expect(subtotalOf({ ...paid, discounts: [] })).toBe(amountMinor)
        if (tip.tipBps === null && !allows_own_amount) expect(paid.tipMinor).toBe(0n)
        expect(paid.amountMinor).toBe(amountMinor + paid.tipMinor + by.shippingMinor)
        expect(withExtras({ amountMinor }, { tipOptions: null, ...tip, ...by }).tipMinor).toBe(0n)
      },
    ),
  )
})
