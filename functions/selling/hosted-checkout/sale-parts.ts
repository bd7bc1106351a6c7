import { bpsOf } from '../../../src/kernel/money.ts'
import type { Order, OrderPart } from '../../../src/kernel/order.ts'
import type { Adjustable } from '../../page/hosted-payment/api-pure.ts'
import type { ShownRow } from './store.ts'

/** What is added to a session's lines and taken off them. */
const partsOf = ({ discounts, shippingOptions, shippingAt, shippingMinor }: ShownRow): OrderPart[] => [
  ...discounts.map(({ code, amount }) => ({ kind: 'discount' as const, name: code, amount: `-${amount}` })),
  ...(shippingAt === null
    ? []
    : [
        {
          kind: 'shipping' as const,
          name: shippingOptions[shippingAt]!.name,
          amount: shippingMinor.toString(),
        },
      ]),
]

/** What a payment of it pays for; null where it has no lines. */
export const orderOf = (session: ShownRow): Order | null =>
  session.lines.length === 0
    ? null
    : {
        lines: session.lines.map(({ item_id, name, quantity, amount_total, iva_rate }) => ({
          item_id,
          name,
          quantity,
          total: amount_total,
          iva_rate,
        })),
        parts: partsOf(session),
      }

/** What the buyer may still change of it; nothing once a payment has been tried. */
export function adjustableOf(session: ShownRow): { readonly adjustable?: Adjustable } {
  if (session.isTried) return {}
  const { takesCodes, tipOptions, tipBps, tipMinor, shippingMinor, discounts, amountMinor } = session
  const shipping = session.shippingOptions.length > 1 ? session.shippingOptions : []
  const lines = session.lines.flatMap(({ name, quantity, quantity_min: least, quantity_max: most }, at) =>
    least && most ? [{ at, name, quantity, least, most }] : [],
  )
  if (!takesCodes && tipOptions === null && lines.length + shipping.length === 0) return {}
  const baseMinor = amountMinor - tipMinor - shippingMinor
  const tip = tipOptions && {
    presets: tipOptions.presets_bps.map((bps) => ({ bps, amount: bpsOf(baseMinor, bps).toString() })),
    allowsOwn: tipOptions.allows_own_amount,
    chosenBps: tipBps,
    chosen: tipMinor.toString(),
  }
  const code = discounts.find(({ is_buyers }) => is_buyers)?.code ?? null
  return { adjustable: { takesCodes, code, lines, tip, shipping, shippingAt: session.shippingAt } }
}
