import type { CommonCode } from '../../src/http/problems.ts'

/** What a developer should do about an error that no area declares. A code without advice does not compile. */
export const advice: Readonly<Record<CommonCode, string>> = {
  body_malformed: 'Send one JSON object, encoded as UTF-8, nested at most 64 levels deep.',
  body_too_large: 'Send less: metadata is for references, not for documents.',
  content_type_unsupported: 'Set Content-Type: application/json.',
  parameter_missing: 'Add the field that param names; details lists every field at fault.',
  parameter_unknown: 'Remove or correct the field that param names. Misspelt fields are never ignored.',
  parameter_invalid: 'Correct the field that param names; the message says what it must be.',
  card_number_refused:
    'Take the number out. Card numbers are typed on our payment page only; keep references, never numbers.',
  cursor_invalid: 'Start again without cursor, or send next_cursor back with the filters it came with.',
  version_unknown: 'Leave Spindle-Version out, or name a version of the API reference.',
  if_match_invalid:
    'Send the `version` that you read in double quotes, or leave the header out; only operations that list it take it.',
  version_changed: 'Read the resource again and decide whether your change still makes sense.',
  idempotency_key_missing: 'Send an Idempotency-Key of your own, one for each thing you want done.',
  idempotency_key_invalid: 'Use 8 to 255 characters, written in UTF-8; a UUID does.',
  idempotency_key_reused: 'Use a new key for a new request. To retry, send exactly the first request again.',
  reply_erased:
    'Nothing is left to do: what you asked for was done, and the person’s data was deleted since.',
  route_not_found: 'Check the path against the API reference.',
  method_not_allowed: 'Use one of the methods in the Allow header.',
  rate_limited: 'Wait for the seconds in Retry-After, then go on more slowly.',
  credential_missing:
    'Send Authorization: Bearer with your API key, or with a session where the operation asks for one.',
  credential_malformed: 'Send exactly one bearer, without quotes or line breaks.',
  credential_not_accepted:
    'Use the kind of credential that the API reference names: administration takes a session, merchant operations an API key.',
  api_key_invalid: 'Check that the whole key was copied. If it is lost, create a new one.',
  api_key_revoked: 'Create a new API key.',
  api_key_expired: 'Create a new API key, or rotate before the next one expires.',
  api_key_rotated_out: 'Use the key that the rotation answered with.',
  api_key_not_active: 'Wait until the key is active, or use another one.',
  environment_mismatch: 'Call the base address that the message names, or use a key of this environment.',
  session_invalid: 'Sign in again.',
  insufficient_scope: 'Create an API key with the scope that the API reference names for this operation.',
  insufficient_role: 'Ask an owner or admin of the workspace.',
  second_factor_required:
    'Sign in with an authenticator code, a backup code or a passkey. A new account enrols one first: see Signing in.',
  step_up_missing: 'Begin a new step-up challenge for exactly this request, and send its proof.',
  step_up_malformed: 'Send the step_up_token as it was answered.',
  step_up_invalid: 'Begin a new step-up challenge for exactly this request, and send its proof.',
  step_up_expired:
    'A proof lasts five minutes. Begin a new step-up challenge for exactly this request, and send its proof.',
  step_up_already_used:
    'A proof works once; a retry with the same Idempotency-Key needs none. Begin a new step-up challenge for exactly this request, and send its proof.',
  step_up_session_mismatch: 'Use the proof in the session that made it.',
  step_up_tenant_mismatch: 'Begin a new step-up challenge for exactly this request, and send its proof.',
  step_up_environment_mismatch: 'Make the proof at the base address of the environment where you use it.',
  step_up_action_mismatch: 'Begin a new step-up challenge for exactly this request, and send its proof.',
  step_up_scope_mismatch: 'Begin a new step-up challenge for exactly this request, and send its proof.',
  step_up_idempotency_key_mismatch: 'Send the Idempotency-Key that the challenge was begun with.',
  step_up_params_mismatch:
    'Hash the canonical JSON of exactly what you send: keys sorted, no whitespace, scopes sorted, description trimmed or its default.',
  invitation_not_found:
    'Use the link of the newest mail whole, with the account of the address that it came to; members list invitations for their ids.',
  step_up_challenge_not_found: 'Use the id that the challenge was answered with, in the same account.',
  workspace_not_found:
    'Check tenant_id, and that the workspace is open in this environment and you are a member.',
  amount_malformed:
    'Send amounts as strings of digits, in the smallest unit of the currency: no decimal point, no thousands separators.',
  clabe_invalid: 'Copy all 18 digits again; the last one is worked out from the others.',
  conflict: 'Read the resource again and decide whether your change still makes sense.',
  outcome_unknown:
    'Send exactly the same request again, with the same Idempotency-Key where it takes one. Where it changes something and takes none, read first whether it happened.',
  internal:
    'Retry, with the same Idempotency-Key where the request takes one; if the error persists, send us the request_id.',
}
