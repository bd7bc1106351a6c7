import { getCookie, setCookie } from 'hono/cookie'
import type { Collects } from '../../../../../drizzle/schema/buyer-details.ts'
import { containsCardNumber } from '../../../../../src/kernel/card-number.ts'
import type { Buyer } from '../../../../../src/processors/port.ts'
import { detailNames } from '../../details.ts'
import type { Quote } from '../../sealed-quote.ts'
import { cookieOf } from '../frame/cookies.ts'
import type { Ctx } from '../frame/frame.ts'

/*
 * What the buyer typed of a sale's questions, to fill a form that is opened again: stored in the browser alone, for this
 * sale's addresses, for half an hour. More than a cookie holds is not kept.
 */
const cookie = 'spindle_details'
const maxAge = 30 * 60
const lengthMax = 3_000

export type Typed = Readonly<Record<string, string>>

/** The answers in a sent form, to whatever was asked. */
export async function typedIn(c: Ctx, text: (name: string) => string): Promise<Typed> {
  const names = Object.keys(await c.req.parseBody()).filter((name) =>
    /^(ship|detail|field|tax|consent)\.[a-z0-9_]{1,40}$/.test(name),
  )
  return Object.fromEntries(names.slice(0, 50).map((name) => [name, text(name).trim()]))
}

/** Of these those that the sale asks for. */
export const askedOf = (collects: Collects | null | undefined, typed: Typed): Typed =>
  collects
    ? Object.fromEntries(detailNames(collects).flatMap((name) => (typed[name] ? [[name, typed[name]]] : [])))
    : {}

export function detailsHere(c: Ctx): Typed {
  try {
    const kept: unknown = JSON.parse(decodeURIComponent(getCookie(c, cookie) ?? '{}'))
    const entries = Object.entries(kept as Record<string, unknown>)
    return Object.fromEntries(
      entries.filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= 254,
      ),
    )
  } catch {
    return {}
  }
}

export function rememberDetails(c: Ctx, publicId: string, typed: Typed): void {
  const clean = Object.entries(typed).filter(([, text]) => text !== '' && !containsCardNumber(text))
  const value = encodeURIComponent(JSON.stringify(Object.fromEntries(clean)))
  if (clean.length > 0 && value.length <= lengthMax)
    setCookie(c, cookie, value, { ...cookieOf(c, publicId), maxAge })
}

export const prefilled = ({ prefill }: Quote): Typed => ({
  ...(prefill?.name ? { 'detail.name': prefill.name } : {}),
  ...(prefill?.phone ? { 'detail.phone': prefill.phone } : {}),
})

/** What the buyer typed before, else what the merchant knows of them. */
export const buyerOf = ({ prefill }: Quote, typed: Buyer): Buyer => ({
  name: typed.name || prefill?.name || '',
  email: typed.email || prefill?.email || '',
})
