import type { VersionedKeys } from '../../../src/env/settings.ts'
import { hmacBase64, sameText, sha256Hex } from '../../../src/platform/crypto.ts'

/** One call is one HTTP round trip to the identity database. `$1`-style parameters; rows by column name. */
export type IdentitySql = (
  text: string,
  values: readonly unknown[],
) => Promise<readonly Record<string, unknown>[]>

/** A signed-in customer, as read from the identity database a moment ago. */
export type Session = {
  readonly sessionId: string
  readonly userId: string
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string
  readonly createdAt: Date
  readonly expiresAt: Date
  /** True once a TOTP authenticator is enrolled. Passkeys count separately: see `availableMethods`. */
  readonly twoFactorEnabled: boolean
  /** When this session last showed a second factor (at sign-in or since). */
  readonly factorVerifiedAt: Date | null
  readonly secondFactor: SecondFactor
}

/** Of a session: its account has none to show, has one that this session has not shown, or it has been shown. */
export type SecondFactor = 'none' | 'needed' | 'shown'

/** 32 bytes in base64. Compared as text: a decoder would accept three other spellings. */
export const signature = '[A-Za-z0-9+/]{43}='

/** better-auth's token: 32 characters and, after a dot, their HMAC-SHA256 in base64. Its bearer plugin accepts more. */
const signedToken = new RegExp(`^([A-Za-z0-9]{32})\\.(${signature})$`)
const signedValue = new RegExp(`^(.+)\\.(${signature})$`)

/**
 * The session token inside a customer bearer, or null for anything that better-auth did not sign. Costs no trip.
 * @param bearer what follows `Bearer ` in the Authorization header.
 * @param secrets AUTH_SECRETS.
 */
export async function openBearer(bearer: string, secrets: VersionedKeys): Promise<string | null> {
  const parts = signedToken.exec(bearer)
  if (!parts) return null
  const [, token, signature] = parts as unknown as [string, string, string]
  return (await signedUnder(token, signature, secrets)) === null ? null : token
}

/** The version of the secret that made this base64 HMAC-SHA256, or null when none did. During a rotation there are two. */
export async function signedUnder(
  value: string,
  signature: string,
  { byVersion }: VersionedKeys,
): Promise<string | null> {
  for (const [version, secret] of Object.entries(byVersion))
    if (sameText(await hmacBase64(secret, value), signature)) return version
  return null
}

/**
 * Re-signs a signed value (`value.signature`) for better-auth, which checks the current secret only: a signature by an
 * older or newer secret is replaced by the current one's. A value that no secret signed is unchanged, for the library
 * to refuse.
 */
export async function signedAnew(signed: string, secrets: VersionedKeys): Promise<string> {
  const [, value = '', signature = ''] = signedValue.exec(signed) ?? []
  if ((await signedUnder(value, signature, secrets)) === null) return signed
  return `${value}.${await hmacBase64(secrets.byVersion[secrets.current]!, value)}`
}

/** How a session token is stored: its SHA-256 (the token itself is 190 random bits). */
export const tokenDigest = sha256Hex

const findSession = `
  select s.id, s.user_id, u.email, u.email_verified, u.name, u.two_factor_enabled,
         extract(epoch from s.created_at)::float8 as created_at,
         extract(epoch from s.expires_at)::float8 as expires_at,
         extract(epoch from s.factor_verified_at)::float8 as factor_verified_at,
         case when not has_second_factor(u.id) then 'none'
              when s.factor_verified_at is null then 'needed' else 'shown' end as second_factor
    from sessions s join users u on u.id = s.user_id
   where s.token_digest = $1 and s.expires_at > now()`

/**
 * The live session of a customer bearer, in one round trip; null when it is malformed, forged (neither costs a
 * trip), unknown, signed out or expired. The token is found by its digest, so no stored value is compared.
 */
export async function sessionFromBearer(
  sql: IdentitySql,
  secrets: VersionedKeys,
  bearer: string,
): Promise<Session | null> {
  const token = await openBearer(bearer, secrets)
  if (!token) return null
  const [row] = await sql(findSession, [await tokenDigest(token)])
  if (!row) return null
  return {
    sessionId: String(row.id),
    userId: String(row.user_id),
    email: String(row.email),
    emailVerified: isTrue(row.email_verified),
    name: String(row.name),
    createdAt: instant(row.created_at),
    expiresAt: instant(row.expires_at),
    twoFactorEnabled: isTrue(row.two_factor_enabled),
    factorVerifiedAt: row.factor_verified_at === null ? null : instant(row.factor_verified_at),
    secondFactor: row.second_factor as SecondFactor,
  }
}

/** Whether a cell is true, as a driver reads it or as Postgres prints it. */
export const isTrue = (cell: unknown) => cell === true || cell === 't'

const instant = (epochSeconds: unknown) => new Date(Math.round(Number(epochSeconds) * 1000))
