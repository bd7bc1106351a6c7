import { subtotalOf, sumOf } from './discounts.ts'
import type { Bought } from './lines.ts'
import { taxedLines, taxedShipping, taxesOf } from './taxes.ts'

function linesOf(bought: Bought) {
  const taxed = taxedLines(bought)
  return bought.lines.map(
    ({ takes: _, delivers: __, barcode: ___, measured, modifiers = [], ...line }, at) => ({
      ...line,
      measured: measured ? { ...measured } : null,
      modifiers: modifiers.map((each) => ({ ...each })),
      amount_discount: taxed[at]!.shareMinor.toString(),
      tax: {
        discount: taxed[at]!.discountMinor.toString(),
        base: taxed[at]!.baseMinor.toString(),
        iva: taxed[at]!.ivaMinor.toString(),
      },
      quantity_min: line.quantity_min ?? null,
      quantity_max: line.quantity_max ?? null,
    }),
  )
}

function shippingTaxOf(bought: Bought) {
  const taxed = taxedShipping(bought)
  return (
    taxed && { iva_rate: taxed.iva_rate, base: taxed.baseMinor.toString(), iva: taxed.ivaMinor.toString() }
  )
}

/** What is bought, as the interface shows it: of a seller that has `orderShown`. */
export const presentOrder = (bought: Bought) => ({
  line_items: linesOf(bought),
  discounts: bought.discounts.map(({ is_buyers, ...discount }) => ({
    ...discount,
    typed_by_buyer: is_buyers,
  })),
  allows_discount_codes: bought.takesCodes,
  tips: bought.tipOptions && { ...bought.tipOptions, presets_bps: [...bought.tipOptions.presets_bps] },
  amount_subtotal: subtotalOf(bought).toString(),
  amount_discount: sumOf(bought.discounts).toString(),
  shipping_options: bought.shippingOptions.map((option) => ({ ...option })),
  shipping_option: bought.shippingAt === null ? null : bought.shippingOptions[bought.shippingAt]!.name,
  amount_shipping: bought.shippingMinor.toString(),
  shipping_tax: shippingTaxOf(bought),
  amount_tip: bought.tipMinor.toString(),
  amount: bought.amountMinor.toString(),
  amount_tax:
    bought.lines.length === 0
      ? null
      : bought.lines.reduce((sum, { amount_tax }) => sum + BigInt(amount_tax), 0n).toString(),
  taxes: taxesOf(bought),
})
