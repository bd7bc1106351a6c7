import { Problem } from '../../../src/http/problems.ts'
import { Stale } from '../../../src/http/publishing.ts'
import { containsCardNumber } from '../../../src/kernel/card-number.ts'
import type { Buyer, Method } from '../../../src/processors/port.ts'
import { requireProcessor } from '../../payments/api.ts'
import {
  awaitsPush,
  type CardChoice,
  closedBecause,
  findLink,
  type PushChoice,
  payOffer,
  priceOf,
  type Term,
  termsFor,
} from '../checkout-flow.ts'
import { changesOf, type Offer, openOffer } from '../signed-quote.ts'
import { baseOf, type Ctx, formFields, localeOf, page, statePageOf as state } from './frame.ts'
import { addressOf, again, closed, formPage, holderPath, ownPathOf } from './link.ts'
import { type Locale, withLocale } from './locale.ts'
import { begunHere, rememberBegun } from './payment-cookie.ts'
import { reviewPage } from './review.ts'
import { rememberTyped } from './typed.ts'
import type { BuyerField, PayError } from './view.ts'

interface Form {
  readonly offer: string
  readonly attemptKey: string
  readonly method: Method
  readonly buyer: Buyer
  readonly token: string
  readonly months: number | null
  readonly locale: Locale
}

async function formOf(c: Ctx): Promise<Form> {
  const text = await formFields(c)
  const months = text('months')
  const method = text('method')
  const form: Form = {
    offer: text('offer'),
    attemptKey: text('attempt_key'),
    method: method === 'oxxo' || method === 'spei' ? method : 'card',
    buyer: { name: text('name').trim(), email: text('email').trim() },
    token: text('card_token'),
    months: /^\d{1,2}$/.test(months) ? Number(months) : null,
    locale: localeOf(c, text('locale')),
  }
  c.set('resend', { action: c.req.path, fields: resendFields(form) })
  rememberTyped(c, c.req.param('publicId')!, form.buyer)
  return form
}

/** The form's offer, if it is valid and has its method; or where to send the buyer instead. */
async function offerOfForm(c: Ctx, form: Form) {
  const now = new Date()
  if (!/^[a-z0-9]{32}$/.test(form.attemptKey))
    return { stop: state(c, { state: 'bad_request' }, form.locale) }
  const offer = await openOffer(c.get('services').settings, form.offer, c.req.param('publicId')!, now)
  if (!offer) return { stop: again(c, form.locale, 'offer_expired', { offer, method: form.method }) }
  if (!offer.methods.includes(form.method)) return { stop: again(c, form.locale, null) }
  return { offer, now }
}

/** The offer, the card and the terms it gets; or where to send the buyer instead. */
async function opened(c: Ctx, form: Form) {
  const services = c.get('services')
  const found = await offerOfForm(c, form)
  if ('stop' in found) return { stop: found.stop }
  const { offer, now } = found
  const stop = (error: PayError) => ({ stop: again(c, form.locale, error, { offer, method: 'card' }) })
  if (form.token === '') return stop('card_required')
  const sale = {
    amountMinor: priceOf(offer),
    currency: offer.currency,
    installments: offer.installmentPlanMonths !== null || offer.installmentMonths.length > 0,
    publicId: offer.publicId,
  }
  const card = containsCardNumber(form.token)
    ? null
    : await requireProcessor(services).describe(form.token, sale).catch(notTold)
  if (!card) return stop('card_unknown')
  const terms = termsFor(services, offer, card, now)
  if (offer.installmentPlanMonths !== null && terms.length === 0) return stop('card_without_plan')
  return { offer, card, terms, now }
}

/** Nothing was charged yet: the same form may be sent again. */
function notTold(cause: unknown): never {
  throw new Problem('outcome_unknown', {}, { cause })
}

type Opened = Exclude<Awaited<ReturnType<typeof opened>>, { stop: unknown }>

export async function review(c: Ctx) {
  const form = await formOf(c)
  const found = await opened(c, form)
  if ('stop' in found) return found.stop
  return reviewOf(c, form, found, null)
}

function reviewOf(c: Ctx, form: Form, { offer, card, terms }: Opened, error: 'term_unavailable' | null) {
  const noOffers =
    card.installmentMonths.length === 0 ? ('card_not_eligible' as const) : ('amount_too_low' as const)
  return page(
    c,
    reviewPage({
      ...baseOf(c, form.locale),
      publicId: offer.publicId,
      merchantName: offer.merchantName,
      description: offer.description,
      amountMinor: priceOf(offer),
      priceMinor: offer.amountMinor,
      currency: offer.currency,
      offer: form.offer,
      attemptKey: form.attemptKey,
      card: card.card,
      cardToken: form.token,
      changePath: addressOf(offer),
      offers: terms,
      single: offer.installmentPlanMonths === null,
      interestFree: offer.feeAllocation === 'absorb',
      noOffers: terms.length === 0 ? noOffers : null,
      error,
    }),
    error ? 422 : 200,
  )
}

export async function submit(c: Ctx) {
  const form = await formOf(c)
  return form.method === 'card' ? submitCard(c, form) : submitCash(c, form, form.method)
}

async function submitCard(c: Ctx, form: Form) {
  const found = await opened(c, form)
  if ('stop' in found) return found.stop
  const { offer, card, terms, now } = found
  if (!mayTake(offer, terms, form.months)) return reviewOf(c, form, found, 'term_unavailable')
  return paid(c, form, offer, { method: 'card', token: form.token, card, months: form.months ?? 1 }, now)
}

async function submitCash(c: Ctx, form: Form, method: PushChoice['method']) {
  const found = await offerOfForm(c, form)
  if ('stop' in found) return found.stop
  const { offer, now } = found
  const wrong = wrongOf(form.buyer)
  if (wrong.length > 0) {
    const { locale, attemptKey, buyer } = form
    const came = { error: null, wrong, declined: null, pending: null }
    return formPage(c, offer, { locale, attemptKey, offer: form.offer, method, buyer, ...came })
  }
  return paid(c, form, offer, { method, buyer: form.buyer }, now)
}

/** All fields to correct, at once. */
function wrongOf({ name, email }: Buyer): BuyerField[] {
  const isName = /^[^\p{C}]{2,100}$/u.test(name) && /\p{L}/u.test(name) && !containsCardNumber(name)
  const isEmail = email.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]{2,}$/u.test(email)
  return [...(isName ? [] : ['name' as const]), ...(isEmail ? [] : ['email' as const])]
}

async function paid(c: Ctx, form: Form, offer: Offer, choice: CardChoice | PushChoice, now: Date) {
  const { attemptKey, locale } = form
  const request = { requestId: c.get('requestId'), now, attemptKey }
  const work = payOffer(c.get('services'), offer, choice, request)
  // Finish the payment even if the buyer leaves the page.
  c.executionCtx.waitUntil(work.catch(() => {}))
  try {
    const reference = await work
    rememberBegun(c, offer.publicId, reference)
    return c.redirect(withLocale(`/${offer.publicId}/${reference}`, locale), 303)
  } catch (error) {
    return notPaid(c, error, locale, offer)
  }
}

/** Whether a form may choose this term: 1 is a single payment, null a form without a choice. */
function mayTake(offer: Offer, terms: readonly Term[], months: number | null): boolean {
  if (terms.some((term) => term.months === months)) return true
  if (offer.installmentPlanMonths !== null) return false
  return months === 1 || (months === null && offer.installmentMonths.length === 0)
}

const resendFields = ({ offer, attemptKey, method, buyer, token, months, locale }: Form) => ({
  offer,
  attempt_key: attemptKey,
  locale,
  ...(method === 'card' ? { card_token: token } : { method, ...buyer }),
  ...(months === null ? {} : { months: String(months) }),
})

/** Nothing was charged: the link has changed since the page was shown, or another payment holds it. */
async function notPaid(c: Ctx, error: unknown, locale: Locale, offer: Offer) {
  if (error instanceof Problem && error.code === 'idempotency_key_reused') return again(c, locale, null)
  if (!(error instanceof Stale || (error instanceof Problem && error.code === 'payment_link_paid')))
    throw error
  const services = c.get('services')
  const visit = await findLink(services, c.req.param('publicId')!, begunHere(c))
  if (!visit) return state(c, { state: 'not_found' }, locale)
  const { link } = visit
  const why = closedBecause(services, link, new Date())
  const own = ownPathOf(visit, why)
  if (own) return c.redirect(withLocale(own, locale), 303)
  if (why) return closed(c, link, why, locale)
  if (awaitsPush(link)) return c.redirect(holderPath(link, locale), 303)
  return state(
    c,
    {
      state: 'changed',
      merchantName: link.merchantName,
      retryPath: `/${link.publicId}`,
      currency: link.currency,
      changes: changesOf(offer, link),
    },
    locale,
  )
}
