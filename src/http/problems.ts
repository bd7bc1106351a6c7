import type { areaErrors } from '../generated/errors.ts'

/** The kinds of error, as a client's code would branch on them. */
export type ProblemType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'rate_limit_error'
  | 'payment_error'
  | 'api_error'

/** One error: HTTP status and public text, which never names internals, ids or values. */
export type Entry = readonly [status: number, message: string]

/** The errors of the interface as a whole. Those of an area stand in its errors.ts; a reply can carry no other code. */
export const problems = {
  // The request as such
  body_malformed: [400, 'The body is not valid JSON.'],
  body_too_large: [413, 'The body is larger than 64 KiB.'],
  content_type_unsupported: [415, 'Send the body as application/json.'],
  parameter_missing: [422, 'A required field is missing.'],
  parameter_unknown: [422, 'This field does not exist.'],
  parameter_invalid: [422, 'This field has a value that is not allowed.'],
  amount_malformed: [422, 'An amount is a string of minor units: "120000" is 1,200.00.'],
  clabe_invalid: [422, 'This is not a CLABE: its check digit is wrong.'],
  card_number_refused: [
    422,
    'This field contains what looks like a card number. Never send card numbers to this interface.',
  ],
  cursor_invalid: [400, 'The cursor is not one of ours, or belongs to a list with other filters.'],
  version_unknown: [400, 'This interface version does not exist. The current one is 2026-06-13.'],
  if_match_invalid: [
    400,
    'If-Match must be a version in double quotes, like "3", on an operation that lists it.',
  ],
  version_changed: [412, 'The resource has changed: its version no longer matches If-Match.'],
  idempotency_key_missing: [400, 'This operation needs an Idempotency-Key header.'],
  idempotency_key_invalid: [400, 'The Idempotency-Key must be 8 to 255 characters, written in UTF-8.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with another request. Use a new key.'],
  reply_erased: [410, 'This request had its effect before. Its reply held data of a person that was erased.'],
  route_not_found: [404, 'There is nothing at this address.'],
  method_not_allowed: [405, 'This address does not answer this method.'],
  rate_limited: [429, 'Too many requests. Wait for the time in Retry-After.'],

  // Who is calling
  credential_missing: [401, 'Send a bearer credential in the Authorization header.'],
  credential_malformed: [401, 'The Authorization header is not "Bearer <credential>".'],
  credential_not_accepted: [401, 'This operation does not accept this kind of credential.'],
  api_key_invalid: [401, 'The API key is not valid. Send all of it, as the reply that created it showed it.'],
  api_key_revoked: [401, 'The API key has been revoked.'],
  api_key_expired: [401, 'The API key has expired.'],
  api_key_rotated_out: [401, 'The API key was rotated and its overlap has ended. Use its successor.'],
  api_key_not_active: [401, 'The API key is not active.'],
  environment_mismatch: [401, 'This credential belongs to the other environment.'],
  session_invalid: [401, 'The session is not valid or has ended. Sign in again.'],
  second_factor_required: [
    403,
    'This session has shown no second factor. Show one; if the account has none, enrol one.',
  ],
  insufficient_scope: [403, 'The API key lacks the scope that this operation needs.'],
  insufficient_role: [403, 'Your role in this workspace does not allow this.'],
  workspace_not_found: [404, 'There is no such workspace.'],
  invitation_not_found: [404, 'There is no such invitation.'],

  // Step-up
  step_up_missing: [401, 'This operation needs a step-up proof in x-sp-step-up-token.'],
  step_up_malformed: [400, 'The x-sp-step-up-token must be 32 to 4096 characters.'],
  step_up_invalid: [401, 'The step-up proof is not valid.'],
  step_up_expired: [401, 'The step-up proof has expired.'],
  step_up_already_used: [401, 'The step-up proof has been used.'],
  step_up_session_mismatch: [401, 'The step-up proof belongs to another session.'],
  step_up_tenant_mismatch: [401, 'The step-up proof belongs to another workspace.'],
  step_up_environment_mismatch: [401, 'The step-up proof belongs to another environment.'],
  step_up_action_mismatch: [401, 'The step-up proof was made for another action.'],
  step_up_scope_mismatch: [401, 'The step-up proof was made for another scope.'],
  step_up_idempotency_key_mismatch: [401, 'The step-up proof was made for another Idempotency-Key.'],
  step_up_params_mismatch: [
    401,
    'The step-up proof was made for other parameters: its params_hash does not match this request.',
  ],
  step_up_challenge_not_found: [404, 'There is no such step-up challenge.'],

  // Ourselves
  conflict: [409, 'Another request changed this at the same time. Read it again and retry.'],
  outcome_unknown: [503, 'We cannot tell yet whether this happened.'],
  internal: [500, 'Something went wrong on our side.'],
} as const satisfies Readonly<Record<string, Entry>>

/** What the pipeline and the door answer by themselves. */
export type CommonCode = keyof typeof problems
export type ProblemCode = CommonCode | keyof typeof areaErrors

const types: Readonly<Record<number, ProblemType>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  410: 'not_found_error',
  412: 'conflict_error',
  423: 'authentication_error',
  429: 'rate_limit_error',
}

/** The kind of error follows from its status. */
export const typeOf = (status: number): ProblemType =>
  types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')

/** Status and text of a code. Those of the areas are loaded with the first of their errors. */
export async function entryOf(code: ProblemCode): Promise<Entry> {
  return isCommon(code) ? problems[code] : (await import('../generated/errors.ts')).areaErrors[code]
}

export interface ProblemDetail {
  readonly param: string
  readonly code: ProblemCode
  readonly message: string
}

export interface ProblemMore {
  /** The field that is at fault, dotted: `installment_pricing.merchant_markup_bps`. */
  readonly param?: string
  /** In place of the catalog's text; also public. */
  readonly message?: string
  readonly details?: readonly ProblemDetail[]
  readonly headers?: Readonly<Record<string, string>>
}

/** An error reply. Internal details go into `cause`, never into the reply. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly more: ProblemMore

  constructor(code: ProblemCode, more: ProblemMore = {}, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.more = more
  }

  /** The documented error shape. `baseUrl` is this Worker's address, which also serves the documentation. */
  body([status, message]: Entry, requestId: string, baseUrl: string, instead?: string): object {
    const { param = null, details = [] } = this.more
    return {
      error: {
        type: typeOf(status),
        code: this.code,
        message: this.more.message ?? instead ?? message,
        param,
        doc_url: `${baseUrl}/docs/errors#${this.code}`,
        request_id: requestId,
        details,
      },
    }
  }
}

export const isCommon = (code: string): code is CommonCode => Object.hasOwn(problems, code)
