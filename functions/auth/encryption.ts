import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { VersionedKeys } from '../../src/env.ts'
import { Fault } from '../../src/kernel/fault.ts'

/*
 * Authenticator secrets and backup codes are encrypted in better-auth's format, so that it can decrypt them:
 * `$ba$<version>$<hex>`, and without the prefix for version 1.
 */

const byFirst = /^[$]ba[$]1[$]/
export const withoutFirstVersion = (ciphertext: string): string => ciphertext.replace(byFirst, '')

/** The version of AUTH_SECRETS that a ciphertext needs. */
const versionOf = (ciphertext: string): string => /^[$]ba[$](\d+)[$]/.exec(ciphertext)?.[1] ?? '1'

/**
 * The library's secrets: the current version first, which signs and encrypts; then the secret of values without a version.
 */
export function libraryOptions({ current, byVersion }: VersionedKeys) {
  const others = Object.keys(byVersion).filter((version) => version !== current)
  return {
    secrets: [current, ...others].map((version) => ({
      version: Number(version),
      value: byVersion[version]!,
    })),
    ...(byVersion['1'] !== undefined && { secret: byVersion['1'] }),
  }
}

const keyOf = ({ current, byVersion }: VersionedKeys) => ({
  keys: new Map(Object.entries(byVersion).map(([version, secret]) => [Number(version), secret])),
  currentVersion: Number(current),
  ...(byVersion['1'] !== undefined && { legacySecret: byVersion['1'] }),
})

/** Encrypts under the current version. */
export const encryptText = async (secrets: VersionedKeys, text: string): Promise<string> =>
  withoutFirstVersion(await symmetricEncrypt({ key: keyOf(secrets), data: text }))

/** @throws Fault that names the version, and nothing of the text */
export async function decryptText(secrets: VersionedKeys, ciphertext: string): Promise<string> {
  const version = versionOf(ciphertext)
  if (secrets.byVersion[version] === undefined)
    throw new Fault(`encrypted under version ${version}, which AUTH_SECRETS does not have`)
  try {
    return await symmetricDecrypt({ key: keyOf(secrets), data: ciphertext })
  } catch {
    throw new Fault(`version ${version} of AUTH_SECRETS does not decrypt what was encrypted under it`)
  }
}
