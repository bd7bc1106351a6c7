import type { Environment } from '../../../src/kernel/api-key.ts'
import { stripeKeyOf } from '../../../src/kernel/stripe-keys.ts'

/** Why a key cannot be one to read customers with in this environment; null where Stripe has to say. */
export function keyMisfit(key: string, environment: Environment) {
  const told = stripeKeyOf(key)
  if (told?.kind !== 'restricted') return 'stripe_key_not_restricted'
  if (told.environment === environment) return null
  return told.environment === 'live' ? 'stripe_key_of_live' : 'stripe_key_of_test'
}
