import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  voucher_not_found: problem(
    404,
    'There is no such voucher.',
    'Read the payment: its method_details have the reference.',
  ),
  voucher_over: problem(
    409,
    'This voucher has been paid, or can no longer be paid.',
    'Pay it with "late": true to see what late cash does, or get a new voucher on the link’s page.',
  ),
  bank_order_not_returnable: problem(
    409,
    'Only what the bank has paid can be sent back.',
    'Read the transfer, payout or refund: it has to be paid, and by a bank.',
  ),
  bank_order_over: problem(
    409,
    'The bank has paid, refused or stopped this already.',
    'Read the transfer or payout: it is no longer on its way.',
  ),
  no_card_awaited: problem(
    409,
    'The reader waits for no card.',
    'Ask the reader to process a payment, and present the card before its time is over.',
  ),
}
