import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  device_elsewhere: problem(
    409,
    'The device stands at another location.',
    'Send the `location_id` of the device, or move the device first.',
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
