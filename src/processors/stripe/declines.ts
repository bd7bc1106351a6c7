import type { BankDeclineCode, DeclineCategory, RefundFailure } from '../port.ts'

/**
 * Stripe's decline codes, and its error codes where Stripe itself refuses, mapped to ours.
 * https://docs.stripe.com/declines/codes, https://docs.stripe.com/error-codes. Codes that say to tell the buyer nothing
 * (lost, stolen, fraudulent …) are one code here: no page and no event says which.
 */
const table = {
  approve_with_id: 'card_declined',
  call_issuer: 'card_declined',
  card_decline_rate_limit_exceeded: 'card_declined',
  card_declined: 'card_declined',
  do_not_honor: 'card_declined',
  do_not_try_again: 'card_declined',
  generic_decline: 'card_declined',
  no_action_taken: 'card_declined',
  not_permitted: 'card_declined',
  revocation_of_all_authorizations: 'card_declined',
  revocation_of_authorization: 'card_declined',
  security_violation: 'card_declined',
  service_not_allowed: 'card_declined',
  stop_payment_order: 'card_declined',
  testmode_decline: 'card_declined',
  transaction_not_allowed: 'card_declined',
  card_not_supported: 'card_declined',
  currency_not_supported: 'card_declined',
  duplicate_transaction: 'card_declined',
  invalid_amount: 'card_declined',
  incorrect_cvc: 'card_declined',
  invalid_cvc: 'card_declined',
  incorrect_number: 'card_declined',
  invalid_number: 'card_declined',
  incorrect_address: 'card_declined',
  incorrect_zip: 'card_declined',
  incorrect_pin: 'card_declined',
  invalid_pin: 'card_declined',
  pin_try_exceeded: 'card_declined',
  offline_pin_required: 'card_declined',
  online_or_offline_pin_required: 'card_declined',
  invalid_account: 'card_declined',
  new_account_information_available: 'card_declined',
  restricted_card: 'card_declined',
  card_velocity_exceeded: 'insufficient_funds',
  insufficient_funds: 'insufficient_funds',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
  expired_card: 'expired_card',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  authentication_required: 'authentication_failed',
  mobile_device_authentication_required: 'authentication_failed',
  payment_intent_authentication_failure: 'authentication_failed',
  fraudulent: 'suspected_fraud',
  highest_risk_level: 'suspected_fraud',
  elevated_risk_level: 'suspected_fraud',
  lost_card: 'suspected_fraud',
  merchant_blacklist: 'suspected_fraud',
  pickup_card: 'suspected_fraud',
  stolen_card: 'suspected_fraud',
  issuer_not_available: 'processing_error',
  processing_error: 'processing_error',
  reenter_transaction: 'processing_error',
  try_again_later: 'processing_error',
} as const satisfies Record<string, BankDeclineCode>

/** Codes after which the same card will never work. */
const hard: ReadonlySet<string> = new Set<keyof typeof table>([
  'do_not_try_again',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'stop_payment_order',
  'card_not_supported',
  'currency_not_supported',
  'incorrect_number',
  'invalid_number',
  'invalid_account',
  'new_account_information_available',
  'restricted_card',
  'pin_try_exceeded',
])

const categories: Readonly<Record<BankDeclineCode, DeclineCategory>> = {
  insufficient_funds: 'soft',
  card_declined: 'soft',
  processing_error: 'soft',
  expired_card: 'hard',
  suspected_fraud: 'fraud',
  authentication_failed: 'auth',
}

/** What a refused charge means here: the bank's decline code before Stripe's own error code. Unknown codes are soft. */
export function declineOf(said: {
  readonly decline_code?: string | undefined
  readonly code?: string | undefined
}): { readonly code: BankDeclineCode; readonly category: DeclineCategory } {
  const known = [said.decline_code, said.code].find(
    (each) => each !== undefined && Object.hasOwn(table, each),
  )
  if (known === undefined) {
    const code = said.decline_code === undefined ? 'processing_error' : 'card_declined'
    return { code, category: categories[code] }
  }
  const code = table[known as keyof typeof table]
  return { code, category: hard.has(known) ? 'hard' : categories[code] }
}

/** Refund.failure_reason of https://docs.stripe.com/refunds#failed-refunds. */
const refundFailures: Readonly<Record<string, RefundFailure>> = {
  lost_or_stolen_card: 'account_closed',
  expired_or_canceled_card: 'account_closed',
  declined: 'declined_by_bank',
}

export const refundFailureOf = (reason: string | undefined): RefundFailure =>
  refundFailures[reason ?? ''] ?? 'processing_error'

/** A refund that the bank refused at once, with a decline code. */
export const refundDeclineOf = (code: string | undefined): RefundFailure =>
  declineOf({ decline_code: code }).code === 'expired_card' || code === 'lost_card' || code === 'stolen_card'
    ? 'account_closed'
    : 'declined_by_bank'
