import type { Services } from '../../../../src/http/services.ts'
import { decryptSecret, encryptSecret } from '../../../../src/platform/encryption.ts'
import type { ReadAccount } from '../../../../src/processors/stripe/index.ts'

export type SecretName = 'api_key' | 'webhook_secret'

/** The context that a secret is encrypted with: it does not decrypt on another source or as the other secret. */
export const connectionContext = (sourceId: string, name: SecretName) =>
  `stripe_connections:${sourceId}:${name}`

export const encryptOf = ({ settings }: Services, sourceId: string, name: SecretName, text: string) =>
  encryptSecret(settings.secretsKeys, connectionContext(sourceId, name), text)

interface Encrypted {
  readonly tenantId: string
  readonly apiKey: string
  readonly webhookSecret: string | null
}

/** A source's secrets, still encrypted; null where it has no account. One trip. */
export async function encryptedOf({ db }: Services, sourceId: string): Promise<Encrypted | null> {
  const found = await db.call('door.stripe_connection(uuid)', [sourceId])
  return found === null ? null : (JSON.parse(found) as Encrypted)
}

/** The account that a source reads; null where it has none. */
export async function accountOf(services: Services, sourceId: string): Promise<ReadAccount | null> {
  const { settings } = services
  const found = await encryptedOf(services, sourceId)
  return (
    found && {
      name: `stripe:sync:${sourceId}`,
      apiBase: settings.stripeApiBase,
      secretKey: await decryptSecret(
        settings.secretsKeys,
        connectionContext(sourceId, 'api_key'),
        found.apiKey,
      ),
    }
  )
}
