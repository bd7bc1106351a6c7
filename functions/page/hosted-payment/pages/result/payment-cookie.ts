import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { isPayerKey, payerKey } from '../../../../account/mails/api.ts'
import { cookieOf } from '../frame/cookies.ts'
import type { Ctx } from '../frame/frame.ts'

/*
 * The payment that this browser began at a link: its public reference, which is the address of its page and contains no
 * personal data, and the key that shows that the browser was given it. Sent to this link's addresses alone. With it a
 * returning buyer finds the payment or its receipt.
 */
const cookie = 'spindle_payment'

/** Longer than a voucher, an authorization or a bank's report takes. */
export const payerCookieSeconds = 30 * 86_400

const kept = (c: Ctx) => /^(spcs_[a-z0-9]{32})(?:\.([0-9a-f]{64}))?$/.exec(getCookie(c, cookie) ?? '')

/** Leads to the payment's page, and gives no right that its address does not give. */
export const paymentHere = (c: Ctx): string | null => kept(c)?.[1] ?? null

/** Whether this browser began the payment, or opened the link of a mail to its buyer. */
export async function isPayerHere(c: Ctx, reference: string): Promise<boolean> {
  const [, here, key = ''] = kept(c) ?? []
  return here === reference && isPayerKey(c.get('services').settings.authSecrets, reference, key)
}

export async function rememberPayment(c: Ctx, publicId: string, reference: string): Promise<void> {
  const key = await payerKey(c.get('services').settings.authSecrets, reference)
  setCookie(c, cookie, `${reference}.${key}`, { ...cookieOf(c, publicId), maxAge: payerCookieSeconds })
}

export function forgetPayment(c: Ctx, publicId: string, reference: string): void {
  if (paymentHere(c) === reference) deleteCookie(c, cookie, cookieOf(c, publicId))
}
