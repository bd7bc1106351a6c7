import type * as z from 'zod'
import { cardMethod, type Method, type PageMethod, pageMethods } from '../../../src/kernel/payment-methods.ts'
import { type Plan, refuse } from '../../../src/kernel/plan.ts'
import type { ItemForSale } from '../../goods/digital-catalogs/api-pure.ts'
import { evaluate, type ReasonCode } from '../../money/payment-policy/api-pure.ts'
import { isFreeOfCharge, priced } from '../../order/lines/api-pure.ts'
import { unknownBuyer } from '../../order/sales/api-pure.ts'
import type * as contracts from './contract.ts'
import { planCreate, type Selling } from './plan.ts'

/** What a buyer orders from a catalog's page, and how the catalog lets it be paid. */
export interface Order {
  readonly catalogPublicId: string
  readonly currency: string
  readonly lines: readonly { readonly item_id: string; readonly quantity: number }[]
  /** Null: by all that the workspace offers. */
  readonly methods: readonly PageMethod[] | null
  readonly installmentMonths: readonly number[]
  readonly locationId: string | null
}

const pricing = { feeAllocation: 'absorb', merchantMarkupBps: 0 } as const

/** A checkout session of an order, with those of its terms that the payment policy allows for its amount. */
export function planOrder(order: Order, publicId: string, items: readonly ItemForSale[], selling: Selling) {
  const { currency, lines, locationId, catalogPublicId } = order
  const sold = priced([...lines], items, currency)
  if ('refused' in sold) return sold
  const reasonsOf = (method: Method, months: readonly number[]) =>
    evaluate(selling.policy, selling.schedule, {
      amountMinor: sold.amountMinor,
      currency,
      method,
      captureMethod: 'automatic',
      months,
      pricing,
      eligible: null,
    }).reasons
  const judged = (order.methods ?? pageMethods).map((method) => ({ method, reasons: reasonsOf(method, []) }))
  const isFree = isFreeOfCharge(sold)
  const offered = judged
    .filter(({ reasons }) => reasons.every(({ code }) => isFree && code === 'amount_below_minimum'))
    .map(({ method }) => method)
  if (offered.length === 0) return refuse<ReasonCode>(judged[0]!.reasons[0]!.code)
  const months = offered.includes(cardMethod)
    ? order.installmentMonths.filter((term) => reasonsOf(cardMethod, [term]).length === 0)
    : []
  const input: z.output<NonNullable<typeof contracts.create.body>> = {
    line_items: [...lines],
    currency,
    discounts: [],
    allows_discount_codes: false,
    tips: null,
    shipping_options: [],
    payment_method_types: offered,
    capture_method: 'automatic',
    installment_options: months.map((term) => ({ months: term })),
    installment_plan: null,
    installment_pricing: { fee_allocation: 'absorb', merchant_markup_bps: 0 },
    ui_mode: 'hosted',
    collects: null,
    description: null,
    success_url: null,
    cancel_url: null,
    client_reference_id: null,
    customer_id: null,
    ...unknownBuyer,
    location_id: locationId,
    metadata: {},
    recovery: null,
  }
  const plan = planCreate(input, { publicId, items, found: [], catalogPublicId }, selling)
  // A buyer is sent to its address: nothing else of it is kept for a repetition of the form.
  return 'refused' in plan ? plan : ({ ...plan, reply: { public_id: publicId } } satisfies Plan<unknown>)
}
