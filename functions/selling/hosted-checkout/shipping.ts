import type { ShippingOption } from '../../../drizzle/schema/checkout-sessions.ts'

export const shippingOptionsMax = 10

/** A way to send it with the rate of IVA in its amount: Mexico's general one unless the merchant said another. */
export const ratedOption = (option: ShippingOption) => ({ ...option, iva_rate: option.iva_rate ?? '16' })

/** A session's ways to be sent, with the one at this place chosen. */
export function shippedBy(shippingOptions: readonly ShippingOption[], at: number) {
  const chosen = shippingOptions[at]
  return {
    shippingOptions,
    shippingAt: chosen ? at : null,
    shippingMinor: chosen ? BigInt(chosen.amount) : 0n,
  }
}
