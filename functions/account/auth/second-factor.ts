import { createOTP } from '@better-auth/utils/otp'
import type { factorMethods } from '../../../drizzle/schema/step-up.ts'
import { sameText } from '../../../src/platform/crypto.ts'
import type { IdentityAccess } from './access.ts'
import { decryptText, encryptText } from './encryption.ts'
import { markIn, passwordMark } from './password-attempts.ts'
import { isTrue } from './session.ts'

/** Second factors, in the order to offer them. */
export type FactorMethod = (typeof factorMethods)[number]

export type PasskeyHandle = { readonly credentialId: string; readonly transports: readonly string[] }

/** The factors of an account. */
export type Factors = {
  readonly totp: boolean
  readonly backupCodesLeft: number
  readonly passkeys: readonly PasskeyHandle[]
}

export type FactorRefusal =
  /** Malformed for the method: no query was made and nothing counted. */
  | { readonly reason: 'malformed' }
  | { readonly reason: 'not_enrolled' }
  /** Wrong, and counted against the account. */
  | { readonly reason: 'wrong' }
  /** Right, but it has been used before; not counted. */
  | { readonly reason: 'already_used' }
  /** Five failures within 15 minutes: nothing is checked for 15 minutes, right or wrong. */
  | { readonly reason: 'locked'; readonly retryAfterSeconds: number }

export type FactorResult = { readonly ok: true } | ({ readonly ok: false } & FactorRefusal)

/** The account whose factor is checked and, if there is one, the session to mark as having shown it. */
export type FactorSubject = { readonly userId: string; readonly sessionId: string | null }

const periodSeconds = 30
const lockSeconds = 15 * 60

const readFactors = `
  select (u.two_factor_enabled and coalesce(t.verified, false)) as totp, t.backup_codes,
         coalesce((select json_agg(json_build_array(p.credential_id, p.transports) order by p.created_at)
                     from passkeys p where p.user_id = u.id), '[]')::text as passkeys
    from users u left join two_factors t on t.user_id = u.id
   where u.id = $1`

/** The account's factors, in one round trip. */
export async function factorsOf(access: IdentityAccess, userId: string): Promise<Factors> {
  const [row] = await access.sql(readFactors, [userId])
  if (!row) return { totp: false, backupCodesLeft: 0, passkeys: [] }
  const totp = isTrue(row.totp)
  const handles = JSON.parse(String(row.passkeys)) as [string, string | null][]
  return {
    totp,
    backupCodesLeft: totp ? (await openCodes(access, String(row.backup_codes))).length : 0,
    passkeys: handles.map(([credentialId, transports]) => ({
      credentialId,
      transports: transports ? transports.split(',') : [],
    })),
  }
}

const readEnrolled = `
  select exists (select from passkeys p where p.user_id = u.id) as passkey, ${passwordMark('u.id')},
         u.two_factor_enabled and exists (select from two_factors t where t.user_id = u.id and t.verified) as totp
    from users u where u.email = $1`

/**
 * The enrolled methods and the password mark of the account with this address, in one round trip; nothing is
 * decrypted, so codes are not counted.
 */
export async function enrolledMethods(
  access: IdentityAccess,
  email: string,
): Promise<{ readonly methods: FactorMethod[]; readonly mark: string | null }> {
  const [row] = await access.sql(readEnrolled, [email.toLowerCase()])
  const methods = [
    ...(isTrue(row?.passkey) ? (['webauthn'] as const) : []),
    ...(isTrue(row?.totp) ? (['totp', 'backup_code'] as const) : []),
  ]
  return { methods, mark: markIn(row) }
}

export function availableMethods(factors: Factors): FactorMethod[] {
  const methods: FactorMethod[] = []
  if (factors.passkeys.length > 0) methods.push('webauthn')
  if (factors.totp) methods.push('totp')
  if (factors.backupCodesLeft > 0) methods.push('backup_code')
  return methods
}

// Counted before it is checked: fifty concurrent guesses cannot all read "four failures so far". A success clears the
// count.
const admitAttempt = `
  with attempt as (
    insert into second_factor_failures as f (user_id, failures, window_started_at)
    select t.user_id, 1, now() from two_factors t where t.user_id = $1
    on conflict (user_id) do update set
      failures = case when f.locked_until is not null or f.window_started_at <= now() - $2 * interval '1 second'
                      then 1 else f.failures + 1 end,
      window_started_at = case when f.locked_until is not null or f.window_started_at <= now() - $2 * interval '1 second'
                               then now() else f.window_started_at end,
      locked_until = case when f.locked_until is null and f.window_started_at > now() - $2 * interval '1 second'
                               and f.failures + 1 >= 5
                          then now() + $2 * interval '1 second' end
      where f.locked_until is null or f.locked_until <= now()
    returning 1)
  select exists (select from attempt) as admitted, t.id, t.secret, t.backup_codes,
         (u.two_factor_enabled and t.verified) as enrolled,
         (select ceil(extract(epoch from f.locked_until - now()))::int
            from second_factor_failures f where f.user_id = $1) as locked_for
    from two_factors t join users u on u.id = t.user_id
   where t.user_id = $1`

/** The stored secrets to check an admitted attempt against; still encrypted. */
type Attempt = {
  readonly id: string
  readonly secret: string
  readonly backupCodes: string
  readonly enrolled: boolean
}

/** Counts an attempt against the account before anything is checked. One round trip. */
async function beginAttempt(access: IdentityAccess, userId: string): Promise<Attempt | FactorRefusal> {
  const [row] = await access.sql(admitAttempt, [userId, lockSeconds])
  if (!row) return { reason: 'not_enrolled' }
  if (!isTrue(row.admitted)) {
    // The lock may be younger than this statement's snapshot: then its whole length is the safe answer.
    const lockedFor = Number(row.locked_for ?? 0)
    return { reason: 'locked', retryAfterSeconds: lockedFor > 0 ? lockedFor : lockSeconds }
  }
  return {
    id: String(row.id),
    secret: String(row.secret),
    backupCodes: String(row.backup_codes),
    enrolled: isTrue(row.enrolled),
  }
}

const acceptTimeStep = 'select accept_time_step($1, $2, $3, $4) as accepted'

/**
 * Checks an authenticator's six digits in two round trips (one when refused). A code of the present half minute or
 * of its neighbors is accepted, and each time step once per account, in sign-in and step-up and on both Workers.
 * @param options.enrolling accepts an authenticator that has not been confirmed yet, and confirms it.
 */
export async function verifyTotp(
  access: IdentityAccess,
  subject: FactorSubject,
  code: string,
  options: { readonly enrolling?: boolean } = {},
): Promise<FactorResult> {
  if (!/^\d{6}$/.test(code)) return refuse({ reason: 'malformed' })
  const attempt = await beginAttempt(access, subject.userId)
  if ('reason' in attempt) return refuse(attempt)
  if (!attempt.enrolled && !options.enrolling) return refuse({ reason: 'not_enrolled' })
  const step = await matchingStep(await decryptText(access.secrets, attempt.secret), code)
  if (step === null) return refuse({ reason: 'wrong' })
  const enrols = !attempt.enrolled
  const [row] = await access.sql(acceptTimeStep, [subject.userId, step, subject.sessionId, enrols])
  if (row?.accepted === null) return refuse({ reason: 'not_enrolled' })
  return isTrue(row?.accepted) ? { ok: true } : refuse({ reason: 'already_used' })
}

async function matchingStep(secret: string, code: string): Promise<number | null> {
  const otp = createOTP(secret, { digits: 6, period: periodSeconds })
  const now = Math.floor(Date.now() / 1000 / periodSeconds)
  let matched: number | null = null
  for (const step of [now, now - 1, now + 1]) {
    if (sameText(await otp.hotp(step), code) && matched === null) matched = step
  }
  return matched
}

const spendBackupCode = `
  with spent as (
    update two_factors set backup_codes = $3 where id = $2 and backup_codes = $4 returning 1),
  forgotten as (
    delete from second_factor_failures where user_id = $1 and exists (select from spent)),
  marked as (
    update sessions set factor_verified_at = now() where id = $5 and user_id = $1 and exists (select from spent))
  select exists (select from spent) as spent,
         (select backup_codes from two_factors where id = $2) as backup_codes`

/**
 * Spends one backup code, in two round trips (one when refused); each code works once, even under concurrent requests.
 */
export async function verifyBackupCode(
  access: IdentityAccess,
  subject: FactorSubject,
  code: string,
): Promise<FactorResult> {
  if (!/^[A-Za-z0-9]{5}-[A-Za-z0-9]{5}$/.test(code)) return refuse({ reason: 'malformed' })
  const attempt = await beginAttempt(access, subject.userId)
  if ('reason' in attempt) return refuse(attempt)
  if (!attempt.enrolled) return refuse({ reason: 'not_enrolled' })
  let stored = attempt.backupCodes
  // Another code spent meanwhile changes the stored list: read again. At most five attempts are admitted at once, and each
  // of the others may cost two tries: a statement that waited for one answers the list as it was when it began.
  for (let tries = 0; tries < 10; tries++) {
    const codes = await openCodes(access, stored)
    const left = codes.filter((known) => !sameText(known, code))
    if (left.length === codes.length) return refuse({ reason: 'wrong' })
    const next = await encryptText(access.secrets, JSON.stringify(left))
    const values = [subject.userId, attempt.id, next, stored, subject.sessionId]
    const [row] = await access.sql(spendBackupCode, values)
    if (isTrue(row?.spent)) return { ok: true }
    stored = String(row?.backup_codes)
  }
  return refuse({ reason: 'wrong' })
}

async function openCodes(access: IdentityAccess, stored: string): Promise<string[]> {
  return JSON.parse(await decryptText(access.secrets, stored)) as string[]
}

const refuse = (refusal: FactorRefusal): FactorResult => ({ ok: false, ...refusal })
