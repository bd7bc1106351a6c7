import { ivaRates, taxOf } from '../../../src/kernel/iva.ts'
import { splitLargestRemainder } from '../../../src/kernel/money.ts'
import { sumOf } from './discounts.ts'
import type { Bought } from './lines.ts'

type Discounted = Pick<Bought, 'lines' | 'discounts'>

/** A line after its share of the discounts, in minor units, as a concept of a CFDI 4.0 has it. */
export interface TaxedLine {
  /** Its share with the IVA in it. */
  readonly shareMinor: bigint
  /** Before IVA: what is taken off `amount_subtotal`. */
  readonly discountMinor: bigint
  readonly baseMinor: bigint
  readonly ivaMinor: bigint
}

/**
 * Lines after their discounts. Each has a share in proportion to what it costs, rounded down; the units
 * left over go to the largest remainders, so that the shares sum to the discounts. What remains to be paid for a line
 * contains its IVA, rounded half up once: bases and IVA sum to what is paid for the lines.
 */
export function taxedLines({ lines, discounts }: Discounted): TaxedLine[] {
  const offMinor = sumOf(discounts)
  const totals = lines.map(({ amount_total }) => BigInt(amount_total))
  const shares =
    offMinor === 0n ? totals.map(() => 0n) : lines.length === 0 ? [] : splitLargestRemainder(offMinor, totals)
  return lines.map(({ amount_subtotal, iva_rate }, at) => {
    const shareMinor = shares[at]!
    const { netMinor: baseMinor, taxMinor: ivaMinor } = taxOf(totals[at]! - shareMinor, iva_rate, true)
    return { shareMinor, discountMinor: BigInt(amount_subtotal) - baseMinor, baseMinor, ivaMinor }
  })
}

type Shipped = Pick<Bought, 'shippingOptions' | 'shippingAt'>

/** Base and IVA of the chosen way to send it: the IVA in its amount, rounded half up. Null where none is chosen. */
export function taxedShipping({ shippingOptions, shippingAt }: Shipped) {
  if (shippingAt === null) return null
  const { amount, iva_rate } = shippingOptions[shippingAt]!
  const { netMinor: baseMinor, taxMinor: ivaMinor } = taxOf(BigInt(amount), iva_rate, true)
  return { iva_rate, baseMinor, ivaMinor }
}

/** Bases and IVA of lines after discounts and of shipping, by rate: minor units as text. Empty without lines. */
export function taxesOf(bought: Discounted & Shipped) {
  if (bought.lines.length === 0) return []
  const taxed = taxedLines(bought).map((line, at) => ({ ...line, iva_rate: bought.lines[at]!.iva_rate }))
  const shipping = taxedShipping(bought)
  const parts = shipping && shipping.baseMinor > 0n ? [...taxed, shipping] : taxed
  return ivaRates.flatMap((iva_rate) => {
    const ofRate = parts.filter((part) => part.iva_rate === iva_rate)
    const sum = (minorOf: (part: (typeof parts)[number]) => bigint) =>
      ofRate.reduce((total, part) => total + minorOf(part), 0n).toString()
    return ofRate.length === 0
      ? []
      : [{ iva_rate, base: sum(({ baseMinor }) => baseMinor), iva: sum(({ ivaMinor }) => ivaMinor) }]
  })
}
