import { Stale } from '../../../../../src/http/publishing.ts'
import { isOutcomeUnknown } from '../../../../../src/http/system-call.ts'
import { type Locale, withLocale } from '../../../../../src/kernel/locale.ts'
import {
  type Abandoned,
  abandon,
  awaitsBank,
  challengeUrl,
  handlePaymentNotification,
} from '../../../../money/payments/api.ts'
import { findPayment, type PaymentOnPage, takesAnother } from '../../checkout-flow.ts'
import type { HostedOrigins } from '../../hosted-origin.ts'
import { type Ctx, formFields, localeOf, ownPath, page, statePageOf as state } from '../frame/frame.ts'
import { lookAs } from '../frame/look.ts'
import { forgetPayment } from './payment-cookie.ts'
import { factsOf, pathOf, retryPathOf } from './payment-facts.ts'
import { resultPage } from './result.ts'

const find = (c: Ctx, origins: HostedOrigins) =>
  findPayment(c.get('services'), origins, {
    publicId: c.req.param('publicId')!,
    reference: c.req.param('reference')!,
  })

/** The choices still open on the page of a payment that waits for the bank. */
export function challengeOf(found: PaymentOnPage, { isNext = false, notClosed = false } = {}) {
  const { payment, attempt, onSale } = found
  const now = new Date()
  const path = pathOf({ onSale, payment })
  const { nextAction, expiresAt: until } = attempt
  return {
    state: 'requires_action',
    bank:
      nextAction !== null && until !== null && until > now ? { path: `${path}/bank`, until, isNext } : null,
    other: takesAnother(found, now) ? { path: `${path}/cancel`, attempt: attempt.number } : null,
    notClosed,
  } as const
}

/** The address of a payment whose bank asks, right after it was paid by a page with a script. */
export const toBank = (path: string): string => `${path}?bank=next`

/** Redirects to the bank's page at its current address. Changes nothing, unless the challenge is over. */
export async function continueAtBank(c: Ctx, origins: HostedOrigins) {
  const services = c.get('services')
  const locale = localeOf(c)
  const found = await find(c, origins)
  if (!found) return state(c, { state: 'not_found' }, locale)
  await lookAs(c, found.onSale)
  const own = withLocale(pathOf(found), locale)
  if (!awaitsBank(found) || challengeOf(found).bank === null) return c.redirect(own, 303)
  const url = await challengeUrl(services, found.attempt)
  if (url) return c.redirect(ownPath(url, services.settings, locale), 303)
  await handlePaymentNotification({ services, requestId: c.get('requestId') }, origins, found.attempt.id)
  return c.redirect(own, 303)
}

/** Another way to pay: the processor closes the challenge first, and only then the form is offered again. */
export async function payAnotherWay(c: Ctx, origins: HostedOrigins) {
  const services = c.get('services')
  const field = await formFields(c)
  const given = field('attempt')
  const locale = localeOf(c, field('locale'))
  c.set('resend', { action: c.req.path, fields: { locale, attempt: given } })
  const found = await find(c, origins)
  if (!found) return state(c, { state: 'not_found' }, locale)
  await lookAs(c, found.onSale)
  const isOpen = takesAnother(found, new Date())
  // A form that already took effect must not close what came after it.
  if (awaitsBank(found) && isOpen && given === String(found.attempt.number)) {
    const work = abandon({ services, requestId: c.get('requestId') }, origins, found)
    // Record the close even if the buyer leaves the page.
    c.executionCtx.waitUntil(work.catch(() => {}))
    const became = await work.catch(notTold)
    if (became === 'unknown') return notClosed(c, found, locale)
    if (became === 'closed') return toForm(c, found, locale)
  }
  return isOpen && endedUnpaid(found)
    ? toForm(c, found, locale)
    : c.redirect(withLocale(pathOf(found), locale), 303)
}

/** The attempt is read after the payment, and may have ended in between. */
const endedUnpaid = ({ payment, attempt }: PaymentOnPage): boolean =>
  payment.status === 'requires_payment_method' ||
  (payment.status === 'requires_action' && ['expired', 'declined'].includes(attempt.status))

function toForm(c: Ctx, { onSale: { sale }, payment }: PaymentOnPage, locale: Locale) {
  forgetPayment(c, sale.publicId, payment.publicId)
  return c.redirect(withLocale(retryPathOf(sale.publicId, payment.publicId), locale), 303)
}

/** Whether it is closed is unknown until the processor is asked again. */
function notTold(error: unknown): Abandoned {
  if (error instanceof Stale || isOutcomeUnknown(error)) return 'unknown'
  throw error
}

function notClosed(c: Ctx, found: PaymentOnPage, locale: Locale) {
  c.header('Retry-After', '1')
  return page(
    c,
    resultPage({ ...factsOf(c, found, locale), ...challengeOf(found, { notClosed: true }) }),
    503,
  )
}
