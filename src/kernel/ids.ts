import { hexOf, inPod, ownPod } from './pods.ts'

export const base36Alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'
export const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const maxUnixMs = 2 ** 48 - 1

/**
 * A version 7 UUID (RFC 9562): 48 bits of Unix milliseconds, its pod, then 66 random bits. Sorts by time as text and in
 * Postgres; ids of the same millisecond are in no order.
 * @throws RangeError when `nowMs` is not a whole number of 48 bits, or `pod` names none.
 */
export function uuidv7(nowMs: number, pod = ownPod): string {
  if (!Number.isInteger(nowMs) || nowMs < 0 || nowMs > maxUnixMs) throw new RangeError('uuidv7: bad time')
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hexOf(pod)}${crypto.randomUUID().slice(17)}`
}

/** The least id of a moment: no id that was made at it or later is below it. */
export function firstIdAt(unixMs: number): string {
  const time = unixMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** When a version 7 UUID was made, Unix milliseconds; null for another kind of id. */
export const madeAtMs = (id: string): number | null =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null

/** An unguessable id for addresses: the prefix, `_`, its pod and 31 characters of [a-z0-9] (160 random bits). */
export const publicId = (prefix: string, pod = ownPod): string => `${prefix}_${inPod(base36(32), pod)}`

/** The id of a workspace: `tn_` and 16 bytes in hex digits, its pod and 15 of the 32 of a digest. */
export const workspaceId = (digest: string, pod = ownPod): string => `tn_${hexOf(pod)}${digest.slice(0, 30)}`

/** The id of a workspace whose key is these 16 bytes, printed as a UUID: rows name it by that. */
export const workspaceOfKey = (key: string): string => `tn_${key.replaceAll('-', '')}`

/** Whether an id in a path is a public id, and no UUID. */
export const isPublicId = (id: string): boolean => id.includes('_')

/** `bytes` random bytes as base64url without padding: 43 characters for the default of 32. */
export function randomToken(bytes = 32): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes))
  return btoa(String.fromCharCode(...random))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** `length` random characters of [a-z0-9], each equally likely. */
export function base36(length: number): string {
  return randomText(base36Alphabet, length)
}

/** `length` random characters of [A-Za-z0-9], each equally likely. */
export function base62(length: number): string {
  return randomText(base62Alphabet, length)
}

function randomText(alphabet: string, length: number): string {
  // Bytes past the last whole multiple of the alphabet are dropped: they would make its first letters likelier.
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length - text.length + 8))) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
