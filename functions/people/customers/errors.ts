import { problem } from '../../../src/http/declaration.ts'

const readAgain = 'Get the customer to see its status.'

export const errors = {
  customer_not_found: problem(404, 'There is no such customer.', 'List the customers for their ids.'),
  customer_merged: problem(
    409,
    'This customer became part of another one.',
    'Get the customer: its id answers as the one that it became part of. Send the change to that one.',
  ),
  customer_erased: problem(
    409,
    'The person’s data was erased.',
    'Create a new customer where the person comes back.',
  ),
  customer_blocked: problem(409, 'The customer is blocked.', 'Unblock the customer first.'),
  customer_erasure_requested: problem(
    409,
    'The customer’s erasure was asked for already.',
    'Get the customer: `erases_at` says when it happens. Unblock it to take the request back.',
  ),
  customer_payments_open: problem(
    409,
    'The customer has payments under way.',
    'Wait until they are over, or cancel them, then ask again.',
  ),
  customer_disputes_open: problem(
    409,
    'The customer has disputes under way.',
    'Wait until the bank has decided them, then ask again.',
  ),
  customer_refunds_open: problem(
    409,
    'The customer has refunds under way.',
    'Wait until they are over, then ask again.',
  ),
  customer_not_blocked: problem(409, 'The customer is not blocked.', readAgain),
  customer_merge_into_itself: problem(
    422,
    'A customer cannot become part of itself.',
    'Name another customer as `into`.',
  ),
  customer_not_merged: problem(409, 'The customer is not merged.', readAgain),
  customer_survivor_merged: problem(
    409,
    'The customer that it became part of was merged itself.',
    'Undo that merge first.',
  ),
  customer_unmerge_too_late: problem(
    409,
    'The merge was more than 30 days ago.',
    'Create a new customer and move to it what belongs to it.',
  ),
  customer_external_id_taken: problem(
    409,
    'Another customer has this external_id.',
    'List the customers with `external_id` to find it.',
  ),
  customer_contact_not_found: problem(404, 'There is no such contact.', 'List the customer’s contacts.'),
  customer_contact_exists: problem(
    409,
    'The customer has this contact already.',
    'List the customer’s contacts to find it.',
  ),
  customer_contact_taken: problem(
    409,
    'This contact is verified as another customer’s.',
    'List the customers with `email` or `phone` to find that one: perhaps they are one person.',
  ),
  customer_contact_removed: problem(409, 'The contact was removed.', 'Add it to the customer again.'),
  customer_contact_verified: problem(409, 'The contact is verified already.', 'Nothing is left to do.'),
  customer_contacts_too_many: problem(
    422,
    'A customer has at most 50 contacts.',
    'Remove those that are no longer used.',
  ),
  customer_consent_not_found: problem(404, 'There is no such consent.', 'List the customer’s consents.'),
  customer_consent_channel: problem(
    422,
    'The contact cannot be reached by this channel.',
    'Use `email` with an e-mail address; `sms`, `whatsapp` and `call` with a phone number.',
  ),
  customer_consent_in_future: problem(
    422,
    'The consent was not given yet.',
    'Send the time at which the person agreed, or leave it out for now.',
  ),
  customer_consent_exists: problem(
    409,
    'This consent is given already.',
    'List the customer’s consents. To replace its proof withdraw it first.',
  ),
  customer_consent_withdrawn: problem(409, 'The consent is withdrawn already.', 'Nothing is left to do.'),
  customer_note_not_found: problem(404, 'There is no such note.', 'List the customer’s notes.'),
}
