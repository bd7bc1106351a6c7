import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  reader_busy: problem(
    409,
    'The reader is busy with another action.',
    'Wait until that ends, or cancel it: list the actions with `reader_id` and `status=in_progress`.',
  ),
  reader_action_not_found: problem(404, 'There is no such action.', 'List the actions for their ids.'),
  reader_action_over: problem(409, 'The action is over.', 'Read it, and its payment, for how it ended.'),
  reader_action_reported: problem(
    409,
    'The reader has reported another result of this action.',
    'The first result counts. The payment says whether money came.',
  ),
  reader_not_registered: problem(
    409,
    'The reader is not registered at the account that takes your payments.',
    'Register it by the code that it shows. After you have changed your account, unpair it first.',
  ),
  reader_pays_alone: problem(
    422,
    'The reader runs its processor’s own program: it takes payments, shows lines and asks its buyer, and nothing else.',
    'Print at your till. Such a reader cannot be pinged.',
  ),
  reader_tip_not_usable: problem(
    409,
    'The action has not collected this tip at this reader or phone, or not lately.',
    'Name an action `collect_tip` that has succeeded at the same device, on the same `amount` and currency, within ten minutes; or send `amount_tip`.',
  ),
  reader_tip_used: problem(
    409,
    'The tip of this action is in another payment.',
    'A tip that was chosen is charged once. After a decline, send what the buyer chose as `amount_tip`.',
  ),
  client_reference_id_used: problem(
    409,
    'The reader was asked for another payment with this `client_reference_id` today.',
    'Send another `client_reference_id` for another sale. The same request gets the first result.',
  ),
  in_person_item_not_sold: problem(
    422,
    'An item with stock or with something to deliver is not sold by a reader or phone.',
    'Sell it by an order at a register, a checkout session or a payment link, or write the line with its name and price.',
  ),
  receipt_not_available: problem(
    409,
    'No card was approved for this payment in person, so it has no receipt.',
    'Read its status: a receipt is there from `authorized` or `succeeded` on, and stays when it is canceled or refunded.',
  ),
  in_person_payment_not_found: problem(
    404,
    'There is no such payment in person.',
    'List the payments in person for their ids.',
  ),
}
