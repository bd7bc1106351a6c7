import { Stale } from '../../../../../src/http/publishing.ts'
import { limitRate, networkOfCaller } from '../../../../../src/http/stages/rate-limit.ts'
import { containsCardNumber } from '../../../../../src/kernel/card-number.ts'
import { type Locale, withLocale } from '../../../../../src/kernel/locale.ts'
import { originAt } from '../../checkout-flow.ts'
import { adjustmentOf, type Choices } from '../../choices.ts'
import type { HostedOrigins } from '../../hosted-origin.ts'
import type { Quote } from '../../sealed-quote.ts'
import { type Ctx, formFields, localeOf } from '../frame/frame.ts'
import { choicesIn, differing } from './choices.ts'
import { addressOf } from './form.ts'
import { rememberTyped } from './typed.ts'
import { rememberDetails, typedIn } from './typed-details.ts'

/** The buyer changes the order, and sees its page again: as it is now, or with what is wrong, and with what they typed. */
export async function adjustOrder(c: Ctx, origins: HostedOrigins) {
  const text = await formFields(c)
  const publicId = c.req.param('publicId')!
  const buyer = { name: text('name') || text('card_name'), email: text('email') || text('receipt_email') }
  rememberTyped(c, publicId, buyer)
  rememberDetails(c, publicId, await typedIn(c, text))
  // Of lines the address has several.
  const query = new URL(c.req.url).searchParams
  return changed(c, origins, await choicesIn(c), { query, locale: localeOf(c, text('locale')) })
}

/**
 * What a form that pays says of the order and its quote does not: it is applied, and the buyer sees the page again before
 * anything is charged. Null where the form is for what it says.
 */
export async function chosenFirst(
  c: Ctx,
  origins: HostedOrigins,
  quote: Quote,
  form: { readonly choices: Choices; readonly locale: Locale; readonly method: string },
): Promise<Response | null> {
  const choices = differing(quote, form.choices)
  if (Object.keys(choices).length === 0) return null
  const query = new URLSearchParams(addressOf(quote).split('?')[1] ?? '')
  if (quote.methods.length > 1) query.set('method', form.method)
  query.set('order', 'changed')
  return changed(c, origins, choices, { query, locale: form.locale })
}

/** Others changed the order all the while: the buyer sees it as it is. */
function asItIs(error: unknown): undefined {
  if (!(error instanceof Stale)) throw error
}

/** Such a text goes into no address: addresses are kept in histories and logs. A code may have many digits. */
const mayBeCard = (name: string, text: string) =>
  containsCardNumber(text) ||
  (text.replaceAll(/\D/g, '').length >= 12 && !(name === 'code' && /^[\w-]+$/.test(text)))

function setIn(query: URLSearchParams, choices: Choices): void {
  for (const [name, text] of Object.entries(choices)) {
    if (mayBeCard(name, text)) query.delete(name)
    else query.set(name, text)
  }
}

async function changed(
  c: Ctx,
  origins: HostedOrigins,
  choices: Choices,
  { query, locale }: { readonly query: URLSearchParams; readonly locale: Locale },
): Promise<Response> {
  const publicId = c.req.param('publicId')!
  const adjust = originAt(origins, publicId)?.adjust
  query.delete('lang')
  if (!adjust) {
    setIn(query, choices)
    if (choices.code && !query.has('code')) query.set('order', 'code.unknown')
  } else {
    const request = { requestId: c.get('requestId'), now: new Date() }
    if (choices.code) await limitRate(c.env, 'auth', `${networkOfCaller(c)} ${publicId}`)
    const unchanged = await adjust(c.get('services'), publicId, adjustmentOf(choices), request).catch(asItIs)
    if (unchanged === undefined) query.delete('order')
    else if (unchanged) {
      query.set('order', unchanged.problem)
      if (unchanged.at !== undefined) query.set('at', String(unchanged.at))
      if (unchanged.left !== undefined) query.set('left', String(unchanged.left))
      setIn(query, choices)
    }
  }
  const search = query.size > 0 ? `?${query}` : ''
  return c.redirect(withLocale(`/${publicId}${search}`, locale), 303)
}
