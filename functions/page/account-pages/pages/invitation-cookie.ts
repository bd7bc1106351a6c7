import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { VersionedKeys } from '../../../../src/env/settings.ts'
import { mailOfToken } from '../../../account/mails/api.ts'
import type { Ctx } from '../../hosted-payment/api.ts'

/*
 * The invitation that this browser signs up for, so that the pages behind an account's mails lead back to it. It has the
 * token of the invitation's address and no session: it gives no right that the address does not give.
 */
const cookie = 'spindle_invitation'
const at = { path: '/account', secure: true } as const

/** As long as the link that confirms an address works. */
const maxAge = 86_400

export const rememberInvitation = (c: Ctx, token: string): void =>
  setCookie(c, cookie, token, { ...at, httpOnly: true, sameSite: 'Lax', maxAge })

/** Once it is accepted no page leads back to it. */
export const forgetInvitation = (c: Ctx): void => {
  deleteCookie(c, cookie, at)
}

/** Where the invitation goes on; null where this browser has none that we made. */
export async function invitationHere(c: Ctx, secrets: VersionedKeys): Promise<string | null> {
  const token = getCookie(c, cookie) ?? ''
  const id = await mailOfToken(secrets, 'workspace_invitation', token)
  return id === null ? null : `/account/invitation/${token}/sign-in`
}
