import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  offline_payment_not_found: problem(
    404,
    'There is no such payment that a reader has stored.',
    'List the offline payments for their ids.',
  ),
}
