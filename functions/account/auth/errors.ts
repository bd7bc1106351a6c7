import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  sign_in_failed: problem(
    401,
    'The e-mail address or the password is wrong.',
    'Check address and password; the reply does not say which is wrong.',
  ),
  password_wrong: problem(403, 'The password is wrong.', 'Enter the password of this account.'),
  challenge_invalid: problem(
    401,
    'This sign-in or passkey ceremony is unknown, was finished or has expired. Begin again.',
    'Begin the sign-in or the passkey ceremony again; each can be finished once, within minutes.',
  ),
  second_factor_wrong: problem(
    401,
    'The code is wrong.',
    'Enter the code that the authenticator shows now; check the clock of its device.',
  ),
  second_factor_already_used: problem(
    401,
    'This code has been used. Wait for the next one.',
    'Wait up to 30 seconds for the next code.',
  ),
  second_factor_locked: problem(
    423,
    'Too many wrong codes. The account accepts none for the time in Retry-After.',
    'Wait for the seconds in Retry-After.',
  ),
  second_factor_not_enrolled: problem(
    409,
    'This account has no such second factor.',
    'Enrol an authenticator first, or use another factor.',
  ),
  second_factor_exists: problem(
    409,
    'This account has an authenticator already. Remove it first.',
    'Remove the authenticator before enrolling another.',
  ),
  second_factor_needed: problem(
    403,
    'Show a second factor again: it counts for ten minutes. An account without one signs in again.',
    'Call verify-totp or verify-backup-code with this session, or sign in with a passkey; then repeat.',
  ),
  passkey_rejected: problem(
    401,
    'The passkey could not be verified.',
    'Try again with a passkey that verifies its user, on the address where it was made.',
  ),
  passkey_exists: problem(
    409,
    'This passkey is registered already.',
    'Sign in with it: nothing is left to do.',
  ),
  passkey_not_found: problem(
    404,
    'There is no such passkey in this account.',
    'List the passkeys of the account for their ids.',
  ),
  customer_session_not_found: problem(
    404,
    'There is no such session in this account.',
    'List the sessions of the account for their ids; it may have ended already.',
  ),
  mail_link_invalid: problem(
    410,
    'This link does not work any more: it was used, is too old or was not copied whole. Ask for a new one.',
    'Ask for a new mail. A link to set a password works once and for an hour, one to confirm an address for a day.',
  ),
  identity_unavailable: problem(
    503,
    'Accounts cannot be reached at the moment. Try again.',
    'Try again in a moment. Nothing was changed.',
  ),
  step_up_challenge_over: problem(
    409,
    'This step-up challenge has been answered, has failed or has expired. Begin a new one.',
    'Begin a new challenge.',
  ),
  step_up_method_unavailable: problem(
    422,
    'This second factor is not enrolled. Enrol one first.',
    'Choose one of the methods of the challenge, or enrol a factor first.',
  ),
  step_up_response_wrong: problem(
    401,
    'The second factor did not match.',
    'Answer again; five wrong answers lock the account’s second factors for a while.',
  ),
  step_up_code_already_used: problem(
    401,
    'This code has been used. Wait for the next one.',
    'Wait up to 30 seconds for the next code, or use a backup code.',
  ),
  step_up_locked: problem(
    423,
    'Too many wrong answers. The account is locked for step-up for a while.',
    'Wait for the seconds in Retry-After.',
  ),
  tenant_environment_mismatch: problem(
    422,
    'This base address serves the other environment.',
    'Send the request to the base address of the environment that it names.',
  ),
}
