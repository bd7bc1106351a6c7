import type { Environment } from './api-key.ts'

/** How Stripe's keys begin, by what they are for: https://docs.stripe.com/keys. A restricted key stands for a secret one. */
const forms = { secret: '^[sr]k_', restricted: '^rk_', publishable: '^pk_', signing: '^whsec_' } as const

/**
 * Whether a key is one for this, of this environment: with a test key a card for tests would buy real goods. The signing
 * secret of an endpoint tells no mode.
 */
export function isStripeKey(key: string, role: keyof typeof forms, environment: Environment): boolean {
  const mode = role === 'signing' ? '' : environment === 'live' ? 'live_' : 'test_'
  return new RegExp(forms[role] + mode).test(key)
}
