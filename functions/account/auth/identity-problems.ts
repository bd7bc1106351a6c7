import { Problem, type ProblemCode } from '../../../src/http/problems.ts'
import type { FailedQuery } from './query-failures.ts'
import type { AuthRouteId } from './routes.ts'
import type { FactorRefusal } from './second-factor.ts'

/** better-auth's codes; one that is missing here is answered by its status, never with the library's own text. */
const libraryCodes: Record<string, ProblemCode> = {
  UNAUTHORIZED: 'session_invalid',
  FAILED_TO_GET_SESSION: 'session_invalid',
  INVALID_EMAIL_OR_PASSWORD: 'sign_in_failed',
  INVALID_PASSWORD: 'password_wrong',
  CHALLENGE_NOT_FOUND: 'challenge_invalid',
  INVALID_CODE: 'second_factor_wrong',
  TOTP_NOT_ENABLED: 'second_factor_not_enrolled',
  TWO_FACTOR_NOT_ENABLED: 'second_factor_not_enrolled',
  BACKUP_CODES_NOT_ENABLED: 'second_factor_not_enrolled',
  TOTP_ALREADY_ENABLED: 'second_factor_exists',
  AUTHENTICATION_FAILED: 'passkey_rejected',
  FAILED_TO_VERIFY_REGISTRATION: 'passkey_rejected',
  PASSKEY_NOT_FOUND: 'passkey_not_found',
}

/** Where one code means something else. */
const codesOfRoute: Partial<Record<AuthRouteId, Record<string, ProblemCode>>> = {
  'auth.passkey.register': { YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'challenge_invalid' },
  'auth.passkey.sign_in': { PASSKEY_NOT_FOUND: 'passkey_rejected' },
  'auth.reset_password': { INVALID_TOKEN: 'mail_link_invalid', USER_NOT_FOUND: 'mail_link_invalid' },
  // A passkey of another account answers like one that does not exist. For `delete` the library gives no code; the
  // guard has already checked the session, so the passkey is what is unauthorized.
  'auth.passkey.rename': { YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'passkey_not_found' },
  'auth.passkey.delete': { '': 'passkey_not_found' },
}

export function problemOfLibrary(
  route: AuthRouteId,
  code: string | undefined,
  status: number,
  cause: unknown,
): Problem {
  const known = codesOfRoute[route]?.[code ?? ''] ?? libraryCodes[code ?? '']
  return new Problem(known ?? (status === 401 ? 'session_invalid' : 'internal'), {}, { cause })
}

type FactorCodes = Readonly<Record<FactorRefusal['reason'], ProblemCode>>

const accountCodes: FactorCodes = {
  malformed: 'second_factor_wrong',
  wrong: 'second_factor_wrong',
  already_used: 'second_factor_already_used',
  not_enrolled: 'second_factor_not_enrolled',
  locked: 'second_factor_locked',
}

export function problemOfFactor(refusal: FactorRefusal, codes = accountCodes): Problem {
  const code = codes[refusal.reason]
  if (refusal.reason === 'locked')
    return new Problem(code, { headers: { 'Retry-After': String(refusal.retryAfterSeconds) } })
  return new Problem(code, code === 'parameter_invalid' ? { param: 'response' } : {})
}

/** The problem for a failed query, whatever the library answered. */
export function problemOfQuery(failed: FailedQuery, cause: unknown): Problem {
  if (failed.constraint === 'passkeys_credential') return new Problem('passkey_exists')
  if (failed.constraint === 'factors_take_session') return new Problem('session_invalid')
  const passing = failed.sqlState === null || /^(08|53|57P|40)/.test(failed.sqlState)
  return passing
    ? new Problem('identity_unavailable', { headers: { 'Retry-After': '1' } }, { cause })
    : new Problem('internal', {}, { cause })
}
