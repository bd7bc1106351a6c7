import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  dining_table_not_found: problem(404, 'There is no such table.', 'List the tables for their ids.'),
  dining_table_name_taken: problem(
    409,
    'Another active table of this location has this name.',
    'Choose another name, or archive the other table first.',
  ),
  dining_table_archived: problem(409, 'The table is archived.', 'Restore it first.'),
  dining_table_not_archived: problem(409, 'The table is not archived.', 'Nothing is left to do.'),
  dining_table_occupied: problem(
    409,
    'A bill of this table is open.',
    'Close or void that bill first, or move it to another table: list the sessions with `table_id` and `status=open`.',
  ),
  table_session_not_found: problem(404, 'There is no such bill.', 'List the sessions for their ids.'),
  table_session_not_open: problem(409, 'The bill is not open.', 'Reopen it first.'),
  table_session_open: problem(409, 'The bill is open.', 'Nothing is left to do.'),
  table_session_merged: problem(
    409,
    'The bill is a part of another one.',
    'Its `merged_into` names that one, which has its lines now.',
  ),
  table_session_merge_paid: problem(
    409,
    'A part of the other bill is paid, or is being paid.',
    'Merge the bill of which nothing is paid into the other one, or close each by itself.',
  ),
  table_session_unpaid: problem(
    409,
    'Not all of the bill is paid.',
    'Wait for payments under way, or cancel a voucher or transfer that nobody pays (`payments.cancel`). Record what was paid outside of Spindle, or take off what nobody pays with a discount.',
  ),
  table_session_being_paid: problem(
    409,
    'A part of the bill is paid, or is being paid.',
    'A bill is void only while nothing of it is paid: cancel recorded payments and unpaid vouchers (`payments.cancel`) first, or close it.',
  ),
  table_session_amount_taken: problem(
    409,
    'More than that is paid, or is being paid.',
    'The bill comes to no less than what guests have paid and are paying. Refund a payment instead.',
  ),
  table_line_not_found: problem(404, 'The bill has no such line.', 'Get the session for its lines.'),
  table_line_claimed: problem(
    409,
    'A guest pays this line, or it is void or split.',
    'Only a line that nobody pays can be voided, split or paid.',
  ),
  table_line_not_served: problem(
    422,
    'An item with stock or with something to deliver is no line of a bill.',
    'Sell it with a checkout session or a payment link, or write the line with its name and price.',
  ),
  table_external_payment_not_found: problem(
    404,
    'There is no such recorded payment.',
    'List the recorded payments of the bill for their ids.',
  ),
  table_external_payment_canceled: problem(
    409,
    'The recorded payment is canceled.',
    'Nothing is left to do.',
  ),
  waiter_not_found: problem(404, 'There is no such waiter.', 'List the waiters for their ids.'),
  waiter_reference_taken: problem(
    409,
    'Another active waiter has this payroll reference.',
    'Choose another reference, or archive the other waiter first.',
  ),
  waiter_archived: problem(409, 'The waiter is archived.', 'Restore them first.'),
  waiter_not_archived: problem(409, 'The waiter is not archived.', 'Nothing is left to do.'),
  tip_payout_not_found: problem(
    404,
    'There is no such payout of tips.',
    'List the payouts of the waiter for their ids.',
  ),
  tip_payout_above_owed: problem(
    409,
    'The waiter is owed less.',
    'Get the tip report of the waiter: its `amount_owed` is the most that can be paid out.',
  ),
  tip_payout_canceled: problem(409, 'The payout of tips is canceled.', 'Nothing is left to do.'),
}
