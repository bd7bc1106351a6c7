import type { discounts } from '../../../drizzle/schema/discounts.ts'
import type { AppliedDiscount } from '../../../drizzle/schema/order.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import { type Row, refuse } from '../../../src/kernel/plan.ts'
import type { Bought } from './lines.ts'

export const discountsMax = 5

export type DiscountRow = Row<typeof discounts>
/** With how often a customer has used it. */
export type NamedDiscount = DiscountRow & { readonly customerUses: number }

/** What a request asks for: a discount by its id or its code. */
export type AskedDiscount = { readonly discount_id: string } | { readonly code: string }

/** Why a discount does not apply. */
export type DiscountReason =
  | 'inactive'
  | 'not_started'
  | 'ended'
  | 'other_currency'
  | 'below_minimum'
  | 'needs_customer'
  | 'used_up'
  | 'used_by_customer'

/** What discounts apply to. */
export interface Discounted {
  readonly subtotalMinor: bigint
  readonly currency: string
  readonly customerId: string | null
  readonly now: Date
}

const messages: Readonly<Record<DiscountReason, string>> = {
  inactive: 'This discount is not active.',
  not_started: 'This discount has not begun.',
  ended: 'This discount has ended.',
  other_currency: 'This discount is in another currency.',
  below_minimum: 'The lines come to less than the minimum of this discount.',
  needs_customer: 'This discount is limited per customer: name a customer_id.',
  used_up: 'This discount has no use left.',
  used_by_customer: 'This customer has used the discount as often as they may.',
}

/** Whether a discount may be used now; its counts are looked at here for the caller, and by the database at the payment. */
export function reasonAgainst(
  { isActive, startsAt, endsAt, currency, subtotalMinorMin, ...limits }: NamedDiscount,
  sale: Discounted,
): DiscountReason | null {
  if (!isActive) return 'inactive'
  if (startsAt !== null && startsAt > sale.now) return 'not_started'
  if (endsAt !== null && endsAt <= sale.now) return 'ended'
  if (currency !== null && currency !== sale.currency) return 'other_currency'
  if (subtotalMinorMin !== null && sale.subtotalMinor < subtotalMinorMin) return 'below_minimum'
  if (limits.usesPerCustomerMax !== null) {
    if (sale.customerId === null) return 'needs_customer'
    if (limits.customerUses >= limits.usesPerCustomerMax) return 'used_by_customer'
  }
  return limits.usesMax !== null && limits.uses >= limits.usesMax ? 'used_up' : null
}

/** Minor units that a discount takes off what is left: half up, and never more than that. */
export function amountOff(
  { amountOffMinor, percentOffBps }: Pick<DiscountRow, 'amountOffMinor' | 'percentOffBps'>,
  leftMinor: bigint,
): bigint {
  const off = amountOffMinor ?? (leftMinor * BigInt(percentOffBps!) + 5_000n) / 10_000n
  return off < leftMinor ? off : leftMinor
}

/** Discounts in their order, each on what the former ones leave; or the first that does not apply. */
export function discounted(
  wanted: readonly { readonly discount: NamedDiscount; readonly isBuyers: boolean; readonly param: string }[],
  sale: Discounted,
) {
  let leftMinor = sale.subtotalMinor
  const applied: AppliedDiscount[] = []
  for (const { discount, isBuyers, param } of wanted) {
    const reason = reasonAgainst(discount, sale)
    if (reason !== null) return refuse('discount_not_applicable', { param, message: messages[reason] })
    if (applied.some(({ discount_id }) => discount_id === discount.id))
      return refuse('parameter_invalid', { param, message: 'An order has each discount once.' })
    const off = amountOff(discount, leftMinor)
    leftMinor -= off
    applied.push({
      discount_id: discount.id,
      code: discount.code,
      amount: toMinorString(off),
      is_buyers: isBuyers,
    })
  }
  return { discounts: applied, amountMinor: leftMinor }
}

/** The discounts that a request names, of those that were read; or the first that is not there. */
export function named(asked: readonly AskedDiscount[], found: readonly NamedDiscount[]) {
  const wanted: { discount: NamedDiscount; isBuyers: boolean; param: string }[] = []
  for (const [at, ask] of asked.entries()) {
    const param = `discounts.${at}`
    const discount = found.find(({ id, code }) =>
      'code' in ask ? code === ask.code : id === ask.discount_id,
    )
    if (!discount) return refuse('discount_not_found', { param })
    wanted.push({ discount, isBuyers: false, param })
  }
  return wanted
}

/** Those of the merchant's discounts that still apply, as a request names them. */
export const stillOf = (had: readonly AppliedDiscount[], found: readonly NamedDiscount[], sale: Discounted) =>
  had.flatMap(({ discount_id, is_buyers }) => {
    const discount = found.find(({ id }) => id === discount_id)
    return !is_buyers && discount && reasonAgainst(discount, sale) === null ? [{ discount_id }] : []
  })

/** What discounts come to. */
export const sumOf = (discounts: readonly AppliedDiscount[]): bigint =>
  discounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)

/** What it costs before its discounts, shipping and tip: its lines, or the amount that the merchant gave. */
export const subtotalOf = ({
  amountMinor,
  tipMinor,
  shippingMinor,
  discounts,
}: Pick<Bought, 'amountMinor' | 'tipMinor' | 'shippingMinor' | 'discounts'>): bigint =>
  amountMinor - tipMinor - shippingMinor + sumOf(discounts)
