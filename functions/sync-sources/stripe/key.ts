import type { Environment } from '../../../src/kernel/api-key.ts'

/** Why a key cannot be one to read customers with in this environment; null where Stripe has to say. */
export function keyMisfit(key: string, environment: Environment) {
  const [, mode] = /^rk_(test|live)_/.exec(key) ?? []
  if (mode === undefined) return 'stripe_key_not_restricted'
  if (mode === 'live' && environment === 'sandbox') return 'stripe_key_of_live'
  return mode === 'test' && environment === 'live' ? 'stripe_key_of_test' : null
}
