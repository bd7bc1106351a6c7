import type { Context, Hono } from 'hono'
import { routePath } from 'hono/route'
import type { Bindings } from '../env.ts'
import { containsCardNumber } from '../kernel/card-number.ts'
import { log } from '../platform/log.ts'
import type { Env } from './mount.ts'
import type { Operation } from './operation.ts'
import { Problem } from './problems.ts'
import { problemOf } from './publishing.ts'
import type { Services } from './services.ts'

export const interfaceVersion = '2026-06-13'
export const versionHeader = 'Spindle-Version'

/** What every request has, whatever answers it: services, a request id, the interface version, the error shape. */
export function accept(
  app: Hono<Env>,
  servicesOf: (env: Bindings) => Services,
  operations: readonly Operation[],
): Hono<Env> {
  const paths = operations.map(({ contract }) => ({
    method: contract.method,
    pattern: patternOf(contract.path),
  }))
  app.use(async (c, next) => {
    c.set('requestId', requestIdOf(c))
    c.set('services', servicesOf(c.env))
    c.header('X-Request-Id', c.get('requestId'))
    c.header(versionHeader, interfaceVersion)
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
    const asked = c.req.header(versionHeader)
    if (asked !== undefined && asked !== interfaceVersion)
      throw new Problem('version_unknown', { param: versionHeader })
    await next()
  })
  app.onError((error, c) => refuse(c, error))
  app.notFound((c) => {
    const allowed = paths.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method)
    if (allowed.length === 0) return refuse(c, new Problem('route_not_found'))
    return refuse(
      c,
      new Problem('method_not_allowed', { headers: { Allow: [...new Set(allowed)].join(', ') } }),
    )
  })
  return app
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:[a-z_]+/gi, '[^/]+')}$`)

/** The caller's own X-Request-Id when it is a sensible one, so that both sides can find the same request. It is kept. */
function requestIdOf(c: Context<Env>): string {
  const given = c.req.header('x-request-id')
  return given && /^[A-Za-z0-9_-]{8,64}$/.test(given) && !containsCardNumber(given)
    ? given
    : `req_${crypto.randomUUID().replaceAll('-', '')}`
}

function refuse(c: Context<Env>, error: unknown): Response {
  const services = c.get('services') as Services | undefined
  const known = services ? problemOf(error, services) : error
  const problem = known instanceof Problem ? known : new Problem('internal', {}, { cause: known })
  const requestId = c.get('requestId')
  if (problem.status >= 500)
    log(
      'error',
      { place: c.get('operation') ?? `${c.req.method} ${routePath(c)}`, requestId },
      problem.cause ?? problem,
    )
  for (const [name, value] of Object.entries(problem.more.headers ?? {})) c.header(name, value)
  return c.json(problem.body(requestId, services?.settings.baseUrl ?? ''), problem.status as 400)
}
