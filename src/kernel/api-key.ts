import { base36, base62, base62Alphabet } from './ids.ts'
import { inPod, ownPod } from './pods.ts'

export type Environment = 'sandbox' | 'live'

export type ApiKeyRefusal = 'malformed' | 'unknown_prefix' | 'wrong_checksum'

export type ParsedApiKey =
  | { readonly ok: true; readonly environment: Environment; readonly kid: string }
  | { readonly ok: false; readonly reason: ApiKeyRefusal }

/** Whose credential it is: a merchant's secret key, a device's key. */
type Holder = 'sk' | 'dk'

const short: Readonly<Record<Environment, string>> = { sandbox: 'sbx', live: 'live' }
const environments = ['sandbox', 'live'] as const
const prefixOf = (environment: Environment, holder: Holder = 'sk') => `${holder}_${short[environment]}_`

// {sk|dk}_{sbx|live}_{pod 1}{kid 16}_{secret 43}_{crc32 6}
const shape = /^[sd]k_(?:sbx|live)_[0-9a-z]([0-9a-z]{16})_[0-9A-Za-z]{43}_([0-9A-Za-z]{6})$/
const checksumLength = 6

/**
 * A new credential. `token` is the plaintext (256 random bits of secret) and must be shown once and stored nowhere;
 * `kid` finds the record, `last4` are the token's last characters.
 * @throws RangeError when `pod` is not one character of [a-z0-9].
 */
export const mintApiKey = (asked: Minting): MintedKey => mint('sk', asked)

/** The same for a device. */
export const mintDeviceKey = (asked: Minting): MintedKey => mint('dk', asked)

interface Minting {
  readonly environment: Environment
  readonly pod?: string
}

interface MintedKey {
  readonly token: string
  readonly kid: string
  readonly last4: string
}

function mint(holder: Holder, { environment, pod = ownPod }: Minting): MintedKey {
  const named = inPod(base36(17), pod)
  const kid = named.slice(1)
  const body = `${prefixOf(environment, holder)}${named}_${base62(43)}_`
  const token = body + checksum(body)
  return { token, kid, last4: token.slice(-4) }
}

/**
 * Reads a credential without a query: garbage is refused here, before a round trip. Never throws.
 * `unknown_prefix`: not one of ours; `malformed`: our prefix, wrong length or characters; `wrong_checksum`: one of
 * ours, mistyped. An accepted token may still be revoked or invented: only its stored digest decides.
 */
export const parseApiKey = (token: string): ParsedApiKey => parse('sk', token)

/** The same of a device's. */
export const parseDeviceKey = (token: string): ParsedApiKey => parse('dk', token)

function parse(holder: Holder, token: string): ParsedApiKey {
  const environment = environments.find((each) => token.startsWith(prefixOf(each, holder)))
  if (!environment) return { ok: false, reason: 'unknown_prefix' }
  const [, kid, crc] = shape.exec(token) ?? []
  if (!kid) return { ok: false, reason: 'malformed' }
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
  return `${prefixOf(environment)}…${last4}`
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
