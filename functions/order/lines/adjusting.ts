import type { SoldLine } from '../../../drizzle/schema/order.ts'
import type { TakenStock } from '../../../drizzle/schema/stock.ts'
import { type Left, leftAfter, mostOf } from '../../goods/inventory/api-pure.ts'
import type { Adjustment, Unchanged } from './adjustable.ts'
import { codeIn } from './contract.ts'
import { discounted, type NamedDiscount, reasonAgainst, subtotalOf } from './discounts.ts'
import { type Bought, type Chosen, inQuantity, linesAlone, promisedBy, takenBy } from './lines.ts'
import { chosenAs } from './parts.ts'
import { shippedBy } from './shipping.ts'
import { tipAfter } from './tips.ts'
import { withExtras } from './total.ts'

/** An order that its buyer may change: the row that keeps it. */
export interface Kept extends Bought {
  readonly stock: TakenStock | null
  readonly locationId: string | null
  readonly currency: string
  readonly customerId: string | null
}

/** What was read for a change: the discounts that it names or the order has, and what is left of the items of its lines. */
interface Read {
  readonly found: readonly NamedDiscount[]
  readonly left: Left
}

/**
 * The columns of an order after its buyer's change. Discounts that no longer apply fall away, but a code that is typed now
 * and does not apply is a problem. Null where nothing changes.
 */
export function adjusted(order: Kept, asked: Adjustment, read: Read, now: Date) {
  const lines = linesAfter(order, asked, read.left)
  if ('problem' in lines) return lines
  const { currency, customerId } = order
  const subtotalMinor = lines.length === 0 ? subtotalOf(order) : linesAlone(lines).amountMinor
  const sale = { subtotalMinor, currency, customerId, now }
  const wanted = discountsAfter(order, asked, read.found, sale)
  if ('problem' in wanted) return wanted
  const less = discounted(wanted, sale)
  if ('refused' in less) return { problem: 'order.amount' } satisfies Unchanged
  const tip = tipAfter(order, asked, { baseMinor: less.amountMinor, currency })
  if ('problem' in tip) return tip
  const shipped = asked.shipping === undefined ? order : shippedBy(order.shippingOptions, asked.shipping)
  if (order.shippingOptions.length > 0 && shipped.shippingAt === null)
    return { problem: 'order.amount' } satisfies Unchanged
  const { shippingOptions, shippingAt, shippingMinor } = shipped
  const { tipBps, tipMinor } = tip
  const { tipOptions } = order
  const paid = withExtras(less, { shippingOptions, shippingAt, shippingMinor, tipOptions, tipBps, tipMinor })
  const promised = promisedBy(lines, order.locationId)
  const next = { lines, ...promised, stock: promised.stock ?? order.stock, ...paid }
  return isSame(next, order) ? null : next
}

/** An order as one of its buyers chooses it, where many may buy it: nothing of it is kept. Its code is as typed. */
export function inChoice(order: Kept, asked: Adjustment, read: Read, now: Date): Chosen | Unchanged {
  const code = asked.code && codeIn(asked.code)
  if (code === null) return { problem: 'code.unknown' }
  const next = adjusted(order, code ? { ...asked, code } : asked, read, now)
  return next && 'problem' in next ? next : chosenAs({ ...order, ...next })
}

const isSame = (next: Omit<Bought, 'takesCodes'>, before: Bought) =>
  next.amountMinor === before.amountMinor &&
  next.tipBps === before.tipBps &&
  next.shippingAt === before.shippingAt &&
  next.tipMinor === before.tipMinor &&
  next.lines.every(({ quantity }, at) => quantity === before.lines[at]!.quantity) &&
  JSON.stringify(next.discounts) === JSON.stringify(before.discounts)

function linesAfter(
  { lines }: Kept,
  { quantities = {} }: Adjustment,
  left: Left,
): readonly SoldLine[] | Unchanged {
  const after: SoldLine[] = []
  for (const [at, line] of lines.entries()) {
    const { quantity_min: least, quantity_max: most } = line
    const typed = quantities[at]
    if (typed === undefined || !least || !most) {
      after.push(line)
      continue
    }
    const quantity = /^\d{1,5}$/.test(typed) ? Number(typed) : 0
    if (quantity < least || quantity > most) return { problem: 'quantity.bounds', at }
    after.push(inQuantity(line, quantity))
  }
  const before = new Map(takenBy(lines).map(({ item_id, quantity }) => [item_id, quantity]))
  for (const { item_id, quantity } of takenBy(after)) {
    if (quantity <= (before.get(item_id) ?? 0) || quantity <= (left.get(item_id) ?? 0)) continue
    const at = after.findIndex(
      (line, place) =>
        line.quantity > lines[place]!.quantity && line.takes?.some((each) => each.item_id === item_id),
    )
    return tooFew(after, at, left)
  }
  return after
}

/** How many of a line can be had beside all others; unsaid where that is less than it may be. */
function tooFew(lines: readonly SoldLine[], at: number, left: Left): Unchanged {
  const { takes, quantity_min: least } = lines[at]!
  const others = takenBy(lines.filter((_, place) => place !== at))
  const most = mostOf(takes!, leftAfter(left, others, 1)) ?? 0
  return { problem: 'quantity.stock', at, ...(most >= least! ? { left: most } : {}) }
}

function discountsAfter(
  order: Kept,
  { code: typed }: Adjustment,
  found: readonly NamedDiscount[],
  sale: Parameters<typeof reasonAgainst>[1],
) {
  const kept = order.discounts
    .filter(({ is_buyers }) => !is_buyers || typed === undefined)
    .flatMap(({ discount_id, is_buyers }) => {
      const discount = found.find(({ id }) => id === discount_id)
      return discount && reasonAgainst(discount, sale) === null
        ? [{ discount, isBuyers: is_buyers, param: 'discounts' }]
        : []
    })
  if (!typed) return kept
  const discount = order.takesCodes ? found.find(({ code }) => code === typed) : undefined
  if (!discount) return { problem: 'code.unknown' } satisfies Unchanged
  const reason = reasonAgainst(discount, sale)
  if (reason) return { problem: `code.${reason}` } satisfies Unchanged
  if (kept.some((each) => each.discount.id === discount.id))
    return { problem: 'code.twice' } satisfies Unchanged
  return [...kept, { discount, isBuyers: true, param: 'discounts' }]
}
