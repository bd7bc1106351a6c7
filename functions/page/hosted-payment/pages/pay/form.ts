import { Problem } from '../../../../../src/http/problems.ts'
import { clientReferenceId } from '../../../../../src/http/schemas.ts'
import { formatPlain } from '../../../../../src/kernel/format.ts'
import { base36 } from '../../../../../src/kernel/ids.ts'
import { taxesWithMarkup } from '../../../../../src/kernel/iva.ts'
import { type Locale, withLocale } from '../../../../../src/kernel/locale.ts'
import { cardMethod, isPush, isPushMethod, type Method } from '../../../../../src/kernel/payment-methods.ts'
import type { CardEntry, DeclineCode } from '../../../../../src/processors/port.ts'
import { testCards } from '../../../../../src/processors/simulator/cards.ts'
import { requireProcessor } from '../../../../money/payments/api.ts'
import {
  awaitsPush,
  type Closed,
  closedBecause,
  findSale,
  isFree,
  isOver,
  isPaid,
  type OnSale,
  priceOf,
  pushUntil,
  termsOffered,
  tooFewFor,
  totalIn,
  type Visit,
} from '../../checkout-flow.ts'
import type { AmountBounds, HostedOrigins } from '../../hosted-origin.ts'
import { partsIn, type Quote, sealQuote, type VisitTerms } from '../../sealed-quote.ts'
import { baseOf, type Ctx, localeOf, page, statePageOf as state } from '../frame/frame.ts'
import { lookAs, policyOf } from '../frame/look.ts'
import { partOf, partQuery } from '../frame/shared.ts'
import type { AmountError, PayError, PayView } from '../frame/view.ts'
import { recoveryProblemOf } from '../mailed/recovering.ts'
import { isHolder } from '../result/holder.ts'
import { paymentHere } from '../result/payment-cookie.ts'
import { retryPathOf } from '../result/payment-facts.ts'
import { partsTag, termsTag } from '../waiting/status.ts'
import { amountOf, amountPage } from './amount.ts'
import { cardEntries } from './card-form.ts'
import { isChanged, unadjustedOf } from './choices.ts'
import { choicesAt, chosenQuote, limitCodes } from './chosen.ts'
import { closed } from './closed.ts'
import { withMethod } from './methods.ts'
import { lockedPage } from './password.ts'
import { payPage } from './pay.ts'
import { anotherWay, keptOf, quantitiesShown, quantityOf } from './quantity.ts'
import { typedHere } from './typed.ts'
import { buyerOf, detailsHere, prefilled } from './typed-details.ts'
import { countView } from './viewed.ts'

const payErrors: readonly string[] = [
  'card_required',
  'card_unknown',
  'card_without_plan',
  'quote_expired',
  'held_unpaid',
  'cards_paused',
  'card_blocked',
] satisfies PayError[]

/** The amount, or the part of what is shared. */
const isAmountChosen = ({ isChosen, quantity, choices, part }: Quote) =>
  isChosen && quantity === null && (!choices || part !== null)

/** The sale's address with this visit's retry, reference and chosen amount. */
export function addressOf(quote: Quote): string {
  const { publicId, retryOf, replaces, clientReferenceId, quantity, part, choices = {} } = quote
  const added = [
    ...(retryOf === null && replaces === null ? [] : [`retry=${retryOf ?? anotherWay}`]),
    ...(clientReferenceId === null ? [] : [`client_reference_id=${encodeURIComponent(clientReferenceId)}`]),
    ...(quantity === null ? [] : [`quantity=${quantity}`]),
    ...(part ? [partQuery(part, quote.currency)] : []),
    ...Object.entries(choices).map(([name, text]) => `${name}=${encodeURIComponent(text)}`),
    ...(isAmountChosen(quote) && !part ? [`amount=${formatPlain(quote.amountMinor, quote.currency)}`] : []),
  ]
  return added.length === 0 ? `/${publicId}` : `/${publicId}?${added.join('&')}`
}

/** The address of the form of a quote for a method. */
export const formPathOf = (quote: Quote, method: Method) => {
  const path = addressOf(quote)
  return quote.methods.length > 1 ? withMethod(path, method) : path
}

/** Without a valid quote only the chosen method is known. */
function pathBack(c: Ctx, from: { readonly quote: Quote | null; readonly method: Method } | null): string {
  if (from?.quote) return formPathOf(from.quote, from.method)
  const path = `/${c.req.param('publicId')}`
  return from && isPush(from) ? withMethod(path, from.method) : path
}

/** Back to the form, with the error. */
export const again = (
  c: Ctx,
  locale: Locale,
  error: PayError | null,
  from: { readonly quote: Quote | null; readonly method: Method } | null = null,
) => {
  const kept = withLocale(pathBack(c, from), locale)
  return c.redirect(error ? `${kept}&error=${error}` : kept, 303)
}

/**
 * The page where buyers find the payment that they began, be it paid, under way or over; null where another payment can
 * be made, or the sale's own page says more.
 */
export function ownPathOf({ onSale, own }: Visit, why: Closed | null): string | null {
  if (own === null || why === null) return null
  const isLive = !isOver(own)
  const ended = own.status === 'expired' || own.status === 'canceled'
  // 410: it never opens again.
  const leads = isPaid(own.status)
    ? true
    : !why.own?.isHidden && (isLive ? !awaitsPush(onSale) : ended && why.own?.status === 410)
  return leads ? `/${onSale.sale.publicId}/${own.publicId}` : null
}

/** The receipt of a sale that this browser completed without a payment; null elsewhere. */
export function receiptHere(c: Ctx, { origin, row, sale }: OnSale): string | null {
  const reference = origin.receiptOf?.(row)?.reference
  return reference && reference === paymentHere(c) ? `/${sale.publicId}/${reference}` : null
}

const pathInPlace = ({ onSale: { sale }, own, inPlace }: Visit): string =>
  own && own.publicId === inPlace?.publicId ? `/${sale.publicId}/${own.publicId}` : `/${sale.publicId}`

/** The open sale. A buyer who has begun a payment sees that payment, until they ask for another way to pay. */
export async function showForm(c: Ctx, origins: HostedOrigins) {
  const services = c.get('services')
  const locale = localeOf(c)
  const now = new Date()
  const retry = c.req.query('retry')
  const asked = /^spcs_[a-z0-9]{32}$/.exec(retry ?? '')?.[0] ?? null
  const came = { began: paymentHere(c), retried: asked, code: c.req.query('code') }
  const found = await findSale(services, origins, c.req.param('publicId')!, came)
  if (!found) return state(c, { state: 'not_found' }, locale)
  const { onSale } = found
  const because = closedBecause(onSale, now)
  const why = asked === found.own?.publicId && (await isHolder(c, found, because)) ? null : because
  if (!why?.own?.isHidden) await lookAs(c, onSale)
  const own = ownPathOf(found, why)
  const other = onSale.origin.leadsTo?.(onSale.row)
  if (other) return c.redirect(withLocale(`/${other}`, locale), 302)
  if (own) return c.redirect(withLocale(own, locale), 303)
  const receipt = receiptHere(c, onSale)
  if (receipt) return c.redirect(withLocale(receipt, locale), 303)
  // Only the browser of its buyer is led to the payment that replaced another; any other one gets a new form.
  if (found.inPlace) return c.redirect(withLocale(pathInPlace(found), locale), 303)
  // A voucher or CLABE issued while it was open may be paid, and looked at, until it is over.
  const holds = awaitsPush(onSale) && retry === undefined
  if (why && !(holds && !why.own?.isHidden)) return closed(c, onSale, why, locale)
  countView(c, onSale)
  const locked = await lockedPage(c, onSale, locale)
  if (locked) return locked
  if (awaitsPush(onSale) && asked === null && retry !== anotherWay)
    return found.own?.publicId === onSale.livePublicId
      ? c.redirect(withLocale(`/${onSale.sale.publicId}/${onSale.livePublicId}`, locale), 303)
      : (await import('../waiting/waiting.ts')).showWaiting(c, origins, onSale, locale)
  // An invalid reference is ignored: a buyer is here to pay. What several share has the merchant's own reference.
  const reference = onSale.sale.shared ? undefined : c.req.query('client_reference_id')
  const brought = clientReferenceId.safeParse(reference)
  const visit = {
    retryOf: asked,
    replaces: awaitsPush(onSale) ? onSale.liveId : null,
    clientReferenceId: brought.data ?? null,
  }
  const part = partOf(c, onSale.sale, found.retried)
  const amount = amountOf(onSale.sale, part, c.req.query('amount'), found.retried)
  if (typeof amount !== 'bigint') return askAmount(c, onSale, visit, amount, locale)
  const many = quantityOf(onSale.sale, c.req.query('quantity'), found.retried)
  await limitCodes(c, onSale.sale)
  const choices = choicesAt(c, onSale.sale, found.retried)
  const terms = { ...visit, ...choices, amountMinor: amount, quantity: many.quantity, part }
  const { quote, unadjusted } = chosenQuote(services, onSale, terms, now)
  const tooFew = found.retried ? null : tooFewFor(onSale, quote)
  if (tooFew) return closed(c, onSale, tooFew, locale)
  // No method takes an amount of this size.
  if (quote.methods.length === 0 && !isFree(onSale.sale))
    return onSale.sale.quantities || (quote.choices && !quote.part)
      ? state(c, { state: 'not_set_up', merchantName: onSale.merchantName, refused: false }, locale)
      : askAmount(c, onSale, visit, { error: 'out_of_bounds' }, locale)
  const sealed = await sealQuote(services.settings, quote)
  const error = c.req.query('error') ?? ''
  return formPage(c, quote, {
    locale,
    sealedQuote: sealed,
    attemptKey: base36(32),
    method: methodOf(quote, c.req.query('method')),
    error: payErrors.includes(error) ? (error as PayError) : null,
    wrong: [],
    buyer: buyerOf(quote, typedHere(c)),
    declined: declinedOf(found),
    pending: pendingOf(found),
    unadjusted: unadjusted ?? unadjustedOf(c),
    isChanged: isChanged(c),
    wrongQuantity: many.wrong,
    typed: { ...prefilled(quote), ...detailsHere(c) },
  })
}

/** The form in which the buyer chooses the amount: it leads back here. */
function askAmount(
  c: Ctx,
  { sale, merchantName }: OnSale,
  visit: Pick<VisitTerms, 'retryOf' | 'replaces' | 'clientReferenceId'>,
  { error }: { readonly error: AmountError | null },
  locale: Locale,
) {
  const method = c.req.query('method')
  return page(
    c,
    amountPage({
      ...baseOf(c, locale),
      ...(sale.amount as AmountBounds),
      shared: sale.shared ? { ...sale.shared, terms: partsTag(sale) } : null,
      merchantName,
      description: sale.description,
      currency: sale.currency,
      typed: c.req.query('amount') ?? '',
      kept: keptOf(visit, method),
      error,
    }),
    error ? 422 : 200,
  )
}

/** Why the payment to retry was refused. */
function declinedOf({ retried }: Visit): PayView['declined'] {
  if (retried?.status !== 'requires_payment_method' || retried.declineCode === null) return null
  return { method: retried.method, code: retried.declineCode as DeclineCode }
}

function pendingOf({ onSale, own }: Visit): PayView['pending'] {
  if (awaitsPush(onSale))
    return {
      kind: onSale.liveMethod,
      path: `/${onSale.sale.publicId}`,
      receivedMinor: onSale.liveReceivedMinor ?? 0n,
    }
  if (own === null || (isOver(own) && !isPaid(own.status))) return null
  return {
    kind: isPaid(own.status) ? 'paid' : 'under_way',
    path: `/${onSale.sale.publicId}/${own.publicId}`,
    receivedMinor: 0n,
  }
}

/** The requested method if it is offered; else the first one. A form that needs no payment is named like a card's. */
export const methodOf = (quote: Quote, asked: string | undefined): Method =>
  quote.methods.find((method) => method === asked) ?? quote.methods[0] ?? cardMethod

/** The form of a quote; also the reply to a submitted form with errors. */
export async function formPage(
  c: Ctx,
  quote: Quote,
  view: Pick<
    PayView,
    | 'locale'
    | 'attemptKey'
    | 'sealedQuote'
    | 'method'
    | 'error'
    | 'wrong'
    | 'buyer'
    | 'declined'
    | 'pending'
    | 'unadjusted'
    | 'isChanged'
    | 'typed'
    | 'wrongDetails'
  > & { readonly wrongQuantity?: string | null },
) {
  const { wrongQuantity = null, unadjusted } = view
  const required = quote.installmentPlanMonths !== null
  const allowed = required ? [quote.installmentPlanMonths!] : quote.installmentMonths
  const { methods, amountMinor } = quote
  const card = methods.includes(cardMethod)
  const services = c.get('services')
  const now = new Date()
  const offers = card && allowed.length > 0 ? termsOffered(services, quote, now) : []
  const cardMinor = priceOf(quote)
  const shownMinor = methods.length === 1 && card ? cardMinor : amountMinor
  const cardEntry = await cardEntryFor(c, quote, card)
  if (cardEntry) c.header('Content-Security-Policy', cardEntries[cardEntry.by].policy(policyOf(c)))
  return page(
    c,
    payPage({
      ...baseOf(c, view.locale),
      ...view,
      path: formPathOf(quote, view.method),
      formPath: addressOf(quote),
      quantities: quantitiesShown(quote, wrongQuantity),
      isBlocked: wrongQuantity !== null || isWrong(quote, unadjusted),
      amountPath: isAmountChosen(quote) ? retryPathOf(quote.publicId, null) : null,
      publicId: quote.publicId,
      merchantName: quote.merchantName,
      description: quote.description,
      lines: quote.order?.lines,
      parts: partsIn(quote),
      adjustable: quote.adjustable,
      payerEmailDomains: quote.payerEmailDomains,
      collects: quote.collects,
      cancelUrl: quote.cancelUrl,
      recovery: quote.recovery ? { ...quote.recovery, problem: recoveryProblemOf(c) } : null,
      amountMinor: shownMinor,
      taxes: taxesWithMarkup(quote.taxes ?? [], shownMinor - amountMinor),
      priceMinor: amountMinor,
      cardMinor,
      currency: quote.currency,
      expiresAt: quote.expiresAt === null ? null : new Date(quote.expiresAt),
      terms: termsTag(quote),
      pushUntil: Object.fromEntries(
        methods.filter(isPushMethod).map((method) => [method, pushUntil(services, quote, method, now)]),
      ),
      closesInMs: quote.expiresAt === null ? null : Math.max(0, quote.expiresAt - Date.now()),
      methods,
      installments:
        offers.length > 0
          ? {
              months: offers.map(({ months }) => months),
              required,
              interestFree: quote.feeAllocation === 'absorb',
              surchargeMinor: totalIn(quote, allowed[0]!) - amountMinor,
              offers,
            }
          : null,
      testCards: services.settings.environment === 'sandbox' ? testCards : [],
      cardEntry,
    }),
    view.wrong.length > 0 || wrongQuantity !== null || view.wrongDetails ? 422 : 200,
  )
}

/** What was chosen is not what the quote is for. */
const isWrong = ({ choices }: Quote, unadjusted: PayView['unadjusted']) =>
  !!unadjusted &&
  !unadjusted.isLeftOut &&
  (choices !== undefined || unadjusted.problem.startsWith('quantity.'))

/** In live a card is typed into the processor's own fields, never into ours. */
async function cardEntryFor(c: Ctx, quote: Quote, card: boolean): Promise<CardEntry | null> {
  if (!card) return null
  const { cardEntry } = requireProcessor(c.get('services'))
  if (!cardEntry) return null
  const entry = await cardEntry(quote.publicId)
  if (!entry) throw new Problem('payments_not_configured')
  return entry
}
