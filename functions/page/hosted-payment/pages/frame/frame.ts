import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { routePath } from 'hono/route'
import type { Settings } from '../../../../../src/env/settings.ts'
import { entryOf, Problem, type ProblemCode } from '../../../../../src/http/problems.ts'
import { problemOf } from '../../../../../src/http/publishing.ts'
import type { Env } from '../../../../../src/http/router.ts'
import { limitRate, limitStranger, networkOfCaller } from '../../../../../src/http/stages/rate-limit.ts'
import { type Locale, pickLocale, withLocale } from '../../../../../src/kernel/locale.ts'
import { sha256Hex } from '../../../../../src/platform/crypto.ts'
import { statePage, stateStatus } from '../state/state.ts'
import { pageHeaders } from './headers.ts'
import type { Html, PageBase, StateView } from './view.ts'

export type Ctx = Context<Env>

const formBytesMax = 64 * 1024
/** A form that pays carries its quote: the lines and questions of the largest sale that may be made, in base64. */
const payBytesMax = 320 * 1024
const isPaying = (c: Ctx) => /\/(attempts|review|complete|order)$/.test(c.req.path)

/** The pages of a catalog, and the downloads of what was bought of it. */
const ofCatalog = /^\/(?:k|downloads)\/(scat_[a-z0-9]{32})(?:\/|$)/

/**
 * A sale's pages are counted by sale and address: a restaurant or a carrier is one address for many buyers. Opening the
 * sale is a read, so that a program that tries out stolen cards there does not keep other buyers of the address from it.
 * What an open page asks by itself is counted apart. Sales that this isolate has not found within an hour count against
 * their address alone, so that invented ones cost no trip. A form that pays is counted by its quote instead
 * (`limitAttempts`). A catalog's pages are counted as a sale's.
 */
async function limitPages(c: Ctx): Promise<void> {
  const catalog = ofCatalog.exec(c.req.path)?.[1]
  const publicId = c.req.param('publicId') ?? catalog
  const network = networkOfCaller(c)
  if (publicId === undefined) return limitRate(c.env, 'public', network)
  if (c.req.method === 'POST' && /\/(attempts|complete)$/.test(c.req.path)) return
  await limitStranger(c, publicId)
  const isAskedByPage = c.req.path.endsWith('/status') || c.req.header('sec-fetch-dest') === 'empty'
  const isOpened =
    c.req.method === 'GET' && (catalog || [`/${publicId}`, `/${publicId}/status`].includes(c.req.path))
  const rate = isOpened ? 'read' : 'public'
  await limitRate(c.env, rate, `${network} ${publicId}${isAskedByPage ? ' asked' : ''}`)
}

/**
 * Attempts to pay: some of each quote, more of a sale and address, so that cards are not tried out. One without a valid
 * quote (null) counts like a page.
 */
export async function limitAttempts(c: Ctx, sealedQuote: string | null): Promise<void> {
  const at = `${networkOfCaller(c)} ${c.req.param('publicId')}`
  if (sealedQuote === null) return limitRate(c.env, 'public', at)
  await limitRate(c.env, 'auth', `quote ${await sha256Hex(sealedQuote)}`)
  await limitRate(c.env, 'write', `attempts ${at}`)
}

const limitedTo = (maxSize: number) =>
  bodyLimit({ maxSize, onError: (c) => statePageOf(c as Ctx, { state: 'bad_request' }) })
const [ofAny, ofPaying] = [limitedTo(formBytesMax), limitedTo(payBytesMax)]

/** The frame of every buyer page: headers, the rate limit, and our own error pages. */
export const framed: readonly [MiddlewareHandler<Env>, MiddlewareHandler<Env>, MiddlewareHandler<Env>] = [
  async (c, next) => {
    for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value)
    try {
      await limitPages(c as Ctx)
      await next()
    } catch (error) {
      return failed(c, error)
    }
    if (!c.error) return
    const page = await failed(c, c.error)
    c.res = undefined // else the headers of the reply for machines would stay
    c.res = page
  },
  (c, next) =>
    isForeign(c as Ctx) ? Promise.resolve(statePageOf(c as Ctx, { state: 'foreign_form' })) : next(),
  (c, next) => (isPaying(c as Ctx) ? ofPaying : ofAny)(c, next),
]

/**
 * Whether another site's page sent this form. Old browsers send neither header; one header that names another site is
 * enough. The scheme is not compared, since an edge before us may terminate TLS.
 */
function isForeign(c: Ctx): boolean {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return false
  const site = c.req.header('sec-fetch-site') ?? 'none'
  if (site !== 'same-origin' && site !== 'none') return true
  const origin = c.req.header('origin')
  if (origin === undefined) return false
  const { baseUrl, linkBaseUrl } = c.get('services').settings
  const own = [new URL(c.req.url).host, new URL(baseUrl).host, linkBaseUrl]
  return !URL.canParse(origin) || !own.includes(new URL(origin).host)
}

/**
 * The text fields of the submitted form, by name; an absent one and a file are ''. The frame answers a body that is not
 * a form, before anything else is checked.
 * @throws Problem
 */
export async function formFields(c: Ctx): Promise<(name: string) => string> {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded' && type !== 'multipart/form-data')
    throw new Problem('content_type_unsupported')
  const fields = await c.req.parseBody().catch((cause: unknown) => {
    throw new Problem('body_malformed', {}, { cause })
  })
  return (name) => (typeof fields[name] === 'string' ? fields[name] : '')
}

const stateOf: Readonly<Partial<Record<ProblemCode, 'not_found' | 'wrong_method' | 'bad_request'>>> = {
  route_not_found: 'not_found',
  method_not_allowed: 'wrong_method',
  body_malformed: 'bad_request',
  content_type_unsupported: 'bad_request',
}

/** An error page at an address that is no buyer's page. */
export function problemPage(c: Ctx, problem: Problem): Response | Promise<Response> {
  for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value)
  return failed(c, problem)
}

async function failed(c: Ctx, thrown: unknown): Promise<Response> {
  const error = await problemOf(thrown, c.get('services'))
  const problem = error instanceof Problem ? error : new Problem('internal')
  for (const [name, value] of Object.entries(problem.more.headers ?? {})) c.header(name, value)
  if (problem.code === 'rate_limited')
    return statePageOf(c, { state: 'too_many_requests', retryAfterSeconds: 60 })
  const [status] = await entryOf(problem.code)
  const state = stateOf[problem.code]
  if (state) return statePageOf(c, { state }, localeOf(c), status)
  const requestId = c.get('requestId')
  // An operation answers with it, and no page expects it: the envelope logs 500 and above alone.
  if (status < 500) {
    const { log } = await import('../../../../../src/platform/log.ts')
    log('error', { place: `${c.req.method} ${routePath(c)}`, requestId }, thrown)
  }
  const unknown = problem.code === 'outcome_unknown'
  // The outcome is unknown: the browser should try again.
  if (unknown) c.header('Retry-After', '1')
  const sent = c.get('resend')
  return statePageOf(
    c,
    { state: 'error', requestId, resend: unknown ? (sent ?? null) : null },
    localeOf(c, sent?.fields.locale),
    Math.max(status, 500),
  )
}

export const localeOf = (c: Ctx, chosen?: string): Locale =>
  pickLocale(chosen || c.req.query('lang'), c.req.header('accept-language'))

/** A page that answers a POST uses its link's address: GET works there. */
export const baseOf = (c: Ctx, locale: Locale): PageBase => ({
  locale,
  testMode: c.get('services').settings.environment === 'sandbox',
  shownAs: c.get('look'),
  payee: c.get('payee'),
  address: `https://${c.get('services').settings.linkBaseUrl}`,
  embeddedIn: c.get('embeddedIn'),
  path: c.req.method === 'POST' && c.req.param('publicId') ? `/${c.req.param('publicId')}` : c.req.path,
})

export const page = (c: Ctx, html: Html, status = 200) => c.html(html, status as 200)

type StateOf = StateView extends infer V ? (V extends StateView ? Omit<V, keyof PageBase> : never) : never

/** A page that takes no money and says why, with its HTTP status. */
export const statePageOf = (
  c: Ctx,
  view: StateOf,
  locale = localeOf(c),
  status: number = stateStatus[view.state],
): Response | Promise<Response> => page(c, statePage({ ...baseOf(c, locale), ...view } as StateView), status)

/** An address on one of our hosts as a path in the buyer's language; any other address unchanged. */
export function ownPath(address: string, { baseUrl, linkBaseUrl }: Settings, locale: Locale): string {
  const url = new URL(address, baseUrl)
  const isOwn = url.host === new URL(baseUrl).host || url.host === linkBaseUrl
  return isOwn ? withLocale(url.pathname + url.search, locale) : address
}
