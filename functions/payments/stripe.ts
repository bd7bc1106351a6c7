import type { StripeKeys } from '../../src/env.ts'
import type { Services } from '../../src/http/services.ts'
import { openSecret } from '../../src/platform/secrets.ts'
import type { Processor } from '../../src/processors/port.ts'
import { type StripeAccount, type Subject, stripe } from '../../src/processors/stripe/index.ts'

/** What a sealed secret of an account is bound to: on another row, or as the other secret, it opens nothing. */
export const sealedAbout = (tenantId: string, field: 'secret_key' | 'webhook_secret') =>
  `processor_credentials:${tenantId}:stripe:${field}`

interface SealedAccount {
  readonly tenantId: string
  readonly secretKey: string
  readonly webhookSecret: string
  readonly publishableKey: string
}

/** A merchant's own account, still sealed; null where there is none or merchants bring none. At most one trip. */
export async function sealedAccount(services: Services, subject: Subject): Promise<SealedAccount | null> {
  if (!services.settings.stripe?.merchantAccounts || subject.id === null) return null
  const found = await services.db.call('select door.processor_account($1, $2, $3)', [
    'stripe',
    subject.kind,
    subject.id,
  ])
  return found === null ? null : (JSON.parse(found) as SealedAccount)
}

/** The keys of the account that a call is for: the merchant's own, else ours. Null where there is neither. */
export async function stripeKeysOf(
  services: Services,
  subject: Subject,
): Promise<(StripeKeys & { readonly tenantId: string | null }) | null> {
  const { settings } = services
  const sealed = await sealedAccount(services, subject)
  if (!sealed) return settings.stripe?.own ? { ...settings.stripe.own, tenantId: null } : null
  const { tenantId, publishableKey } = sealed
  const [secretKey, webhookSecret] = await Promise.all([
    openSecret(settings, sealedAbout(tenantId, 'secret_key'), sealed.secretKey),
    openSecret(settings, sealedAbout(tenantId, 'webhook_secret'), sealed.webhookSecret),
  ])
  return { secretKey, webhookSecret, publishableKey, tenantId }
}

/** Stripe, where this environment has it. Which account a call goes to is known only when it is made. */
export function stripeOf(services: Services): Processor | null {
  const { stripe: set } = services.settings
  if (!set) return null
  return stripe(async (subject): Promise<StripeAccount> => {
    const keys = await stripeKeysOf(services, subject)
    if (!keys) throw new Error('this merchant has no account at the processor')
    const { secretKey, tenantId } = keys
    return {
      name: `stripe:${tenantId ?? ''}`,
      secretKey,
      apiBase: set.apiBase,
      timeoutMs: set.timeoutMs,
    }
  })
}

/** The key that the page of a sale shows to Stripe's own card fields; null where no card can be taken. */
export async function publishableKeyOf(services: Services, publicId: string): Promise<string | null> {
  const sealed = await sealedAccount(services, { kind: 'sale', id: publicId })
  return sealed?.publishableKey ?? services.settings.stripe?.own?.publishableKey ?? null
}
