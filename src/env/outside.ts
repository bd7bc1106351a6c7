import { Fault } from '../kernel/fault.ts'
import { isStripeKey } from '../kernel/stripe-keys.ts'
import type { Bindings } from './settings.ts'
import { milliseconds, required } from './values.ts'

// The settings of the services outside that a Worker calls.

export interface StripeSettings {
  /** Our own account; null where every merchant brings one. */
  readonly own: StripeKeys | null
  /** Whether merchants may bring their own. */
  readonly merchantAccounts: boolean
  /** Null for Stripe itself. */
  readonly apiBase: string | null
  readonly timeoutMs: number
}

export interface StripeKeys {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly publishableKey: string
}

export interface MailSettings {
  readonly apiKey: string
  readonly from: string
  /** Sign what the provider reports of mails; none where it reports nothing. */
  readonly webhookSecrets: readonly string[]
  /** Null for the provider itself. */
  readonly apiBase: string | null
}

export interface PersonCheckSettings {
  /** Is in the page. */
  readonly siteKey: string
  readonly secretKey: string
  /** Where the widget and its verification are. */
  readonly base: string
}

/** @throws Error for a base that is not on this machine */
export function readMail(env: Bindings): MailSettings | null {
  if (!env.MAIL_API_KEY) return null
  const apiBase = standInAt(env, 'MAIL_API_BASE')
  const webhookSecrets = (env.MAIL_WEBHOOK_SECRET ?? '').split(' ').filter(Boolean)
  if (webhookSecrets.some((secret) => !/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)))
    throw new Fault('MAIL_WEBHOOK_SECRET is not whsec_ and base64')
  return { apiKey: env.MAIL_API_KEY, from: required(env, 'MAIL_FROM'), webhookSecrets, apiBase }
}

/** @throws Error for a base that is not on this machine */
export function standInAt(
  env: Bindings,
  name: 'MAIL_API_BASE' | 'STRIPE_API_BASE' | 'TURNSTILE_BASE',
): string | null {
  const base = env[name] || null
  if (base !== null && !/^http:\/\/(localhost|127\.0\.0\.1):\d+$/.test(base))
    throw new Fault(`${name} is for use on this machine only`)
  return base
}

const stripeKeys = {
  STRIPE_SECRET_KEY: 'secret',
  STRIPE_WEBHOOK_SECRET: 'signing',
  STRIPE_PUBLISHABLE_KEY: 'publishable',
} as const

/** @throws Error for an incomplete set of keys, for keys of the test mode, and for a base that is not on this machine */
export function readStripe(env: Bindings): StripeSettings | null {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PUBLISHABLE_KEY } = env
  const keys = [STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PUBLISHABLE_KEY]
  const merchantAccounts = env.STRIPE_MERCHANT_ACCOUNTS === 'true'
  if (!keys.some(Boolean) && !merchantAccounts) return null
  if (keys.some(Boolean) && !keys.every(Boolean))
    throw new Fault('STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PUBLISHABLE_KEY belong together')
  for (const [name, role] of Object.entries(stripeKeys)) {
    const key = env[name as keyof typeof stripeKeys]
    if (key && !isStripeKey(key, role, 'live')) throw new Fault(`${name} is not a live one of Stripe`)
  }
  return {
    own: STRIPE_SECRET_KEY
      ? {
          secretKey: STRIPE_SECRET_KEY,
          webhookSecret: STRIPE_WEBHOOK_SECRET!,
          publishableKey: STRIPE_PUBLISHABLE_KEY!,
        }
      : null,
    merchantAccounts,
    apiBase: standInAt(env, 'STRIPE_API_BASE'),
    timeoutMs: env.PROCESSOR_TIMEOUT_MS ? milliseconds(env, 'PROCESSOR_TIMEOUT_MS') : 25_000,
  }
}

const turnstile = 'https://challenges.cloudflare.com'

/** @throws Error for one key without the other, and for a base that is not on this machine */
export function readPersonCheck(env: Bindings): PersonCheckSettings | null {
  const { TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secretKey } = env
  if (!siteKey && !secretKey) return null
  if (!siteKey || !secretKey) throw new Fault('TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY belong together')
  return { siteKey, secretKey, base: standInAt(env, 'TURNSTILE_BASE') ?? turnstile }
}
