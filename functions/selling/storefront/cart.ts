import { type ItemForSale, isSoldAsItIs } from '../../goods/digital-catalogs/api-pure.ts'
import type { Left } from '../../goods/inventory/api-pure.ts'
import { availableOf, leftWithout, quantityMax, unitOf } from './offer.ts'

/** A line of the cart as its form has it. */
export interface CartLine {
  readonly itemId: string
  /** As typed. */
  readonly typed: string
  /** What one cost on the page, in minor units. */
  readonly seenMinor: bigint
}

export const linesMax = 100

/** Why a line cannot be ordered as it stands. Amounts are minor units. */
export type LineProblem =
  | { readonly kind: 'gone' | 'sold_out' }
  | { readonly kind: 'few_left' | 'quantity' | 'most'; readonly most: number }
  | { readonly kind: 'price'; readonly from: bigint; readonly to: bigint }

const choice = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}):(\d{1,15})$/

/**
 * The lines of a submitted form: each field `choice.x`, an item and what it cost on the page, has its `quantity.x`. A row
 * without a quantity is left out; of an item that comes twice the last row counts. Null: not a form of ours.
 */
export function cartOf(fields: Readonly<Record<string, unknown>>): CartLine[] | null {
  const lines = new Map<string, CartLine>()
  for (const [name, value] of Object.entries(fields)) {
    if (!name.startsWith('choice.') || typeof value !== 'string' || value === '') continue
    const [, itemId, seen] = choice.exec(value) ?? []
    const quantity = fields[`quantity.${name.slice('choice.'.length)}`]
    if (itemId === undefined || (quantity !== undefined && typeof quantity !== 'string')) return null
    const typed = (quantity ?? '').trim().slice(0, 20)
    if (/^(0*|[+-]0+)$/.test(typed)) continue
    lines.set(itemId, { itemId, typed, seenMinor: BigInt(seen!) })
  }
  return [...lines.values()]
}

/** The fields of a form that has these lines. */
export const fieldsOf = (lines: readonly CartLine[]): Record<string, string> =>
  Object.fromEntries(
    lines.flatMap(({ itemId, typed, seenMinor }) => [
      [`choice.${itemId}`, `${itemId}:${seenMinor}`],
      [`quantity.${itemId}`, typed],
    ]),
  )

/** A line's quantity; null for what is no number of things. */
export const quantityOf = ({ typed }: CartLine): number | null =>
  /^\d{1,5}$/.test(typed) && Number(typed) <= quantityMax ? Number(typed) : null

/** The same lines in the quantities that are left; null where that does not help: something else is wrong as well. */
export function withWhatIsLeft(
  lines: readonly CartLine[],
  problems: ReadonlyMap<string, LineProblem>,
): CartLine[] | null {
  const shown = [...problems.values()]
  if (shown.length === 0 || shown.some(({ kind }) => kind !== 'few_left')) return null
  return lines.map((line) => {
    const problem = problems.get(line.itemId)
    return problem?.kind === 'few_left' ? { ...line, typed: String(problem.most) } : line
  })
}

/** What is wrong with the lines, by item. Lines of one stock, also through bundles, take from it in their order. */
export function problemsOf(
  lines: readonly CartLine[],
  items: readonly ItemForSale[],
  catalog: { readonly id: string; readonly currency: string },
  stocked: Left,
): Map<string, LineProblem> {
  let left = stocked
  const problems = new Map<string, LineProblem>()
  for (const line of lines) {
    const item = items.find(({ id, catalogId }) => id === line.itemId && catalogId === catalog.id)
    const problem = problemOf(line, item, catalog.currency, left)
    if (problem) problems.set(line.itemId, problem)
    else left = leftWithout(item!, quantityOf(line)!, left)
  }
  return problems
}

function problemOf(
  line: CartLine,
  item: ItemForSale | undefined,
  currency: string,
  left: Left,
): LineProblem | null {
  if (!item?.isForSale || !isSoldAsItIs(item) || item.price?.currency !== currency) return { kind: 'gone' }
  const available = availableOf(item, left) ?? quantityMax
  if (available === 0) return { kind: 'sold_out' }
  const most = Math.min(item.soldQuantityMax ?? quantityMax, quantityMax)
  const quantity = quantityOf(line)
  if (quantity === null) return { kind: 'quantity', most: Math.min(most, available) }
  if (quantity > most) return { kind: 'most', most }
  if (quantity > available) return { kind: 'few_left', most: available }
  const now = unitOf(item)!
  return now === line.seenMinor ? null : { kind: 'price', from: line.seenMinor, to: now }
}
