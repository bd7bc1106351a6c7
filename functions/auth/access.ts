import type { IdentitySql } from './session.ts'

/** What the identity code needs of its surroundings. One per request or per isolate, as the platform likes. */
export type IdentityAccess = {
  readonly sql: IdentitySql
  /** AUTH_SECRET: signs session tokens and challenges, encrypts TOTP secrets and backup codes. At least 32 characters. */
  readonly secret: string
  /** Base address of this Worker. */
  readonly baseUrl: string
  /** Origins whose pages may use a passkey: both environments. */
  readonly origins: readonly string[]
  /** The host name that passkeys are bound to. */
  readonly rpId: string
}

export type IdentitySettings = {
  readonly secret: string
  readonly environment: 'sandbox' | 'live'
  readonly sandboxBaseUrl: string
  readonly liveBaseUrl: string
  /**
   * The parent domain that both Workers are under, so that one passkey serves both. Without it passkeys belong to
   * the Worker's own host, which is all that `*.workers.dev` allows.
   */
  readonly passkeyRpId?: string | undefined
}

/** @throws RangeError when the secret is too short to sign and encrypt with. */
export function identityAccess(settings: IdentitySettings, sql: IdentitySql): IdentityAccess {
  if (settings.secret.length < 32) throw new RangeError('AUTH_SECRET needs at least 32 characters')
  const baseUrl = settings.environment === 'live' ? settings.liveBaseUrl : settings.sandboxBaseUrl
  return {
    sql,
    secret: settings.secret,
    baseUrl,
    origins: [new URL(settings.sandboxBaseUrl).origin, new URL(settings.liveBaseUrl).origin],
    rpId: settings.passkeyRpId || new URL(baseUrl).hostname,
  }
}
