import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { VersionedKeys } from '../../../src/env/settings.ts'
import { Fault } from '../../../src/kernel/fault.ts'

// Authenticator secrets and backup codes are encrypted in better-auth's format: `$ba$<version>$<hex>`.

/** The library's secrets: the current version first, which signs and encrypts. */
export const librarySecrets = ({ current, byVersion }: VersionedKeys) =>
  Object.entries(byVersion)
    .sort(([a], [b]) => Number(b === current) - Number(a === current))
    .map(([version, value]) => ({ version: Number(version), value }))

const keyOf = (secrets: VersionedKeys) => ({
  keys: new Map(librarySecrets(secrets).map(({ version, value }) => [version, value])),
  currentVersion: Number(secrets.current),
})

/** Encrypts under the current version. */
export const encryptText = (secrets: VersionedKeys, text: string): Promise<string> =>
  symmetricEncrypt({ key: keyOf(secrets), data: text })

/** @throws Fault that names the version, and nothing of the text */
export async function decryptText(secrets: VersionedKeys, ciphertext: string): Promise<string> {
  const version = ciphertext.split('$')[2] ?? ''
  if (secrets.byVersion[version] === undefined)
    throw new Fault(`encrypted under version ${version}, which AUTH_SECRETS does not have`)
  try {
    return await symmetricDecrypt({ key: keyOf(secrets), data: ciphertext })
  } catch {
    throw new Fault(`version ${version} of AUTH_SECRETS does not decrypt what was encrypted under it`)
  }
}
