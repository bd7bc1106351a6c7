import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Ctx } from './frame.ts'

/*
 * What this browser began at a link: the payment's own public reference, which is the address of its page and says
 * nothing of anybody. Sent to this link's addresses alone, and gone when the payment is over.
 */
const cookie = 'spindle_payment'

/** As long as a bank may be answered and the look that follows. */
const maxAge = 3_600

const attributes = (publicId: string) =>
  ({ path: `/${publicId}`, httpOnly: true, secure: true, sameSite: 'Lax' }) as const

export const begunHere = (c: Ctx): string | null =>
  /^spcs_[a-z0-9]{32}$/.exec(getCookie(c, cookie) ?? '')?.[0] ?? null

export function rememberBegun(c: Ctx, publicId: string, reference: string): void {
  setCookie(c, cookie, reference, { ...attributes(publicId), maxAge })
}

export function forgetBegun(c: Ctx, publicId: string, reference: string): void {
  if (begunHere(c) === reference) deleteCookie(c, cookie, attributes(publicId))
}
