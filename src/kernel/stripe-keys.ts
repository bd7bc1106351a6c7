import type { Environment } from './api-key.ts'

/** How Stripe's keys begin, by what they are for: https://docs.stripe.com/keys. A restricted key stands for a secret one. */
const prefixes = { secret: ['sk', 'rk'], restricted: ['rk'], publishable: ['pk'] } as const

const modes = { live: 'live', sandbox: 'test' } as const

/**
 * Whether a key is one for this, of this environment: with a test key a card for tests would buy real goods. The signing
 * secret of an endpoint tells no mode.
 */
export const isStripeKey = (
  key: string,
  role: keyof typeof prefixes | 'signing',
  environment: Environment,
): boolean =>
  role === 'signing'
    ? key.startsWith('whsec_')
    : prefixes[role].some((prefix) => key.startsWith(`${prefix}_${modes[environment]}_`))
