import type { Settings } from '../../src/env.ts'
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

/**
 * `passkeyRpId` is the parent domain that both Workers are under, so that one passkey serves both; without it passkeys
 * belong to the Worker's own host, which is all that `*.workers.dev` allows.
 */
type IdentitySettings = Pick<
  Settings,
  'authSecret' | 'baseUrl' | 'sandboxBaseUrl' | 'liveBaseUrl' | 'passkeyRpId'
>

/** @throws RangeError when the secret is too short to sign and encrypt with. */
export function identityAccess(settings: IdentitySettings, sql: IdentitySql): IdentityAccess {
  const { authSecret, baseUrl, sandboxBaseUrl, liveBaseUrl, passkeyRpId } = settings
  if (authSecret.length < 32) throw new RangeError('AUTH_SECRET needs at least 32 characters')
  return {
    sql,
    secret: authSecret,
    baseUrl,
    origins: [new URL(sandboxBaseUrl).origin, new URL(liveBaseUrl).origin],
    rpId: passkeyRpId || new URL(baseUrl).hostname,
  }
}
