import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { cookieOf } from './cookies.ts'
import type { Ctx } from './frame.ts'

/*
 * The payment that this browser began at a link: its public reference, which is the address of its page and contains no
 * personal data. Sent to this link's addresses alone. With it a returning buyer finds the payment or its receipt.
 */
const cookie = 'spindle_payment'

/** Longer than a voucher, an authorisation or a bank's report takes. */
const maxAge = 30 * 86_400

export const paymentHere = (c: Ctx): string | null =>
  /^spcs_[a-z0-9]{32}$/.exec(getCookie(c, cookie) ?? '')?.[0] ?? null

export function rememberPayment(c: Ctx, publicId: string, reference: string): void {
  setCookie(c, cookie, reference, { ...cookieOf(c, publicId), maxAge })
}

export function forgetPayment(c: Ctx, publicId: string, reference: string): void {
  if (paymentHere(c) === reference) deleteCookie(c, cookie, cookieOf(c, publicId))
}
