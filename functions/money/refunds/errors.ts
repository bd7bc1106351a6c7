import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  refund_not_under_review: problem(
    409,
    'This refund is not under review: its numbers agree, or it was decided.',
    'Read the refund: its status shows how it ended.',
  ),
  refund_not_found: problem(404, 'There is no such refund.', 'Check the id; list the refunds for their ids.'),
  payment_not_refundable: problem(
    409,
    'Nothing of this payment has been captured: there is nothing to refund.',
    'Wait until the payment has succeeded. What is only authorized is canceled instead.',
  ),
  refund_exceeds_captured: problem(
    422,
    'The amount is more than what is left to refund of this payment.',
    'Read the payment: what is left is amount_captured less amount_refunded less amount_disputed.',
  ),
  refund_blocked_by_dispute: problem(
    409,
    'A dispute of this payment is open. Until it is decided nothing can be refunded.',
    'Wait for dispute.won or dispute.lost, then read what is left to refund.',
  ),
  refund_currency_mismatch: problem(
    422,
    'A refund is made in the currency of its payment.',
    'Leave currency out, or send the one of the payment. Decide `failed` on a refund that was made in another one.',
  ),
  refund_window_closed: problem(
    409,
    'The time in which this payment could be refunded is over.',
    'The message names the last day, in Mexico City. The payment policy sets it: `refunds.window_days`.',
  ),
  refund_amount_not_positive: problem(
    422,
    'The amount must be more than zero.',
    'Send an amount above zero, or none for all that is left.',
  ),
  refund_destination_not_accepted: problem(
    422,
    'Only refunds of cash, and in the sandbox of transfers, are sent to a CLABE.',
    'Leave destination out: a card is refunded to the card, in live a SPEI transfer to its sender, and what you paid back yourself is only recorded.',
  ),
  refund_card_not_offline: problem(
    422,
    'A card payment is refunded to the card only: its bank does not see money paid back another way.',
    'Leave method out: the money goes back to the card.',
  ),
  refund_destination_not_awaited: problem(
    409,
    'This refund does not wait for a destination.',
    'Read the refund: it has a destination, or is over.',
  ),
  refund_not_pending_approval: problem(
    409,
    'This refund does not wait for approval.',
    'Read the refund: it was approved, rejected or canceled already.',
  ),
  refund_terms_mismatch: problem(
    422,
    'The amount or the currency does not match the refund.',
    'Read the refund again and approve exactly its amount and currency.',
  ),
  refund_not_cancelable: problem(
    409,
    'This refund has been sent or has ended.',
    'Read the refund. Money that was sent cannot be called back.',
  ),
  refund_unavailable: problem(
    422,
    'The processor of this payment does not offer such refunds. Record it as recorded_offline instead.',
    'Pay the buyer back yourself and record it with method "recorded_offline".',
  ),
}
