import { getCookie, setCookie } from 'hono/cookie'
import { containsCardNumber } from '../../../../../src/kernel/card-number.ts'
import type { Buyer } from '../../../../../src/processors/port.ts'
import { cookieOf } from '../frame/cookies.ts'
import type { Ctx } from '../frame/frame.ts'

/*
 * The buyer's name and e-mail address as typed at a link, to fill a form that comes back or is opened again after a
 * decline: stored in the browser alone, for this link's addresses, until it is paid or half an hour is over.
 */
const cookie = 'spindle_buyer'
const maxAge = 30 * 60

const asText = (value: unknown, lengthMax: number): string =>
  typeof value === 'string' && value.length <= lengthMax && !containsCardNumber(value) ? value : ''

export function typedHere(c: Ctx): Buyer {
  try {
    const { name, email } = JSON.parse(getCookie(c, cookie) ?? '{}') as Partial<Record<string, unknown>>
    return { name: asText(name, 100), email: asText(email, 254) }
  } catch {
    return { name: '', email: '' }
  }
}

/** A card's form has no e-mail address: the one typed into another form stays. */
export function rememberTyped(c: Ctx, publicId: string, { name, email }: Buyer): void {
  const before = typedHere(c)
  const typed = { name: asText(name, 100) || before.name, email: asText(email, 254) || before.email }
  if (typed.name || typed.email)
    setCookie(c, cookie, JSON.stringify(typed), { ...cookieOf(c, publicId), maxAge })
}

export function forgetTyped(c: Ctx, publicId: string): void {
  if (getCookie(c, cookie) !== undefined) setCookie(c, cookie, '', { ...cookieOf(c, publicId), maxAge: 0 })
}
