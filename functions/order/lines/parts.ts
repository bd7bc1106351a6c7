import type { Order, OrderPart } from '../../../src/kernel/order.ts'
import type { Adjustable } from './adjustable.ts'
import type { Bought, Chosen, Sold } from './lines.ts'
import { taxesOf } from './taxes.ts'
import { adjustableTip } from './tips.ts'

/** What is added to lines and taken off them. */
const partsOf = ({ discounts, shippingOptions, shippingAt, shippingMinor }: Bought): OrderPart[] => [
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
export const orderOf = (bought: Bought): Order | null =>
  bought.lines.length === 0
    ? null
    : {
        lines: bought.lines.map(({ item_id, name, quantity, amount_total, iva_rate }) => ({
          item_id,
          name,
          quantity,
          total: amount_total,
          iva_rate,
        })),
        parts: partsOf(bought),
      }

/** What the buyer may still change of it; nothing once a payment has been tried. */
export function adjustableOf(bought: Bought, isTried = false): { readonly adjustable?: Adjustable } {
  if (isTried) return {}
  const { takesCodes, tipOptions, tipBps, tipMinor, shippingMinor, discounts, amountMinor } = bought
  const shipping = bought.shippingOptions.length > 1 ? bought.shippingOptions : []
  const lines = bought.lines.flatMap(({ name, quantity, quantity_min: least, quantity_max: most }, at) =>
    least && most ? [{ at, name, quantity, least, most }] : [],
  )
  if (!takesCodes && tipOptions === null && lines.length + shipping.length === 0) return {}
  const baseMinor = amountMinor - tipMinor - shippingMinor
  const tip = tipOptions && adjustableTip(tipOptions, { tipBps, tipMinor }, baseMinor)
  const code = discounts.find(({ is_buyers }) => is_buyers)?.code ?? null
  return { adjustable: { takesCodes, code, lines, tip, shipping, shippingAt: bought.shippingAt } }
}

/** What a payment of it takes. */
export const soldAs = (bought: Bought): Sold => ({
  amountMinor: bought.amountMinor,
  taxes: taxesOf(bought),
  order: orderOf(bought),
})

/** The same with the tip in it, and what a buyer may choose. */
export const chosenAs = (bought: Bought): Chosen => ({
  ...soldAs(bought),
  tip: bought.tipMinor.toString(),
  ...adjustableOf(bought),
})
