import { type Entry, p } from './problem-entry.ts'
import { accessProblems } from './problems-access.ts'

/**
 * Every error that the service returns: stable code, status, public text. A reply can carry no other code. The texts
 * never name internals, ids or values.
 */
export const problems = {
  // The request as such
  body_malformed: p(400, 'invalid_request_error', 'The body is not valid JSON.'),
  body_too_large: p(413, 'invalid_request_error', 'The body is larger than 64 KiB.'),
  content_type_unsupported: p(415, 'invalid_request_error', 'Send the body as application/json.'),
  parameter_missing: p(422, 'invalid_request_error', 'A required field is missing.'),
  parameter_unknown: p(422, 'invalid_request_error', 'This field does not exist.'),
  parameter_invalid: p(422, 'invalid_request_error', 'This field has a value that is not allowed.'),
  card_number_refused: p(
    422,
    'invalid_request_error',
    'This field contains what looks like a card number. Never send card numbers to this interface.',
  ),
  cursor_invalid: p(
    400,
    'invalid_request_error',
    'The cursor is not one of ours, or belongs to a list with other filters.',
  ),
  version_unknown: p(
    400,
    'invalid_request_error',
    'This interface version does not exist. The current one is 2026-06-13.',
  ),
  if_match_invalid: p(
    400,
    'invalid_request_error',
    'If-Match must be a version in double quotes, like "3", on an operation that lists it.',
  ),
  version_changed: p(
    412,
    'conflict_error',
    'The resource has changed: its version no longer matches If-Match.',
  ),
  idempotency_key_missing: p(400, 'invalid_request_error', 'This operation needs an Idempotency-Key header.'),
  idempotency_key_invalid: p(
    400,
    'invalid_request_error',
    'The Idempotency-Key must be 8 to 255 characters, written in UTF-8.',
  ),
  idempotency_key_reused: p(
    422,
    'invalid_request_error',
    'This Idempotency-Key was used with another request. Use a new key.',
  ),
  route_not_found: p(404, 'not_found_error', 'There is nothing at this address.'),
  method_not_allowed: p(405, 'invalid_request_error', 'This address does not answer this method.'),
  rate_limited: p(429, 'rate_limit_error', 'Too many requests. Wait for the time in Retry-After.'),

  ...accessProblems,

  // Payment links
  payment_link_not_found: p(404, 'not_found_error', 'There is no such payment link.'),
  payment_link_archived: p(409, 'conflict_error', 'The payment link is archived.'),
  payment_link_paid: p(409, 'conflict_error', 'The payment link has been paid.'),
  payment_link_revoked: p(409, 'conflict_error', 'The payment link has been revoked.'),
  payment_link_expired: p(409, 'conflict_error', 'The payment link has expired.'),
  payment_link_status_unchanged: p(409, 'conflict_error', 'The payment link is in this status already.'),
  manual_capture_needs_card: p(
    422,
    'invalid_request_error',
    'Only cards can be authorised first and captured later: use capture_method manual with the method card alone.',
  ),
  payment_link_terms_frozen: p(
    409,
    'conflict_error',
    'Amount, methods and installments cannot change once a payment has been tried.',
  ),
  amount_below_minimum: p(422, 'invalid_request_error', 'The amount is below the minimum.'),
  amount_above_maximum: p(422, 'invalid_request_error', 'The amount is above the maximum.'),
  currency_unsupported: p(422, 'invalid_request_error', 'Payments in this currency are not offered.'),
  payment_method_unavailable: p(
    422,
    'invalid_request_error',
    'This payment method is not offered in this environment.',
  ),
  installments_unavailable: p(422, 'invalid_request_error', 'Installments are not offered on these terms.'),
  markup_not_allowed: p(
    422,
    'invalid_request_error',
    'With fee_allocation "absorb", or without installments, merchant_markup_bps must be 0.',
  ),

  // Payments
  amount_malformed: p(
    422,
    'invalid_request_error',
    'An amount is a string with a whole number of minor units, at most 18 digits: "120000" is 1,200.00.',
  ),
  payment_not_capturable: p(
    409,
    'conflict_error',
    'Nothing is authorised on this payment that could be captured.',
  ),
  payment_not_cancelable: p(
    409,
    'conflict_error',
    'This payment is being charged, is captured or is over: it cannot be canceled. Refund what was captured.',
  ),
  payment_change_in_progress: p(
    409,
    'conflict_error',
    'Another change of this payment is under way. Read the payment in a minute.',
  ),
  payment_under_review: p(
    409,
    'conflict_error',
    "The processor's numbers contradict ours. Nothing was booked; we are looking into it.",
  ),
  refund_not_under_review: p(
    409,
    'conflict_error',
    'This refund is not under review: its numbers agree, or it was decided.',
  ),
  payment_not_under_review: p(
    409,
    'conflict_error',
    'This payment is not under review: its numbers agree, or it was decided.',
  ),
  void_or_refund_unavailable: p(
    422,
    'invalid_request_error',
    'Cash cannot be sent back the way it came. Settle it at the processor and decide settled_elsewhere.',
  ),
  authorization_expired: p(
    409,
    'conflict_error',
    'The authorisation has lapsed: its capture_before has passed. The buyer must pay again.',
  ),
  capture_amount_not_positive: p(422, 'invalid_request_error', 'The amount must be more than zero.'),
  capture_exceeds_authorized: p(422, 'invalid_request_error', 'The amount is more than what was authorised.'),
  capture_below_fees: p(
    422,
    'invalid_request_error',
    'Fees and their IVA would take all of this amount. Capture more, or cancel the payment.',
  ),
  payment_not_found: p(404, 'not_found_error', 'There is no such payment.'),
  notification_signature_invalid: p(
    400,
    'invalid_request_error',
    'The signature of this notification does not match, or is too old.',
  ),
  processor_account_unavailable: p(
    422,
    'invalid_request_error',
    'Workspaces cannot set their own account in this environment: payments go through ours.',
  ),
  processor_keys_refused: p(422, 'invalid_request_error', 'The processor does not accept these keys.'),
  payments_not_configured: p(503, 'api_error', 'Taking payments is not set up in this environment.'),

  voucher_not_found: p(404, 'not_found_error', 'There is no such voucher.'),
  voucher_over: p(409, 'conflict_error', 'This voucher has been paid, or can no longer be paid.'),
  clabe_invalid: p(422, 'invalid_request_error', 'This is not a CLABE: its check digit is wrong.'),

  // Unapplied funds
  spei_deposit_not_found: p(404, 'not_found_error', 'There is no such transfer.'),
  unapplied_funds_not_found: p(404, 'not_found_error', 'There are no such unapplied funds.'),
  unapplied_funds_settled: p(409, 'conflict_error', 'All of these funds have been applied or refunded.'),
  unapplied_funds_exceeded: p(
    422,
    'invalid_request_error',
    'The amount is more than what is left of these funds.',
  ),
  unapplied_funds_currency_mismatch: p(
    422,
    'invalid_request_error',
    'Funds can be applied only to a payment in their own currency.',
  ),
  unapplied_funds_beyond_missing: p(
    422,
    'invalid_request_error',
    'The amount is more than the payment still needs.',
  ),
  unapplied_funds_not_enough: p(
    422,
    'invalid_request_error',
    'The payment has expired: it takes funds only if all of its amount is applied at once.',
  ),
  payment_not_awaiting_funds: p(
    409,
    'conflict_error',
    'This payment takes no funds: it neither waits for a SPEI transfer nor has expired as SPEI or OXXO.',
  ),
  origin_no_longer_available: p(
    409,
    'conflict_error',
    'This payment has expired; another payment for the same sale is paid or in progress.',
  ),

  // Refunds and disputes
  refund_not_found: p(404, 'not_found_error', 'There is no such refund.'),
  payment_not_refundable: p(
    409,
    'conflict_error',
    'Nothing of this payment has been captured: there is nothing to refund.',
  ),
  refund_exceeds_captured: p(
    422,
    'invalid_request_error',
    'The amount is more than what is left to refund of this payment.',
  ),
  refund_blocked_by_dispute: p(
    409,
    'conflict_error',
    'A dispute of this payment is open. Until it is decided nothing can be refunded.',
  ),
  refund_currency_mismatch: p(
    422,
    'invalid_request_error',
    'A refund is made in the currency of its payment.',
  ),
  refund_amount_not_positive: p(422, 'invalid_request_error', 'The amount must be more than zero.'),
  refund_destination_not_accepted: p(
    422,
    'invalid_request_error',
    'This refund takes no destination: only refunds of cash and transfers are sent to a CLABE.',
  ),
  refund_card_not_offline: p(
    422,
    'invalid_request_error',
    'A card payment is refunded to the card only: its bank does not see money paid back another way.',
  ),
  refund_destination_not_awaited: p(409, 'conflict_error', 'This refund does not wait for a destination.'),
  refund_not_awaiting_approval: p(409, 'conflict_error', 'This refund does not wait for approval.'),
  refund_terms_mismatch: p(
    422,
    'invalid_request_error',
    'The amount or the currency does not match the refund.',
  ),
  refund_not_cancelable: p(409, 'conflict_error', 'This refund has been sent or has ended.'),
  refund_unavailable: p(
    422,
    'invalid_request_error',
    'The processor of this payment does not offer such refunds. Record it as recorded_offline instead.',
  ),
  dispute_not_found: p(404, 'not_found_error', 'There is no such dispute.'),
  dispute_evidence_not_awaited: p(
    409,
    'conflict_error',
    'This dispute takes no evidence: it was sent already, or the bank is deciding or has decided.',
  ),
  dispute_evidence_overdue: p(409, 'conflict_error', 'The deadline for evidence has passed.'),
  dispute_not_decided: p(409, 'conflict_error', 'The bank has not decided this dispute.'),
  dispute_over: p(409, 'conflict_error', 'The bank has decided this dispute.'),
  payment_not_disputable: p(409, 'conflict_error', 'Only what a card has paid can be disputed.'),

  // Transfers and payouts
  transfers_not_configured: p(503, 'api_error', 'Sending money is not set up in this environment.'),
  insufficient_funds: p(409, 'conflict_error', 'The available balance does not cover this.'),
  bank_order_not_returnable: p(409, 'conflict_error', 'Only what the bank has paid can be sent back.'),
  bank_order_over: p(409, 'conflict_error', 'The bank has paid, refused or stopped this already.'),
  transfer_not_found: p(404, 'not_found_error', 'There is no such transfer.'),
  transfer_amount_not_positive: p(422, 'invalid_request_error', 'The amount must be more than zero.'),
  transfer_destination_unknown: p(422, 'invalid_request_error', 'There is no workspace to send this to.'),
  transfer_destination_own: p(422, 'invalid_request_error', 'A transfer goes to another workspace.'),
  transfer_not_cancelable: p(409, 'conflict_error', 'This transfer has been sent or has ended.'),
  transfer_not_awaiting_approval: p(409, 'conflict_error', 'This transfer does not wait for approval.'),
  transfer_terms_mismatch: p(
    422,
    'invalid_request_error',
    'The amount or the currency does not match the transfer.',
  ),
  payout_not_found: p(404, 'not_found_error', 'There is no such payout.'),
  payout_settings_missing: p(409, 'conflict_error', 'No bank account is set for payouts in this currency.'),
  payout_account_cooling_down: p(
    409,
    'conflict_error',
    'The account for payouts was set a short while ago: nothing is paid out to it yet.',
  ),
  payout_below_minimum: p(
    409,
    'conflict_error',
    'The available balance is below the minimum of the payout settings.',
  ),
  payout_not_cancelable: p(409, 'conflict_error', 'This payout has been sent or has ended.'),
  payout_nothing_available: p(409, 'conflict_error', 'Nothing is available to be paid out in this currency.'),

  // Webhooks
  event_not_found: p(404, 'not_found_error', 'There is no such event.'),
  webhook_endpoint_not_found: p(404, 'not_found_error', 'There is no such webhook endpoint.'),
  webhook_delivery_not_found: p(404, 'not_found_error', 'There is no such delivery.'),
  webhook_delivery_no_longer_kept: p(
    410,
    'not_found_error',
    'Deliveries of that time are no longer kept. The events are.',
  ),
  webhook_recovery_not_found: p(404, 'not_found_error', 'There is no such recovery.'),
  webhook_url_refused: p(422, 'invalid_request_error', 'Webhooks cannot be sent to this address.'),
  webhook_endpoint_limit_reached: p(
    409,
    'conflict_error',
    'This workspace has reached its limit of 50 webhook endpoints.',
  ),
  webhook_endpoint_status_unchanged: p(
    409,
    'conflict_error',
    'The webhook endpoint has this status already, or cannot change to it.',
  ),
  webhook_endpoint_not_receiving: p(
    409,
    'conflict_error',
    'The webhook endpoint receives nothing: it is paused, disabled or deleted.',
  ),
  webhook_recovery_window_invalid: p(
    422,
    'invalid_request_error',
    'The window must begin before it ends and reach back 30 days at most.',
  ),

  // Ourselves
  conflict: p(
    409,
    'conflict_error',
    'Another request changed this at the same time. Read it again and retry.',
  ),
  outcome_unknown: p(503, 'api_error', 'We cannot tell yet whether this happened.'),
  internal: p(500, 'api_error', 'Something went wrong on our side.'),
} as const satisfies Record<string, Entry>

export type ProblemCode = keyof typeof problems

export interface ProblemDetail {
  readonly param: string
  readonly code: ProblemCode
  readonly message: string
}

export interface ProblemMore {
  /** The field that is at fault, dotted: `installment_pricing.merchant_markup_bps`. */
  readonly param?: string
  /** In place of the catalogue's text; also public. */
  readonly message?: string
  readonly details?: readonly ProblemDetail[]
  readonly headers?: Readonly<Record<string, string>>
}

/** An error reply. Internal details go into `cause`, never into the reply. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly more: ProblemMore

  constructor(code: ProblemCode, more: ProblemMore = {}, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.more = more
  }

  get status(): number {
    return problems[this.code].status
  }

  /** The documented error shape. `baseUrl` is this Worker's address, which also serves the documentation. */
  body(requestId: string, baseUrl: string, instead?: string): object {
    const { type, message } = problems[this.code]
    const { param = null, details = [] } = this.more
    return {
      error: {
        type,
        code: this.code,
        message: this.more.message ?? instead ?? message,
        param,
        doc_url: `${baseUrl}/docs/errors#${this.code}`,
        request_id: requestId,
        details,
      },
    }
  }
}

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code)
