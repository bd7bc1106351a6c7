import type { Settings } from '../../src/env.ts'
import { decryptSecret } from '../../src/platform/encryption.ts'

const encoder = new TextEncoder()
const secretBytes = 32
const keptKeys = 1_000

/** `whsec_` and base64, as Standard Webhooks has it. */
export const newSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(secretBytes))))}`

/** The context that an endpoint's secrets are encrypted with. */
export const secretContext = (endpointId: string) => `webhook_endpoint:${endpointId}`

export interface Message {
  /** The event's id: the same for every attempt, every redelivery, every endpoint. */
  readonly id: string
  readonly timestamp: number
  readonly body: string
}

/** The headers of Standard Webhooks; one `v1` signature for each secret that has not expired. */
export async function signedHeaders(
  { id, timestamp, body }: Message,
  keys: readonly CryptoKey[],
): Promise<Record<string, string>> {
  const signed = encoder.encode(`${id}.${timestamp}.${body}`)
  const signatures = await Promise.all(
    keys.map(async (key) => {
      const mac = await crypto.subtle.sign('HMAC', key, signed)
      return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`
    }),
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
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

export function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(atob(secret.slice('whsec_'.length)), (c) => c.charCodeAt(0))
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}
