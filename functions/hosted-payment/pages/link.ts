import { Problem } from '../../../src/http/problems.ts'
import { clientReferenceId } from '../../../src/http/schemas.ts'
import { base36 } from '../../../src/kernel/ids.ts'
import type { DeclineCode, Method } from '../../../src/processors/port.ts'
import { testCards } from '../../../src/processors/simulator/cards.ts'
import type { LinkOnSale } from '../../payment-links/api.ts'
import { publishableKeyOf } from '../../payments/api.ts'
import {
  awaitsPush,
  type Closed,
  closedBecause,
  findLink,
  isOver,
  isPaid,
  priceOf,
  totalIn,
  type Visit,
} from '../checkout-flow.ts'
import { type Offer, offerOf, sealOffer } from '../signed-quote.ts'
import { baseOf, type Ctx, localeOf, page, statePageOf as state } from './frame.ts'
import { pageHeaders } from './headers.ts'
import { type Locale, withLocale } from './locale.ts'
import { withMethod } from './methods.ts'
import { payPage } from './pay.ts'
import { begunHere } from './payment-cookie.ts'
import { withStripe } from './stripe-card.ts'
import { typedHere } from './typed.ts'
import type { PayError, PayView } from './view.ts'

const payErrors: readonly string[] = [
  'card_required',
  'card_unknown',
  'card_without_plan',
  'offer_expired',
] satisfies PayError[]

export const retryPathOf = (publicId: string, retryOf: string | null) =>
  `/${publicId}${retryOf ? `?retry=${retryOf}` : ''}`

/** The link's address with this visit's retry and reference. */
export function addressOf({ publicId, retryOf, clientReferenceId }: Offer): string {
  const path = retryPathOf(publicId, retryOf)
  if (clientReferenceId === null) return path
  return `${path}${retryOf ? '&' : '?'}client_reference_id=${encodeURIComponent(clientReferenceId)}`
}

/** The address of the form of an offer for a method. */
const formPathOf = (offer: Offer, method: Method) => {
  const path = addressOf(offer)
  return offer.methods.length > 1 ? withMethod(path, method) : path
}

/** Without a valid offer only the chosen method is known. */
function pathBack(c: Ctx, from: { readonly offer: Offer | null; readonly method: Method } | null): string {
  if (from?.offer) return formPathOf(from.offer, from.method)
  const path = `/${c.req.param('publicId')}`
  return from && from.method !== 'card' ? withMethod(path, from.method) : path
}

/** Back to the form of the link, with the error. */
export const again = (
  c: Ctx,
  locale: Locale,
  error: PayError | null,
  from: { readonly offer: Offer | null; readonly method: Method } | null = null,
) => {
  const kept = withLocale(pathBack(c, from), locale)
  return c.redirect(error ? `${kept}&error=${error}` : kept, 303)
}

export function closed(c: Ctx, link: LinkOnSale, why: Closed, locale: Locale) {
  const refused = c.req.method === 'POST'
  if (why === 'archived') return state(c, { state: 'archived', refused }, locale)
  if (why === 'busy')
    return state(
      c,
      {
        state: 'busy',
        merchantName: link.merchantName,
        retryPath: `/${link.publicId}`,
        refused,
      },
      locale,
    )
  return state(c, { state: why, merchantName: link.merchantName, refused }, locale)
}

/** Reasons for which a link never opens again. */
const closedForGood: readonly (Closed | null)[] = ['already_paid', 'revoked', 'expired']

/**
 * The page where buyers find the payment that they began, be it paid, under way or over; null where the link takes
 * another payment, or its own page says more.
 */
export function ownPathOf({ link, own }: Visit, why: Closed | null): string | null {
  if (own === null || why === null) return null
  const isLive = !isOver(own)
  const ended = own.status === 'expired' || own.status === 'canceled'
  const leads = isPaid(own.status)
    ? true
    : why !== 'archived' && (isLive ? !awaitsPush(link) : ended && closedForGood.includes(why))
  return leads ? `/${link.publicId}/${own.publicId}` : null
}

/** The page of the payment that holds a single-use link until it is paid in cash. */
export const holderPath = (link: LinkOnSale, locale: Locale) =>
  withLocale(`/${link.publicId}/${link.livePublicId}`, locale)

/** The open link. A buyer who has begun a payment sees that payment, until they ask for another way to pay. */
export async function showLink(c: Ctx) {
  const services = c.get('services')
  const locale = localeOf(c)
  const now = new Date()
  const asked = /^spcs_[a-z0-9]{32}$/.exec(c.req.query('retry') ?? '')?.[0] ?? null
  const found = await findLink(services, c.req.param('publicId')!, begunHere(c), asked)
  if (!found) return state(c, { state: 'not_found' }, locale)
  const { link } = found
  const why = closedBecause(services, link, now)
  const own = ownPathOf(found, why)
  if (own) return c.redirect(withLocale(own, locale), 303)
  // A voucher or CLABE issued while the link was open may be paid, and looked at, until it is over.
  const holds = awaitsPush(link) && c.req.query('retry') === undefined
  if (why && !(holds && why !== 'archived')) return closed(c, link, why, locale)
  if (awaitsPush(link) && (holds || asked === null)) return c.redirect(holderPath(link, locale), 303)
  // An invalid reference is ignored: a buyer is here to pay.
  const brought = clientReferenceId.safeParse(c.req.query('client_reference_id'))
  const visit = {
    retryOf: awaitsPush(link) ? link.livePublicId : asked,
    clientReferenceId: brought.data ?? null,
  }
  const offer = offerOf(link, visit, now)
  const sealed = await sealOffer(services.settings, offer)
  const error = c.req.query('error') ?? ''
  return formPage(c, offer, {
    locale,
    offer: sealed,
    attemptKey: base36(32),
    method: methodOf(offer, c.req.query('method')),
    error: payErrors.includes(error) ? (error as PayError) : null,
    wrong: [],
    buyer: typedHere(c),
    declined: declinedOf(found),
    pending: pendingOf(found),
  })
}

/** Why the payment to retry was refused. */
function declinedOf({ retried }: Visit): PayView['declined'] {
  if (retried?.status !== 'requires_payment_method' || retried.declineCode === null) return null
  return { method: retried.method as Method, code: retried.declineCode as DeclineCode }
}

function pendingOf({ link, own }: Visit): PayView['pending'] {
  if (awaitsPush(link))
    return {
      kind: link.liveMethod as 'oxxo',
      path: `/${link.publicId}/${link.livePublicId}`,
      receivedMinor: link.liveReceivedMinor ?? 0n,
    }
  if (own === null || (isOver(own) && !isPaid(own.status))) return null
  return {
    kind: isPaid(own.status) ? 'paid' : 'begun',
    path: `/${link.publicId}/${own.publicId}`,
    receivedMinor: 0n,
  }
}

/** The requested method if the link has it; else its first one. */
export const methodOf = (offer: Offer, asked: string | undefined): Method =>
  offer.methods.find((method) => method === asked) ?? offer.methods[0] ?? 'card'

/** The form of an offer; also the reply to a submitted form with errors. */
export async function formPage(
  c: Ctx,
  offer: Offer,
  view: Pick<
    PayView,
    'locale' | 'attemptKey' | 'offer' | 'method' | 'error' | 'wrong' | 'buyer' | 'declined' | 'pending'
  >,
) {
  const required = offer.installmentPlanMonths !== null
  const allowed = required ? [offer.installmentPlanMonths!] : offer.installmentMonths
  const card = view.method === 'card'
  const publishableKey = await publishableKeyFor(c, offer, card)
  if (publishableKey) c.header('Content-Security-Policy', withStripe(pageHeaders['Content-Security-Policy']!))
  return page(
    c,
    payPage({
      ...baseOf(c, view.locale),
      ...view,
      path: formPathOf(offer, view.method),
      formPath: addressOf(offer),
      publicId: offer.publicId,
      merchantName: offer.merchantName,
      description: offer.description,
      amountMinor: card ? priceOf(offer) : offer.amountMinor,
      currency: offer.currency,
      expiresAt: offer.expiresAt === null ? null : new Date(offer.expiresAt),
      methods: offer.methods,
      installments:
        card && allowed.length > 0
          ? {
              months: allowed,
              required,
              interestFree: offer.feeAllocation === 'absorb',
              surchargeMinor: totalIn(offer, allowed[0]!) - offer.amountMinor,
            }
          : null,
      testCards: c.get('services').settings.environment === 'sandbox' ? testCards : [],
      publishableKey,
    }),
    view.wrong.length > 0 ? 422 : 200,
  )
}

/** In live a card is typed into the processor's own fields, never into ours. */
async function publishableKeyFor(c: Ctx, offer: Offer, card: boolean): Promise<string | null> {
  const services = c.get('services')
  if (!card || services.settings.environment !== 'live') return null
  const key = await publishableKeyOf(services, offer.publicId)
  if (!key) throw new Problem('payments_not_configured')
  return key
}
