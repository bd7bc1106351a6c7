import type { ReservedLine } from '../../../drizzle/schema/stock.ts'

/** How many are left of what is counted, by item. */
export type Left = ReadonlyMap<string, number>

/** As `leftFor` reads it. */
export const leftFrom = (found: Readonly<Record<string, number>> | null | undefined): Left =>
  new Map(Object.entries(found ?? {}))

/** How many of something can be had: `takes` is what one of it takes. Null where nothing of it is counted. */
export function mostOf(takes: readonly ReservedLine[], left: Left): number | null {
  const counts = takes.flatMap(({ item_id, quantity }) => {
    const count = left.get(item_id)
    return count === undefined ? [] : [Math.max(0, Math.floor(count / quantity))]
  })
  return counts.length === 0 ? null : Math.min(...counts)
}

/** What is left after some are taken; below zero where there were too few. */
export function leftAfter(left: Left, takes: readonly ReservedLine[], quantity: number): Left {
  const rest = new Map(left)
  for (const { item_id, quantity: each } of takes) {
    const count = rest.get(item_id)
    if (count !== undefined) rest.set(item_id, count - each * quantity)
  }
  return rest
}
