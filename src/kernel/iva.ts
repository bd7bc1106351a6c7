import { splitLargestRemainder } from './money.ts'

/** The rates of IVA, in percent. `0` and `exempt` differ in what an invoice says, not in amounts. */
export const ivaRates = ['16', '8', '0', 'exempt'] as const

export type IvaRate = (typeof ivaRates)[number]

export interface Taxed {
  readonly netMinor: bigint
  readonly taxMinor: bigint
  /** What the buyer pays: net and tax. */
  readonly totalMinor: bigint
}

/** What is paid at one rate: its base and its IVA, minor units as text. */
export interface RateTax {
  readonly iva_rate: IvaRate
  readonly base: string
  readonly iva: string
}

/**
 * An amount with its IVA, of one line as a whole: `includesTax` says whether the amount contains it. The tax is rounded
 * half-up to the minor unit and the rest is net; a negative amount mirrors the positive one.
 */
export function taxOf(amountMinor: bigint, rate: IvaRate, includesTax: boolean): Taxed {
  if (amountMinor < 0n) {
    const { netMinor, taxMinor, totalMinor } = taxOf(-amountMinor, rate, includesTax)
    return { netMinor: -netMinor, taxMinor: -taxMinor, totalMinor: -totalMinor }
  }
  const percent = rate === 'exempt' ? 0n : BigInt(rate)
  const whole = includesTax ? 100n + percent : 100n
  const taxMinor = (2n * amountMinor * percent + whole) / (2n * whole)
  return includesTax
    ? { netMinor: amountMinor - taxMinor, taxMinor, totalMinor: amountMinor }
    : { netMinor: amountMinor, taxMinor, totalMinor: amountMinor + taxMinor }
}

/**
 * The same with a markup on top, which has the rates of what was bought (LIVA 12 and 18). Each rate has a
 * share in proportion to what is paid at it, by the largest remainder; a share contains its IVA, rounded
 * half-up once. So bases and IVA sum to what they came to before, and the markup.
 */
export function taxesWithMarkup(taxes: readonly RateTax[], markupMinor: bigint): readonly RateTax[] {
  if (markupMinor === 0n || taxes.length === 0) return taxes
  const paid = taxes.map(({ base, iva }) => BigInt(base) + BigInt(iva))
  const shares = splitLargestRemainder(markupMinor, paid)
  return taxes.map(({ iva_rate, base, iva }, at) => {
    const { netMinor, taxMinor } = taxOf(shares[at]!, iva_rate, true)
    return { iva_rate, base: String(BigInt(base) + netMinor), iva: String(BigInt(iva) + taxMinor) }
  })
}
