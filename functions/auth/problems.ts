import type { AuthRouteId } from './routes.ts'

/** Every way in which /v1/auth says no: HTTP status and public text by stable code. */
export const authProblems = {
  'auth.session_required': [401, 'Send a customer session as `Authorization: Bearer <token>`.'],
  'auth.session_invalid': [401, 'This session is unknown, has ended or has expired. Sign in again.'],
  'auth.invalid_credentials': [401, 'The e-mail address or the password is not right.'],
  'auth.email_taken': [409, 'An account with this e-mail address exists. Sign in, or use another address.'],
  'auth.invalid_email': [422, 'This is not an e-mail address.'],
  'auth.wrong_password': [403, 'The password is not right.'],
  'auth.challenge_invalid': [
    401,
    'This sign-in or passkey ceremony is unknown, was finished or has expired. Begin again.',
  ],
  'auth.second_factor_wrong': [401, 'The code is not right.'],
  'auth.second_factor_used': [401, 'This code has been used. Wait for the next one.'],
  'auth.second_factor_locked': [423, 'Too many wrong codes for this account. Try again later.'],
  'auth.second_factor_not_enrolled': [409, 'This account has no such second factor.'],
  'auth.second_factor_exists': [409, 'This account has an authenticator already. Remove it first.'],
  'auth.proof_not_recent': [
    403,
    'Show a second factor again (verify-totp, verify-backup-code, or sign in with a passkey); an account without one signs in again. It counts for 10 minutes.',
  ],
  'auth.passkey_rejected': [401, 'The passkey could not be verified.'],
  'auth.passkey_exists': [409, 'This passkey is registered already.'],
  'auth.not_found': [404, 'There is no such session or passkey in this account.'],
  'auth.unavailable': [503, 'Accounts cannot be reached at the moment. Try again.'],
  'auth.internal': [500, 'Something failed on our side.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type AuthProblemCode = keyof typeof authProblems

/** A refusal of /v1/auth, on its way to the documented error shape. */
export type AuthProblem = {
  readonly code: AuthProblemCode
  /** The body field at fault. */
  readonly param?: string
  readonly retryAfterSeconds?: number
}

/** better-auth's codes; one that is missing here is answered by its status, never with the library's own text. */
const libraryCodes: Record<string, AuthProblemCode> = {
  UNAUTHORIZED: 'auth.session_invalid',
  FAILED_TO_GET_SESSION: 'auth.session_invalid',
  SESSION_EXPIRED: 'auth.session_invalid',
  INVALID_EMAIL: 'auth.invalid_email',
  INVALID_EMAIL_OR_PASSWORD: 'auth.invalid_credentials',
  INVALID_PASSWORD: 'auth.wrong_password',
  USER_ALREADY_EXISTS: 'auth.email_taken',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'auth.email_taken',
  INVALID_TWO_FACTOR_COOKIE: 'auth.challenge_invalid',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'auth.challenge_invalid',
  CHALLENGE_NOT_FOUND: 'auth.challenge_invalid',
  INVALID_CODE: 'auth.second_factor_wrong',
  INVALID_BACKUP_CODE: 'auth.second_factor_wrong',
  TOTP_NOT_ENABLED: 'auth.second_factor_not_enrolled',
  TWO_FACTOR_NOT_ENABLED: 'auth.second_factor_not_enrolled',
  BACKUP_CODES_NOT_ENABLED: 'auth.second_factor_not_enrolled',
  TOTP_ALREADY_ENABLED: 'auth.second_factor_exists',
  AUTHENTICATION_FAILED: 'auth.passkey_rejected',
  FAILED_TO_VERIFY_REGISTRATION: 'auth.passkey_rejected',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'auth.not_found',
  // A passkey of another account answers like one that does not exist.
  PASSKEY_NOT_FOUND: 'auth.not_found',
}

/** Where one code means something else. */
const codesOfRoute: Partial<Record<AuthRouteId, Record<string, AuthProblemCode>>> = {
  'auth.passkey.register': { YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'auth.challenge_invalid' },
  'auth.passkey.sign_in': { PASSKEY_NOT_FOUND: 'auth.passkey_rejected' },
  // The session has been looked at before: what is unauthorised is the passkey of another account.
  'auth.passkey.delete': { '': 'auth.not_found' },
}

export function problemOfLibrary(route: AuthRouteId, code: string | undefined, status: number): AuthProblem {
  const known = codesOfRoute[route]?.[code ?? ''] ?? libraryCodes[code ?? '']
  if (known) return { code: known }
  if (status === 401) return { code: 'auth.session_invalid' }
  if (status === 404) return { code: 'auth.not_found' }
  return { code: 'auth.internal' }
}
