import type { VersionedKeys } from '../env/settings.ts'
import { bytesOf } from '../kernel/base64.ts'
import { Fault } from '../kernel/fault.ts'

const encoder = new TextEncoder()
const imported = new Map<string, Promise<CryptoKey>>()
const ivBytes = 12

/**
 * Encrypts a text, such as a secret for the database: AES-256-GCM under the current key (of SECRETS_KEYS there),
 * authenticated with `context`, so that a ciphertext copied to another row does not decrypt. Returns `1.<base64>`, where 1 is the key's version.
 */
export async function encryptSecret(
  { current, byVersion }: VersionedKeys,
  context: string,
  text: string,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const key = await keyOf(byVersion[current]!)
  const encrypted = await crypto.subtle.encrypt(algorithm(iv, context), key, encoder.encode(text))
  const whole = new Uint8Array(ivBytes + encrypted.byteLength)
  whole.set(iv)
  whole.set(new Uint8Array(encrypted), ivBytes)
  return `${current}.${base64Of(whole)}`
}

/**
 * What `encryptSecret` was given.
 * @throws Error when the context or the ciphertext is another, or SECRETS_KEYS lacks the key's version
 */
export async function decryptSecret(
  { byVersion }: VersionedKeys,
  context: string,
  ciphertext: string,
): Promise<string> {
  const dot = ciphertext.indexOf('.')
  const material = byVersion[ciphertext.slice(0, dot)]
  if (material === undefined) throw new Fault('encrypted under a version that SECRETS_KEYS does not have')
  const whole = bytesOf(ciphertext.slice(dot + 1))
  const decrypted = await crypto.subtle.decrypt(
    algorithm(whole.slice(0, ivBytes), context),
    await keyOf(material),
    whole.slice(ivBytes),
  )
  return new TextDecoder().decode(decrypted)
}

/** In slices: a call takes no 100,000 arguments. */
function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += 0x8000)
    text += String.fromCharCode(...bytes.subarray(from, from + 0x8000))
  return btoa(text)
}

const algorithm = (iv: Uint8Array<ArrayBuffer>, context: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: encoder.encode(context),
})

function keyOf(base64: string): Promise<CryptoKey> {
  let key = imported.get(base64)
  if (!key) {
    key = crypto.subtle.importKey('raw', bytesOf(base64), 'AES-GCM', false, ['encrypt', 'decrypt'])
    imported.set(base64, key)
  }
  return key
}
