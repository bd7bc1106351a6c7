/**
 * The largest amount that may be asked for: ten billion of a currency's main unit. A million of the largest sum to less
 * than the 18 digits that the interface shows, and nine million to less than a bigint of Postgres.
 */
export const amountMinorMax = 999_999_999_999n

/**
 * Basis points of an amount: `amountMinor * bps / 10000`, rounded half-up; a negative amount mirrors the positive
 * one, so that a reversal takes back exactly what was given.
 * @throws RangeError when `bps` is not a whole number from 0 up.
 */
export function bpsOf(amountMinor: bigint, bps: number): bigint {
  if (!Number.isSafeInteger(bps) || bps < 0)
    throw new RangeError(`bpsOf: ${bps} is not a number of basis points`)
  return mirrored(amountMinor, (amount) => (amount * BigInt(bps) + 5_000n) / 10_000n)
}

/**
 * `totalMinor` in `parts` equal parts that sum to it; what does not divide goes on the first part
 * (10 in 3 is 4, 3, 3).
 * @throws RangeError when `parts` is not a whole number from 1 up.
 */
export function splitEvenly(totalMinor: bigint, parts: number): bigint[] {
  if (!Number.isSafeInteger(parts) || parts < 1) throw new RangeError(`splitEvenly: ${parts} parts`)
  const part = totalMinor / BigInt(parts)
  const first = totalMinor - part * BigInt(parts - 1)
  return [first, ...Array<bigint>(parts - 1).fill(part)]
}

/**
 * `totalMinor` shared in proportion to `weights`, summing to it exactly: each share is rounded down and the units
 * left over go to the largest remainders, the earlier one first among equals.
 * @throws RangeError when a weight is negative or all are zero.
 */
export function splitLargestRemainder(totalMinor: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((total, weight) => total + weight, 0n)
  if (sum <= 0n || weights.some((weight) => weight < 0n))
    throw new RangeError('splitLargestRemainder: bad weights')
  const total = totalMinor < 0n ? -totalMinor : totalMinor
  const shares = weights.map((weight) => (total * weight) / sum)
  const left = Number(total - shares.reduce((given, share) => given + share, 0n))
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (total * weight) % sum }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder.slice(0, left)) shares[index]! += 1n
  return totalMinor < 0n ? shares.map((share) => -share) : shares
}

/** The API's form of an amount: minor units as a decimal string, such as `"120000"`. */
export function toMinorString(amountMinor: bigint): string {
  return amountMinor.toString()
}

/** Reads the API's form of an amount (`^-?\d{1,18}$`); null for anything else. */
export function parseMinorString(text: string): bigint | null {
  return /^-?\d{1,18}$/.test(text) ? BigInt(text) : null
}

/** A JSON number as minor units; null for fractions and for numbers too large to be exact. */
export function minorFromNumber(value: number): bigint | null {
  return Number.isSafeInteger(value) ? BigInt(value) : null
}

function mirrored(amount: bigint, formula: (amount: bigint) => bigint): bigint {
  return amount < 0n ? -formula(-amount) : formula(amount)
}
