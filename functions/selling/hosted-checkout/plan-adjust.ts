import type { SoldLine } from '../../../drizzle/schema/order.ts'
import { parseAmount } from '../../../src/kernel/format.ts'
import type { Plan } from '../../../src/kernel/plan.ts'
import { type Left, leftAfter, mostOf } from '../../goods/inventory/api-pure.ts'
import {
  discounted,
  inQuantity,
  judged,
  noTip,
  promisedBy,
  reasonAgainst,
  shippedBy,
  subtotalOf,
  type Tip,
  takenBy,
  withExtras,
} from '../../order/lines/api-pure.ts'
import type { Adjustment, Unchanged } from '../../page/hosted-payment/api-pure.ts'
import { problemOfTerms } from '../../page/hosted-payment/api-pure.ts'
import { planChange, type Selling } from './plan.ts'
import type { NamedDiscount, SessionRow } from './store.ts'

/** What was read for a change: the discounts that it names or the session has, and what is left of the items of its lines. */
export interface ReadForAdjust {
  readonly found: readonly NamedDiscount[]
  readonly left: Left
}

/**
 * A buyer changes the order. Discounts that no longer apply fall away, but a code that is typed now and does not apply is
 * a problem. Null where nothing changes.
 */
export function planAdjust(
  session: SessionRow,
  asked: Adjustment,
  read: ReadForAdjust,
  selling: Selling,
): Plan<unknown> | Unchanged | null {
  if (session.status !== 'open' || session.expiresAt <= selling.now) return { problem: 'order.closed' }
  const lines = linesAfter(session, asked, read.left)
  if ('problem' in lines) return lines
  const { currency, customerId } = session
  const subtotalMinor =
    lines.length === 0
      ? subtotalOf(session)
      : lines.reduce((sum, { amount_total }) => sum + BigInt(amount_total), 0n)
  const sale = { subtotalMinor, currency, customerId, now: selling.now }
  const wanted = discountsAfter(session, asked, read.found, sale)
  if ('problem' in wanted) return wanted
  const less = discounted(wanted, sale)
  if ('refused' in less) return { problem: 'order.amount' }
  const tip = tipAfter(session, asked, less.amountMinor)
  if ('problem' in tip) return tip
  const shipped = asked.shipping === undefined ? session : shippedBy(session.shippingOptions, asked.shipping)
  if (session.shippingOptions.length > 0 && shipped.shippingAt === null) return { problem: 'order.amount' }
  const { shippingOptions, shippingAt, shippingMinor } = shipped
  const { tipBps, tipMinor } = tip
  const extras = {
    shippingOptions,
    shippingAt,
    shippingMinor,
    tipOptions: session.tipOptions,
    tipBps,
    tipMinor,
  }
  const paid = withExtras(less, extras)
  const promised = promisedBy(lines, session.locationId)
  const next = { lines, ...promised, stock: promised.stock ?? session.stock, ...paid }
  if (isSame(next, session)) return null
  const patch = { ...next, policyVersion: selling.policyVersion, termsVersion: session.termsVersion + 1 }
  if (problemOfTerms(judged({ ...session, ...patch }), selling.schedule, selling.policy, 'amount'))
    return { problem: 'order.amount' }
  return planChange(session, patch, 'checkout_session.updated', selling)
}

const isSame = (next: Partial<SessionRow>, session: SessionRow) =>
  next.amountMinor === session.amountMinor &&
  next.tipBps === session.tipBps &&
  next.shippingAt === session.shippingAt &&
  next.tipMinor === session.tipMinor &&
  next.lines!.every(({ quantity }, at) => quantity === session.lines[at]!.quantity) &&
  JSON.stringify(next.discounts) === JSON.stringify(session.discounts)

function linesAfter(
  { lines }: SessionRow,
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
  session: SessionRow,
  { code: typed }: Adjustment,
  found: readonly NamedDiscount[],
  sale: Parameters<typeof reasonAgainst>[1],
) {
  const kept = session.discounts
    .filter(({ is_buyers }) => !is_buyers || typed === undefined)
    .flatMap(({ discount_id, is_buyers }) => {
      const discount = found.find(({ id }) => id === discount_id)
      return discount && reasonAgainst(discount, sale) === null
        ? [{ discount, isBuyers: is_buyers, param: 'discounts' }]
        : []
    })
  if (!typed) return kept
  const discount = session.takesCodes ? found.find(({ code }) => code === typed) : undefined
  if (!discount) return { problem: 'code.unknown' } satisfies Unchanged
  const reason = reasonAgainst(discount, sale)
  if (reason) return { problem: `code.${reason}` } satisfies Unchanged
  if (kept.some((each) => each.discount.id === discount.id))
    return { problem: 'code.twice' } satisfies Unchanged
  return [...kept, { discount, isBuyers: true, param: 'discounts' }]
}

function tipAfter(session: SessionRow, { tip }: Adjustment, baseMinor: bigint): Tip | Unchanged {
  if (tip === undefined) return session
  if (tip === null) return noTip
  if ('bps' in tip) return { tipBps: tip.bps, tipMinor: 0n }
  const tipMinor = parseAmount(tip.own, session.currency)
  if (tipMinor === null) return { problem: 'tip.amount' }
  return tipMinor > baseMinor ? { problem: 'tip.too_much' } : { tipBps: null, tipMinor }
}
