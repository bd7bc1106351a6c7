import type { Settings } from '../env.ts'
import { Fault } from '../kernel/fault.ts'

const encoder = new TextEncoder()
const imported = new Map<string, Promise<CryptoKey>>()
const ivBytes = 12

/**
 * Seals a secret for the database: AES-256-GCM under the current key of SECRETS_KEYS. `about` is bound to it, so that a
 * sealed text copied to another row opens nothing. The answer is `1.<base64>`, where 1 is the key's version.
 */
export async function sealSecret({ secretsKeys }: Settings, about: string, text: string): Promise<string> {
  const { current, byVersion } = secretsKeys
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const key = await keyOf(byVersion[current]!)
  const sealed = await crypto.subtle.encrypt(algorithm(iv, about), key, encoder.encode(text))
  const whole = new Uint8Array(ivBytes + sealed.byteLength)
  whole.set(iv)
  whole.set(new Uint8Array(sealed), ivBytes)
  return `${current}.${btoa(String.fromCharCode(...whole))}`
}

/**
 * What `sealSecret` was given.
 * @throws Error when it was sealed about something else or under a key that is gone, or was changed
 */
export async function openSecret({ secretsKeys }: Settings, about: string, sealed: string): Promise<string> {
  const dot = sealed.indexOf('.')
  const material = secretsKeys.byVersion[sealed.slice(0, dot)]
  if (material === undefined) throw new Fault('sealed under a key that SECRETS_KEYS does not have')
  const whole = Uint8Array.from(atob(sealed.slice(dot + 1)), (c) => c.charCodeAt(0))
  const opened = await crypto.subtle.decrypt(
    algorithm(whole.slice(0, ivBytes), about),
    await keyOf(material),
    whole.slice(ivBytes),
  )
  return new TextDecoder().decode(opened)
}

const algorithm = (iv: Uint8Array<ArrayBuffer>, about: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: encoder.encode(about),
})

function keyOf(base64: string): Promise<CryptoKey> {
  let key = imported.get(base64)
  if (!key) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
    key = crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
    imported.set(base64, key)
  }
  return key
}
