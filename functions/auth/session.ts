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
}

/** What better-auth makes: 32 characters and, after a dot, their HMAC-SHA256 in base64. Its bearer plugin takes more. */
const signedToken = /^([A-Za-z0-9]{32})\.([A-Za-z0-9+/]{43}=)$/

/**
 * The session token inside a customer bearer, or null for anything that better-auth did not sign. Costs no trip.
 * @param bearer what follows `Bearer ` in the Authorization header.
 * @param secret AUTH_SECRET.
 */
export async function openBearer(bearer: string, secret: string): Promise<string | null> {
  const parts = signedToken.exec(bearer)
  if (!parts) return null
  const [, token, signature] = parts as unknown as [string, string, string]
  return (await verifySigned(token, signature, secret)) ? token : null
}

/** Checks a base64 HMAC-SHA256 signature of better-auth's signed values, in constant time. */
export async function verifySigned(value: string, signature: string, secret: string): Promise<boolean> {
  const bytes = Uint8Array.from(atob(signature), (c) => c.charCodeAt(0))
  return crypto.subtle.verify('HMAC', await keyOf(secret), bytes, new TextEncoder().encode(value))
}

/** How a session token is stored: its SHA-256 in lowercase hex (the token itself is 190 random bits). */
export async function tokenDigest(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const findSession = `
  select s.id, s.user_id, u.email, u.email_verified, u.name, u.two_factor_enabled,
         extract(epoch from s.created_at)::float8 as created_at,
         extract(epoch from s.expires_at)::float8 as expires_at,
         extract(epoch from s.factor_verified_at)::float8 as factor_verified_at
    from sessions s join users u on u.id = s.user_id
   where s.token_digest = $1 and s.expires_at > now()`

/**
 * The live session of a customer bearer, in one round trip; null when it is malformed, forged (neither costs a
 * trip), unknown, signed out or expired. The token is found by its digest, so no stored value is compared.
 */
export async function sessionFromBearer(
  sql: IdentitySql,
  secret: string,
  bearer: string,
): Promise<Session | null> {
  const token = await openBearer(bearer, secret)
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
  }
}

/** As a driver reads it, or as Postgres prints it. */
const isTrue = (cell: unknown) => cell === true || cell === 't'

const instant = (epochSeconds: unknown) => new Date(Math.round(Number(epochSeconds) * 1000))

let lastKey: { secret: string; key: CryptoKey } | undefined

async function keyOf(secret: string): Promise<CryptoKey> {
  if (lastKey?.secret === secret) return lastKey.key
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'verify',
  ])
  lastKey = { secret, key }
  return key
}
