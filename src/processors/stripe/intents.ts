import type Stripe from 'stripe'
import { addBankDays, mexicoCityDate, mexicoCityInstant } from '../../kernel/bank-days.ts'
import type {
  CardCharge,
  CardFacts,
  CashCharge,
  Charge,
  CustomerAction,
  Known,
  ProcessorState,
  Sale,
  ThreeDs,
  TokenFacts,
} from '../port.ts'
import { isMissing, logged, readTimeoutMs, verdictOf } from './client.ts'
import { declineOf } from './declines.ts'
import { fromStripeAmount, toStripeAmount } from './money.ts'

/** Under which a PaymentIntent carries our attempt's id; search and notifications find it there. */
export const attemptKey = 'attempt_id'
/** Marks the empty PaymentIntent that closes a reference which never arrived. */
const closedKey = 'closed'
const expiresKey = 'expires_at'

const expand = ['latest_charge', 'payment_method']
const reading = { timeout: readTimeoutMs }
const writing = (idempotencyKey: string) => ({ idempotencyKey })

/** What goes out for a card: created and confirmed at once, under our attempt's id. */
export function cardParams(charge: CardCharge) {
  const { token, installmentMonths } = charge
  return {
    ...commonParams(charge),
    allowed_payment_method_types: ['card'],
    ...(token.startsWith('ctoken_') ? { confirmation_token: token } : { payment_method: token }),
    capture_method: charge.capture,
    return_url: charge.returnUrl,
    ...(installmentMonths > 1
      ? {
          payment_method_options: {
            card: {
              installments: {
                enabled: true,
                plan: { type: 'fixed_count', interval: 'month', count: installmentMonths },
              },
            },
          },
        }
      : {}),
  } satisfies Stripe.PaymentIntentCreateParams
}

/** A voucher that ends on the day of `expiresAt` at 23:59 in Mexico City; Stripe allows 1 to 7 days. */
export function oxxoParams(charge: CashCharge, now: Date) {
  return {
    ...commonParams(charge),
    allowed_payment_method_types: ['oxxo'],
    payment_method_data: {
      type: 'oxxo',
      billing_details: { name: charge.buyer.name, email: charge.buyer.email },
    },
    payment_method_options: { oxxo: { expires_after_days: daysUntil(charge.expiresAt, now) } },
  } satisfies Stripe.PaymentIntentCreateParams
}

/** A CLABE of its own: Stripe lends one per customer, so every attempt is a customer. */
export function speiParams(charge: CashCharge, customer: string) {
  return {
    ...commonParams(charge),
    customer,
    allowed_payment_method_types: ['customer_balance'],
    payment_method_data: { type: 'customer_balance' },
    payment_method_options: {
      customer_balance: { funding_type: 'bank_transfer', bank_transfer: { type: 'mx_bank_transfer' } },
    },
  } satisfies Stripe.PaymentIntentCreateParams
}

const commonParams = (charge: Charge) => ({
  amount: toStripeAmount(charge.amountMinor),
  currency: charge.currency,
  confirm: true,
  description: charge.merchantName,
  metadata: {
    [attemptKey]: charge.reference,
    ...(charge.method === 'card' ? {} : { [expiresKey]: charge.expiresAt.toISOString() }),
  },
  expand,
})

function daysUntil(expiresAt: Date, now: Date): number {
  const days = (Date.parse(mexicoCityDate(expiresAt)) - Date.parse(mexicoCityDate(now))) / 86_400_000
  return Math.min(Math.max(days, 1), 7)
}

/** Sends a charge. What Stripe refuses was not charged; whatever it does not say is unknown. */
export async function createAttempt(stripe: Stripe, charge: Charge, now: Date): Promise<ProcessorState> {
  const { reference } = charge
  try {
    const params = charge.method === 'card' ? cardParams(charge) : await cashParams(stripe, charge, now)
    return stateOf(await stripe.paymentIntents.create(params, writing(reference)))
  } catch (error) {
    const verdict = verdictOf(error)
    if (verdict === 'declined') return declinedBy(error as Stripe.errors.StripeError)
    if (verdict === 'refused' || verdict === 'not_sent') {
      console.error(JSON.stringify({ level: 'error', job: 'stripe', attempt: reference, ...logged(error) }))
      const category = verdict === 'refused' ? 'hard' : 'soft'
      return { state: 'declined', code: 'processing_error', category, card: null }
    }
    return { state: 'unknown' }
  }
}

async function cashParams(stripe: Stripe, charge: CashCharge, now: Date) {
  if (charge.method === 'oxxo') return oxxoParams(charge, now)
  const { name, email } = charge.buyer
  const customer = await stripe.customers.create(
    { name, email, metadata: { [attemptKey]: charge.reference } } satisfies Stripe.CustomerCreateParams,
    writing(`${charge.reference}:customer`),
  )
  return speiParams(charge, customer.id)
}

/** Where an attempt stands. Without Stripe's id it is searched for, which sees new ones up to a minute late. */
export async function fetchAttempt(
  stripe: Stripe,
  reference: string,
  known: Known | undefined,
  now: Date,
): Promise<ProcessorState> {
  const intent = await find(stripe, reference, known)
  if (!intent) return { state: 'not_found' }
  // A failed challenge leaves it open, and the buyer's browser holds its client secret: it is closed before it counts.
  return stateOf(isOver(intent, now) ? await end(stripe, reference, intent) : intent)
}

/**
 * Ends an attempt that is not captured. A reference that never arrived is closed: an empty PaymentIntent takes its
 * Idempotency-Key, so that the charge, if it still comes, is refused. When the key turns out to be taken, it did arrive
 * and the search will show it: unknown until then.
 */
export async function cancel(
  stripe: Stripe,
  reference: string,
  known: Known | undefined,
): Promise<ProcessorState> {
  const intent = (await find(stripe, reference, known)) ?? (await close(stripe, reference))
  return stateOf(await end(stripe, reference, intent))
}

/** Takes up to what was authorised; Stripe lets go of the rest. */
export async function capture(
  stripe: Stripe,
  reference: string,
  amountMinor: bigint,
  known: Known | undefined,
): Promise<ProcessorState> {
  const intent = await find(stripe, reference, known)
  if (!intent) return { state: 'not_found' }
  if (intent.status !== 'requires_capture') return stateOf(intent)
  const params = {
    amount_to_capture: toStripeAmount(amountMinor),
    expand,
  } satisfies Stripe.PaymentIntentCaptureParams
  try {
    return stateOf(
      await stripe.paymentIntents.capture(intent.id, params, writing(`${reference}:capture:${amountMinor}`)),
    )
  } catch (error) {
    if (verdictOf(error) !== 'refused') throw error
    return stateOf(await retrieve(stripe, intent.id))
  }
}

/** The PaymentIntent of a reference: by Stripe's id, or by search. Null where search shows none. */
export async function find(
  stripe: Stripe,
  reference: string,
  known: Known | undefined,
): Promise<Stripe.PaymentIntent | null> {
  if (known?.processorRef) return retrieve(stripe, known.processorRef)
  const query = `metadata['${attemptKey}']:'${reference}'`
  const { data } = await stripe.paymentIntents.search({ query, limit: 10 }, reading)
  const found = data.find((each) => !(closedKey in each.metadata)) ?? data[0]
  // What search shows may be old.
  return found ? retrieve(stripe, found.id) : null
}

async function retrieve(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.retrieve(id, { expand }, reading)
}

/** Stripe keeps a key for 24 hours; a charge is sent once, within a minute. The amount is the least that it takes. */
const close = (stripe: Stripe, reference: string): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.create(
    {
      amount: 1000,
      currency: 'mxn',
      allowed_payment_method_types: ['card'],
      metadata: { [attemptKey]: reference, [closedKey]: 'never_arrived' },
    } satisfies Stripe.PaymentIntentCreateParams,
    writing(reference),
  )

/** Bank days after its last one in which cash that a till took in time may still be told. */
const tillGraceBankDays = 2

/** It ended without money. A voucher's end is believed only when nothing that was paid in time can come any more. */
function isOver(intent: Stripe.PaymentIntent, now: Date): boolean {
  const { status, last_payment_error: error, metadata } = intent
  if (status !== 'requires_payment_method') return false
  const expiresAt = metadata[expiresKey]
  if (!intent.payment_method_types.includes('oxxo') || !expiresAt)
    return error !== null || closedKey in metadata
  const day = addBankDays(mexicoCityDate(new Date(expiresAt)), tillGraceBankDays)
  return now < new Date(expiresAt) || now >= mexicoCityInstant(day, '23:59')
}

const endless: readonly string[] = ['canceled', 'succeeded', 'processing']

/** One key per status that it is ended from: what Stripe once refused it would else go on refusing. */
async function end(
  stripe: Stripe,
  reference: string,
  intent: Stripe.PaymentIntent,
): Promise<Stripe.PaymentIntent> {
  if (endless.includes(intent.status)) return intent
  const params = { cancellation_reason: 'abandoned', expand } satisfies Stripe.PaymentIntentCancelParams
  try {
    return await stripe.paymentIntents.cancel(
      intent.id,
      params,
      writing(`${reference}:cancel:${intent.status}`),
    )
  } catch (error) {
    if (verdictOf(error) !== 'refused') throw error
    return retrieve(stripe, intent.id)
  }
}

/** The card's authorisation lapses after a week where Stripe does not say when. */
const authorisedMs = 7 * 86_400_000

/** A PaymentIntent as the port tells it. */
export function stateOf(intent: Stripe.PaymentIntent): ProcessorState {
  const { id: processorRef, currency } = intent
  switch (intent.status) {
    case 'succeeded':
      return {
        state: 'captured',
        amountMinor: fromStripeAmount(intent.amount_received),
        currency,
        card: cardOf(intent),
        processorRef,
        ...threeDsOf(intent),
      }
    case 'requires_capture': {
      const card = cardOf(intent)
      if (!card) return { state: 'unknown' }
      const lapses = chargeOf(intent)?.payment_method_details?.card?.capture_before
      const captureBefore = new Date(lapses ? lapses * 1000 : intent.created * 1000 + authorisedMs)
      const amountMinor = fromStripeAmount(intent.amount_capturable)
      return {
        state: 'authorized',
        amountMinor,
        currency,
        card,
        captureBefore,
        processorRef,
        ...threeDsOf(intent),
      }
    }
    case 'requires_action': {
      const action = actionOf(intent)
      return action ? { state: 'pending_customer', action, processorRef } : { state: 'unknown' }
    }
    case 'requires_payment_method':
    case 'canceled':
      return intent.last_payment_error && intent.payment_method_types.includes('card')
        ? { state: 'declined', ...declineOf(intent.last_payment_error), card: cardOf(intent) }
        : { state: intent.status === 'canceled' ? 'canceled' : 'unknown' }
    default:
      return { state: 'unknown' }
  }
}

function actionOf(intent: Stripe.PaymentIntent): CustomerAction | null {
  const { next_action: next, metadata } = intent
  const card = cardOf(intent)
  if (next?.redirect_to_url?.url && card) return { type: 'redirect', url: next.redirect_to_url.url, card }
  const voucher = next?.oxxo_display_details
  if (voucher?.number && voucher.expires_after)
    return {
      type: 'voucher',
      reference: voucher.number,
      expiresAt: new Date(voucher.expires_after * 1000),
    }
  const { financial_addresses: addresses = [] } = next?.display_bank_transfer_instructions ?? {}
  const spei = addresses.find((address) => address.spei)?.spei
  const expiresAt = metadata[expiresKey]
  return spei && expiresAt
    ? {
        type: 'clabe',
        clabe: spei.clabe,
        bankName: spei.bank_name,
        beneficiary: spei.account_holder_name,
        expiresAt: new Date(expiresAt),
      }
    : null
}

function declinedBy(error: Stripe.errors.StripeError): ProcessorState {
  const card = error.payment_method?.card
  return {
    state: 'declined',
    ...declineOf({ decline_code: error.decline_code, code: error.code }),
    card: card ? factsOf(card) : null,
  }
}

/** How the bank made sure of the buyer, as far as Stripe tells: never that the liability shifted, which it does not say. */
function threeDsOf(intent: Stripe.PaymentIntent): { readonly threeDs?: ThreeDs } {
  const card = chargeOf(intent)?.payment_method_details?.card
  const secure = card?.three_d_secure
  if (!secure) return {}
  const told = {
    eci: card.electronic_commerce_indicator ?? secure.electronic_commerce_indicator,
    trans_status: secure.result,
    ds_trans_id: secure.transaction_id,
  }
  const threeDs = Object.fromEntries(
    Object.entries(told).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
  return { threeDs }
}

const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null =>
  charge !== null && typeof charge === 'object' ? charge : null

function cardOf(intent: Stripe.PaymentIntent): CardFacts | null {
  const charged = chargeOf(intent)?.payment_method_details?.card
  if (charged) return factsOf(charged)
  const { payment_method: method, last_payment_error: error } = intent
  const card = (typeof method === 'object' ? method?.card : null) ?? error?.payment_method?.card
  return card ? factsOf(card) : null
}

interface StripeCard {
  readonly brand: string | null
  readonly last4: string | null
  readonly funding: string | null
  readonly iin?: string | null
}

/** `bin6` is empty for accounts to which Stripe does not show it. */
const factsOf = ({ brand, last4, funding, iin }: StripeCard): CardFacts => ({
  brand: brand ?? 'unknown',
  last4: last4 ?? '',
  bin6: iin?.slice(0, 6) ?? '',
  funding: funding ?? 'unknown',
})

/** In one call: the card, and with a sale in instalments the terms that Stripe offers it for this amount. */
export async function describe(stripe: Stripe, token: string, sale: Sale): Promise<TokenFacts | null> {
  try {
    if (token.startsWith('ctoken_')) {
      const { payment_method_preview: preview } = await stripe.confirmationTokens.retrieve(token, {}, reading)
      return preview?.card ? { card: factsOf(preview.card), installmentMonths: [] } : null
    }
    if (!token.startsWith('pm_')) return null
    if (!sale.installments || sale.currency !== 'mxn') {
      const { card } = await stripe.paymentMethods.retrieve(token, {}, reading)
      return card ? { card: factsOf(card), installmentMonths: [] } : null
    }
    const intent = await stripe.paymentIntents.create(planParams(token, sale), reading)
    const card = cardOf(intent)
    const plans = intent.payment_method_options?.card?.installments?.available_plans ?? []
    const months = plans.flatMap(({ type, count }) => (type === 'fixed_count' && count ? [count] : []))
    return card ? { card, installmentMonths: months } : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Stripe tells the terms of a card only on a PaymentIntent: this one is never confirmed. */
export const planParams = (token: string, { amountMinor, currency }: Sale) =>
  ({
    amount: toStripeAmount(amountMinor),
    currency,
    payment_method: token,
    allowed_payment_method_types: ['card'],
    payment_method_options: { card: { installments: { enabled: true } } },
    metadata: { purpose: 'installment_plans' },
    expand: ['payment_method'],
  }) satisfies Stripe.PaymentIntentCreateParams
