// The only place where an amount becomes a number. Stripe counts as we do, in the currency's smallest unit
// (https://docs.stripe.com/currencies#zero-decimal), as JSON numbers.

/** @throws RangeError for what a number cannot hold exactly, or is no amount */
export function toStripeAmount(amountMinor: bigint): number {
  const amount = Number(amountMinor)
  if (amount < 0 || !Number.isSafeInteger(amount)) throw new RangeError('not an amount that Stripe can take')
  return amount
}

/** @throws RangeError for anything but a whole number of minor units */
export function fromStripeAmount(amount: number): bigint {
  if (!Number.isSafeInteger(amount)) throw new RangeError('not a whole amount of minor units')
  return BigInt(amount)
}
