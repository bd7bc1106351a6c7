import { leftAfter, leftFrom, mostOf } from '../../goods/inventory/api-pure.ts'
import { scarceBelow } from '../../money/payments/api-pure.ts'
import type { Shortage } from '../../page/hosted-payment/api-pure.ts'
import type { ShownRow } from './store.ts'

/** Too little is left of what a session takes. */
export function isShort({ stock, left: found }: Pick<ShownRow, 'stock' | 'left'>): boolean {
  const left = leftFrom(found)
  return !!found && stock!.lines.some((each) => mostOf([each], left) === 0)
}

/** Little is left of something that it takes. */
export const isScarce = ({ left: found }: Pick<ShownRow, 'left'>): boolean =>
  [...leftFrom(found).values()].some((left) => left < scarceBelow)

/** What is left of what a session takes too much of; null where nothing of it is, and where there is enough. */
export function shortageOf(session: Pick<ShownRow, 'stock' | 'left' | 'lines' | 'isTried'>): Shortage | null {
  const left = leftFrom(session.left)
  const taken = session.stock?.lines ?? []
  const short = new Set(taken.filter((each) => mostOf([each], left) === 0).map(({ item_id }) => item_id))
  const lines = session.lines
    .filter(({ takes = [] }) => takes.some(({ item_id }) => short.has(item_id)))
    .map(({ name, takes }) => ({ name, left: mostOf(takes!, left)! }))
  return lines.some((line) => line.left > 0) ? { lines, offer: offerOf(session) } : null
}

/** The quantities by which its lines can be had: the buyer's, in their order; those that are fixed take theirs first. */
function offerOf({ lines, isTried, left: found }: Pick<ShownRow, 'lines' | 'isTried' | 'left'>) {
  if (isTried) return null
  const quantities: Record<number, number> = {}
  let left = leftFrom(found)
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
