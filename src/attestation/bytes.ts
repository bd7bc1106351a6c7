import { bytesOf as decoded } from '../kernel/base64.ts'

const encoder = new TextEncoder()

export type Bytes = Uint8Array<ArrayBuffer>

export const utf8 = (text: string): Bytes => encoder.encode(text)

export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

export function joined(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at])

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Of base64 or base64url, padded or not; null where it is neither. */
export function bytesOf(base64: string): Bytes | null {
  try {
    return decoded(base64)
  } catch {
    return null
  }
}

/** Base64url without padding. */
export const base64UrlOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** Whether the point of P-256 has signed the bytes: ECDSA with SHA-256, 64 bytes of r and s. */
export const isSignedBy = async (point: Bytes, signature: Bytes, signed: Bytes): Promise<boolean> => {
  const key = await crypto.subtle.importKey('raw', point, ecdsa, false, ['verify']).catch(() => null)
  return key !== null && crypto.subtle.verify(ecdsa, key, signature, signed)
}
