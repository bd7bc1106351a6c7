import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  device_not_found: problem(404, 'There is no such device.', 'List the devices of its kind for their ids.'),
  device_name_taken: problem(
    409,
    'Another device of this kind and location has this name.',
    'Choose another name, or disable the other device first.',
  ),
  device_limit_reached: problem(
    409,
    'The workspace has as many devices as it may.',
    'Disable those that are not used any more.',
  ),
  device_disabled: problem(409, 'The device is disabled.', 'Enable it first.'),
  device_not_disabled: problem(409, 'The device is not disabled.', 'Nothing is left to do.'),
  device_already_paired: problem(
    409,
    'The device is paired.',
    'Unpair it first, if another machine shall take its place.',
  ),
  device_not_paired: problem(
    409,
    'The device is not paired.',
    'Make a pairing code and enter it on the device.',
  ),
  device_credential_invalid: problem(
    401,
    'The credential of the device is not valid.',
    'Pair the device again, with a new pairing code.',
  ),
  device_credential_rotated_out: problem(
    401,
    'The credential was rotated. Use its successor.',
    'Use the credential that the rotation answered with, or pair the device again.',
  ),
  device_unpaired: problem(
    401,
    'The device is no longer paired.',
    'Make a pairing code for it, and enter that on the device.',
  ),
  location_takes_no_readers: problem(
    422,
    'The processor takes no readers at this location.',
    'Give the location an address in Mexico with line1, city, state and postal_code.',
  ),
  reader_code_refused: problem(
    422,
    'The processor does not take this registration code.',
    'Have the reader show another one: each is good once, and for a short time.',
  ),
  reader_registered_elsewhere: problem(
    409,
    'This machine is registered as another device, of this workspace or of another one with the same account.',
    'Unpair that device first; in another workspace, ask its people to.',
  ),
  reader_registration_refused: problem(
    422,
    'The account that takes your payments may not have readers.',
    'Ask the processor to allow Terminal for the account, and give its key the right to write Terminal’s locations and readers.',
  ),
  pairing_code_invalid: problem(
    401,
    'This is no pairing code.',
    'Check the eight characters, or make another code.',
  ),
  pairing_code_expired: problem(
    401,
    'The pairing code has expired.',
    'Make another code: one may be entered for ten minutes.',
  ),
  pairing_code_locked: problem(
    401,
    'Too many wrong codes were entered.',
    'Make another code for the device.',
  ),
}
