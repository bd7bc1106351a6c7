import { type Entry, p } from './problem-entry.ts'

/** The catalogue's errors about the caller: credentials, accounts, proofs, workspaces, keys. */
export const accessProblems = {
  // Who is calling
  credential_missing: p(401, 'authentication_error', 'Send a bearer credential in the Authorization header.'),
  credential_malformed: p(
    401,
    'authentication_error',
    'The Authorization header is not "Bearer <credential>".',
  ),
  credential_not_accepted: p(
    401,
    'authentication_error',
    'This operation does not accept this kind of credential.',
  ),
  api_key_invalid: p(401, 'authentication_error', 'The API key is not valid.'),
  api_key_revoked: p(401, 'authentication_error', 'The API key has been revoked.'),
  api_key_expired: p(401, 'authentication_error', 'The API key has expired.'),
  api_key_rotated_out: p(
    401,
    'authentication_error',
    'The API key was rotated and its overlap has ended. Use its successor.',
  ),
  api_key_not_active: p(401, 'authentication_error', 'The API key is not active.'),
  environment_mismatch: p(401, 'authentication_error', 'This API key belongs to the other environment.'),
  session_invalid: p(401, 'authentication_error', 'The session is not valid or has ended. Sign in again.'),
  insufficient_scope: p(403, 'permission_error', 'The API key lacks the scope that this operation needs.'),
  insufficient_role: p(403, 'permission_error', 'Your role in this workspace does not allow this.'),

  // Accounts
  sign_in_failed: p(401, 'authentication_error', 'The e-mail address or the password is wrong.'),
  password_wrong: p(403, 'permission_error', 'The password is wrong.'),
  challenge_invalid: p(
    401,
    'authentication_error',
    'This sign-in or passkey ceremony is unknown, was finished or has expired. Begin again.',
  ),
  second_factor_wrong: p(401, 'authentication_error', 'The code is wrong.'),
  second_factor_already_used: p(
    401,
    'authentication_error',
    'This code has been used. Wait for the next one.',
  ),
  second_factor_locked: p(
    423,
    'authentication_error',
    'Too many wrong codes. The account accepts none for the time in Retry-After.',
  ),
  second_factor_not_enrolled: p(409, 'conflict_error', 'This account has no such second factor.'),
  second_factor_exists: p(
    409,
    'conflict_error',
    'This account has an authenticator already. Remove it first.',
  ),
  second_factor_required: p(
    403,
    'permission_error',
    'This session has shown no second factor. Show one; if the account has none, enrol one.',
  ),
  second_factor_needed: p(
    403,
    'permission_error',
    'Show a second factor again: it counts for ten minutes. An account without one signs in again.',
  ),
  passkey_rejected: p(401, 'authentication_error', 'The passkey could not be verified.'),
  passkey_exists: p(409, 'conflict_error', 'This passkey is registered already.'),
  passkey_not_found: p(404, 'not_found_error', 'There is no such passkey in this account.'),
  customer_session_not_found: p(404, 'not_found_error', 'There is no such session in this account.'),
  identity_unavailable: p(503, 'api_error', 'Accounts cannot be reached at the moment. Try again.'),

  // Step-up
  step_up_missing: p(
    401,
    'authentication_error',
    'This operation needs a step-up proof in x-sp-step-up-token.',
  ),
  step_up_malformed: p(400, 'invalid_request_error', 'The x-sp-step-up-token must be 32 to 4096 characters.'),
  step_up_invalid: p(401, 'authentication_error', 'The step-up proof is not valid.'),
  step_up_expired: p(401, 'authentication_error', 'The step-up proof has expired.'),
  step_up_already_used: p(401, 'authentication_error', 'The step-up proof has been used.'),
  step_up_session_mismatch: p(401, 'authentication_error', 'The step-up proof belongs to another session.'),
  step_up_tenant_mismatch: p(401, 'authentication_error', 'The step-up proof belongs to another workspace.'),
  step_up_environment_mismatch: p(
    401,
    'authentication_error',
    'The step-up proof belongs to another environment.',
  ),
  step_up_action_mismatch: p(401, 'authentication_error', 'The step-up proof was made for another action.'),
  step_up_scope_mismatch: p(401, 'authentication_error', 'The step-up proof was made for another scope.'),
  step_up_idempotency_key_mismatch: p(
    401,
    'authentication_error',
    'The step-up proof was made for another Idempotency-Key.',
  ),
  step_up_params_mismatch: p(
    401,
    'authentication_error',
    'The step-up proof was made for other parameters: its params_hash does not match this request.',
  ),
  step_up_challenge_not_found: p(404, 'not_found_error', 'There is no such step-up challenge.'),
  step_up_challenge_over: p(
    409,
    'conflict_error',
    'This step-up challenge has been answered, has failed or has expired. Begin a new one.',
  ),
  step_up_method_unavailable: p(
    422,
    'invalid_request_error',
    'This second factor is not enrolled. Enrol one first.',
  ),
  step_up_response_wrong: p(401, 'authentication_error', 'The second factor did not match.'),
  step_up_code_already_used: p(
    401,
    'authentication_error',
    'This code has been used. Wait for the next one.',
  ),
  step_up_locked: p(
    423,
    'authentication_error',
    'Too many wrong answers. The account is locked for step-up for a while.',
  ),

  // Workspaces and keys
  workspace_not_found: p(404, 'not_found_error', 'There is no such workspace.'),
  workspace_exists: p(409, 'conflict_error', 'This workspace is open in this environment already.'),
  tenant_environment_mismatch: p(
    422,
    'invalid_request_error',
    'This base address serves the other environment.',
  ),
  api_key_not_found: p(404, 'not_found_error', 'There is no such API key.'),
  api_key_not_rotatable: p(409, 'conflict_error', 'Only an active API key can be rotated.'),
  api_key_not_revocable: p(409, 'conflict_error', 'This API key is being revoked or has ended.'),
} as const satisfies Record<string, Entry>
