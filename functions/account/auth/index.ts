import type { Context, MiddlewareHandler } from 'hono'
import { presented } from '../../../src/http/access/kinds.ts'
import type { Contract } from '../../../src/http/contract.ts'
import { Hono } from '../../../src/http/hono.ts'
import { Problem } from '../../../src/http/problems.ts'
import type { Env } from '../../../src/http/router.ts'
import {
  limitRate,
  limitStranger,
  makeKnown,
  networkOfCaller,
  ratePolicyHeader,
} from '../../../src/http/stages/rate-limit.ts'
import { validators, validOf } from '../../../src/http/stages/validate.ts'
import { keptFor } from '../../../src/kernel/kept.ts'
import { sha256Hex } from '../../../src/platform/crypto.ts'
import type { AccessOf, IdentityAccess } from './access.ts'
import type { AuthCall, AuthReply } from './identity-calls.ts'
import { type AuthRoute, type AuthRouteId, authRoutes } from './routes.ts'
import { sessionFromBearer } from './session.ts'
import { shown } from './shown.ts'

/** Routes that may have put a mail into the outbox; a new session may too. */
const mailing: ReadonlySet<AuthRouteId> = new Set([
  'auth.sign_up',
  'auth.send_verification_email',
  'auth.request_password_reset',
])

/**
 * The routes of /v1/auth that better-auth answers; step-up has its own operations. Nothing of the library is loaded
 * before the first call that needs it. Errors are thrown as Problems.
 */
export function authArea(accessOf: AccessOf): Hono<Env> {
  const app = new Hono<Env>()
  for (const route of authRoutes) {
    app.on(
      route.method,
      route.path,
      limitCallers(route),
      ...validators(route as unknown as Contract),
      async (c) => {
        const access = accessOf(c.get('services').settings)
        const response =
          route.id === 'auth.get_session'
            ? await getSession(access, c, route)
            : await forward(accessOf, c, route)
        response.headers.set('Cache-Control', 'no-store')
        return response
      },
    )
  }
  return app
}

/**
 * By session where the route takes one; by the caller's address where the session is missing or unknown, and always for
 * guesses and password hashes.
 */
const limitCallers =
  (route: AuthRoute): MiddlewareHandler<Env> =>
  async (c, next) => {
    c.header('RateLimit-Policy', ratePolicyHeader(route.rate))
    const bearer = customerBearer(c, route)
    const caller = bearer === null ? null : await sha256Hex(bearer)
    await limitRate(c.env, route.rate, caller === null || route.rate === 'auth' ? networkOfCaller(c) : caller)
    if (caller !== null) await limitStranger(c, caller)
    await next()
    if (caller !== null && c.res.ok && asksForSession(route)) makeKnown(caller)
  }

/** Whether only a live session succeeds. Ending one does so in any case, and so may the second step of a sign-in. */
const asksForSession = ({ id, guard }: AuthRoute) =>
  guard === 'shown' || guard === 'recent' || id === 'auth.get_session'

type Library = (call: AuthCall) => Promise<AuthReply>

/** The library, set up once for each way of reaching the database. */
const libraryOf = keptFor(async (access: IdentityAccess): Promise<Library> => {
  const [{ createIdentity }, { callIdentity }] = await Promise.all([
    import('./identity.ts'),
    import('./identity-calls.ts'),
  ])
  const auth = createIdentity(access)
  return (call) => callIdentity(access, auth, call)
})

/** Carries out one call, and has the mails sent that it may have caused. */
async function callAccounts(
  accessOf: AccessOf,
  c: Context<Env>,
  call: Omit<AuthCall, 'headers'>,
): Promise<AuthReply> {
  const library = await libraryOf(accessOf(c.get('services').settings))
  const reply = await library({ ...call, headers: c.req.raw.headers })
  if (mailing.has(call.route.id) || reply.newToken !== null) c.get('services').sendMails()
  return reply
}

/**
 * A call for a page: its body is checked as the JSON route checks it.
 * @returns the names of the fields that the route refuses, where it refuses any
 * @throws Problem
 */
export async function askAccounts(
  accessOf: AccessOf,
  c: Context<Env>,
  { id, body, bearer = null }: { id: AuthRouteId; body?: unknown; bearer?: string | null },
): Promise<{ readonly reply: AuthReply } | { readonly wrong: readonly string[] }> {
  const route = authRoutes.find((each) => each.id === id)!
  const checked = route.body?.safeParse(body)
  if (checked?.success === false) return { wrong: checked.error.issues.map(({ path }) => String(path[0])) }
  return { reply: await callAccounts(accessOf, c, { route, body: checked?.data, bearer }) }
}

async function forward(
  accessOf: AccessOf,
  c: Context<Env>,
  route: AuthRoute & { id: AuthRouteId },
): Promise<Response> {
  const bearer = customerBearer(c, route)
  const body = route.body ? validOf(c, 'json') : undefined
  const reply = await callAccounts(accessOf, c, { route, body, bearer })
  const response = c.json(reply.body as object)
  for (const cookie of reply.cookies) response.headers.append('Set-Cookie', cookie)
  if (reply.newToken !== null) response.headers.set('set-auth-token', reply.newToken)
  return response
}

/** The bearer, on routes that read one; a second step may omit it. */
function customerBearer(c: Context<Env>, route: AuthRoute): string | null {
  const header = c.req.header('authorization')
  const mayOmit = route.guard === 'second_step' || route.guard === 'optional'
  if (route.guard === 'anyone' || (mayOmit && header === undefined)) return null
  return presented(header, { customer: {} }).bearer
}

async function getSession(access: IdentityAccess, c: Context<Env>, route: AuthRoute): Promise<Response> {
  const bearer = customerBearer(c, route)
  const session = bearer && (await sessionFromBearer(access.sql, access.secrets, bearer))
  if (!session) throw new Problem('session_invalid')
  const { sessionId, userId } = session
  const answer = { session: { ...session, id: sessionId }, user: { ...session, id: userId } }
  return c.json(shown(route, answer) as object)
}
