import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  payment_link_not_found: problem(
    404,
    'There is no such payment link.',
    'Check the id; it is the link’s id, not its public_id.',
  ),
  payment_link_archived: problem(409, 'The payment link is archived.', 'Create a new payment link.'),
  payment_link_paid: problem(
    409,
    'The payment link has been paid.',
    'Read its payments; create a new link to be paid again.',
  ),
  payment_link_revoked: problem(
    409,
    'The payment link has been revoked.',
    'Create a new payment link: revoking is for good.',
  ),
  payment_link_expired: problem(
    409,
    'The payment link has expired.',
    'Change expires_at first, or create a new link.',
  ),
  payment_link_inactive: problem(
    409,
    'The payment link is inactive: buyers cannot pay with it.',
    'Activate it first.',
  ),
  payment_link_used_up: problem(
    409,
    'All uses of the payment link are paid.',
    'Raise uses_max first, or create a new link.',
  ),
  payment_link_uses_taken: problem(
    409,
    'More uses of this payment link are paid, or held by payments under way, than that.',
    'Set uses_max to at least uses_count and uses_held_count together.',
  ),
  payment_link_limit_late: problem(
    409,
    'A payment of this link was tried without a limit: it gets none any more.',
    'Create a new link with uses_max, and deactivate this one.',
  ),
  payment_link_status_unchanged: problem(
    409,
    'The payment link is in this status already.',
    'Nothing is left to do.',
  ),
  payment_link_terms_frozen: problem(
    409,
    'Amount, methods and installments cannot change once a payment has been tried.',
    'Create a new link with the new terms, and deactivate this one.',
  ),
  payment_link_template_not_found: problem(
    404,
    'There is no such template of payment links.',
    'List the templates for their ids.',
  ),
  payment_link_template_name_taken: problem(
    409,
    'Another template of this workspace has this name.',
    'Choose another name, or delete the other template first.',
  ),
}
