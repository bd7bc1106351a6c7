import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  phone_app_not_found: problem(404, 'There is no such app of your phones.', 'List the apps for their ids.'),
  phone_app_removed: problem(
    409,
    'The app was removed.',
    'Set it again, if phones shall be attested with it.',
  ),
  phone_app_limit_reached: problem(
    409,
    'The workspace has as many apps of phones as it may.',
    'Remove those that are not used any more.',
  ),
  attestation_challenge_invalid: problem(
    404,
    'There is no such challenge of this phone.',
    'Ask for another challenge. One that was asked for after it takes its place.',
  ),
  attestation_challenge_used: problem(
    409,
    'The challenge was used by another request.',
    'Ask for another challenge: each is good once, also where the attestation fails.',
  ),
  attestation_challenge_expired: problem(
    410,
    'The challenge has expired.',
    'Ask for another challenge: one is good for five minutes.',
  ),
  attestation_tried_too_often: problem(
    429,
    'The phone has tried to be attested twenty times within an hour.',
    'Find out from the failures of the former tries what is wrong, and try again later.',
  ),
  attestation_provider_unavailable: problem(
    422,
    'In live no phone is attested by rule.',
    'Send what App Attest or Play Integrity says of the phone.',
  ),
}
