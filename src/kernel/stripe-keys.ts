import type { Environment } from './api-key.ts'

/** The forms of Stripe's keys: https://docs.stripe.com/keys. The signing secret of an endpoint tells no mode. */
const form = /^(?:([srp]k)_(live|test)_|(whsec)_)/

const kinds = { sk: 'secret', rk: 'restricted', pk: 'publishable', whsec: 'signing' } as const

export interface StripeKey {
  readonly kind: (typeof kinds)[keyof typeof kinds]
  /** Where it is used: a test key in the sandbox. Null where the key does not say. */
  readonly environment: Environment | null
}

/** What a key says of itself; null: it is none of Stripe's. */
export function stripeKeyOf(key: string): StripeKey | null {
  const [, prefix, mode, signing] = form.exec(key) ?? []
  const kind = kinds[(prefix ?? signing) as keyof typeof kinds]
  if (kind === undefined) return null
  return { kind, environment: mode === undefined ? null : mode === 'live' ? 'live' : 'sandbox' }
}

/** What an account is reached with. A restricted key stands for a secret one. */
const roles = {
  secret: ['secret', 'restricted'],
  publishable: ['publishable'],
  signing: ['signing'],
} as const satisfies Readonly<Record<string, readonly StripeKey['kind'][]>>

/** Whether a key has this role in this environment: with a test key a card for tests would buy real goods. */
export function isStripeKey(key: string, role: keyof typeof roles, environment: Environment): boolean {
  const told = stripeKeyOf(key)
  if (told === null || !(roles[role] as readonly string[]).includes(told.kind)) return false
  return told.environment === null || told.environment === environment
}
