import type { ProblemCode } from '../../../src/http/problems.ts'
import type { Refusal } from '../../../src/kernel/plan.ts'
import { subtotalOf } from './discounts.ts'
import type { Bought } from './lines.ts'
import { type Tip, tipOn } from './tips.ts'

type Extras = Tip & Pick<Bought, 'tipOptions' | 'shippingOptions' | 'shippingAt' | 'shippingMinor'>

/** What is paid, with shipping and the tip that the buyer chose. */
export function withExtras<Less extends { readonly amountMinor: bigint } | Refusal<ProblemCode>>(
  less: Less,
  { tipOptions, shippingOptions, shippingAt, shippingMinor, ...tip }: Extras,
) {
  if ('refused' in less) return less as Extract<Less, Refusal<ProblemCode>>
  const priced = less as Extract<Less, { readonly amountMinor: bigint }>
  const chosen = tipOn(tipOptions, tip, priced.amountMinor)
  const amountMinor = priced.amountMinor + shippingMinor + chosen.tipMinor
  return { ...priced, tipOptions, shippingOptions, shippingAt, shippingMinor, ...chosen, amountMinor }
}

/** Items of catalogs whose price is 0, and nothing else: no minimum is asked of them. */
export const isFreeOfCharge = ({ lines, amountMinor }: Pick<Bought, 'lines' | 'amountMinor'>): boolean =>
  amountMinor === 0n &&
  lines.length > 0 &&
  lines.every(({ item_id, unit_amount }) => item_id !== null && unit_amount === '0')

/** What the payment policy judges: terms that cost nothing are those of what would be paid without the discounts. */
export const judged = <B extends Bought>(bought: B): B =>
  bought.amountMinor === 0n ? { ...bought, amountMinor: subtotalOf(bought) } : bought
