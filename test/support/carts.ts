/*
 * What a cart comes to, computed by itself: integers and fractions, nothing of the product's code. Half up means that a
 * fraction of exactly one half goes up.
 */

export const rates = ['16', '8', '0', 'exempt'] as const
export type Rate = (typeof rates)[number]

export interface CartLine {
  readonly unit: bigint
  readonly quantity: bigint
  readonly rate: Rate
  readonly included: boolean
}

/** A part in basis points, or an amount. */
export type Part = { readonly bps: bigint } | { readonly amount: bigint }

export interface Cart {
  readonly lines: readonly CartLine[]
  readonly discounts: readonly Part[]
  readonly shipping: { readonly amount: bigint; readonly rate: Rate } | null
  readonly tip: Part | null
  /** On top where the buyer pays in installments. */
  readonly markupBps: bigint
}

export interface Sums {
  readonly subtotal: bigint
  readonly discount: bigint
  readonly tip: bigint
  readonly amount: bigint
  readonly markup: bigint
  /** What is charged: amount and markup. */
  readonly charged: bigint
  readonly taxes: readonly { readonly iva_rate: Rate; readonly base: string; readonly iva: string }[]
}

const half = (over: bigint, under: bigint): bigint => (over * 2n + under) / (under * 2n)
const percentOf = (rate: Rate): bigint => (rate === 'exempt' ? 0n : BigInt(rate))
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n)

/** Shares in proportion, rounded down; one unit more for the largest fractions until nothing is left. */
function shared(total: bigint, weights: readonly bigint[]): bigint[] {
  const all = sum(weights)
  if (total === 0n) return weights.map(() => 0n)
  const shares = weights.map((weight, at) => ({
    at,
    whole: (total * weight) / all,
    rest: (total * weight) % all,
  }))
  let left = total - sum(shares.map(({ whole }) => whole))
  for (const share of shares.toSorted((a, b) =>
    a.rest === b.rest ? a.at - b.at : a.rest < b.rest ? 1 : -1,
  )) {
    if (left === 0n) break
    share.whole += 1n
    left -= 1n
  }
  return shares.map(({ whole }) => whole)
}

/** The IVA that an amount contains. */
const ivaWithin = (amount: bigint, rate: Rate): bigint =>
  half(amount * percentOf(rate), 100n + percentOf(rate))

export function sumsOf({ lines, discounts, shipping, tip, markupBps }: Cart): Sums {
  const totals = lines.map(({ unit, quantity, rate, included }) => {
    const priced = unit * quantity
    return included ? priced : priced + half(priced * percentOf(rate), 100n)
  })
  const subtotal = sum(totals)
  let left = subtotal
  for (const each of discounts) {
    const off = 'bps' in each ? half(left * each.bps, 10_000n) : each.amount
    left = off < left ? left - off : 0n
  }
  const offs = shared(subtotal - left, totals)
  const paid = lines.map(({ rate }, at) => ({ rate, amount: totals[at]! - offs[at]! }))
  if (shipping && shipping.amount > 0n) paid.push(shipping)
  const tipped = tip === null ? 0n : 'bps' in tip ? half(left * tip.bps, 10_000n) : tip.amount
  const amount = left + (shipping?.amount ?? 0n) + tipped
  const markup = half(amount * markupBps, 10_000n)
  const used = rates.filter((rate) => paid.some((each) => each.rate === rate))
  const atRate = used.map((rate) => paid.filter((each) => each.rate === rate))
  const markups = shared(
    markup,
    atRate.map((parts) => sum(parts.map((part) => part.amount))),
  )
  const taxes = used.map((rate, at) => {
    const amounts = [...atRate[at]!.map((part) => part.amount), markups[at]!]
    const iva = sum(amounts.map((each) => ivaWithin(each, rate)))
    return { iva_rate: rate, base: (sum(amounts) - iva).toString(), iva: iva.toString() }
  })
  return { subtotal, discount: subtotal - left, tip: tipped, amount, markup, charged: amount + markup, taxes }
}

/** Numbers that a seed repeats. */
export function drawn(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    between,
    oneOf: <T>(list: readonly T[]): T => list[between(0, list.length - 1)]!,
    isAmong: (many: number) => between(1, many) === 1,
  }
}
export type Drawn = ReturnType<typeof drawn>
