import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  offline_payment_not_found: problem(
    404,
    'There is no such payment that a reader has stored.',
    'List the offline payments for their ids.',
  ),
  offline_payment_id_used: problem(
    409,
    'The reader has forwarded another payment under this `id`.',
    'Give each payment an `id` of its own, and send the same payment again as it was.',
  ),
}
