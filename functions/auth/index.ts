import { type Context, Hono } from 'hono'
import type * as z from 'zod'
import { Problem, type ProblemDetail } from '../../src/http/problems.ts'
import type { IdentityAccess } from './access.ts'
import type { AuthCall, AuthReply } from './identity-calls.ts'
import { type AuthRoute, type AuthRouteId, authRoutes } from './routes.ts'
import { type Session, sessionFromBearer } from './session.ts'

/** What the Worker gives to this area. */
export type AuthSurroundings = {
  access(c: Context): IdentityAccess
  /** Where the library's errors go, without the values that they were about. */
  log(message: string): void
}

/**
 * The routes of /v1/auth that better-auth answers; step-up has its own operations. Nothing of the library is loaded
 * before the first call that needs it. Errors are thrown as Problems.
 */
export function authArea(surroundings: AuthSurroundings): Hono {
  const app = new Hono()
  for (const route of authRoutes) {
    app.on(route.method, route.path, async (c) => {
      const access = surroundings.access(c)
      const response =
        route.id === 'auth.get_session'
          ? await getSession(access, c)
          : await forward(surroundings, access, c, route)
      response.headers.set('Cache-Control', 'no-store')
      return response
    })
  }
  return app
}

type Library = (call: AuthCall) => Promise<AuthReply>
const libraries = new WeakMap<IdentityAccess, Promise<Library>>()

/** The library, set up once for each way of reaching the database. */
function libraryOf(access: IdentityAccess, log: (message: string) => void): Promise<Library> {
  let library = libraries.get(access)
  if (!library) {
    library = load(access, log)
    libraries.set(access, library)
  }
  return library
}

async function load(access: IdentityAccess, log: (message: string) => void): Promise<Library> {
  const [{ createIdentity }, { callIdentity }] = await Promise.all([
    import('./identity.ts'),
    import('./identity-calls.ts'),
  ])
  const auth = createIdentity(access, log)
  return (call) => callIdentity(access, auth, call)
}

async function forward(
  surroundings: AuthSurroundings,
  access: IdentityAccess,
  c: Context,
  route: AuthRoute & { id: AuthRouteId },
): Promise<Response> {
  const bearer = bearerOf(c)
  const body = await bodyOf(c, route)
  const call = await libraryOf(access, surroundings.log)
  const reply = await call({ route, body, bearer, headers: c.req.raw.headers })
  const response = c.json(reply.body as never)
  for (const cookie of reply.cookies) response.headers.append('Set-Cookie', cookie)
  if (reply.newToken !== null) response.headers.set('set-auth-token', reply.newToken)
  return response
}

async function getSession(access: IdentityAccess, c: Context): Promise<Response> {
  const bearer = bearerOf(c)
  if (bearer === null) throw new Problem('credential_missing')
  const session = await sessionFromBearer(access.sql, access.secret, bearer)
  if (!session) throw new Problem('session_invalid')
  return c.json(presentSession(session))
}

const presentSession = (session: Session) => ({
  session: { id: session.sessionId, createdAt: session.createdAt, expiresAt: session.expiresAt },
  user: {
    id: session.userId,
    email: session.email,
    emailVerified: session.emailVerified,
    name: session.name,
    twoFactorEnabled: session.twoFactorEnabled,
  },
})

function bearerOf(c: Context): string | null {
  const header = c.req.header('authorization')
  if (header === undefined) return null
  const bearer = /^Bearer +(\S+)$/i.exec(header)?.[1]
  if (bearer === undefined) throw new Problem('credential_malformed')
  if (bearer.startsWith('sk_')) throw new Problem('credential_not_accepted')
  return bearer
}

async function bodyOf(c: Context, { body: schema }: AuthRoute): Promise<unknown> {
  if (!schema) return undefined
  const text = await c.req.text()
  if (text === '') return validated(schema, undefined)
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
    throw new Problem('content_type_unsupported')
  return validated(schema, parsed(text))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('body_malformed')
  }
}

function validated(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const details = result.error.issues.flatMap((issue) => detailsOf(issue, value))
  throw new Problem(details[0]!.code, { param: details[0]!.param, message: details[0]!.message, details })
}

function detailsOf(issue: z.core.$ZodIssue, value: unknown): ProblemDetail[] {
  const { message } = issue
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      param: [...issue.path, key].join('.'),
      code: 'parameter_unknown',
      message,
    }))
  const given = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  )
  const code = given === undefined ? 'parameter_missing' : 'parameter_invalid'
  return [{ param: issue.path.join('.'), code, message }]
}
