import type { SoldLine } from '../../../drizzle/schema/order.ts'
import { type Left, leftAfter, mostOf } from '../../goods/inventory/api-pure.ts'
import { scarceBelow } from '../../money/payments/api-pure.ts'
import { takenBy } from './lines.ts'

/** A buyer wants more than is left of something. */
export interface Shortage {
  /** What there is too little of, and how many of it can be had. */
  readonly lines: readonly { readonly name: string; readonly left: number }[]
  /** What can be had instead: a quantity of the sale, or of its lines by their place. Null: it cannot be had as it is. */
  readonly offer:
    | { readonly quantity: number }
    | { readonly quantities: Readonly<Record<number, number>> }
    | null
}

/** A line, as what is left decides about it. */
export type WantedLine = Pick<SoldLine, 'name' | 'quantity' | 'quantity_min' | 'quantity_max' | 'takes'>

/** Of these items, those of which less is left than lines take. */
const shortOf = (lines: readonly WantedLine[], left: Left) =>
  new Set(takenBy(lines).flatMap((each) => (mostOf([each], left) === 0 ? [each.item_id] : [])))

/** Too little is left of what lines take. */
export const isShort = (lines: readonly WantedLine[], left: Left): boolean => shortOf(lines, left).size > 0

/** Little is left, by any of these counts. */
export const isScarce = (counts: Iterable<number>): boolean => [...counts].some((left) => left < scarceBelow)

/** What is left of what lines take too much of; null where nothing of it is, and where there is enough. */
export function shortageOf(lines: readonly WantedLine[], left: Left, isTried = false) {
  const short = shortOf(lines, left)
  const scarce = lines
    .filter(({ takes = [] }) => takes.some(({ item_id }) => short.has(item_id)))
    .map(({ name, takes }) => ({ name, left: mostOf(takes!, left)! }))
  if (!scarce.some((line) => line.left > 0)) return null
  return { lines: scarce, offer: offerOf(lines, left, isTried) } satisfies Shortage
}

/** The quantities by which lines can be had: the buyer's, in their order; those that are fixed take theirs first. */
function offerOf(lines: readonly WantedLine[], found: Left, isTried: boolean) {
  if (isTried) return null
  const quantities: Record<number, number> = {}
  let left = found
  for (const { quantity, quantity_max: most, takes = [] } of lines)
    if (!most) left = leftAfter(left, takes, quantity)
  for (const [at, { quantity, quantity_min: least, quantity_max: most, takes = [] }] of lines.entries()) {
    if (!least || !most) continue
    const had = Math.min(quantity, mostOf(takes, left) ?? quantity)
    if (had < least) return null
    if (had < quantity) quantities[at] = had
    left = leftAfter(left, takes, had)
  }
  return [...left.values()].some((rest) => rest < 0) ? null : { quantities }
}
