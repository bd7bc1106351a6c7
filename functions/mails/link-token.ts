import type { VersionedKeys } from '../../src/env.ts'
import { hmacHex, sameText } from '../../src/platform/crypto.ts'

/** The kinds of mail whose link proves that a person reads it. */
export type LinkKind = 'confirm_address' | 'reset_password'

const macOf = (secret: string, kind: LinkKind, id: string) => hmacHex(secret, `mail:${kind}:${id}`)

/**
 * The token in a mail's link: derived from the mail's id under a version of AUTH_SECRETS, so that no row holds it and
 * every attempt to send the mail has the same one. The row says until when it works.
 */
export async function linkToken(
  { byVersion }: VersionedKeys,
  version: string,
  mail: { readonly kind: LinkKind; readonly id: string },
): Promise<string> {
  return `${mail.id}.${await macOf(byVersion[version] ?? '', mail.kind, mail.id)}`
}

const form = /^([0-9a-f-]{36})\.([0-9a-f]{64})$/

/** The id of the mail whose link has this token; null for anything that we did not derive. Costs no trip. */
export async function mailOfToken(
  { byVersion }: VersionedKeys,
  kind: LinkKind,
  token: string,
): Promise<string | null> {
  const [, id = '', mac = ''] = form.exec(token) ?? []
  for (const secret of Object.values(byVersion)) if (sameText(await macOf(secret, kind, id), mac)) return id
  return null
}
