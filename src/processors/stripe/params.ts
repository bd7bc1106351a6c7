import type Stripe from 'stripe'
import { mexicoCityDate } from '../../kernel/bank-days.ts'
import { isPush } from '../../kernel/payment-methods.ts'
import type { PresentedCharge } from '../in-person.ts'
import type { CardCharge, Charge, PushCharge } from '../port.ts'
import { toStripeAmount } from './money.ts'
import { expiresKey } from './states.ts'

/** The PaymentIntent metadata key of our attempt's id; search and notifications use it. */
export const attemptKey = 'attempt_id'

/** That of the reader which a PaymentIntent was made for. */
export const readerKey = 'reader'

/** An id in another form is not ours: the account may have other uses. */
export const isOurId = (id: string | undefined): id is string =>
  id !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)

export const expand = ['latest_charge.balance_transaction', 'payment_method']

/** A card's PaymentIntent: created and confirmed at once, under our attempt's id. */
export function cardParams(charge: CardCharge) {
  const { token, installmentMonths, threeDs } = charge
  // At a merchant's own account the account's own descriptor says who took the money.
  const suffix = charge.accountId === null ? suffixOf(charge.merchantName) : null
  const card = {
    ...(threeDs === 'required' ? { request_three_d_secure: 'any' as const } : {}),
    ...(installmentMonths > 1
      ? {
          installments: {
            enabled: true,
            plan: { type: 'fixed_count', interval: 'month', count: installmentMonths },
          } as const,
        }
      : {}),
  }
  return {
    ...commonParams(charge),
    allowed_payment_method_types: ['card'],
    ...(token.startsWith('ctoken_') ? { confirmation_token: token } : { payment_method: token }),
    capture_method: charge.capture,
    ...(suffix === null ? {} : { statement_descriptor_suffix: suffix }),
    ...(Object.keys(card).length > 0 ? { payment_method_options: { card } } : {}),
  } satisfies Stripe.PaymentIntentCreateParams
}

/** A voucher that ends on the day of `expiresAt` at 23:59 in Mexico City; Stripe allows 1 to 7 days. */
export function oxxoParams(charge: PushCharge, now: Date) {
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

/** A CLABE of its own: Stripe lends one per customer, so every attempt creates a customer. */
export function speiParams(charge: PushCharge, customer: string) {
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

/** A PaymentIntent for a reader or a phone, which confirms it with the card that is presented. */
export const presentedParams = ({ readerRef, ...charge }: PresentedCharge) =>
  ({
    amount: toStripeAmount(charge.amountMinor),
    currency: charge.currency,
    allowed_payment_method_types: ['card_present'],
    capture_method: charge.capture,
    metadata: {
      [attemptKey]: charge.reference,
      [expiresKey]: charge.expiresAt.toISOString(),
      ...(readerRef === null ? {} : { [readerKey]: readerRef }),
    },
    expand,
  }) satisfies Stripe.PaymentIntentCreateParams

/**
 * The customer of a transfer. Stripe applies what arrives by itself, whatever the account's own setting is: money in a
 * customer's balance is not the merchant's (https://docs.stripe.com/payments/customer-balance/reconciliation). To the
 * e-mail Stripe writes when a refund needs the buyer's account.
 */
export const customerParams = ({ reference, buyer: { name, email } }: PushCharge) =>
  ({
    name,
    email,
    metadata: { [attemptKey]: reference },
    cash_balance: { settings: { reconciliation_mode: 'automatic' } },
  }) satisfies Stripe.CustomerCreateParams

/**
 * `return_url` goes with every method: a confirmation with dynamic methods is refused without one, also where the
 * method never leaves the page (https://docs.stripe.com/api/payment_intents/create, `return_url`).
 */
const commonParams = (charge: Charge) => ({
  amount: toStripeAmount(charge.amountMinor),
  currency: charge.currency,
  confirm: true,
  description: charge.merchantName,
  return_url: charge.returnUrl,
  metadata: {
    [attemptKey]: charge.reference,
    ...(isPush(charge) ? { [expiresKey]: charge.expiresAt.toISOString() } : {}),
  },
  expand,
})

function daysUntil(expiresAt: Date, now: Date): number {
  const days = (Date.parse(mexicoCityDate(expiresAt)) - Date.parse(mexicoCityDate(now))) / 86_400_000
  return Math.min(Math.max(days, 1), 7)
}

/** Of the 22 characters the account's prefix may take 10, and Stripe puts two between. */
const suffixCharactersMax = 10

/**
 * What the buyer's card statement shows behind the account's prefix: letters without accents, digits, spaces, dots,
 * dashes and `&`, at least one letter. Null where the name has none.
 * https://docs.stripe.com/get-started/account/statement-descriptors
 */
export function suffixOf(merchantName: string): string | null {
  const plain = merchantName.normalize('NFD').replaceAll(/\p{M}/gu, '')
  const clean = plain.replaceAll(/[^A-Za-z0-9 .&-]+/g, ' ').replaceAll(/ +/g, ' ')
  const suffix = clean.trim().slice(0, suffixCharactersMax).trim()
  return /[A-Za-z]/.test(suffix) ? suffix : null
}
