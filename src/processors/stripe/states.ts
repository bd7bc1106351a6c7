import type Stripe from 'stripe'
import { addDays, type IsoDate, mexicoCityDate } from '../../kernel/bank-days.ts'
import type { CardFacts, CustomerAction, ProcessorState, ThreeDs } from '../port.ts'
import { declineOf } from './declines.ts'
import { fromStripeAmount } from './money.ts'
import { readingOf } from './reading.ts'

/** The PaymentIntent metadata key of a cash payment's expiry: Stripe keeps none for transfers. */
export const expiresKey = 'expires_at'

/** Where Stripe does not say when a card's authorization lapses, we assume a week; of a card at a device two days. */
const authorizedMs = 7 * 86_400_000
const presentedMs = 2 * 86_400_000

/** A card that is presented to a device: https://docs.stripe.com/terminal/payments/collect-card-payment */
export const isPresented = ({ payment_method_types: types }: Stripe.PaymentIntent): boolean =>
  types.includes('card_present')

const isOfCard = (intent: Stripe.PaymentIntent) =>
  intent.payment_method_types.includes('card') || isPresented(intent)

/** No card was taken at the device yet, or it has one and Stripe has not decided. */
export const awaitsCard = (intent: Stripe.PaymentIntent): boolean =>
  ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status) &&
  isPresented(intent) &&
  expiresKey in intent.metadata &&
  !intent.last_payment_error

/** A PaymentIntent as the port's state. */
export function stateOf(intent: Stripe.PaymentIntent): ProcessorState {
  const { id: processorRef, currency } = intent
  if (awaitsCard(intent)) {
    const expiresAt = new Date(intent.metadata[expiresKey]!)
    return { state: 'pending_customer', action: { type: 'present_card', expiresAt }, processorRef }
  }
  switch (intent.status) {
    case 'succeeded':
      return {
        state: 'captured',
        amountMinor: fromStripeAmount(intent.amount_received),
        currency,
        card: cardOf(intent),
        processorRef,
        ...threeDsOf(intent),
        ...settledBy(intent),
      }
    case 'requires_capture': {
      const card = cardOf(intent)
      if (!card) return { state: 'unknown' }
      const { card: typed, card_present: presented } = chargeOf(intent)?.payment_method_details ?? {}
      const lapses = (typed ?? presented)?.capture_before
      const lastsMs = isPresented(intent) ? presentedMs : authorizedMs
      const captureBefore = new Date(lapses ? lapses * 1000 : intent.created * 1000 + lastsMs)
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
      return intent.last_payment_error && isOfCard(intent)
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

export function declinedBy(error: Stripe.errors.StripeError): ProcessorState {
  const card = error.payment_method?.card
  return {
    state: 'declined',
    ...declineOf({ decline_code: error.decline_code, code: error.code }),
    card: card ? factsOf(card) : null,
  }
}

/** What Stripe says of how the bank authenticated the buyer: never whether the liability shifted. */
function threeDsOf(intent: Stripe.PaymentIntent): { readonly threeDs?: ThreeDs } {
  const card = chargeOf(intent)?.payment_method_details?.card
  const secure = card?.three_d_secure
  if (!secure) return {}
  const fields = {
    eci: card.electronic_commerce_indicator ?? secure.electronic_commerce_indicator,
    trans_status: secure.result,
    ds_trans_id: secure.transaction_id,
  }
  const threeDs = Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
  return { threeDs }
}

/**
 * Stripe tells the instant from which the money is available, mostly a midnight in UTC; a balance of ours is released when
 * a day begins in Mexico City: https://docs.stripe.com/api/balance_transactions/object
 */
function settledBy(intent: Stripe.PaymentIntent): { readonly settledOn?: IsoDate } {
  const entry = chargeOf(intent)?.balance_transaction
  if (!entry || typeof entry === 'string') return {}
  return { settledOn: addDays(mexicoCityDate(new Date(entry.available_on * 1000 - 1)), 1) }
}

const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null =>
  charge !== null && typeof charge === 'object' ? charge : null

export function cardOf(intent: Stripe.PaymentIntent): CardFacts | null {
  const { card: typed, card_present: presented } = chargeOf(intent)?.payment_method_details ?? {}
  if (presented) return { ...factsOf(presented), ...readingOf(presented) }
  if (typed) return factsOf(typed)
  const { payment_method: method, last_payment_error: error } = intent
  const { card, card_present } = (typeof method === 'object' ? method : null) ?? error?.payment_method ?? {}
  const known = card ?? card_present
  return known ? factsOf(known) : null
}

interface StripeCard {
  readonly brand: string | null
  readonly last4: string | null
  readonly funding: string | null
  readonly iin?: string | null
}

/** `bin6` is empty where Stripe does not show it to the account. */
export const factsOf = ({ brand, last4, funding, iin }: StripeCard): CardFacts => ({
  brand: brand ?? 'unknown',
  last4: last4 ?? '',
  bin6: iin?.slice(0, 6) ?? '',
  funding: funding ?? 'unknown',
})
