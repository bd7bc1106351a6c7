import { ownPod } from './pods.ts'

/** Crockford's base32: digits and capital letters without I, L, O and U (crockford.com/base32.html). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A new pairing code, such as `A7K2-9QXM`: its pod, then seven characters of 32, 35 random bits. It is shown once and
 * stored nowhere; its first four characters, the `prefix`, find its row.
 */
export function mintPairingCode(pod = ownPod): { readonly code: string; readonly prefix: string } {
  const random = crypto.getRandomValues(new Uint8Array(7))
  const plain = pod.toUpperCase() + Array.from(random, (byte) => alphabet[byte % 32]).join('')
  return { code: `${plain.slice(0, 4)}-${plain.slice(4)}`, prefix: plain.slice(0, 4) }
}

/** What a person typed as the code that was shown: in any case, with or without the hyphen; null where it is no code. */
export function readPairingCode(typed: string): { readonly code: string; readonly prefix: string } | null {
  const plain = typed.toUpperCase().replaceAll('-', '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  if (!/^[0-9A-HJKMNP-TV-Z]{8}$/.test(plain)) return null
  return { code: `${plain.slice(0, 4)}-${plain.slice(4)}`, prefix: plain.slice(0, 4) }
}
