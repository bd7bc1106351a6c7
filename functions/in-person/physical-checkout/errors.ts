import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  register_code_not_found: problem(
    404,
    'There is no such code.',
    'List the codes of the register for their ids.',
  ),
  register_code_revoked: problem(409, 'The code is revoked.', 'Nothing is left to do. Make another one.'),
  register_code_limit_reached: problem(
    409,
    'The workspace has as many active codes as it may have.',
    'Revoke codes that nobody uses: list them by `register_id`.',
  ),
  register_order_not_found: problem(404, 'There is no such order.', 'List the orders for their ids.'),
  register_has_no_order: problem(
    404,
    'The register shows no order.',
    'Make one, or list the orders by `register_id` for those before.',
  ),
  register_occupied: problem(
    409,
    'The register shows another order.',
    'Name that one in `replaces_id`, cancel it, or detach it where a payment of it has no answer: get the current order of the register.',
  ),
  register_order_not_replaced: problem(
    409,
    'The order in `replaces_id` is not the one that the register shows.',
    'Get the current order of the register and decide again.',
  ),
  register_order_not_open: problem(
    409,
    'The order is not open.',
    'Its `status` says how it ended. Make another order for another sale.',
  ),
  register_order_being_paid: problem(
    409,
    'A payment of the order is under way.',
    'Wait for it, or cancel it by its `payment_id`. Detach the order to go on with another one at the register.',
  ),
  register_order_detached: problem(409, 'The register does not show the order.', 'Nothing is left to do.'),
  register_order_delivers: problem(
    409,
    'The order delivers something that its page and a mail show.',
    'Its buyer pays it on the page: keys, files and accesses are shown there.',
  ),
  register_order_reference_used: problem(
    409,
    'The register had another order with this `client_reference_id` today.',
    'Send another `client_reference_id` for another sale. The same request gets the first order.',
  ),
  register_cash_currency: problem(
    409,
    'The drawer has cash of another currency.',
    'Its buyer pays the order on the page. A drawer has pesos.',
  ),
  register_order_not_paid_in_cash: problem(
    409,
    'The order was not paid in cash.',
    'Refund its payment by its `payment_id`.',
  ),
  cash_return_above_paid: problem(
    409,
    'More than that was given back already.',
    'Get the order: `amount` less `amount_cash_returned` is left.',
  ),
  register_shift_not_found: problem(404, 'There is no such shift.', 'List the shifts for their ids.'),
  register_shift_open: problem(
    409,
    'A shift of the register is open.',
    'Close it first: list the shifts with `register_id` and `status=open`.',
  ),
  register_shift_closed: problem(
    409,
    'No shift of the register is open.',
    'Open one first: cash counts in a shift.',
  ),
  cash_movement_not_found: problem(
    404,
    'There is no such cash movement.',
    'List the cash movements of the shift for their ids.',
  ),
  register_cash_short: problem(
    409,
    'The drawer has less cash than that.',
    'Get the report of the shift: `amount_expected` is the most that it can give.',
  ),
}
