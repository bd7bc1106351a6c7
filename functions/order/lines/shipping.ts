import type { ShippingOption } from '../../../drizzle/schema/order.ts'

export const shippingOptionsMax = 10

/** The ways to be sent, with the one at this place chosen. */
export function shippedBy(shippingOptions: readonly ShippingOption[], at: number) {
  const chosen = shippingOptions[at]
  return {
    shippingOptions,
    shippingAt: chosen ? at : null,
    shippingMinor: chosen ? BigInt(chosen.amount) : 0n,
  }
}
