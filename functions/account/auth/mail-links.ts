import { Problem } from '../../../src/http/problems.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import { type LinkKind, linkToken, mailOfToken } from '../mails/api.ts'
import type { IdentityAccess } from './access.ts'
import { storedIdentifier } from './identity-guards.ts'
import { tokenDigest } from './session.ts'

/** The challenge of a link that sets a password, as the library looks it up. */
const resetIdentifier = (token: string) => storedIdentifier(`reset-password:${token}`)

const requestMail = 'select request_mail($1, $2, $3, $4, $5)'

/**
 * Puts a mail with a link into the outbox; nothing where the address has no account, or gets too many. The same statement
 * and one round trip in any case, so that a caller cannot tell the cases apart.
 */
export async function requestLink(access: IdentityAccess, kind: LinkKind, email: string): Promise<void> {
  const id = uuidv7(Date.now())
  const { current } = access.secrets
  const identifier =
    kind === 'reset_password'
      ? await resetIdentifier(await linkToken(access.secrets, current, { kind, id }))
      : null
  await access.sql(requestMail, [email.toLowerCase(), kind, id, Number(current), identifier])
}

const confirm = 'select confirm_address($1, $2) as outcome'

/**
 * Confirms the address that the link was sent to. Without a session of the account, second factors and sessions go.
 * @param ownToken of the session that confirms; null without one.
 */
export async function confirmAddress(
  access: IdentityAccess,
  token: string,
  ownToken: string | null,
): Promise<void> {
  const mail = await mailOfToken(access.secrets, 'confirm_address', token)
  if (mail === null) throw new Problem('mail_link_invalid')
  const session = ownToken === null ? null : await tokenDigest(ownToken)
  const [row] = await access.sql(confirm, [mail, session])
  const { outcome } = row as { outcome: 'confirmed' | 'mail_link_invalid' | 'session_invalid' }
  if (outcome !== 'confirmed') throw new Problem(outcome)
}

const openLink: Readonly<Partial<Record<LinkKind, string>>> = {
  confirm_address: `select 1 from mails where id = $1 and kind = 'confirm_address' and expires_at > now()`,
  reset_password: 'select 1 from verifications where identifier = $1 and expires_at > now()',
}

/** Whether a link is ours and still works. A token that is not ours costs no trip. */
export async function isLinkOpen(access: IdentityAccess, kind: LinkKind, token: string): Promise<boolean> {
  const mail = await mailOfToken(access.secrets, kind, token)
  const query = openLink[kind]
  if (mail === null || query === undefined) return false
  const named = kind === 'reset_password' ? await resetIdentifier(token) : mail
  return (await access.sql(query, [named])).length > 0
}

const setPassword = 'select 1 as done where set_password_by_mail($1, $2)'

/** Sets the password of the account that the link was sent to; false when it is not ours, used or too old. */
export async function setPasswordByMail(
  access: IdentityAccess,
  token: string,
  hash: () => Promise<string>,
): Promise<boolean> {
  if (!(await isLinkOpen(access, 'reset_password', token))) return false
  return (await access.sql(setPassword, [await resetIdentifier(token), await hash()])).length > 0
}
