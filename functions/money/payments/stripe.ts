import type { StripeSettings } from '../../../src/env/outside.ts'
import type { Settings } from '../../../src/env/settings.ts'
import type { Services } from '../../../src/http/services.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { decryptSecret } from '../../../src/platform/encryption.ts'
import type { CardEntry, Processor } from '../../../src/processors/port.ts'
import {
  type AccountFacts,
  accountFacts,
  type Endpoint,
  type EventHints,
  type KeyPair,
  keyPair,
  readStripeEvents,
  type StripeAccount,
  type Subject,
  stripe,
} from '../../../src/processors/stripe/index.ts'

/** The context that a secret is encrypted with: it does not decrypt on another row or as the other secret. */
export const secretContext = (accountId: string, field: 'secret_key' | 'webhook_secret') =>
  `processor_credentials:${accountId}:stripe:${field}`

interface EncryptedAccount {
  readonly id: string
  readonly tenantId: string
  readonly secretKey: string
  readonly webhookSecret: string
  readonly publishableKey: string
}

/**
 * A merchant's own account, still encrypted; null where the call uses the environment's. What began at an account stays
 * there, even once `merchantAccounts` is off: only new sales check that. At most one trip.
 */
async function encryptedAccount({ settings, db }: Services, { kind, id }: Subject) {
  if (id === null || (kind === 'sale' && !settings.stripe?.merchantAccounts)) return null
  const found = await db.call('door.processor_account(text,text,text)', ['stripe', kind, id])
  if (found === null && kind === 'account') throw new Fault('a notification for no account')
  return found === null ? null : (JSON.parse(found) as EncryptedAccount)
}

/** Stripe, where this environment has it. The account is resolved per call. */
export function stripeOf(services: Services): Processor | null {
  const { stripe: set } = services.settings
  return set && { ...stripe((subject) => stripeAccount(services, subject)), cardEntry: entryOf(services) }
}

/** Stripe's own card fields, with the key of the account that takes the sale. */
const entryOf =
  (services: Services) =>
  async (publicId: string): Promise<CardEntry | null> => {
    const found = await encryptedAccount(services, { kind: 'sale', id: publicId })
    const publicKey = found?.publishableKey ?? services.settings.stripe?.own?.publishableKey
    return publicKey ? { by: 'stripe', publicKey } : null
  }

/** @throws Fault where there is none */
async function stripeAccount(services: Services, subject: Subject): Promise<StripeAccount> {
  const { stripe: set, secretsKeys } = services.settings
  if (!set) throw new Fault('Stripe is not configured')
  const reached = {
    apiBase: set.apiBase,
    timeoutMs: set.timeoutMs,
    ...(services.inBackground && { background: services.inBackground }),
  }
  const found = await encryptedAccount(services, subject)
  if (!found) {
    if (!set.own) throw new Fault('this merchant has no account at the processor')
    return { ...reached, name: 'stripe:', id: null, tenantId: null, secretKey: set.own.secretKey }
  }
  const { id, tenantId } = found
  const secretKey = await decryptSecret(secretsKeys, secretContext(id, 'secret_key'), found.secretKey)
  return { ...reached, name: `stripe:${id}`, id, tenantId, secretKey }
}

/**
 * What happened at an account of Stripe behind one of its events; see `readStripeEvents`.
 * @param accountId a merchant's own account; null: the environment's
 */
export const stripeEventsBehind = async (
  services: Services,
  accountId: string | null,
  { eventId, now }: { readonly eventId: string | null; readonly now: Date },
): Promise<EventHints> =>
  readStripeEvents(await stripeAccount(services, { kind: 'account', id: accountId }), eventId, now)

/**
 * The webhook secrets that may have signed a notification to an address: the environment's own, or those of all the
 * merchant's accounts.
 */
export async function stripeEndpoints(
  { settings, db }: Services,
  tenantId: string | null,
): Promise<readonly Endpoint[]> {
  const own = settings.stripe?.own
  if (tenantId === null) return own ? [{ accountId: null, webhookSecret: own.webhookSecret }] : []
  const found = await db.call('door.processor_accounts(text,text)', ['stripe', tenantId])
  return Promise.all(
    (JSON.parse(found ?? '[]') as EncryptedAccount[]).map(async ({ id, webhookSecret }) => ({
      accountId: id,
      webhookSecret: await decryptSecret(
        settings.secretsKeys,
        secretContext(id, 'webhook_secret'),
        webhookSecret,
      ),
    })),
  )
}

/**
 * What an account of Stripe may do now; see `accountFacts`. @throws when Stripe does not answer
 * @param accountId a merchant's own account; null: the environment's
 */
export const stripeAccountNow = async (
  services: Services,
  accountId: string | null,
): Promise<AccountFacts | 'refused'> =>
  accountFacts(await stripeAccount(services, { kind: 'account', id: accountId }))

/** An account known by its key alone. */
const behind = ({ apiBase, timeoutMs }: StripeSettings, secretKey: string) =>
  ({ name: 'stripe:keys', secretKey, apiBase, timeoutMs }) as const

/**
 * What the Stripe account may do that this key opens. `refused`: none; null where Stripe is not configured. @throws when it
 * does not answer
 */
export const stripeAccountFacts = async (
  { stripe: set }: Settings,
  secretKey: string,
): Promise<AccountFacts | 'refused' | null> => set && accountFacts(behind(set, secretKey))

/** Whether both keys are of one account; null where Stripe is not configured. @throws when it does not answer */
export const stripeKeyPair = async (
  { stripe: set }: Settings,
  { secretKey, publishableKey }: { readonly secretKey: string; readonly publishableKey: string },
): Promise<KeyPair | null> => set && keyPair(behind(set, secretKey), publishableKey)
