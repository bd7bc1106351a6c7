import { type AccountSettings, capabilityOf } from './stripe-account.ts'
import { type Answer, refused } from './stripe-answers.ts'
import type { Method } from './stripe-methods.ts'

export type Fields = Readonly<Record<string, string>>

/** Eight digits (the library's comment on `amount`). */
const amountMax = 99_999_999
/** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const amountMin: Readonly<Record<string, number>> = { mxn: 1000, usd: 50 }
/** https://docs.stripe.com/payments/oxxo: 10,000.00 MXN */
const oxxoMax = 1_000_000

/** What Stripe finds wrong with a new PaymentIntent before it asks any bank; null: nothing. */
export function wrongWith(fields: Fields, type: Method['type'], settings: AccountSettings): Answer | null {
  const amount = Number(fields.amount)
  if (amount > amountMax || (type === 'oxxo' && amount > oxxoMax))
    return refused('amount_too_large', 'Amount must be no more than the maximum', 'amount')
  if (type !== 'customer_balance' && amount < (amountMin[fields.currency ?? ''] ?? 1))
    return refused('amount_too_small', 'Amount must convert to at least the minimum', 'amount')
  const isOff = settings.off.has(type) || settings.capabilities[capabilityOf[type]] !== 'active'
  if (!settings.chargesEnabled || isOff)
    return refused(null, `The payment method type "${type}" is invalid`, 'allowed_payment_method_types')
  if (type !== 'card' && fields.currency !== 'mxn')
    return refused(null, `The currency is not supported by ${type}`, 'currency')
  const suffix = fields.statement_descriptor_suffix
  if (suffix !== undefined && !isSuffix(suffix))
    return refused(null, 'The statement descriptor suffix is invalid', 'statement_descriptor_suffix')
  if (fields.confirm !== 'true') return null
  // Dynamic methods: any of them might redirect (since 2023-08-16 of the API).
  if (fields.return_url === undefined)
    return refused(null, 'You must provide a `return_url`: some methods redirect', 'return_url')
  if (type === 'oxxo' && !isFullName(fields['payment_method_data[billing_details][name]'] ?? ''))
    return refused(null, 'The name needs a first and a last name', 'billing_details[name]')
  if (type === 'customer_balance' && fields.customer === undefined)
    return refused('parameter_missing', 'A customer is required', 'customer')
  return null
}

/** A first and a last name, each of two letters at least (a Stripe engineer, stripe/stripe-android#2431). */
const isFullName = (name: string) => /^\p{L}{2,}.*\s\p{L}{2,}/u.test(name.trim())

/**
 * Latin letters, with the account's prefix (at most ten, and `* `) at most 22 characters, at least one letter
 * (https://docs.stripe.com/get-started/account/statement-descriptors).
 */
const isSuffix = (text: string) =>
  text.length <= 22 - 'SPINDLE* '.length &&
  /[a-z]/i.test(text) &&
  /^[\x20-\x7e]+$/.test(text) &&
  !/[<>\\'"*]/.test(text)
