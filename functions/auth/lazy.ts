/*
 * The part of this area that is evaluated only when somebody signs in or proves themselves. It is bundled by itself
 * (see docs/decisions/identity.md), so nothing of it may be imported elsewhere except by type.
 */
export { createIdentity } from './identity.ts'
export { callIdentity } from './operations.ts'
export { passkeyOptions, verifyPasskey } from './passkey-factor.ts'
export { availableMethods, factorsOf, verifyBackupCode, verifyTotp } from './second-factor.ts'
