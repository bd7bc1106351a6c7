import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  device_elsewhere: problem(
    409,
    'The device stands at another location.',
    'Send the `location_id` of the device, or move the device first.',
  ),
  tap_session_not_found: problem(
    404,
    'There is no such session of a phone.',
    'List the sessions for their ids.',
  ),
  tap_session_not_open: problem(
    409,
    'The phone has no open session.',
    'Create a connection token for it; it opens a session when it redeems that.',
  ),
  tap_session_over: problem(
    409,
    'The session is over.',
    'A phone opens another by the next connection token.',
  ),
  tap_session_other_account: problem(
    409,
    'The session of the phone is of another account than takes your payments now.',
    'Create a connection token for it: the phone connects to the account that takes your payments when it redeems that.',
  ),
  phone_not_attested: problem(
    409,
    'The phone is not attested, or its attestation is over.',
    'Attest the phone, then redeem the same token.',
  ),
  connection_token_invalid: problem(
    404,
    'There is no such connection token of this device.',
    'Ask your backend for another token. One that was asked for after it takes its place.',
  ),
  connection_token_redeemed: problem(
    409,
    'The connection token was redeemed.',
    'Ask your backend for another token: each is good once, and is not to be kept.',
  ),
  connection_token_expired: problem(
    410,
    'The connection token has expired.',
    'Ask your backend for another token: one is good for ten minutes.',
  ),
}
