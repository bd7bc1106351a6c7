import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { Bindings } from '../env/settings.ts'
import { containsCardNumber } from '../kernel/card-number.ts'
import type { Hono } from './hono.ts'
import type { Operation } from './operation.ts'
import { entryOf, Problem } from './problems.ts'
import { problemOf } from './publishing.ts'
import type { Env } from './router.ts'
import type { Services } from './services.ts'

export const interfaceVersion = '2026-06-13'
export const versionHeader = 'Spindle-Version'

/** Renders an error as a page for browsers. Loaded with the first error that needs it. */
export type ToPeople = () => Promise<(c: Context<Env>, problem: Problem) => Response | Promise<Response>>

/**
 * What every request has: services, a request id, the interface version, the error shape. Outside the interface a
 * request for HTML gets errors as a page.
 */
export function accept(
  app: Hono<Env>,
  servicesOf: (env: Bindings) => Services,
  operations: readonly Operation[],
  toPeople?: ToPeople,
): Hono<Env> {
  const paths = operations.map(({ contract }) => ({
    method: contract.method,
    pattern: patternOf(contract.path),
    takesKey: contract.idempotency !== 'none',
  }))
  const takesKey = (c: Context<Env>) =>
    paths.some(
      ({ method, pattern, takesKey }) => takesKey && method === c.req.method && pattern.test(c.req.path),
    )
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
  app.onError((error, c) => refuse(c, error, toPeople, takesKey(c)))
  app.notFound((c) => {
    const allowed = paths.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method)
    if (allowed.length === 0) return nothingAt(c, toPeople)
    return refuse(
      c,
      new Problem('method_not_allowed', { headers: { Allow: [...new Set(allowed)].join(', ') } }),
    )
  })
  return app
}

async function nothingAt(c: Context<Env>, toPeople?: ToPeople): Promise<Response> {
  const { meantBy } = await import('./elsewhere.ts')
  const meant = meantBy(c.req.method, c.req.path)
  const message = meant && `There is nothing at this address. Did you mean ${meant}?`
  return refuse(c, new Problem('route_not_found', message ? { message } : {}), toPeople)
}

/** Matches what an operation's path may be asked with. */
export const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:[a-z_]+/gi, '[^/]+')}$`)

/** The caller's own X-Request-Id, so that both sides can find the same request. We store it: it must be harmless. */
function requestIdOf(c: Context<Env>): string {
  const given = c.req.header('x-request-id')
  return given && /^[A-Za-z0-9_-]{8,64}$/.test(given) && !containsCardNumber(given)
    ? given
    : `req_${crypto.randomUUID().replaceAll('-', '')}`
}

async function refuse(
  c: Context<Env>,
  error: unknown,
  toPeople?: ToPeople,
  takesKey = false,
): Promise<Response> {
  const services = c.get('services') as Services | undefined
  const known = services ? await problemOf(error, services) : error
  const problem = known instanceof Problem ? known : new Problem('internal', {}, { cause: known })
  const requestId = c.get('requestId')
  if (problem.code === 'outcome_unknown') c.header('Retry-After', '1')
  const entry = await entryOf(problem.code)
  const [status] = entry
  if (status >= 500) {
    const { log } = await import('../platform/log.ts')
    const place = c.get('operation') ?? `${c.req.method} ${routePath(c)}`
    log('error', { place, requestId }, problem.cause ?? problem)
  }
  for (const [name, value] of Object.entries(problem.more.headers ?? {})) c.header(name, value)
  if (toPeople && services && isForPeople(c)) return (await toPeople())(c, problem)
  const message = problem.code === 'outcome_unknown' ? whatNext(c.req.method, takesKey) : undefined
  return c.json(problem.body(entry, requestId, services?.settings.baseUrl ?? '', message), status as 400)
}

/** What the caller should do after an unknown outcome. */
function whatNext(method: string, takesKey: boolean): string {
  if (method === 'GET' || method === 'HEAD') return 'We could not read this in time. Retry.'
  return takesKey
    ? 'We cannot tell yet whether this happened. Retry with the same Idempotency-Key.'
    : 'We cannot tell yet whether this happened. Read what it changes before you retry.'
}

const isForPeople = ({ req }: Context<Env>): boolean =>
  !/^\/v1(\/|$)/.test(req.path) && (req.header('accept') ?? '').includes('text/html')
