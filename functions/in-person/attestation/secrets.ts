import type { Services } from '../../../src/http/services.ts'
import { decryptSecret, encryptSecret } from '../../../src/platform/encryption.ts'

export type KeyName = 'decryption_key' | 'verification_key'

/** The context that a key is encrypted with: it does not decrypt of another app or as the other key. */
export const appKeyContext = (appId: string, name: KeyName) => `phone_apps:${appId}:${name}`

export const encryptKey = ({ settings }: Services, appId: string, name: KeyName, text: string) =>
  encryptSecret(settings.secretsKeys, appKeyContext(appId, name), text)

interface Encrypted {
  readonly id: string
  readonly version: number
  readonly decryptionKey: string
  readonly verificationKey: string
}

/** The keys of an app of Android that counts, and its version, for the phone that calls; null where it does not. One trip. */
export async function keysOf({ db, settings }: Services, kid: string, app: string) {
  const found = await db.call('door.phone_app_keys(text,text)', [kid, app])
  if (found === null) return null
  const { id, version, decryptionKey, verificationKey } = JSON.parse(found) as Encrypted
  const opened = (name: KeyName, text: string) =>
    decryptSecret(settings.secretsKeys, appKeyContext(id, name), text)
  return {
    version,
    decryptionKey: await opened('decryption_key', decryptionKey),
    verificationKey: await opened('verification_key', verificationKey),
  }
}
