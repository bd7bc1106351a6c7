import type Stripe from 'stripe'
import { cards, laterSeconds } from './stripe-answers.ts'
import { chargeIdOf, type Intended } from './stripe-intents.ts'
import { noAddress } from './stripe-methods.ts'

/**
 * Days until the money of a method is available, and what it costs: parts in 10,000, and a fixed part in centavos, with
 * the tax of 16 % on both. Figures of the stand-in, not of a contract; the days are the longest that Stripe's pages
 * name (https://docs.stripe.com/payments/oxxo, https://docs.stripe.com/payments/mx-bank-transfers).
 */
export const costs = {
  card: { days: 7, parts: 360, fixed: 300 },
  card_present: { days: 7, parts: 360, fixed: 300 },
  oxxo: { days: 4, parts: 360, fixed: 300 },
  customer_balance: { days: 3, parts: 100, fixed: 0 },
} as const

export const transactionIdOf = (source: string) => `txn_${source.replace('_', '')}`

const day = 86_400

/** The entry in the account's balance that a charge makes. */
export function entryOfCharge(intended: Intended): Stripe.BalanceTransaction {
  const charge = chargeOf(intended)
  const { days, parts, fixed } = costs[intended.type]
  const amount = charge.amount_captured
  const stripeFee = Math.round((amount * parts) / 10_000) + fixed
  const tax = Math.round(stripeFee * 0.16)
  const fees = [
    { amount: stripeFee, description: 'Stripe processing fees', type: 'stripe_fee' },
    { amount: tax, description: 'IVA', type: 'tax' },
  ]
  return entryOf(charge.id, intended.type.startsWith('card') ? 'charge' : 'payment', amount, {
    created: charge.created,
    available_on: charge.created + days * day,
    fees,
  })
}

/** An entry in the account's balance. */
export function entryOf(
  source: string,
  type: 'charge' | 'payment' | 'refund' | 'payment_refund' | 'adjustment',
  amount: number,
  more: {
    readonly created: number
    readonly available_on?: number
    readonly fees?: readonly { amount: number; description: string; type: string }[]
  },
): Stripe.BalanceTransaction {
  const fees = more.fees ?? []
  const fee = fees.reduce((sum, each) => sum + each.amount, 0)
  const available_on = more.available_on ?? more.created
  const categories = {
    charge: 'charge',
    payment: 'charge',
    refund: 'refund',
    payment_refund: 'refund',
    adjustment: 'dispute',
  }
  return {
    id: transactionIdOf(source),
    object: 'balance_transaction',
    amount,
    available_on,
    balance_type: 'payments',
    created: more.created,
    currency: 'mxn',
    description: null,
    exchange_rate: null,
    fee,
    fee_details: fees.map((each) => ({ ...each, application: null, currency: 'mxn' })),
    net: amount - fee,
    reporting_category: categories[type],
    source,
    status: available_on <= Date.now() / 1000 ? 'available' : 'pending',
    type,
  }
}

const failureOf = ({ error }: Intended): Stripe.Charge.Outcome => ({
  advice_code: 'try_again_later',
  network_advice_code: null,
  network_decline_code: '51',
  network_status: 'declined_by_network',
  reason: error?.decline_code ?? null,
  risk_level: 'normal',
  seller_message: 'The bank did not return any further details with this decline.',
  type: 'issuer_declined',
})

const approved: Stripe.Charge.Outcome = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: 'approved_by_network',
  reason: null,
  risk_level: 'normal',
  seller_message: 'Payment complete.',
  type: 'authorized',
}

/** The charge of a PaymentIntent whose `charged` is not `no`. */
export function chargeOf(intended: Intended): Stripe.Charge {
  const { amount, charged, method, refunded = 0, disputed = false, status } = intended
  const isPaid = charged === 'paid'
  const captured = isPaid ? (intended.received ?? amount) : 0
  // What is captured in part, or let go, is released: Stripe shows the rest as refunded.
  const given = isPaid
    ? amount - captured + refunded
    : charged !== 'failed' && status === 'canceled'
      ? amount
      : 0
  const isCash = intended.type === 'customer_balance'
  return {
    id: chargeIdOf({ ...intended, charged: isPaid ? 'paid' : 'authorized' })!,
    object: 'charge',
    amount: isCash ? captured : amount,
    amount_captured: captured,
    amount_refunded: isCash ? refunded : given,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: isPaid ? transactionIdOf(`ch_${intended.id.slice(3)}`) : null,
    billing_details: {
      address: noAddress,
      email: method?.email ?? null,
      name: method?.name ?? null,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: intended.suffix === null ? 'SPINDLE' : `SPINDLE* ${intended.suffix}`,
    captured: isPaid,
    created: intended.created,
    currency: intended.currency,
    customer: intended.customer ?? null,
    description: intended.description,
    disputed,
    failure_balance_transaction: null,
    failure_code: charged === 'failed' ? 'card_declined' : null,
    failure_message: charged === 'failed' ? 'The bank refused the card.' : null,
    fraud_details: {},
    livemode: intended.livemode,
    metadata: { ...intended.metadata },
    on_behalf_of: null,
    outcome: charged === 'failed' ? failureOf(intended) : approved,
    paid: charged !== 'failed',
    payment_intent: intended.id,
    payment_method: method?.id ?? null,
    payment_method_details: detailsOf(intended),
    radar_options: {},
    receipt_email: null,
    receipt_number: null,
    receipt_url: isPaid ? 'https://pay.stripe.example/receipt' : null,
    refunded: isPaid && refunded >= captured,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intended.suffix,
    status: charged === 'failed' ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}

function detailsOf(intended: Intended): Stripe.Charge.PaymentMethodDetails {
  const { type, token, charged, amount, planMonths, threeDs } = intended
  if (type === 'oxxo') return { type, oxxo: { number: '12345678901234567890123456789012' } }
  if (type === 'customer_balance') return { type, customer_balance: {} }
  const { brand, last4, funding } = cards[token!]!
  if (type === 'card_present') return { type, card_present: presentedOf(intended) }
  const authenticated = intended.authenticated || threeDs === 'any'
  return {
    type: 'card',
    card: {
      amount_authorized: charged === 'failed' ? null : amount,
      authorization_code: charged === 'failed' ? null : '123456',
      brand,
      ...(charged === 'authorized' ? { capture_before: laterSeconds } : {}),
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'MX',
      electronic_commerce_indicator: null,
      exp_month: 12,
      exp_year: 2031,
      fingerprint: `fp${last4}`,
      funding,
      installments:
        planMonths === undefined
          ? null
          : { plan: { count: planMonths, interval: 'month', type: 'fixed_count' } },
      last4,
      mandate: null,
      network: brand,
      network_transaction_id: null,
      regulated_status: 'unregulated',
      three_d_secure: authenticated ? secured : null,
      transaction_link_id: null,
      wallet: null,
    },
  }
}

/** As a reader has read it: a contactless chip without a PIN. */
function presentedOf({ token, charged, amount }: Intended): Stripe.Charge.PaymentMethodDetails.CardPresent {
  const { brand, last4, funding } = cards[token!]!
  return {
    amount_authorized: charged === 'failed' ? null : amount,
    brand,
    brand_product: null,
    ...(charged === 'authorized' ? { capture_before: laterSeconds } : {}),
    cardholder_name: null,
    country: 'MX',
    emv_auth_data: null,
    exp_month: 12,
    exp_year: 2031,
    fingerprint: `fp${last4}`,
    funding,
    generated_card: null,
    incremental_authorization_supported: false,
    last4,
    network: brand,
    network_transaction_id: null,
    offline: { stored_at: null, type: null },
    overcapture_supported: false,
    preferred_locales: ['es'],
    read_method: 'contactless_emv',
    receipt: {
      account_type: 'credit',
      application_cryptogram: '5D2C8A1B7F3E4960',
      application_preferred_name: 'VISA CREDITO',
      authorization_code: charged === 'failed' ? null : '123456',
      authorization_response_code: charged === 'failed' ? '3531' : '3030',
      cardholder_verification_method: 'none',
      dedicated_file_name: 'A0000000031010',
      terminal_verification_results: '0000000000',
      transaction_status_information: '0000',
    },
  }
}

const secured: Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure = {
  authentication_flow: 'challenge',
  electronic_commerce_indicator: '05',
  exemption_indicator: null,
  result: 'authenticated',
  result_reason: null,
  transaction_id: 'b3c2a1d0-0000-4000-8000-000000000001',
  version: '2.2.0',
}
