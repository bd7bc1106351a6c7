import { withLocale } from '../../../../../src/kernel/locale.ts'
import { cardMethod } from '../../../../../src/kernel/payment-methods.ts'
import { originAt } from '../../checkout-flow.ts'
import type { HostedOrigins } from '../../hosted-origin.ts'
import { type Ctx, statePageOf as state } from '../frame/frame.ts'
import { lookAs } from '../frame/look.ts'
import { rememberPayment } from '../result/payment-cookie.ts'
import { again } from './form.ts'
import { chosenFirst } from './ordering.ts'
import { detailsIn, formAgain, formOf, isReceiptEmail, mailable, notPaid, quoteIn } from './submitting.ts'

/** The buyer completes an order that costs nothing. A repeated form leads to the same receipt. */
export async function completeOrder(c: Ctx, origins: HostedOrigins) {
  const form = await formOf(c)
  const { locale, attemptKey } = form
  const services = c.get('services')
  const now = new Date()
  const isForm = /^[a-z0-9]{32}$/.test(attemptKey)
  const quote = await quoteIn(c, form, isForm, now)
  if (!isForm) return state(c, { state: 'bad_request' }, locale)
  if (!quote) return again(c, locale, 'quote_expired', { quote, method: cardMethod })
  await lookAs(c, quote)
  const chosen = await chosenFirst(c, origins, quote, form)
  if (chosen) return chosen
  const { completeFree } = originAt(origins, quote.publicId)!
  if (!completeFree || quote.amountMinor !== 0n) return again(c, locale, null)
  const read = detailsIn(form, quote, now)
  const email = mailable(form.buyer.email)
  const isMailable = isReceiptEmail(form, quote)
  if ('wrong' in read || !isMailable) return formAgain(c, form, quote, isMailable ? [] : ['email'])
  const mailTo = email === null ? null : { email, locale }
  const request = { requestId: c.get('requestId'), now, attemptKey, details: read.details, mailTo }
  const work = completeFree(services, quote, request)
  // Finish even if the buyer leaves the page.
  c.executionCtx.waitUntil(work.catch(() => {}))
  try {
    const reference = await work
    await rememberPayment(c, quote.publicId, reference)
    return c.redirect(withLocale(`/${quote.publicId}/${reference}`, locale), 303)
  } catch (error) {
    return notPaid(c, origins, error, locale, quote)
  }
}
