import { type Context, Hono } from 'hono'
import type * as z from 'zod'
import type { IdentityAccess } from './access.ts'
import type { AuthCall, AuthReply } from './operations.ts'
import { type AuthProblem, authProblems } from './problems.ts'
import { type AuthRoute, type AuthRouteId, authRoutes } from './routes.ts'
import { type Session, sessionFromBearer } from './session.ts'

/** What the Worker gives to this area, by request. */
export type AuthSurroundings = {
  access(c: Context): IdentityAccess
  /** Carries a call out; loads the identity library when it is first asked. */
  call(c: Context, call: AuthCall): Promise<AuthReply | AuthProblem>
  /** The documented error shape. */
  refuse(c: Context, refusal: Refusal): Response
}

export type Refusal = {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly param?: string
  readonly details?: readonly { readonly param: string; readonly message: string }[]
  readonly retryAfterSeconds?: number
}

/** The routes of /v1/auth (step-up has its own operations and is mounted before). Nothing here loads the library. */
export function authArea(surroundings: AuthSurroundings): Hono {
  const app = new Hono()
  app.use('*', async (c, next) => {
    await next()
    c.res.headers.set('Cache-Control', 'no-store')
  })
  for (const route of authRoutes) {
    app.on(route.method, route.path, (c) =>
      route.id === 'auth.get_session' ? getSession(surroundings, c) : forward(surroundings, c, route),
    )
  }
  return app
}

async function forward(
  surroundings: AuthSurroundings,
  c: Context,
  route: AuthRoute & { id: AuthRouteId },
): Promise<Response> {
  const body = await bodyOf(c, route)
  if ('refusal' in body) return surroundings.refuse(c, body.refusal)
  const bearer = bearerOf(c)
  const reply = await surroundings.call(c, { route, body: body.value, bearer, headers: c.req.raw.headers })
  if ('code' in reply) return refuseProblem(surroundings, c, reply)
  for (const cookie of reply.cookies) c.header('Set-Cookie', cookie, { append: true })
  if (reply.newToken !== null) c.header('set-auth-token', reply.newToken)
  return c.json(reply.body as never)
}

async function getSession(surroundings: AuthSurroundings, c: Context): Promise<Response> {
  const { sql, secret } = surroundings.access(c)
  const bearer = bearerOf(c)
  if (bearer === null) return refuseProblem(surroundings, c, { code: 'auth.session_required' })
  const session = await sessionFromBearer(sql, secret, bearer)
  return session
    ? c.json(presentSession(session))
    : refuseProblem(surroundings, c, { code: 'auth.session_invalid' })
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

function refuseProblem(surroundings: AuthSurroundings, c: Context, problem: AuthProblem): Response {
  const [status, message] = authProblems[problem.code]
  return surroundings.refuse(c, { ...problem, status, message })
}

const bearerOf = (c: Context) => /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? null

type Read = { readonly value: unknown } | { readonly refusal: Refusal }

async function bodyOf(c: Context, { body: schema }: { body?: z.ZodType }): Promise<Read> {
  const text = await c.req.text()
  if (!schema || text === '') return schema ? validate(schema, undefined) : { value: undefined }
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
    return { refusal: { status: 415, code: 'unsupported_media_type', message: 'Send application/json.' } }
  try {
    return validate(schema, JSON.parse(text))
  } catch {
    return { refusal: { status: 400, code: 'malformed_json', message: 'The body is not JSON.' } }
  }
}

function validate(schema: z.ZodType, value: unknown): Read {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data }
  const details = parsed.error.issues.map((issue) => ({
    param: [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])].join('.'),
    message: issue.message,
  }))
  const first = details[0]!
  return {
    refusal: { status: 422, code: 'validation_failed', message: first.message, param: first.param, details },
  }
}
