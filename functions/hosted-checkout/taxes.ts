import { ivaRates } from '../../drizzle/schema/digital-catalogs.ts'
import { splitLargestRemainder } from '../../src/kernel/money.ts'
import { taxOf } from '../digital-catalogs/api-pure.ts'
import { sumOf } from './discounts.ts'
import type { SessionRow } from './store.ts'

type Session = Pick<SessionRow, 'lines' | 'discounts'>

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
 * The lines of a session after its discounts. Each has a share in proportion to what it costs, rounded down; the units
 * left over go to the largest remainders, so that the shares sum to the discounts. What remains to be paid for a line
 * contains its IVA, rounded half up once: bases and IVA sum to what is paid for the lines.
 */
export function taxedLines({ lines, discounts }: Session): TaxedLine[] {
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

/** Bases and IVA of a session after its discounts, by rate: minor units as text. Empty without lines. */
export function taxesOf(session: Session) {
  const taxed = taxedLines(session)
  return ivaRates.flatMap((iva_rate) => {
    const ofRate = taxed.filter((_, at) => session.lines[at]!.iva_rate === iva_rate)
    const sum = (of: (line: TaxedLine) => bigint) =>
      ofRate.reduce((total, line) => total + of(line), 0n).toString()
    return ofRate.length === 0
      ? []
      : [{ iva_rate, base: sum(({ baseMinor }) => baseMinor), iva: sum(({ ivaMinor }) => ivaMinor) }]
  })
}
