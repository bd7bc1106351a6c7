import type { Settings, VersionedKeys } from '../../../src/env/settings.ts'
import type { IdentitySql } from './session.ts'

/** What the identity code needs from the Worker. One per request or per isolate. */
export type IdentityAccess = {
  readonly sql: IdentitySql
  /** AUTH_SECRETS: sign session tokens and challenges, encrypt TOTP secrets and backup codes. */
  readonly secrets: VersionedKeys
  /** Base address of this Worker. */
  readonly baseUrl: string
  /** Origins whose pages may use a passkey: both environments. */
  readonly origins: readonly string[]
  /** The host name that passkeys are bound to. */
  readonly rpId: string
}

/** The way to the identity database of the Worker with these settings. */
export type AccessOf = (settings: unknown) => IdentityAccess

/**
 * `passkeyRpId` is the parent domain that both Workers are under, so that one passkey serves both; without it passkeys
 * belong to the Worker's own host, which is all that `*.workers.dev` allows.
 */
type IdentitySettings = Pick<
  Settings,
  'authSecrets' | 'baseUrl' | 'sandboxBaseUrl' | 'liveBaseUrl' | 'passkeyRpId'
>

export function identityAccess(settings: IdentitySettings, sql: IdentitySql): IdentityAccess {
  const { authSecrets, baseUrl, sandboxBaseUrl, liveBaseUrl, passkeyRpId } = settings
  return {
    sql,
    secrets: authSecrets,
    baseUrl,
    origins: [new URL(sandboxBaseUrl).origin, new URL(liveBaseUrl).origin],
    rpId: passkeyRpId || new URL(baseUrl).hostname,
  }
}
