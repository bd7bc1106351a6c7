import { bytesOf } from '../kernel/base64.ts'
import { sameText } from './crypto.ts'

/* Standard Webhooks (standardwebhooks.com): what we send, and what Svix sends for others under its own header names. */

const encoder = new TextEncoder()
/** As the specification advises: an older signature could be replayed. */
const toleranceSeconds = 300

export interface Message {
  /** The same for every attempt. */
  readonly id: string
  readonly timestamp: number
  readonly body: string
}

/** The key behind a secret: `whsec_` and base64. */
export function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.slice('whsec_'.length))
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

/** `v1,` and the message's MAC in base64. */
export async function signatureOf(key: CryptoKey, { id, timestamp, body }: Message): Promise<string> {
  const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(`${id}.${timestamp}.${body}`))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`
}

/** Whether one of these signatures is the message's under one of the secrets, and the message is not old. */
export async function isSigned(
  message: Message,
  signatures: string,
  secrets: readonly string[],
  now: Date,
): Promise<boolean> {
  const ageSeconds = Math.abs(now.getTime() / 1_000 - message.timestamp)
  if (!(ageSeconds <= toleranceSeconds) || message.id === '') return false
  for (const secret of secrets) {
    const expected = await signatureOf(await importSecret(secret), message)
    if (signatures.split(' ').some((signature) => sameText(signature, expected))) return true
  }
  return false
}
