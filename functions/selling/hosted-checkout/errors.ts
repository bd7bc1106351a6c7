import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  checkout_session_not_found: problem(
    404,
    'There is no such checkout session.',
    'List the checkout sessions for their ids.',
  ),
  checkout_session_closed: problem(
    409,
    'The checkout session is complete or has expired.',
    'Create a new session.',
  ),
  checkout_session_being_paid: problem(
    409,
    'A buyer is paying this session, or has a voucher or CLABE of it.',
    'Wait for the payment to end, or cancel it, and try again.',
  ),
  checkout_session_terms_frozen: problem(
    409,
    'A payment of this session has been tried: what it costs and how it is paid no longer changes.',
    'Create a new session.',
  ),
  checkout_session_customer_fixed: problem(
    409,
    'A payment of this session has been tried: its customer no longer changes.',
    'Create a new session for the other customer.',
  ),
  discount_not_found: problem(
    404,
    'There is no such discount.',
    'List the discounts for their ids and codes.',
  ),
  discount_code_taken: problem(409, 'Another discount has this code.', 'Choose another code.'),
  discount_not_applicable: problem(
    409,
    'This discount does not apply.',
    'The message says why. Leave it out, or change the discount.',
  ),
  discount_used_up: problem(
    409,
    'The discount has been used, or is held, as often as `uses_max` says.',
    'Leave it out, or allow more uses; fewer than there are cannot be allowed.',
  ),
  discount_code_tries_exceeded: problem(
    409,
    'Too many codes have been typed in this checkout session.',
    'Create a new session, or give it the discount yourself.',
  ),
  catalog_item_not_for_sale: problem(
    409,
    'This item is not for sale now.',
    'It is sold when it is active, its catalog is published, and it has a price in the currency of the session.',
  ),
  embedding_origin_missing: problem(
    422,
    'No page may show this checkout in a frame.',
    'Add the origin of your page to `return_origins` of the checkout settings first.',
  ),
  return_origin_not_allowed: problem(
    422,
    'Buyers may not be sent to this origin: add it to the list of PUT /v1/hosted-checkout/settings {"return_origins":["https://…"]}.',
    'Send the whole list of origins, this one included: scheme and host, without a path. It holds for checkouts and payment links.',
  ),
}
