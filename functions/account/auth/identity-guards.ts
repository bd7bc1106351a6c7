import { createHash } from '@better-auth/utils/hash'
import { Problem } from '../../../src/http/problems.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import type { IdentityAccess } from './access.ts'
import { markIn, passwordMark } from './password-attempts.ts'
import type { FactorSubject } from './second-factor.ts'
import { type Session, sessionFromBearer, signature, signedUnder, tokenDigest } from './session.ts'

/** How long a shown factor, or a sign-in where there is none, counts as recent. */
const recentSeconds = 10 * 60

/**
 * Guard `shown`: a session that has not shown its account's factor may only show it, or end.
 * Guard `recent`: an attacker with a stolen session must not enrol a factor of their own and then pass step-up with it;
 * so changing factors takes an existing factor, shown just now. One round trip.
 */
export async function requireFactor(
  access: IdentityAccess,
  guard: 'shown' | 'recent',
  bearer: string,
): Promise<Session> {
  const session = await sessionFromBearer(access.sql, access.secrets, bearer)
  if (!session) throw new Problem('session_invalid')
  if (guard === 'shown') {
    if (session.secondFactor === 'needed') throw new Problem('second_factor_required')
    return session
  }
  const shownAt = session.secondFactor === 'none' ? session.createdAt : session.factorVerifiedAt
  if (!shownAt || shownAt.getTime() <= Date.now() - recentSeconds * 1000)
    throw new Problem('second_factor_needed')
  return session
}

const showNewFactor = `
  with shown as (
    update sessions set factor_verified_at = now() where token_digest = $1 and expires_at > now() returning 1),
  gone as (
    delete from passkeys where id = $2 and not exists (select from shown))
  select 1 as done from shown`

/**
 * A newly registered passkey has verified its user in this session, as a first code of an authenticator does. Where the
 * session was ended meanwhile, the passkey goes, and this says false.
 */
export const showNewPasskey = async (access: IdentityAccess, token: string, id: string): Promise<boolean> =>
  (await access.sql(showNewFactor, [await tokenDigest(token), id])).length > 0

const flowTokenForm = new RegExp(`^(2fa-[A-Za-z0-9_-]{20})\\.(${signature})$`)

const findChallenge = `
  select v.value, ${passwordMark('v.value')} from verifications v
   where v.identifier = $1 and v.expires_at > now() order by v.created_at desc limit 1`

/** The subject of a second step. */
export type SecondStep = FactorSubject & {
  /** The challenge of the sign-in; null for the step of a session. */
  readonly challenge: string | null
  readonly mayEnrol: boolean
  /** Marks the account's password when the sign-in began; null for the step of a session. */
  readonly mark: string | null
}

/**
 * The subject of a second step: of the sign-in that `flowToken` names, else of the session. One round trip. `mayEnrol`:
 * its code may confirm an authenticator. A password-only session may not where the account now has a factor: an
 * enrolment begun earlier would let it past that factor.
 */
export async function secondStepSubject(
  access: IdentityAccess,
  bearer: string | null,
  flowToken: string | undefined,
): Promise<SecondStep> {
  if (flowToken === undefined) {
    if (bearer === null) throw new Problem('credential_missing')
    const session = await sessionFromBearer(access.sql, access.secrets, bearer)
    if (!session) throw new Problem('session_invalid')
    const { userId, sessionId, secondFactor } = session
    return { userId, sessionId, mayEnrol: secondFactor !== 'needed', challenge: null, mark: null }
  }
  const [, challenge = '', signature = ''] = flowTokenForm.exec(flowToken) ?? []
  if ((await signedUnder(challenge, signature, access.secrets)) === null)
    throw new Problem('challenge_invalid')
  const [row] = await access.sql(findChallenge, [await storedIdentifier(challenge)])
  if (!row) throw new Problem('challenge_invalid')
  return { userId: String(row.value), sessionId: null, mayEnrol: false, challenge, mark: markIn(row) }
}

const readMark = `select ${passwordMark('$1')}`

/**
 * For what has begun a session by an earlier password check: a password changed before now ends what began with the old
 * one; a later change ends the session. One round trip.
 */
export async function keepsPassword(
  access: IdentityAccess,
  { userId, mark }: Pick<SecondStep, 'userId' | 'mark'>,
): Promise<boolean> {
  const [row] = await access.sql(readMark, [userId])
  return markIn(row) === mark
}

const setOwnPassword = `
  update accounts a set password = $3, updated_at = now() from sessions s
   where s.id = $1 and s.expires_at > now() and a.user_id = s.user_id and a.password = $2
  returning md5(a.password) as mark`

/**
 * Sets the password of the account that `sessionId` is of, while that lives and `hash` is the account's. One statement,
 * which ends all sessions too.
 * @returns the mark of the new password; null where the session has ended or the password has changed
 */
export async function replacePassword(
  access: IdentityAccess,
  sessionId: string,
  { hash, next }: { readonly hash: string; readonly next: string },
): Promise<string | null> {
  const [row] = await access.sql(setOwnPassword, [sessionId, hash, next])
  return markIn(row)
}

const takeAuthenticator = `
  with own as (
    select s.user_id from sessions s where s.id = $1 and s.expires_at > now()),
  off as (
    update users u set two_factor_enabled = false, updated_at = now() from own
     where u.id = own.user_id and u.two_factor_enabled),
  gone as (
    delete from two_factors t using own where t.user_id = own.user_id)
  select 1 as done from own`

/** Removes the authenticator while the session lives, which a new password ends; says whether it did. */
export const removeAuthenticator = async (access: IdentityAccess, sessionId: string): Promise<boolean> =>
  (await access.sql(takeAuthenticator, [sessionId])).length > 0

const findLive = `select 1 from sessions where id = $1 and expires_at > now()`

export const isLive = async (access: IdentityAccess, sessionId: string): Promise<boolean> =>
  (await access.sql(findLive, [sessionId])).length > 0

/** better-auth's stored form of a challenge's identifier (`storeIdentifier: 'hashed'`). */
export const storedIdentifier = (identifier: string): Promise<string> =>
  createHash('SHA-256', 'base64urlnopad').digest(identifier)

const createAccount = `
  with made as (
    insert into users (id, name, email, locale) values ($1, $2, $3, $4) on conflict (email) do nothing returning id),
  kept as (
    insert into accounts (id, user_id, account_id, provider_id, password) select $5, id, id, 'credential', $6 from made)
  insert into mails (id, user_id, kind, secret_version, network, expires_at)
  select $7, id, 'confirm_address', $8, $9, now() + interval '24 hours' from made`

interface NewAccount {
  readonly name: string
  readonly email: string
  readonly passwordHash: string
  readonly locale: Locale
  /** Null where it is unknown. */
  readonly network: string | null
}

/**
 * Creates an account, with the mail that asks to confirm its address, or does nothing where the address has one: the
 * same statement and one round trip, so that a caller cannot tell the two apart. The library takes three statements, of which a crashed Worker leaves one or two.
 */
export async function signUp(
  access: IdentityAccess,
  { name, email, passwordHash, locale, network }: NewAccount,
): Promise<void> {
  const [userId, accountId, mailId] = [uuidv7(Date.now()), uuidv7(Date.now()), uuidv7(Date.now())]
  const user = [userId, name, email.toLowerCase(), locale]
  const mail = [mailId, Number(access.secrets.current), network]
  await access.sql(createAccount, [...user, accountId, passwordHash, ...mail])
}
