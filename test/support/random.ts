/** Numbers in [0, 1) that follow from a seed. */
export type Random = () => number

/** The generator of that name: 32 bits of state, enough to repeat a run. */
export function mulberry32(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const below = (random: Random, max: number): number => Math.trunc(random() * max)
export const oneOf = <T>(random: Random, values: readonly T[]): T => values[below(random, values.length)] as T

export function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const order = [...values]
  for (let at = order.length - 1; at > 0; at--) {
    const other = below(random, at + 1)
    ;[order[at], order[other]] = [order[other] as T, order[at] as T]
  }
  return order
}
