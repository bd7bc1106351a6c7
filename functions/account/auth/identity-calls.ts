import { isAPIError } from 'better-auth/api'
import { holdingTokens } from '../../../drizzle/identity/session-token.ts'
import { Problem, type ProblemCode } from '../../../src/http/problems.ts'
import { pickLocale } from '../../../src/kernel/locale.ts'
import { networkOf } from '../../../src/kernel/network.ts'
import type { IdentityAccess } from './access.ts'
import { incoming, outgoing, tokenInCookies } from './bearer-cookies.ts'
import { type Identity, sessionLifeSeconds } from './identity.ts'
import {
  isLive,
  keepsPassword,
  removeAuthenticator,
  requireFactor,
  type SecondStep,
  secondStepSubject,
  showNewPasskey,
  signUp,
} from './identity-guards.ts'
import { problemOfFactor, problemOfLibrary, problemOfQuery } from './identity-problems.ts'
import { confirmAddress, requestLink, setPasswordByMail } from './mail-links.ts'
import { admitPassword, type Offer, passwordWasRight } from './password-attempts.ts'
import { noteFailures, withQueryFailures } from './query-failures.ts'
import type { AuthBody, AuthRoute, AuthRouteId, LibraryRouteId } from './routes.ts'
import { enrolledMethods, verifyBackupCode, verifyTotp } from './second-factor.ts'
import { openBearer, type Session, signature, signedAnew } from './session.ts'
import { shown } from './shown.ts'

/** A call of /v1/auth: its body has been validated against the route, its bearer is as it came. */
export type AuthCall = {
  readonly route: AuthRoute & { readonly id: AuthRouteId }
  readonly body: unknown
  readonly bearer: string | null
  /** The request's own headers; of its cookies only those of a ceremony under way are read. */
  readonly headers: Headers
}

export type AuthReply = {
  readonly body: unknown
  /** The token of the session that this call began, if it did; it is in the body too. */
  readonly newToken: string | null
  /** `Set-Cookie` values of a ceremony under way. No session ever travels in one. */
  readonly cookies: readonly string[]
}

/** The input of a call to the library. */
type Work = {
  readonly access: IdentityAccess
  readonly auth: Identity
  readonly call: AuthCall
  /** The headers for the library: the session and the ceremony as the cookies that it expects. */
  readonly headers: Headers
  /** The calling session's token in plain text; null without a session. */
  readonly ownToken: string | null
  /** The calling session, where the guard has read it. */
  readonly session: Session | null
  /** The password that it offers, if it does. */
  readonly offer: Offer | null
}

type LibraryReply = { readonly headers?: Headers | null; readonly response: unknown }
type Handler<Id extends AuthRouteId> = (work: Work, body: AuthBody<Id>) => Promise<LibraryReply>

const returnHeaders = true as const
const done: LibraryReply = { response: { status: true } }

const handlers: { [Id in LibraryRouteId]: Handler<Id> } = {
  'auth.sign_up': async ({ access, auth, call }, { name, email, password }) => {
    const { hash } = (await auth.$context).password
    const locale = pickLocale(null, call.headers.get('accept-language'))
    const address = call.headers.get('cf-connecting-ip')
    const network = address === null ? null : networkOf(address)
    await signUp(access, { name, email, locale, network, passwordHash: await hash(password) })
    return done
  },
  'auth.send_verification_email': async ({ access }, { email }) => {
    await requestLink(access, 'confirm_address', email)
    return done
  },
  'auth.verify_email': async ({ access, ownToken }, { token }) => {
    await confirmAddress(access, token, ownToken)
    return done
  },
  'auth.request_password_reset': async ({ access }, { email }) => {
    await requestLink(access, 'reset_password', email)
    return done
  },
  'auth.reset_password': async ({ access, auth }, { token, new_password }) => {
    const { hash } = (await auth.$context).password
    if (!(await setPasswordByMail(access, token, () => hash(new_password))))
      throw new Problem('mail_link_invalid')
    return done
  },
  // The library knows only authenticators; here any factor makes the password a first step. A password change ends
  // existing sessions and sign-ins. A session checked against the old password but created after the change would
  // survive, so end it here.
  'auth.sign_in': async ({ access, auth, headers, offer }, body) => {
    const reply = await auth.api.signInEmail({ body, headers, returnHeaders })
    const { methods: twoFactorMethods, mark } = await enrolledMethods(access, body.email)
    const token = 'token' in reply.response ? reply.response.token : null
    const isChanged = mark !== offer?.mark
    if (token && (isChanged || twoFactorMethods.length > 0)) await endSession(auth, token)
    if (isChanged) throw new Problem('sign_in_failed')
    if (twoFactorMethods.length === 0) return reply
    const response = { twoFactorRedirect: true, twoFactorMethods }
    return token ? { response } : { ...reply, response }
  },
  'auth.sign_out': async ({ auth, headers }) => {
    await auth.api.signOut({ headers })
    return done
  },
  'auth.list_sessions': async (work) => {
    const response = (await ownSessions(work)).map((session) => ({
      ...session,
      ipAddress: session.ipAddress || null,
      userAgent: session.userAgent || null,
      current: session.token === work.ownToken,
    }))
    return { response }
  },
  'auth.revoke_session': async (work, body) => {
    const found = (await ownSessions(work)).find((session) => session.id === body.id)
    if (!found) throw new Problem('customer_session_not_found')
    return work.auth.api.revokeSession({ body: { token: found.token }, headers: work.headers, returnHeaders })
  },
  'auth.revoke_other_sessions': async ({ auth, headers }) =>
    auth.api.revokeOtherSessions({ headers, returnHeaders }),
  'auth.update_user': async ({ auth, headers }, body) =>
    auth.api.updateUser({ body, headers, returnHeaders }),
  'auth.change_password': async (work, { current_password, new_password }) => {
    const body = { current: current_password, next: new_password }
    const reply = await work.auth.api.replacePassword({ body, headers: work.headers, returnHeaders })
    const { user, mark } = reply.response
    return unlessChanged(work, reply, { userId: user.id, mark, code: 'session_invalid' })
  },
  'auth.two_factor.enable': async ({ auth, headers }, body) =>
    auth.api.enableTwoFactor({ body, headers, returnHeaders }),
  'auth.two_factor.verify_totp': async (work, { code, two_factor_token }) => {
    const { access, call } = work
    const subject = await secondStepSubject(access, call.bearer, two_factor_token)
    const result = await verifyTotp(access, subject, code, { enrolling: subject.mayEnrol })
    if (!result.ok) throw problemOfFactor(result)
    if (subject.challenge !== null) return endSignIn(work, subject, subject.challenge)
    return { response: { token: call.bearer } }
  },
  'auth.two_factor.verify_backup_code': async (work, { code, two_factor_token }) => {
    const subject = await secondStepSubject(work.access, work.call.bearer, two_factor_token)
    const result = await verifyBackupCode(work.access, subject, code)
    if (!result.ok) throw problemOfFactor(result)
    if (subject.challenge !== null) return endSignIn(work, subject, subject.challenge)
    return { response: { token: work.call.bearer } }
  },
  // A call whose session was ended meanwhile has replaced the codes; it does not see the new ones.
  'auth.two_factor.generate_backup_codes': async ({ access, auth, headers, session }, body) => {
    const reply = await auth.api.generateBackupCodes({ body, headers, returnHeaders })
    if (!(await isLive(access, session!.sessionId))) throw new Problem('session_invalid')
    return reply
  },
  // The library's removes it, and begins a session, whatever became of the calling one meanwhile.
  'auth.two_factor.disable': async ({ access, auth, call, headers, session }, body) => {
    await auth.api.verifyPassword({ body, headers })
    const { sessionId, expiresAt } = session!
    if (!(await removeAuthenticator(access, sessionId))) throw new Problem('session_invalid')
    return { response: { token: call.bearer, expiresAt } }
  },
  'auth.passkey.register_options': async ({ auth, headers }) =>
    auth.api.generatePasskeyRegistrationOptions({ headers, returnHeaders }),
  'auth.passkey.register': async ({ access, auth, headers, ownToken }, { response, name }) => {
    const body = name === undefined ? { response } : { response, name }
    const reply = await auth.api.verifyPasskeyRegistration({ body, headers, returnHeaders })
    const isShown = await showNewPasskey(access, ownToken!, reply.response.id)
    if (!isShown) throw new Problem('session_invalid')
    return reply
  },
  'auth.passkey.sign_in_options': async ({ auth, headers }) => {
    const reply = await auth.api.generatePasskeyAuthenticationOptions({ headers, returnHeaders })
    return { ...reply, response: { ...reply.response, userVerification: 'required' } }
  },
  'auth.passkey.sign_in': async ({ auth, headers }, { response }) =>
    auth.api.verifyPasskeyAuthentication({
      body: { response: asAssertion(response) },
      headers,
      returnHeaders,
    }),
  'auth.passkey.list': async ({ auth, headers }) => auth.api.listPasskeys({ headers, returnHeaders }),
  'auth.passkey.rename': async ({ auth, headers }, body) => ({
    response: (await auth.api.updatePasskey({ body, headers })).passkey,
  }),
  'auth.passkey.delete': async ({ auth, headers }, body) =>
    auth.api.deletePasskey({ body, headers, returnHeaders }),
}

/** Its fields have been validated; the library's type declares more than the library reads. */
const asAssertion = (response: AuthBody<'auth.passkey.sign_in'>['response']) =>
  response as unknown as NonNullable<
    Parameters<Identity['api']['verifyPasskeyAuthentication']>[0]
  >['body']['response']

async function ownSessions({ auth, headers }: Work) {
  return auth.api.listSessions({ headers })
}

const endSession = async (auth: Identity, token: string) =>
  (await auth.$context).internalAdapter.deleteSession(token)

/** The session of a sign-in whose second step was right, unless the password of its first step has since changed. */
async function endSignIn(work: Work, { userId, mark }: SecondStep, challenge: string) {
  const body = { challenge, userId }
  const reply = await work.auth.api.endSecondStep({ body, headers: work.headers, returnHeaders })
  return unlessChanged(work, reply, { userId, mark, code: 'challenge_invalid' })
}

type Begun = LibraryReply & { readonly response: { readonly token: string } }
type Checked = Pick<SecondStep, 'userId' | 'mark'> & { readonly code: ProblemCode }

/** The session that a reply began, unless the password that it relies on has since changed. */
async function unlessChanged({ access, auth }: Work, reply: Begun, checked: Checked): Promise<LibraryReply> {
  if (await keepsPassword(access, checked)) return reply
  await endSession(auth, reply.response.token)
  throw new Problem(checked.code)
}

/**
 * Carries out one call of /v1/auth.
 * @throws Problem
 */
export async function callIdentity(
  access: IdentityAccess,
  auth: Identity,
  call: AuthCall,
): Promise<AuthReply> {
  const noted = { ...access, sql: noteFailures(access.sql) }
  try {
    return await withQueryFailures(() => holdingTokens(() => carryOut(noted, auth, call)), problemOfQuery)
  } catch (error) {
    if (!isAPIError(error)) throw error
    throw problemOfLibrary(call.route.id, error.body?.code, error.statusCode, error)
  }
}

async function carryOut(access: IdentityAccess, auth: Identity, call: AuthCall): Promise<AuthReply> {
  const { ownToken, session } = await admitCaller(access, call)
  const tokens = await ceremonyTokens(access, auth, call)
  const bearer = call.bearer === null ? null : await signedAnew(call.bearer, access.secrets)
  const headers = await incoming(auth, call.headers, ownToken === null ? null : bearer, tokens.passkey_token)
  const id = call.route.id as LibraryRouteId
  const body = { ...(call.body as object | undefined), ...tokens }
  const isGuess = id === 'auth.sign_in' || session !== null
  const offer = isGuess ? await admitPassword(access, { body, headers: call.headers, session }) : null
  const began = Date.now()
  const reply = await (handlers[id] as Handler<AuthRouteId>)(
    { access, auth, call, headers, ownToken, session, offer },
    body as AuthBody<AuthRouteId>,
  )
  if (offer) await passwordWasRight(access, offer)
  const out = await outgoing(auth, reply.headers)
  const { sessionToken, cookies } = out
  const expiresAt = new Date(began + sessionLifeSeconds * 1000)
  const answer = {
    ...(reply.response as object),
    ...(sessionToken !== null && { token: sessionToken, expiresAt }),
    ...out.ceremonyTokens,
  }
  const newToken = sessionToken === bearer ? null : sessionToken
  return {
    body: shown(call.route, Array.isArray(reply.response) ? reply.response : answer),
    newToken,
    cookies,
  }
}

type Admitted = {
  /** The calling session's token in plain text; null without a session. */
  readonly ownToken: string | null
  /** Set where the guard has read it. */
  readonly session: Session | null
}

/** Lets the caller in, or refuses. */
async function admitCaller(access: IdentityAccess, { route, bearer }: AuthCall): Promise<Admitted> {
  if (route.guard === 'anyone') return { ownToken: null, session: null }
  const ownToken = bearer === null ? null : await openBearer(bearer, access.secrets)
  if (route.guard === 'optional' && bearer !== null && ownToken === null) throw new Problem('session_invalid')
  if (route.guard === 'optional') return { ownToken, session: null }
  if (route.guard === 'second_step') return { ownToken, session: null }
  if (bearer === null) throw new Problem('credential_missing')
  if (ownToken === null) throw new Problem('session_invalid')
  const session = route.guard === 'session' ? null : await requireFactor(access, route.guard, bearer)
  return { ownToken, session }
}

/** Of the library's passkey tokens. It would fail at a sign-in's `two_factor_token`, whose challenge has another form. */
const passkeyTokenForm = new RegExp(`^[A-Za-z0-9_-]{32}\\.${signature}$`)

/**
 * The ceremony that a call continues: named in its body or in a cookie. A second step's token in the body wins over
 * the calling session, the session over a cookie.
 */
async function ceremonyTokens(access: IdentityAccess, auth: Identity, call: AuthCall) {
  const { route, body, bearer, headers } = call
  const given = (body ?? {}) as { two_factor_token?: string; passkey_token?: string }
  if (route.guard === 'second_step') {
    const inCookie = bearer === null ? await tokenInCookies(auth, headers, 'two_factor_token') : undefined
    return { two_factor_token: given.two_factor_token ?? inCookie }
  }
  if (route.id !== 'auth.passkey.register' && route.id !== 'auth.passkey.sign_in') return {}
  const passkeyToken = given.passkey_token ?? (await tokenInCookies(auth, headers, 'passkey_token'))
  if (passkeyToken === undefined) return {}
  if (!passkeyTokenForm.test(passkeyToken)) throw new Problem('challenge_invalid')
  return { passkey_token: await signedAnew(passkeyToken, access.secrets) }
}
