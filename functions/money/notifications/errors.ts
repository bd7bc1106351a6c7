import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  notification_signature_invalid: problem(
    400,
    'The signature of this notification does not match, or is too old.',
    'Only the processor calls this address. Check that the signing secret set here is the one of this endpoint.',
  ),
}
