import type * as z from 'zod'
import { amountMinorMax, minorFromNumber, parseMinorString } from '../../../src/kernel/money.ts'
import { type Refusal, refuse } from '../../../src/kernel/plan.ts'
import type { PolicySettings } from '../../money/payment-policy/api-pure.ts'
import type { FeeSchedule } from '../../money/payments/api-pure.ts'
import { problemOfTerms, type TermsProblem } from '../../order/sales/api-pure.ts'
import { soldIn } from './catalog-item.ts'
import type { BuyerAmount, QuantityBounds } from './contract-amount.ts'
import { boughtOf, type Offered, withLinesAlone } from './lines.ts'
import type { LinkRow } from './store.ts'

export type AmountProblem =
  | TermsProblem
  | Refusal<'parameter_missing' | 'parameter_unknown' | 'amount_above_maximum'>

/** What a buyer pays: the columns that say it. */
export type AmountTerms = Pick<LinkRow, 'amountMinor' | 'buyerAmount' | 'quantityMin' | 'quantityMax'>

interface Asked {
  readonly manual_amount?: number | undefined
  readonly buyer_amount?: z.output<typeof BuyerAmount> | null | undefined
  readonly adjustable_quantity?: z.output<typeof QuantityBounds> | null | undefined
}

type Sold = Pick<LinkRow, 'amountSource' | 'catalogLineItemSnapshot' | 'catalogItemId'> & Offered

/** `before`: what an existing link asks for; what the request leaves out stays. */
export function amountTermsOf(
  sold: Sold,
  asked: Asked,
  before: AmountTerms | null = null,
): AmountTerms | AmountProblem {
  const buyer =
    asked.buyer_amount === undefined ? (before?.buyerAmount ?? null) : boundsOf(asked.buyer_amount)
  if (buyer !== null && 'refused' in buyer) return buyer
  const quantity =
    asked.adjustable_quantity === undefined
      ? { quantityMin: before?.quantityMin ?? null, quantityMax: before?.quantityMax ?? null }
      : quantitiesOf(asked.adjustable_quantity)
  if ('refused' in quantity) return quantity
  if (buyer !== null && quantity.quantityMax !== null)
    return refuse('parameter_unknown', {
      param: 'adjustable_quantity',
      message: 'With buyer_amount the buyer chooses the amount, and not how many.',
    })
  if (sold.lines && quantity.quantityMax !== null)
    return refuse('parameter_unknown', {
      param: 'adjustable_quantity',
      message: 'With line_items each line has its own quantity.',
    })
  const beside = sold.lines ? null : problemBeside(sold)
  if (beside) return beside
  const amountMinor = amountOf(sold, asked, { buyer, isMany: quantity.quantityMax !== null, before })
  if (typeof amountMinor !== 'bigint') return amountMinor
  if (mostOf({ ...sold, amountMinor, ...quantity }) > amountMinorMax)
    return refuse('amount_above_maximum', {
      param: quantity.quantityMax === null ? amountParamOf(sold, buyer) : 'adjustable_quantity.max',
    })
  return { amountMinor, buyerAmount: buyer, ...quantity }
}

/** What goes with lines alone. */
function problemBeside({ takesCodes, shippingOptions, tipOptions }: Offered) {
  const params = [
    ...(takesCodes ? ['allows_discount_codes'] : []),
    ...(tipOptions === null ? [] : ['tips']),
    ...(shippingOptions.length === 0 ? [] : ['shipping_options']),
  ]
  const [param] = params
  return param === undefined ? null : withLinesAlone(param)
}

function boundsOf(asked: z.output<typeof BuyerAmount> | null) {
  if (asked === null) return null
  const [min, max] = [asked.amount_min, asked.amount_max].map((text) => parseMinorString(text) ?? 0n) as [
    bigint,
    bigint,
  ]
  const wrong = (param: string, message: string) =>
    refuse('parameter_invalid', { param: `buyer_amount.${param}`, message })
  if (min <= 0n) return refuse('amount_below_minimum', { param: 'buyer_amount.amount_min' })
  if (max > amountMinorMax) return refuse('amount_above_maximum', { param: 'buyer_amount.amount_max' })
  if (max < min) return wrong('amount_max', 'amount_max is at least amount_min.')
  const presets = asked.presets.map((preset) => parseMinorString(preset) ?? 0n)
  const outside = presets.findIndex((preset) => preset < min || preset > max)
  if (outside >= 0) return wrong(`presets.${outside}`, 'A preset lies between amount_min and amount_max.')
  return { amount_min: min.toString(), amount_max: max.toString(), presets: presets.map(String) }
}

function quantitiesOf(asked: z.output<typeof QuantityBounds> | null) {
  if (asked === null) return { quantityMin: null, quantityMax: null }
  if (asked.max < asked.min)
    return refuse('parameter_invalid', {
      param: 'adjustable_quantity.max',
      message: 'max is at least min.',
    })
  return { quantityMin: asked.min, quantityMax: asked.max }
}

interface Chosen {
  readonly buyer: LinkRow['buyerAmount']
  readonly isMany: boolean
  readonly before: AmountTerms | null
}

/** The amount; of one where the buyer chooses how many; the least where they choose the amount. */
function amountOf(
  sold: Sold,
  { manual_amount }: Asked,
  { buyer, isMany, before }: Chosen,
): bigint | AmountProblem {
  const { amountSource, catalogLineItemSnapshot: item } = sold
  if (amountSource === 'catalog_line_item') {
    if (manual_amount !== undefined)
      return before
        ? refuse('parameter_invalid', {
            param: 'manual_amount',
            message: 'The amount of this link comes from its catalog line item, which does not change.',
          })
        : refuse('parameter_unknown', {
            param: 'manual_amount',
            message: 'With amount_source "catalog_line_item" there is no manual amount.',
          })
    if (buyer !== null)
      return refuse('parameter_unknown', {
        param: 'buyer_amount',
        message: 'With amount_source "catalog_line_item" the item says what is paid.',
      })
    const bought = boughtOf(sold)
    if (bought) return bought.amountMinor
    if (!item) return refuse('parameter_missing', { param: 'catalog_line_item_snapshot' })
    return soldIn(item, isMany ? 1 : item.quantity).amountMinor
  }
  if (!before && item)
    return refuse('parameter_unknown', {
      param: 'catalog_line_item_snapshot',
      message: 'With amount_source "manual_amount" there is no catalog line item.',
    })
  if (buyer !== null)
    return manual_amount === undefined
      ? BigInt(buyer.amount_min)
      : refuse('parameter_unknown', {
          param: 'manual_amount',
          message: 'With buyer_amount the buyer says the amount.',
        })
  if (manual_amount !== undefined) return manualAmount(manual_amount)
  return before && before.buyerAmount === null
    ? before.amountMinor
    : refuse('parameter_missing', { param: 'manual_amount' })
}

function manualAmount(value: number): bigint | AmountProblem {
  const amountMinor = minorFromNumber(value)
  if (amountMinor !== null) return amountMinor
  if (Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return refuse('amount_above_maximum', { param: 'manual_amount' })
  return refuse('parameter_invalid', {
    param: 'manual_amount',
    message: 'manual_amount is integer minor units: 120000 is 1,200.00.',
  })
}

/** The field of a request that says the amount. */
const amountParamOf = (
  { amountSource, lines, catalogItemId }: Pick<Sold, 'amountSource' | 'lines' | 'catalogItemId'>,
  buyer: LinkRow['buyerAmount'] = null,
) => {
  if (buyer !== null) return 'buyer_amount.amount_min'
  if (lines) return 'line_items'
  if (catalogItemId !== null) return 'catalog_line_item'
  return amountSource === 'manual_amount' ? 'manual_amount' : 'catalog_line_item_snapshot.unit_amount'
}

type Counted = Pick<Sold, 'catalogLineItemSnapshot'> & Pick<AmountTerms, 'amountMinor' | 'quantityMax'>

/** What so many come to, where the buyer chooses how many; the amount elsewhere. */
const amountIn = ({ amountMinor, quantityMax, catalogLineItemSnapshot: item }: Counted, quantity: number) => {
  if (quantityMax === null) return amountMinor
  return item ? soldIn(item, quantity).amountMinor : amountMinor * BigInt(quantity)
}

/** The table bounds the price of one in that quantity, which rounding can make the larger of the two. */
function mostOf(counted: Counted): bigint {
  const most = counted.quantityMax ?? 1
  const [sum, ofOne] = [amountIn(counted, most), counted.amountMinor * BigInt(most)]
  return sum > ofOne ? sum : ofOne
}

/** The least and the greatest amount that a buyer can come to; equal where it is fixed. */
const rangeOf = (link: LinkRow) => ({
  leastMinor: amountIn(link, link.quantityMin ?? 1),
  mostMinor:
    link.buyerAmount === null ? amountIn(link, link.quantityMax ?? 1) : BigInt(link.buyerAmount.amount_max),
})

export const isSameAmount = (one: AmountTerms, other: AmountTerms): boolean =>
  one.amountMinor === other.amountMinor &&
  one.quantityMin === other.quantityMin &&
  one.quantityMax === other.quantityMax &&
  one.buyerAmount?.amount_max === other.buyerAmount?.amount_max

/**
 * What the payment policy says against a link's terms. Where the buyer chooses, each method must take some amount within
 * the bounds, and some method each bound: the page offers the methods that take what was chosen.
 */
export function problemOfLink(
  link: LinkRow,
  schedule: FeeSchedule | null,
  policy: PolicySettings,
): TermsProblem | null {
  const { leastMinor, mostMinor } = rangeOf(link)
  const least = amountParamOf(link, link.buyerAmount)
  const most = link.buyerAmount === null ? 'adjustable_quantity.max' : 'buyer_amount.amount_max'
  const judged = (amountMinor: bigint, param: string, paymentMethodTypes = link.paymentMethodTypes) =>
    problemOfTerms({ ...link, amountMinor, paymentMethodTypes }, schedule, policy, param)
  if (leastMinor === mostMinor) return judged(leastMinor, least)
  let anyAtLeast: TermsProblem | null = null
  let anyAtMost: TermsProblem | null = null
  const at = { least: false, most: false }
  for (const [index, method] of link.paymentMethodTypes.entries()) {
    const [low, high] = [judged(leastMinor, least, [method]), judged(mostMinor, most, [method])]
    const spans = low?.refused === 'amount_below_minimum' && high?.refused === 'amount_above_maximum'
    if (low && high && !spans) return named(high, index)
    at.least ||= low === null
    at.most ||= high === null
    anyAtLeast ??= low
    anyAtMost ??= high
  }
  if (!at.least) return anyAtLeast
  return at.most ? null : anyAtMost
}

/** With the field of the request where several methods were judged one by one. */
const named = (problem: TermsProblem, index: number): TermsProblem => ({
  ...problem,
  ...(problem.param?.startsWith('payment_method_types.') ? { param: `payment_method_types.${index}` } : {}),
})
