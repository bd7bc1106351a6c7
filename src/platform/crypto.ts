import type { VersionedKeys } from '../env/settings.ts'
import { bytesOf } from '../kernel/base64.ts'

const encoder = new TextEncoder()
const keys = new Map<string, Promise<CryptoKey>>()

/** SHA-256 of UTF-8 text, lowercase hex. */
export async function sha256Hex(text: string): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
}

/** SHA-256 of bytes, lowercase hex. */
export const sha256HexOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  hex(await crypto.subtle.digest('SHA-256', bytes))

/** SHA-256 of UTF-8 text in base64. */
export const sha256Base64 = async (text: string): Promise<string> =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))))

/** HMAC-SHA256 of UTF-8 text under a secret, lowercase hex. The imported key is kept per isolate. */
export const hmacHex = async (secret: string, text: string): Promise<string> => hex(await hmac(secret, text))

/** The same in base64. */
export const hmacBase64 = async (secret: string, text: string): Promise<string> =>
  btoa(String.fromCharCode(...new Uint8Array(await hmac(secret, text))))

const hmac = async (secret: string, text: string): Promise<ArrayBuffer> =>
  crypto.subtle.sign('HMAC', await keyOf(secret), encoder.encode(text))

/**
 * A keyed digest of a text under every version, the oldest first: two Workers during a rotation share the digest under
 * the version that both have, and what was written under a version is found while that version is configured.
 */
export const digestsOf = ({ byVersion }: VersionedKeys, purpose: string, text: string): Promise<string[]> =>
  Promise.all(
    Object.keys(byVersion)
      .sort((a, b) => Number(a) - Number(b))
      .map((version) => hmacHex(byVersion[version]!, `${purpose}:${text}`)),
  )

/** An Idempotency-Key as it is stored and looked up. */
export const keyDigests = (secrets: VersionedKeys, key: string): Promise<string[]> =>
  digestsOf(secrets, 'idempotency', key)

/** `text` with its signature before it, for one purpose only: `sealed('cursor', …)` never opens as anything else. */
export async function seal(
  { current, byVersion }: VersionedKeys,
  purpose: string,
  text: string,
): Promise<string> {
  return `${await mac(byVersion[current]!, purpose, text)}.${text}`
}

/** What `seal` was given, under any of the keys; null when anything about it was changed. */
export async function unseal(
  { byVersion }: VersionedKeys,
  purpose: string,
  sealed: string,
): Promise<string | null> {
  const dot = sealed.indexOf('.')
  if (dot !== macLength) return null
  const text = sealed.slice(dot + 1)
  for (const secret of Object.values(byVersion))
    if (sameText(await mac(secret, purpose, text), sealed.slice(0, dot))) return text
  return null
}

/** Compares in constant time. */
export function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
}

export const toBase64Url = (text: string): string => {
  let binary = ''
  for (const byte of encoder.encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Null for anything that is not base64url of UTF-8. */
export const fromBase64Url = (text: string): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(text))
  } catch {
    return null
  }
}

const macLength = 32

const mac = async (secret: string, purpose: string, text: string) =>
  (await hmacHex(secret, `${purpose}:${text}`)).slice(0, macLength)

function keyOf(secret: string): Promise<CryptoKey> {
  let key = keys.get(secret)
  if (!key) {
    key = crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ])
    keys.set(secret, key)
  }
  return key
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex(buffer: ArrayBuffer): string {
  let text = ''
  for (const byte of new Uint8Array(buffer)) text += digits[byte]
  return text
}
