import type { Settings } from '../../../src/env/settings.ts'
import { decryptSecret } from '../../../src/platform/encryption.ts'
import { importSecret, type Message, signatureOf } from '../../../src/platform/standard-webhooks.ts'

const secretBytes = 32
const keptKeys = 1_000

/** `whsec_` and base64, as Standard Webhooks has it. */
export const newSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(secretBytes))))}`

/** The context that an endpoint's secrets are encrypted with. */
export const secretContext = (endpointId: string) => `webhook_endpoint:${endpointId}`

/** The headers of a message, whose id is the event's; one signature for each secret that has not expired. */
export async function signedHeaders(
  message: Message,
  keys: readonly CryptoKey[],
): Promise<Record<string, string>> {
  const signatures = await Promise.all(keys.map((key) => signatureOf(key, message)))
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

const opened = new Map<string, Promise<CryptoKey>>()

/** The signing key behind an encrypted secret. Kept per isolate, not extractable. */
export function signingKey(settings: Settings, endpointId: string, ciphertext: string): Promise<CryptoKey> {
  let key = opened.get(ciphertext)
  if (!key) {
    if (opened.size >= keptKeys) opened.clear()
    key = decryptSecret(settings.secretsKeys, secretContext(endpointId), ciphertext).then(importSecret)
    opened.set(ciphertext, key)
    key.catch(() => opened.delete(ciphertext))
  }
  return key
}
