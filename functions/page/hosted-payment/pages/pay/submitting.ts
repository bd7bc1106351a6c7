import type { CollectedDetails } from '../../../../../drizzle/schema/buyer-details.ts'
import { Problem } from '../../../../../src/http/problems.ts'
import { Stale } from '../../../../../src/http/publishing.ts'
import { networkOfCaller } from '../../../../../src/http/stages/rate-limit.ts'
import { containsCardNumber } from '../../../../../src/kernel/card-number.ts'
import { normalizeEmail } from '../../../../../src/kernel/email.ts'
import { type Locale, withLocale } from '../../../../../src/kernel/locale.ts'
import {
  cardMethod,
  flowOf,
  isMethod,
  isPush,
  isPushMethod,
  type Method,
} from '../../../../../src/kernel/payment-methods.ts'
import type { Buyer } from '../../../../../src/processors/port.ts'
import {
  CardBlocked,
  isCardsPaused,
  isCardsPausedHere,
  isHeldUnpaid,
  isSoldElsewhere,
  requireProcessor,
} from '../../../../money/payments/api.ts'
import {
  awaitsPush,
  type Closed,
  closedBecause,
  findSale,
  type OnSale,
  originAt,
  priceOf,
  type Term,
  termsFor,
  tooFewFor,
} from '../../checkout-flow.ts'
import type { Choices } from '../../choices.ts'
import { readDetails } from '../../details.ts'
import type { HostedOrigins } from '../../hosted-origin.ts'
import { type CardChoice, type PushChoice, payQuote } from '../../paying.ts'
import { changesOf, openQuote, partsIn, type Quote } from '../../sealed-quote.ts'
import {
  baseOf,
  type Ctx,
  formFields,
  limitAttempts,
  localeOf,
  page,
  statePageOf as state,
} from '../frame/frame.ts'
import { lookAs, lookAsNobody } from '../frame/look.ts'
import type { BuyerField, PayError } from '../frame/view.ts'
import { toBank } from '../result/challenge.ts'
import { paymentHere, rememberPayment } from '../result/payment-cookie.ts'
import { choicesIn } from './choices.ts'
import { closed } from './closed.ts'
import { addressOf, again, formPage, ownPathOf, receiptHere } from './form.ts'
import { chosenFirst } from './ordering.ts'
import { mayPay } from './payer-email.ts'
import { askedField, askForPerson, isTakenForPerson, personField } from './person.ts'
import { reviewPage } from './review.ts'
import { rememberTyped } from './typed.ts'
import { askedOf, rememberDetails, type Typed, typedIn } from './typed-details.ts'

export interface Form {
  readonly sealedQuote: string
  readonly attemptKey: string
  readonly method: Method
  readonly buyer: Buyer
  readonly token: string
  /** A script runs on its page, and no frame keeps it from leading on. */
  readonly toBank: boolean
  /** What says that the buyer is a person; '' where nothing asked. */
  readonly personToken: string
  readonly isAskedAgain: boolean
  readonly months: number | null
  readonly locale: Locale
  /** What else the sale asked for, as typed. */
  readonly typed: Typed
  /** What the form says of the order. */
  readonly choices: Choices
}

export async function formOf(c: Ctx): Promise<Form> {
  const text = await formFields(c)
  const months = text('months')
  const form: Form = {
    sealedQuote: text('quote'),
    attemptKey: text('attempt_key'),
    method: methodNamed(text('method')),
    buyer: {
      name: (text('name') || text('card_name')).trim(),
      email: (text('email') || text('receipt_email')).trim(),
    },
    token: text('card_token'),
    toBank: text('to_bank') === 'yes',
    personToken: text(personField),
    isAskedAgain: text(askedField) === 'yes',
    months: /^\d{1,2}$/.test(months) ? Number(months) : null,
    locale: localeOf(c, text('locale')),
    typed: await typedIn(c, text),
    choices: await choicesIn(c),
  }
  c.set('resend', { action: c.req.path, fields: resendFields(form) })
  rememberTyped(c, c.req.param('publicId')!, form.buyer)
  rememberDetails(c, c.req.param('publicId')!, form.typed)
  return form
}

/** The card form names no method. */
function methodNamed(name: string): Method {
  if (name === '') return cardMethod
  if (!isMethod(name)) throw new Problem('body_malformed')
  return name
}

/** The form's quote, counted; null where it is not valid. */
export async function quoteIn(c: Ctx, { sealedQuote }: Form, isForm: boolean, now: Date) {
  const { settings } = c.get('services')
  const quote = isForm ? await openQuote(settings, sealedQuote, c.req.param('publicId')!, now) : null
  if (!c.req.path.endsWith('/review')) await limitAttempts(c, quote && sealedQuote)
  return quote
}

/** The form's quote, if it is valid and has its method; or where to send the buyer instead. */
async function quoteOfForm(c: Ctx, origins: HostedOrigins, form: Form) {
  const now = new Date()
  const isForm = /^[a-z0-9]{32}$/.test(form.attemptKey)
  const quote = await quoteIn(c, form, isForm, now)
  if (!isForm) return { stop: state(c, { state: 'bad_request' }, form.locale) }
  if (!quote) return { stop: again(c, form.locale, 'quote_expired', { quote, method: form.method }) }
  await lookAs(c, quote)
  const chosen = await chosenFirst(c, origins, quote, form)
  if (chosen) return { stop: chosen }
  if (!quote.methods.includes(form.method)) return { stop: again(c, form.locale, null) }
  return { quote, now }
}

/** The quote, the card and the terms it gets; or where to send the buyer instead. */
async function opened(c: Ctx, origins: HostedOrigins, form: Form) {
  const services = c.get('services')
  const found = await quoteOfForm(c, origins, form)
  if ('stop' in found) return { stop: found.stop }
  const { quote, now } = found
  const stop = (error: PayError) => ({ stop: again(c, form.locale, error, { quote, method: cardMethod }) })
  if (!isReceiptEmail(form, quote) || !mayPay(quote.payerEmailDomains, form.buyer.email))
    return { stop: await formAgain(c, form, quote, ['email']) }
  if (form.token === '') return stop('card_required')
  const sale = {
    amountMinor: priceOf(quote),
    currency: quote.currency,
    installments: quote.installmentPlanMonths !== null || quote.installmentMonths.length > 0,
    publicId: quote.publicId,
  }
  const card = containsCardNumber(form.token)
    ? null
    : await requireProcessor(services).describe(form.token, sale).catch(notTold)
  if (!card) return stop('card_unknown')
  const wantsTerm = quote.installmentPlanMonths !== null || (form.months ?? 1) > 1
  if (card.termsUnknown && wantsTerm) return notTold(null)
  const terms = termsFor(services, quote, card, now)
  if (quote.installmentPlanMonths !== null && terms.length === 0) return stop('card_without_plan')
  return { quote, card, terms, now }
}

/** Nothing was charged yet: the same form may be sent again. */
function notTold(cause: unknown): never {
  throw new Problem('outcome_unknown', {}, { cause })
}

type Opened = Exclude<Awaited<ReturnType<typeof opened>>, { stop: unknown }>

export async function review(c: Ctx, origins: HostedOrigins) {
  const form = await formOf(c)
  const found = await opened(c, origins, form)
  if ('stop' in found) return found.stop
  return reviewOf(c, form, found, null)
}

function reviewOf(c: Ctx, form: Form, { quote, card, terms }: Opened, error: 'term_unavailable' | null) {
  const without = card.termsUnknown ? ('terms_unknown' as const) : ('card_not_eligible' as const)
  const noOffers = card.installmentMonths.length === 0 ? without : ('amount_too_low' as const)
  return page(
    c,
    reviewPage({
      ...baseOf(c, form.locale),
      publicId: quote.publicId,
      merchantName: quote.merchantName,
      description: quote.description,
      parts: partsIn(quote),
      amountMinor: priceOf(quote),
      priceMinor: quote.amountMinor,
      currency: quote.currency,
      sealedQuote: form.sealedQuote,
      attemptKey: form.attemptKey,
      card: card.card,
      cardToken: form.token,
      buyer: form.buyer,
      typed: askedOf(quote.collects, form.typed),
      changePath: addressOf(quote),
      offers: terms,
      single: quote.installmentPlanMonths === null,
      interestFree: quote.feeAllocation === 'absorb',
      noOffers: terms.length === 0 ? noOffers : null,
      error,
    }),
    error ? 422 : 200,
  )
}

export async function submit(c: Ctx, origins: HostedOrigins) {
  const form = await formOf(c)
  return isPush(form) ? submitPush(c, origins, form) : submitCard(c, origins, form)
}

async function submitCard(c: Ctx, origins: HostedOrigins, form: Form) {
  const found = await opened(c, origins, form)
  if ('stop' in found) return found.stop
  const { quote, card, terms, now } = found
  if (!mayTake(quote, terms, form.months)) return reviewOf(c, form, found, 'term_unavailable')
  const isPerson = await isTakenForPerson(c, form)
  const choice = { method: cardMethod, token: form.token, card, months: form.months ?? 1, isPerson }
  const read = detailsIn(form, quote, now)
  if ('wrong' in read) return formAgain(c, form, quote, [])
  return paid(c, origins, form, { quote, details: read.details, now }, choice)
}

async function submitPush(c: Ctx, origins: HostedOrigins, form: Form & Pick<PushChoice, 'method'>) {
  const found = await quoteOfForm(c, origins, form)
  if ('stop' in found) return found.stop
  const { quote, now } = found
  const wrong = wrongOf(form, quote)
  const read = detailsIn(form, quote, now)
  if (wrong.length > 0 || 'wrong' in read) return formAgain(c, form, quote, wrong)
  const { details } = read
  return paid(c, origins, form, { quote, details, now }, { method: form.method, buyer: form.buyer })
}

/** What the sale asked for, read; null where it asks nothing. */
export function detailsIn(form: Form, { collects }: Quote, now: Date) {
  if (!collects) return { details: null }
  const { typed, buyer } = form
  // Where a push payment is offered the form asks for the name anyway.
  const given = { 'detail.name': buyer.name, ...typed }
  return readDetails(collects, given, now, mailable(buyer.email))
}

/** Whether the field for the address has what it must: an address where the sale asks for it, one or nothing elsewhere. */
export const isReceiptEmail = ({ buyer: { email } }: Form, { collects }: Quote): boolean =>
  email === '' ? collects?.email !== 'required' : mailable(email) !== null

interface Ready {
  readonly quote: Quote
  readonly details: CollectedDetails | null
  readonly now: Date
}

/** The same form, with the fields to correct. */
export function formAgain(c: Ctx, form: Form, quote: Quote, fields: readonly BuyerField[]) {
  const { locale, attemptKey, sealedQuote, method, buyer } = form
  const read = detailsIn(form, quote, new Date())
  // Where only cards are taken the one address is the receipt's.
  const wrong = fields.map((id) =>
    id === 'email' && !quote.methods.some(isPushMethod) ? 'receipt_email' : id,
  )
  const more = { typed: form.typed, ...('wrong' in read ? { wrongDetails: read.wrong } : {}) }
  const came = { error: null, wrong, declined: null, pending: null, ...more }
  return formPage(c, quote, { locale, attemptKey, sealedQuote, method, buyer, ...came })
}

/** As it is stored and mailed to; null for what is no address, or contains a card number. */
export const mailable = (email: string): string | null =>
  containsCardNumber(email) ? null : normalizeEmail(email)

/** All fields to correct, at once. */
function wrongOf({ method, buyer: { name, email } }: Form, { payerEmailDomains }: Quote): BuyerField[] {
  // Stripe prints a voucher only for a name and a surname of two letters each (stripe-android#2431).
  const words = flowOf(method) === 'voucher' ? /\p{L}{2}[^\p{L}]*\s.*\p{L}{2}/u : /\p{L}/u
  const isName = /^[^\p{C}]{2,100}$/u.test(name) && words.test(name) && !containsCardNumber(name)
  const isEmail = email.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]{2,}$/u.test(email)
  return [
    ...(isName ? [] : ['name' as const]),
    ...(isEmail && mailable(email) !== null && mayPay(payerEmailDomains, email) ? [] : ['email' as const]),
  ]
}

async function paid(
  c: Ctx,
  origins: HostedOrigins,
  form: Form,
  { quote, details, now }: Ready,
  choice: CardChoice | PushChoice,
) {
  const { attemptKey, locale } = form
  const email = mailable(form.buyer.email)
  const contact = email === null ? null : { email, locale }
  const network = networkOfCaller(c)
  const request = { requestId: c.get('requestId'), now, network, attemptKey, contact, details }
  const work = payQuote(c.get('services'), originAt(origins, quote.publicId)!, quote, choice, request)
  // Finish the payment even if the buyer leaves the page.
  c.executionCtx.waitUntil(work.catch(() => {}))
  try {
    const { publicId, inPlace, isOwn, asksBank = false } = await work
    const reference = inPlace !== undefined && inPlace === paymentHere(c) ? inPlace : publicId
    if (isOwn) await rememberPayment(c, quote.publicId, reference)
    const path = `/${quote.publicId}/${reference}`
    return c.redirect(withLocale(asksBank && form.toBank ? toBank(path) : path, locale), 303)
  } catch (error) {
    if (isHeldUnpaid(error)) return again(c, locale, 'held_unpaid', { quote, method: firstOf(quote) })
    const isAsked = isCardsPausedHere(error) && !('isPerson' in choice && choice.isPerson)
    const asking = isAsked ? askForPerson(c, quote, form) : null
    if (asking) return asking
    if (isCardsPaused(error)) return again(c, locale, 'cards_paused', { quote, method: pushFirst(quote) })
    if (error instanceof CardBlocked) return again(c, locale, 'card_blocked', { quote, method: cardMethod })
    return notPaid(c, origins, error, locale, quote)
  }
}

/** A card where one is taken: it is paid at once. */
const firstOf = ({ methods }: Quote): Method => methods.find((method) => !isPushMethod(method)) ?? methods[0]!

/** What the buyer pays elsewhere, where that is taken. */
const pushFirst = ({ methods }: Quote): Method => methods.find(isPushMethod) ?? methods[0]!

/** Whether a form may choose this term: 1 is a single payment, null a form without a choice. */
function mayTake(quote: Quote, terms: readonly Term[], months: number | null): boolean {
  if (terms.some((term) => term.months === months)) return true
  if (quote.installmentPlanMonths !== null) return false
  return months === 1 || (months === null && quote.installmentMonths.length === 0)
}

const resendFields = (form: Form) => ({
  quote: form.sealedQuote,
  attempt_key: form.attemptKey,
  locale: form.locale,
  ...form.typed,
  ...form.choices,
  ...(isPush(form)
    ? { method: form.method, ...form.buyer }
    : {
        card_token: form.token,
        ...(form.buyer.name === '' ? {} : { name: form.buyer.name }),
        ...(form.buyer.email === '' ? {} : { receipt_email: form.buyer.email }),
        ...(form.toBank ? { to_bank: 'yes' } : {}),
      }),
  ...(form.months === null ? {} : { months: String(form.months) }),
})

/** The workspace was suspended or closed since the page was shown. */
const takesNoPayments = (error: unknown) =>
  error instanceof Problem && /^workspace_(not_live|suspended|closed)$/.test(error.code)

/** A discount that the buyer chose is gone; null where it was another thing. */
const lostOf = ({ origin }: OnSale, quote: Quote, { code }: Problem): Closed | null =>
  quote.choices && code.startsWith('discount_') && origin.states.discount_lost
    ? { state: 'own', own: origin.states.discount_lost, visit: quote }
    : null

/** Nothing was charged: the sale has changed since the page was shown, or another payment holds it. */
export async function notPaid(c: Ctx, origins: HostedOrigins, error: unknown, locale: Locale, quote: Quote) {
  if (error instanceof Problem && error.code === 'idempotency_key_reused') return again(c, locale, null)
  const spent = originAt(origins, quote.publicId)?.spent ?? []
  const isSpent = error instanceof Problem && spent.includes(error.code)
  if (!(error instanceof Stale || isSpent || isSoldElsewhere(error, origins) || takesNoPayments(error)))
    throw error
  const services = c.get('services')
  const came = { began: paymentHere(c), code: quote.choices?.code }
  const visit = await findSale(services, origins, c.req.param('publicId')!, came)
  if (!visit) return state(c, { state: 'not_found' }, locale)
  const { onSale } = visit
  const why = closedBecause(onSale, new Date())
  if (why?.own?.isHidden) lookAsNobody(c)
  // Who chose a part of a bill reads first that it is a part of another one.
  const other = onSale.sale.exclusive ? onSale.origin.leadsTo?.(onSale.row) : null
  const own = other ? `/${other}` : (ownPathOf(visit, why) ?? receiptHere(c, onSale))
  if (own) return c.redirect(withLocale(own, locale), 303)
  const closure = why ?? (isSpent ? (tooFewFor(onSale, quote) ?? lostOf(onSale, quote, error)) : null)
  if (closure) return closed(c, onSale, closure, locale)
  if (awaitsPush(onSale)) return c.redirect(withLocale(`/${onSale.sale.publicId}`, locale), 303)
  return state(
    c,
    {
      state: 'changed',
      words: onSale.origin.words[locale].changed,
      merchantName: onSale.merchantName,
      retryPath: `/${onSale.sale.publicId}`,
      currency: onSale.sale.currency,
      changes: changesOf(quote, onSale),
    },
    locale,
  )
}
