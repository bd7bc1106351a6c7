import type { Environment } from '../../../../src/kernel/api-key.ts'
import { isStripeKey } from '../../../../src/kernel/stripe-keys.ts'

/** Why a key cannot be one to read customers with in this environment; null where Stripe has to say. */
export function keyMisfit(key: string, environment: Environment) {
  if (isStripeKey(key, 'restricted', environment)) return null
  if (isStripeKey(key, 'restricted', 'live')) return 'stripe_key_of_live'
  return isStripeKey(key, 'restricted', 'sandbox') ? 'stripe_key_of_test' : 'stripe_key_not_restricted'
}
