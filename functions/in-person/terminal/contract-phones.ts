import { contract } from '../../../src/http/contract.ts'
import { exampleSession } from '../tap-to-pay/api-pure.ts'
import { exampleAsked, process } from './contract.ts'
import { exampleAction } from './contract-action.ts'

/** A phone is asked as a reader is, in its session. */
export const processAtPhone = contract({
  ...process,
  tag: 'Tap to Pay',
  access: { api_key: { scopes: ['tap_to_pay:write'] } },
  id: 'phones.process_payment',
  path: '/v1/tap-to-pay/devices/:id/process-payment',
  tables: [...process.tables, 'tap_sessions'],
  summary: 'Take a card payment at a phone',
  description:
    'The phone waits for a card until `expires_at`, in the session that it has opened by a connection token. The reply is the action, as of a reader: read it, or follow its events. A time-out is no decline: only the payment says whether money came.',
  errors: [...process.errors, 'tap_session_not_open', 'tap_session_other_account'],
  example: {
    body: exampleAsked,
    reply: { ...exampleAction, reader_id: exampleSession.device_id },
  },
})
