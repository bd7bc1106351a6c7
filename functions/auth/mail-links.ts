import { uuidv7 } from '../../src/kernel/ids.ts'
import { type LinkKind, linkToken, mailOfToken } from '../mails/api.ts'
import type { IdentityAccess } from './access.ts'
import { storedIdentifier } from './identity-guards.ts'

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

const confirm = `
  with confirmed as (
    update users u set email_verified = true, updated_at = now() from mails m
     where m.id = $1 and m.kind = 'confirm_address' and m.user_id = u.id and m.expires_at > now() returning u.id),
  reached as (
    delete from mail_suppressions s using confirmed c where s.user_id = c.id and s.reason = 'hard_bounce')
  select id from confirmed`

/** Confirms the address that the link was sent to, which is mailed again; false when the link is not ours or too old. */
export async function confirmAddress(access: IdentityAccess, token: string): Promise<boolean> {
  const mail = await mailOfToken(access.secrets, 'confirm_address', token)
  return mail !== null && (await access.sql(confirm, [mail])).length > 0
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

const claimReset = 'select 1 as claimed where claim_password_reset($1)'

/** Ends the account's other links that set a password; false when this one is not ours, used or too old. */
export async function claimPasswordReset(access: IdentityAccess, token: string): Promise<boolean> {
  if ((await mailOfToken(access.secrets, 'reset_password', token)) === null) return false
  return (await access.sql(claimReset, [await resetIdentifier(token)])).length > 0
}
