import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { VersionedKeys } from '../../src/env.ts'
import { Fault } from '../../src/kernel/fault.ts'

/*
 * Authenticator secrets and backup codes are sealed in better-auth's format, so that it can open them:
 * `$ba$<version>$<hex>`, and without the mark for version 1. Values from when there was one secret have that form, and
 * a Worker that knows no versions yet can open what another one seals meanwhile.
 */

const byFirst = /^[$]ba[$]1[$]/
export const withoutFirstVersion = (sealed: string): string => sealed.replace(byFirst, '')

/** Which version of AUTH_SECRETS a sealed text needs. */
const versionOf = (sealed: string): string => /^[$]ba[$](\d+)[$]/.exec(sealed)?.[1] ?? '1'

/**
 * The library's secrets: the current version first, which signs and seals; then the secret of values without a version.
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

/** Seals under the current version. */
export const sealText = async (secrets: VersionedKeys, text: string): Promise<string> =>
  withoutFirstVersion(await symmetricEncrypt({ key: keyOf(secrets), data: text }))

/** @throws Fault that names the version and nothing of what is sealed */
export async function openText(secrets: VersionedKeys, sealed: string): Promise<string> {
  const version = versionOf(sealed)
  if (secrets.byVersion[version] === undefined)
    throw new Fault(`sealed under version ${version}, which AUTH_SECRETS does not have`)
  try {
    return await symmetricDecrypt({ key: keyOf(secrets), data: sealed })
  } catch {
    throw new Fault(`version ${version} of AUTH_SECRETS does not open what was sealed under it`)
  }
}
