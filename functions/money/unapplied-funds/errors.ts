import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  unapplied_funds_not_found: problem(
    404,
    'There are no such unapplied funds.',
    'List the unapplied funds for their ids.',
  ),
  unapplied_funds_settled: problem(
    409,
    'All of these funds have been applied or refunded.',
    'Nothing is left to do: the events of these funds show where they went.',
  ),
  unapplied_funds_exceeded: problem(
    422,
    'The amount is more than what is left of these funds.',
    'Read the funds again: remaining is what is left. Leave amount out to take all of it.',
  ),
  unapplied_funds_held_for_buyer: problem(
    422,
    'The processor keeps this transfer for the buyer who sent it: it cannot pay another payment.',
    'Ask the buyer for another payment, and return what they sent at the processor.',
  ),
  unapplied_funds_currency_mismatch: problem(
    422,
    'Funds can be applied only to a payment in their own currency.',
    'Apply the funds to a payment in their currency, or refund them.',
  ),
  unapplied_funds_beyond_missing: problem(
    422,
    'The amount is more than the payment still needs.',
    'Read the payment again: amount less amount_received is what it still needs. Leave amount out to apply just that.',
  ),
  unapplied_funds_not_enough: problem(
    422,
    'The payment has expired: it takes funds only if all of its amount is applied at once.',
    'Name further unapplied funds in together_with, or refund these.',
  ),
  payment_not_awaiting_funds: problem(
    409,
    'This payment takes no funds: it neither waits for a SPEI transfer nor has expired as SPEI or OXXO.',
    'Apply the funds to a payment that waits or has expired, or refund them.',
  ),
  origin_no_longer_available: problem(
    409,
    'This payment has expired; what it was for is paid or being paid by another one, or is no longer for sale.',
    'Refund the funds, or apply them to a payment that waits.',
  ),
}
