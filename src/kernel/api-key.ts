import { base36, base62, base62Alphabet } from './ids.ts'
import { inPod, ownPod } from './pods.ts'

export type Environment = 'sandbox' | 'live'

export type ApiKeyRefusal = 'malformed' | 'unknown_prefix' | 'wrong_checksum'

export type ParsedApiKey =
  | { readonly ok: true; readonly environment: Environment; readonly kid: string }
  | { readonly ok: false; readonly reason: ApiKeyRefusal }

const environmentOf: Readonly<Record<string, Environment>> = { sk_sbx_: 'sandbox', sk_live_: 'live' }
const prefixOf: Readonly<Record<Environment, string>> = { sandbox: 'sk_sbx_', live: 'sk_live_' }

// sk_{sbx|live}_{pod 1}{kid 16}_{secret 43}_{crc32 6}
const shape = /^(sk_(?:sbx|live)_)[0-9a-z]([0-9a-z]{16})_[0-9A-Za-z]{43}_([0-9A-Za-z]{6})$/
const checksumLength = 6

/**
 * A new credential. `token` is the plaintext (256 random bits of secret) and must be shown once and stored nowhere;
 * `kid` finds the record, `last4` are the token's last characters.
 * @throws RangeError when `pod` is not one character of [a-z0-9].
 */
export function mintApiKey({ environment, pod = ownPod }: { environment: Environment; pod?: string }): {
  token: string
  kid: string
  last4: string
} {
  const named = inPod(base36(17), pod)
  const kid = named.slice(1)
  const body = `${prefixOf[environment]}${named}_${base62(43)}_`
  const token = body + checksum(body)
  return { token, kid, last4: token.slice(-4) }
}

/**
 * Reads a credential without a query: garbage is refused here, before a round trip. Never throws.
 * `unknown_prefix`: not one of ours; `malformed`: our prefix, wrong length or characters; `wrong_checksum`: one of
 * ours, mistyped. An accepted token may still be revoked or invented: only its stored digest decides.
 */
export function parseApiKey(token: string): ParsedApiKey {
  if (!token.startsWith('sk_sbx_') && !token.startsWith('sk_live_'))
    return { ok: false, reason: 'unknown_prefix' }
  const [, prefix, kid, crc] = shape.exec(token) ?? []
  const environment = environmentOf[prefix ?? '']
  if (!environment || !kid) return { ok: false, reason: 'malformed' }
  if (checksum(token.slice(0, -checksumLength)) !== crc) return { ok: false, reason: 'wrong_checksum' }
  return { ok: true, environment, kid }
}

/** The form that lists and logs may show, such as `sk_sbx_…a1b2`; `…` alone for what is not a credential of ours. */
export function obfuscate(token: string): string {
  const parsed = parseApiKey(token)
  return parsed.ok ? obfuscated(parsed.environment, token.slice(-4)) : '…'
}

/** The same form from what a record keeps. */
export function obfuscated(environment: Environment, last4: string): string {
  return `${prefixOf[environment]}…${last4}`
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let at = 0; at < checksumLength; at++) {
    digits = base62Alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** CRC-32 (ISO 3309, the one of zip) of ASCII text: every burst of up to 32 bits changes it, so every single character does. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
