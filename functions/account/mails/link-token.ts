import type { Settings, VersionedKeys } from '../../../src/env/settings.ts'
import { mailPages } from '../../../src/generated/mail-kinds.ts'
import { hmacHex, sameText } from '../../../src/platform/crypto.ts'

/** Kinds of mail whose link proves that a person reads it; `end_reminders`: of a reminder, `own_payment`: of a payment's buyer. */
export type LinkKind = keyof typeof mailPages | 'end_reminders' | 'own_payment'
export const hasToken = (kind: string): kind is keyof typeof mailPages => kind in mailPages

const macOf = (secret: string, kind: LinkKind, id: string) => hmacHex(secret, `mail:${kind}:${id}`)

/**
 * The token in a mail's link: derived from the id of the mail, or of the invitation, under a version of AUTH_SECRETS, so that no row holds it and
 * every attempt to send the mail has the same one. The row says until when it works.
 */
export async function linkToken(
  { byVersion }: VersionedKeys,
  version: string,
  { kind, id }: { readonly kind: LinkKind; readonly id: string },
): Promise<string> {
  return `${id}.${await macOf(byVersion[version] ?? '', kind, id)}`
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

/** The key in the links of mails to the buyer of a payment, and in the cookie of the browser that began it. */
export const payerKey = ({ current, byVersion }: VersionedKeys, reference: string): Promise<string> =>
  macOf(byVersion[current] ?? '', 'own_payment', reference)

/** Whether we derived this key for the payment with this public reference. Costs no trip. */
export async function isPayerKey({ byVersion }: VersionedKeys, reference: string, key: string) {
  for (const secret of Object.values(byVersion))
    if (sameText(await macOf(secret, 'own_payment', reference), key)) return true
  return false
}

interface Linked {
  readonly kind: string
  readonly id: string
  readonly secretVersion: string | null
}

/** The page of accounts that a mail leads to; null where its kind has none, undefined where its token cannot be derived. */
export async function linkOf(
  { authSecrets }: Settings,
  baseUrl: string,
  { kind, id, secretVersion }: Linked,
) {
  if (!hasToken(kind)) return null
  if (secretVersion === null || authSecrets.byVersion[secretVersion] === undefined) return undefined
  return `${baseUrl}/account/${mailPages[kind]}/${await linkToken(authSecrets, secretVersion, { kind, id })}`
}
