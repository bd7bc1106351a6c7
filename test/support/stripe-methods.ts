import type Stripe from 'stripe'
import { cards, nowSeconds } from './stripe-answers.ts'

/** A PaymentMethod, and what it stands for: a test card by its name, or a method without one. */
export interface Method {
  readonly id: string
  readonly type: 'card' | 'card_present' | 'oxxo' | 'customer_balance'
  readonly card: string | null
  readonly name: string | null
  readonly email: string | null
  readonly livemode: boolean
  /** Confirmed once without a customer it may not be used again. */
  readonly used: boolean
}

const cardOf = (name: string): Stripe.PaymentMethod.Card => {
  const { brand, last4, funding } = cards[name]!
  return {
    brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'MX',
    display_brand: brand,
    exp_month: 12,
    exp_year: 2031,
    fingerprint: `fp${last4}`,
    funding,
    generated_from: null,
    last4,
    networks: { available: [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  }
}

/** One that a reader has read. */
const presentedOf = (name: string): Stripe.PaymentMethod.CardPresent => {
  const { brand, last4, funding } = cards[name]!
  return {
    brand,
    brand_product: null,
    cardholder_name: null,
    country: 'MX',
    exp_month: 12,
    exp_year: 2031,
    fingerprint: `fp${last4}`,
    funding,
    last4,
    networks: { available: [brand], preferred: null },
    offline: { stored_at: null, type: null },
    preferred_locales: ['es'],
    read_method: 'contactless_emv',
  }
}

const ofType = ({ type, card }: Method) =>
  type === 'card'
    ? { card: cardOf(card!) }
    : type === 'card_present'
      ? { card_present: presentedOf(card!) }
      : type === 'oxxo'
        ? { oxxo: {} }
        : { customer_balance: {} }

export const methodOf = (method: Method): Stripe.PaymentMethod => ({
  id: method.id,
  object: 'payment_method',
  allow_redisplay: 'unspecified',
  billing_details: { address: noAddress, email: method.email, name: method.name, phone: null, tax_id: null },
  created: nowSeconds(),
  customer: null,
  customer_account: null,
  livemode: method.livemode,
  metadata: {},
  type: method.type,
  ...ofType(method),
})

export const noAddress: Stripe.Address = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
}

/** A ConfirmationToken, which previews the method that it makes when it is used. */
export const tokenOf = (id: string, method: Method): Stripe.ConfirmationToken => {
  const { billing_details, customer, customer_account, type, card } = methodOf(method)
  return {
    id,
    object: 'confirmation_token',
    created: nowSeconds(),
    expires_at: nowSeconds() + 12 * 3600,
    livemode: method.livemode,
    mandate_data: null,
    metadata: null,
    payment_intent: null,
    payment_method_options: null,
    payment_method_preview: {
      billing_details,
      customer,
      customer_account,
      type,
      ...(card ? { card } : {}),
    },
    return_url: null,
    setup_future_usage: null,
    setup_intent: null,
    shipping: null,
    use_stripe_sdk: true,
  }
}
