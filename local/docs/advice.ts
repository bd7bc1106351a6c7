import type { ProblemCode } from '../../src/http/problems.ts'

const newProof = 'Begin a new step-up challenge for exactly this request, and send its proof.'

/** What a developer should do about an error. A code without advice does not compile. */
export const advice: Readonly<Record<ProblemCode, string>> = {
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
  idempotency_key_missing: 'Send an Idempotency-Key of your own, one for each thing you want done.',
  idempotency_key_invalid: 'Use 8 to 255 characters, written in UTF-8; a UUID does.',
  idempotency_key_reused: 'Use a new key for a new request. To retry, send exactly the first request again.',
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
  sign_in_failed: 'Check address and password; the reply does not say which is wrong.',
  password_wrong: 'Enter the password of this account.',
  challenge_invalid:
    'Begin the sign-in or the passkey ceremony again; each can be finished once, within minutes.',
  second_factor_wrong: 'Enter the code that the authenticator shows now; check the clock of its device.',
  second_factor_already_used: 'Wait up to 30 seconds for the next code.',
  second_factor_locked: 'Wait for the seconds in Retry-After.',
  second_factor_not_enrolled: 'Enrol an authenticator first, or use another factor.',
  second_factor_exists: 'Remove the authenticator before enrolling another.',
  second_factor_required:
    'Sign in with an authenticator code, a backup code or a passkey. A new account enrols one first: see Signing in.',
  second_factor_needed:
    'Call verify-totp or verify-backup-code with this session, or sign in with a passkey; then repeat.',
  passkey_rejected: 'Try again with a passkey that verifies its user, on the address where it was made.',
  passkey_exists: 'Sign in with it: nothing is left to do.',
  passkey_not_found: 'List the passkeys of the account for their ids.',
  customer_session_not_found: 'List the sessions of the account for their ids; it may have ended already.',
  identity_unavailable: 'Try again in a moment. Nothing was changed.',
  step_up_missing: newProof,
  step_up_malformed: 'Send the step_up_token as it was answered.',
  step_up_invalid: newProof,
  step_up_expired: `A proof lasts five minutes. ${newProof}`,
  step_up_already_used: `A proof works once; a retry with the same Idempotency-Key needs none. ${newProof}`,
  step_up_session_mismatch: 'Use the proof in the session that made it.',
  step_up_tenant_mismatch: newProof,
  step_up_environment_mismatch: 'Make the proof at the base address of the environment where you use it.',
  step_up_action_mismatch: newProof,
  step_up_scope_mismatch: newProof,
  step_up_idempotency_key_mismatch: 'Send the Idempotency-Key that the challenge was begun with.',
  step_up_params_mismatch:
    'Hash the canonical JSON of exactly what you send: keys sorted, no whitespace, scopes sorted, description trimmed or its default.',
  step_up_challenge_not_found: 'Use the id that the challenge was answered with, in the same account.',
  step_up_challenge_over: 'Begin a new challenge.',
  step_up_method_unavailable: 'Choose one of the methods of the challenge, or enrol a factor first.',
  step_up_response_wrong: 'Answer again; five wrong answers lock the account’s second factors for a while.',
  step_up_code_already_used: 'Wait up to 30 seconds for the next code, or use a backup code.',
  step_up_locked: 'Wait for the seconds in Retry-After.',
  workspace_not_found:
    'Check tenant_id, and that the workspace is open in this environment and you are a member.',
  workspace_exists: 'Nothing is left to do: the workspace is open.',
  tenant_environment_mismatch: 'Send the request to the base address of the environment that it names.',
  api_key_not_found: 'List the API keys of the workspace for their ids.',
  api_key_not_rotatable: 'Rotate the newest key, or create one.',
  api_key_not_revocable: 'Nothing is left to do: the key no longer works.',
  payment_link_not_found: 'Check the id; it is the link’s id, not its public_id.',
  payment_link_archived: 'Create a new payment link.',
  payment_link_paid: 'Read its payments; create a new link to be paid again.',
  payment_link_revoked: 'Create a new payment link: revoking is for good.',
  payment_link_expired: 'Change expires_at first, or create a new link.',
  payment_link_status_unchanged: 'Nothing is left to do.',
  payment_link_terms_frozen: 'Create a new link with the new terms, and deactivate this one.',
  amount_below_minimum: 'Ask for more; the message names the minimum.',
  amount_above_maximum: 'Ask for less, in several payments.',
  currency_unsupported: 'Use a currency that is offered: mxn or usd.',
  payment_method_unavailable: 'Use a method that the currency has: oxxo and spei need mxn.',
  manual_capture_needs_card: 'Ask for cards alone, or capture automatically.',
  installments_unavailable:
    'Offer installments with card and mxn, for terms that exist and amounts that are large enough.',
  markup_not_allowed:
    'Leave merchant_markup_bps out, or use fee_allocation "pass_to_buyer" and offer installments.',
  amount_malformed:
    'Send amounts as strings of digits, in the smallest unit of the currency: no decimal point, no thousands separators.',
  payment_not_capturable:
    'Read the payment: only one in status requires_capture can be captured, and only once.',
  payment_not_cancelable:
    'Read the payment. Refund what was captured. While it is being charged, wait until its status changes, then cancel or refund it.',
  payment_change_in_progress:
    'Another request, or one of yours under another Idempotency-Key, is capturing or canceling this payment. Wait for its event, or read the payment in a minute.',
  payment_under_review:
    'Read the attempts of the payment: `review` has both numbers. An admin may decide at /resolve; we keep asking the processor.',
  refund_not_under_review: 'Read the refund: its status shows how it ended.',
  payment_not_under_review: 'Read the attempts of the payment: `review` shows how it ended.',
  void_or_refund_unavailable: 'Ask the processor, then decide settled_elsewhere.',
  authorization_expired: 'Ask the buyer to pay again, and capture before capture_before.',
  capture_amount_not_positive:
    'Send more than zero, or leave amount out to capture all. To take nothing, cancel.',
  capture_exceeds_authorized: 'Send at most the amount_authorized of the payment.',
  capture_below_fees: 'Capture an amount that leaves a net, or cancel the payment and take nothing.',
  payment_not_found: 'Check the id; list the payments for their ids.',
  notification_signature_invalid:
    'Only the processor calls this address. Check that the signing secret set here is the one of this endpoint.',
  processor_account_unavailable: 'Set nothing: payments of this workspace go through our account.',
  processor_keys_refused:
    'Copy the secret key of the account again; a restricted key must be allowed to read the account.',
  payments_not_configured:
    'Nothing you can do in a request: payments are not switched on in this environment yet.',
  voucher_not_found: 'Read the payment: its method_details have the reference.',
  voucher_over:
    'Pay it with "late": true to see what late cash does, or get a new voucher on the link’s page.',
  clabe_invalid: 'Copy all 18 digits again; the last one is worked out from the others.',
  spei_deposit_not_found: 'List the transfers for their ids.',
  unapplied_funds_not_found: 'List the unapplied funds for their ids.',
  unapplied_funds_settled: 'Nothing is left to do: the events of these funds show where they went.',
  unapplied_funds_exceeded:
    'Read the funds again: remaining is what is left. Leave amount out to take all of it.',
  unapplied_funds_currency_mismatch: 'Apply the funds to a payment in their currency, or refund them.',
  unapplied_funds_beyond_missing:
    'Read the payment again: amount less amount_received is what it still needs. Leave amount out to apply just that.',
  unapplied_funds_not_enough: 'Name further unapplied funds in together_with, or refund these.',
  payment_not_awaiting_funds: 'Apply the funds to a payment that waits or has expired, or refund them.',
  origin_no_longer_available: 'Refund the funds, or apply them to a payment that waits.',
  refund_not_found: 'Check the id; list the refunds for their ids.',
  payment_not_refundable:
    'Wait until the payment has succeeded. What is only authorised is canceled instead.',
  refund_exceeds_captured:
    'Read the payment: what is left is amount_captured less amount_refunded less amount_disputed.',
  refund_blocked_by_dispute: 'Wait for dispute.won or dispute.lost, then read what is left to refund.',
  refund_currency_mismatch: 'Leave currency out, or send the one of the payment.',
  refund_amount_not_positive: 'Send an amount above zero, or none for all that is left.',
  refund_destination_not_accepted:
    'Leave destination out: a card is refunded to the card, and what you paid back yourself is only recorded.',
  refund_card_not_offline: 'Leave method out: the money goes back to the card.',
  refund_destination_not_awaited: 'Read the refund: it has a destination, or is over.',
  refund_not_awaiting_approval: 'Read the refund: it was approved, rejected or canceled already.',
  refund_terms_mismatch: 'Read the refund again and approve exactly its amount and currency.',
  refund_not_cancelable: 'Read the refund. Money that was sent cannot be called back.',
  refund_unavailable: 'Pay the buyer back yourself and record it with method "recorded_offline".',
  dispute_not_found: 'Check the id; list the disputes for their ids.',
  dispute_evidence_not_awaited:
    'Read the dispute. Evidence is sent once each time that the bank asks, with everything you have.',
  dispute_not_decided:
    'Decide it first with /v1/sandbox/disputes/{id}/resolve, or send the status that it has.',
  dispute_over: 'Read the dispute: its status shows how it was decided.',
  payment_not_disputable: 'Dispute a payment of method card whose amount_captured is more than zero.',
  dispute_evidence_overdue: 'Send evidence before evidence_due_by; this dispute is decided without it.',
  transfers_not_configured:
    'Nothing you can do in a request: sending money is not switched on in this environment yet.',
  insufficient_funds: 'Read the balance; wait for pending funds, or send less. Nothing was debited.',
  bank_order_not_returnable: 'Read the transfer, payout or refund: it has to be paid, and by a bank.',
  bank_order_over: 'Read the transfer or payout: it is no longer on its way.',
  transfer_not_found: 'Check the id; list the transfers for their ids.',
  transfer_amount_not_positive: 'Send an amount of at least one minor unit, as a string of digits.',
  transfer_destination_unknown: 'Ask the receiver for the tenant_id of their workspace in this environment.',
  transfer_destination_own: 'Name another workspace, or send to a CLABE.',
  transfer_not_cancelable: 'Read the transfer. Money that has arrived is for the receiver to send back.',
  transfer_not_awaiting_approval: 'Read the transfer: it was approved, rejected or canceled already.',
  transfer_terms_mismatch: 'Read the transfer again and approve exactly its amount and currency.',
  payout_not_found: 'Check the id; list the payouts for their ids.',
  payout_settings_missing: 'Set the payout settings of this currency first.',
  payout_account_cooling_down:
    'Wait for cool_down_ends_at of the payout settings; the balance stays yours. In sandbox move the clock.',
  payout_below_minimum: 'Wait until more is available, or lower the minimum of the payout settings.',
  payout_not_cancelable: 'Read the payout. The bank has it, or it has arrived.',
  payout_nothing_available: 'Wait until pending funds are available; a negative balance is recovered first.',
  event_not_found: 'List the events for their ids.',
  webhook_endpoint_not_found: 'List the webhook endpoints for their ids.',
  webhook_delivery_not_found: 'List the deliveries for their ids.',
  webhook_delivery_no_longer_kept: 'List the events: they are kept.',
  webhook_recovery_not_found: 'Use the id that the recovery was answered with.',
  webhook_url_refused:
    'Use an https address with a public name on port 443 or 8443; the message names what is wrong with this one.',
  webhook_endpoint_limit_reached: 'Delete endpoints that you no longer need, or widen the types of one.',
  webhook_endpoint_status_unchanged: 'Read the endpoint: it may already be as you want it.',
  webhook_endpoint_not_receiving: 'Enable the endpoint first.',
  webhook_recovery_window_invalid: 'Send a since that lies before until, at most 30 days ago.',
  if_match_invalid:
    'Send the `version` that you read in double quotes, or leave the header out; only operations that list it take it.',
  version_changed: 'Read the resource again and decide whether your change still makes sense.',
  conflict: 'Read the resource again and decide whether your change still makes sense.',
  outcome_unknown:
    'Send exactly the same request again, with the same Idempotency-Key where it takes one. Where it changes something and takes none, read first whether it happened.',
  internal:
    'Retry, with the same Idempotency-Key where the request takes one; if the error persists, send us the request_id.',
}
