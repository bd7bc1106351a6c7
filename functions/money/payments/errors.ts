import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  manual_capture_needs_card: problem(
    422,
    'Only cards can be authorized first and captured later: use capture_method manual with the method card alone.',
    'Ask for cards alone, or capture automatically.',
  ),
  amount_below_minimum: problem(
    422,
    'The amount is below the minimum.',
    'Ask for more; the message names the minimum.',
  ),
  amount_above_maximum: problem(
    422,
    'The amount is above the maximum.',
    'Ask for less, in several payments.',
  ),
  currency_unsupported: problem(
    422,
    'Payments in this currency are not offered.',
    'Use a currency that is offered: mxn or usd.',
  ),
  payment_method_unavailable: problem(
    422,
    'This payment method is not offered in this environment.',
    'Use a method that the currency has: oxxo and spei need mxn.',
  ),
  payment_method_inactive: problem(
    422,
    'The account that takes the money cannot take this payment method; the message says what is missing.',
    'Switch the method on in the processor’s dashboard, or finish what the processor asks of the account. We look once a day, and when its keys are set.',
  ),
  installments_unavailable: problem(
    422,
    'Installments are not offered on these terms.',
    'Offer installments with card and mxn, for terms that exist and amounts that are large enough.',
  ),
  markup_not_allowed: problem(
    422,
    'With fee_allocation "absorb", or without installments, merchant_markup_bps must be 0.',
    'Leave merchant_markup_bps out, or use fee_allocation "pass_to_buyer" and offer installments.',
  ),
  payment_not_capturable: problem(
    409,
    'Nothing is authorized on this payment that could be captured.',
    'Read the payment: only one in status requires_capture can be captured, and only once.',
  ),
  payment_not_paid: problem(
    409,
    'This payment is not paid: there is no receipt of it.',
    'Read the payment. Send the receipt once it is `succeeded` or `partially_captured`.',
  ),
  payment_contact_missing: problem(
    422,
    'Its buyer gave no address for mails about this payment.',
    'Name the address in `email`.',
  ),
  payment_not_cancelable: problem(
    409,
    'This payment is being charged, is captured or is over: it cannot be canceled. Refund what was captured.',
    'Read the payment. Refund what was captured. While it is being charged, wait until its status changes, then cancel or refund it.',
  ),
  payment_change_in_progress: problem(
    409,
    'Another change of this payment is under way. Read the payment in a minute.',
    'Another request, or one of yours under another Idempotency-Key, is capturing or canceling this payment. Wait for its event, or read the payment in a minute.',
  ),
  payment_under_review: problem(
    409,
    "The processor's numbers contradict ours. Nothing was booked; we are looking into it.",
    'Read the attempts of the payment: `review` has both numbers. An admin may decide at /resolve; we keep asking the processor.',
  ),
  payment_not_under_review: problem(
    409,
    'This payment is not under review: its numbers agree, or it was decided.',
    'Read the attempts of the payment: `review` shows how it ended.',
  ),
  void_or_refund_unavailable: problem(
    422,
    'Cash cannot be sent back the way it came. Settle it at the processor and decide settled_elsewhere.',
    'Ask the processor, then decide settled_elsewhere.',
  ),
  authorization_expired: problem(
    409,
    'The authorization has lapsed: its capture_before has passed. The buyer must pay again.',
    'Ask the buyer to pay again, and capture before capture_before.',
  ),
  capture_amount_not_positive: problem(
    422,
    'The amount must be more than zero.',
    'Send more than zero, or leave amount out to capture all. To take nothing, cancel.',
  ),
  capture_exceeds_authorized: problem(
    422,
    'The amount is more than what was authorized.',
    'Send at most the amount_authorized of the payment.',
  ),
  capture_below_fees: problem(
    422,
    'Fees and their IVA would take all of this amount. Capture more, or cancel the payment.',
    'Capture an amount that leaves a net, or cancel the payment and take nothing.',
  ),
  payment_not_found: problem(
    404,
    'There is no such payment.',
    'Check the id; list the payments for their ids.',
  ),
  payments_not_configured: problem(
    503,
    'Taking payments is not set up in this environment.',
    'Nothing you can do in a request: payments are not switched on in this environment yet.',
  ),
  spei_deposit_not_found: problem(404, 'There is no such transfer.', 'List the transfers for their ids.'),
}
