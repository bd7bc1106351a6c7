import { Hono } from 'hono'
import type { CardDetails } from '../../../drizzle/schema/payments.ts'
import type { Env } from '../../../src/http/mount.ts'
import { Problem } from '../../../src/http/problems.ts'
import { Stale } from '../../../src/http/publishing.ts'
import { containsCardNumber } from '../../../src/kernel/card-number.ts'
import { base36 } from '../../../src/kernel/ids.ts'
import type { DeclineCode } from '../../../src/processors/port.ts'
import { testCards } from '../../../src/processors/simulator/cards.ts'
import { requireProcessor } from '../../payments/published.ts'
import {
  closedBecause,
  findLink,
  findPayment,
  type PaymentOnPage,
  payOffer,
  priceOf,
  type Term,
  termOf,
  termsFor,
} from '../buyer.ts'
import { descriptionOf, type Offer, offerOf, openOffer, sealOffer } from '../offer.ts'
import type { LinkOnSale } from '../store.ts'
import { baseOf, type Ctx, framed, localeOf, ownPath, page, statePageOf as state } from './frame.ts'
import { type Locale, withLocale } from './locale.ts'
import { payPage } from './pay.ts'
import { resultPage } from './result.ts'
import { reviewPage } from './review.ts'
import type { PayError, ResultView } from './view.ts'

const linkPattern = '/:publicId{splink_[a-z0-9]{32}}'
const nearlyALink = '/:publicId{splink_[^/]*}'

/** The buyer's pages. GET reads and nothing else; money moves on POST of a form that carries a signed offer. */
export function buyerPages(): Hono<Env> {
  const app = new Hono<Env>()
  app.use(`${nearlyALink}/*`, ...framed)
  app.get(linkPattern, showLink)
  app.post(`${linkPattern}/review`, review)
  app.post(`${linkPattern}/attempts`, submit)
  app.get(`${linkPattern}/:reference{spcs_[a-z0-9]{32}}`, showPayment)
  // What a form was sent to, opened again by itself: a reload, a bookmark.
  app.get(`${linkPattern}/:step{review|attempts}`, (c) => again(c, localeOf(c), null))
  app.all(`${nearlyALink}/*`, (c) => state(c, { state: 'not_found' }))
  return app
}

function closed(
  c: Ctx,
  link: LinkOnSale,
  why: NonNullable<ReturnType<typeof closedBecause>>,
  locale: Locale,
) {
  if (why === 'archived') return state(c, { state: 'archived' }, locale)
  if (why === 'busy')
    return state(
      c,
      { state: 'busy', merchantName: link.merchantName, retryPath: `/${link.publicId}` },
      locale,
    )
  return state(c, { state: why, merchantName: link.merchantName }, locale)
}

const payErrors: readonly PayError[] = ['card_required', 'card_unknown', 'card_without_plan', 'offer_expired']

const retryPathOf = (publicId: string, retryOf: string | null) =>
  `/${publicId}${retryOf ? `?retry=${retryOf}` : ''}`

async function showLink(c: Ctx) {
  const services = c.get('services')
  const locale = localeOf(c)
  const now = new Date()
  const link = await findLink(services, c.req.param('publicId')!)
  if (!link) return state(c, { state: 'not_found' }, locale)
  const why = closedBecause(services, link, now)
  if (why) return closed(c, link, why, locale)
  const retryOf = /^spcs_[a-z0-9]{32}$/.exec(c.req.query('retry') ?? '')?.[0] ?? null
  const offer = offerOf(link, retryOf, now)
  const required = link.installmentPlanMonths !== null
  const allowed = required ? [link.installmentPlanMonths!] : link.installmentMonths
  const asked = c.req.query('error') as PayError | undefined
  return page(
    c,
    payPage({
      ...baseOf(c, locale),
      path: retryPathOf(link.publicId, retryOf),
      publicId: link.publicId,
      merchantName: link.merchantName,
      description: descriptionOf(link),
      amountMinor: priceOf(offer),
      currency: link.currency,
      expiresAt: link.expiresAt,
      offer: await sealOffer(services.settings, offer),
      attemptKey: base36(32),
      installments:
        allowed.length > 0
          ? { months: allowed, required, interestFree: link.feeAllocation === 'absorb' }
          : null,
      testCards: services.settings.environment === 'sandbox' ? testCards : [],
      error: asked && payErrors.includes(asked) ? asked : null,
    }),
  )
}

interface Form {
  readonly offer: string
  readonly attemptKey: string
  readonly token: string
  readonly months: number | null
  readonly locale: Locale
}

async function formOf(c: Ctx): Promise<Form> {
  const fields = await c.req.parseBody()
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
  const months = text('months')
  const form = {
    offer: text('offer'),
    attemptKey: text('attempt_key'),
    token: text('card_token'),
    months: /^\d{1,2}$/.test(months) ? Number(months) : null,
    locale: localeOf(c, text('locale')),
  }
  c.set('resend', { action: c.req.path, fields: resendFields(form) })
  return form
}

/** Back to the form of the link, saying what was wrong. */
const again = (c: Ctx, locale: Locale, error: PayError | null, retryOf: string | null = null) => {
  const kept = withLocale(retryPathOf(c.req.param('publicId')!, retryOf), locale)
  return c.redirect(error ? `${kept}&error=${error}` : kept, 303)
}

/** The offer, the card and the terms it gets; or where to send the buyer instead. */
async function opened(c: Ctx, form: Form) {
  const services = c.get('services')
  const now = new Date()
  if (!/^[a-z0-9]{32}$/.test(form.attemptKey))
    return { stop: state(c, { state: 'bad_request' }, form.locale) }
  const offer = await openOffer(services.settings, form.offer, c.req.param('publicId')!, now)
  if (!offer) return { stop: again(c, form.locale, 'offer_expired') }
  if (form.token === '') return { stop: again(c, form.locale, 'card_required', offer.retryOf) }
  const card = containsCardNumber(form.token) ? null : await requireProcessor(services).describe(form.token)
  if (!card) return { stop: again(c, form.locale, 'card_unknown', offer.retryOf) }
  const terms = termsFor(services, offer, card, now)
  if (offer.installmentPlanMonths !== null && terms.length === 0)
    return { stop: again(c, form.locale, 'card_without_plan', offer.retryOf) }
  return { offer, card, terms, now }
}

type Opened = Exclude<Awaited<ReturnType<typeof opened>>, { stop: unknown }>

async function review(c: Ctx) {
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
      currency: offer.currency,
      offer: form.offer,
      attemptKey: form.attemptKey,
      card: card.card,
      cardToken: form.token,
      changePath: retryPathOf(offer.publicId, offer.retryOf),
      offers: terms,
      single: offer.installmentPlanMonths === null,
      interestFree: offer.feeAllocation === 'absorb',
      noOffers: terms.length === 0 ? noOffers : null,
      error,
    }),
    error ? 422 : 200,
  )
}

async function submit(c: Ctx) {
  const services = c.get('services')
  const form = await formOf(c)
  const found = await opened(c, form)
  if ('stop' in found) return found.stop
  const { offer, card, terms, now } = found
  const months = form.months ?? 1
  if (!mayTake(offer, terms, form.months)) return reviewOf(c, form, found, 'term_unavailable')

  const origin = new URL(c.req.url).origin
  const choice = { token: form.token, card, months, attemptKey: form.attemptKey }
  const work = payOffer(services, offer, choice, { requestId: c.get('requestId'), origin, now })
  // A buyer who closes the page must not cut the payment in two.
  c.executionCtx.waitUntil(work.catch(() => {}))
  try {
    return c.redirect(withLocale(`/${offer.publicId}/${await work}`, form.locale), 303)
  } catch (error) {
    return notPaid(c, error, form.locale)
  }
}

/** Whether a form may ask for so many months: 1 is a single payment, null a form that could not choose. */
function mayTake(offer: Offer, terms: readonly Term[], months: number | null): boolean {
  if (terms.some((term) => term.months === months)) return true
  if (offer.installmentPlanMonths !== null) return false
  return months === 1 || (months === null && offer.installmentMonths.length === 0)
}

const resendFields = ({ offer, attemptKey, token, months, locale }: Form) => ({
  offer,
  attempt_key: attemptKey,
  card_token: token,
  locale,
  ...(months === null ? {} : { months: String(months) }),
})

/** Nothing was charged: the link is no longer what the page showed, or somebody else holds it. */
async function notPaid(c: Ctx, error: unknown, locale: Locale) {
  if (error instanceof Problem && error.code === 'idempotency_key_reused') return again(c, locale, null)
  if (!(error instanceof Stale || (error instanceof Problem && error.code === 'payment_link_paid')))
    throw error
  const services = c.get('services')
  const link = await findLink(services, c.req.param('publicId')!)
  if (!link) return state(c, { state: 'not_found' }, locale)
  const why = closedBecause(services, link, new Date())
  if (why) return closed(c, link, why, locale)
  return state(
    c,
    { state: 'changed', merchantName: link.merchantName, retryPath: `/${link.publicId}` },
    locale,
  )
}

async function showPayment(c: Ctx) {
  const services = c.get('services')
  const locale = localeOf(c)
  const found = await findPayment(services, c.req.param('publicId')!, c.req.param('reference')!)
  if (!found) return state(c, { state: 'not_found' }, locale)
  const { link, payment } = found
  const base = {
    ...baseOf(c, locale),
    path: `/${link.publicId}/${payment.publicId}`,
    merchantName: link.merchantName,
    reference: payment.publicId,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
  }
  const payable = closedBecause(services, link, new Date()) === null
  return page(
    c,
    resultPage({ ...base, ...resultOf(c, found, payable ? `/${link.publicId}` : null) } as ResultView),
  )
}

function resultOf(c: Ctx, { link, payment, attempt }: PaymentOnPage, linkPath: string | null): object {
  const { brand = '', last4 = '' } = (payment.methodDetails ?? {}) as Partial<CardDetails>
  switch (payment.status) {
    case 'succeeded':
      return {
        state: 'succeeded',
        paidAt: payment.succeededAt,
        card: { brand, last4 },
        description: payment.description,
        installments:
          payment.installmentMonths > 1
            ? {
                ...termOf(payment.amountMinor, payment.installmentMonths),
                interestFree: link.feeAllocation === 'absorb',
              }
            : null,
      }
    case 'requires_payment_method':
      return {
        state: 'declined',
        code: payment.declineCode as DeclineCode,
        retryPath: linkPath && `${linkPath}?retry=${payment.publicId}`,
      }
    case 'requires_action':
      return {
        state: 'requires_action',
        actionUrl: ownPath(attempt.nextAction?.url ?? '', c.get('services').settings.baseUrl, localeOf(c)),
      }
    case 'processing':
      return { state: attempt.status === 'integrity_failure' ? 'under_review' : 'processing' }
    default:
      return { state: payment.status === 'expired' ? 'expired' : 'canceled', retryPath: linkPath }
  }
}
