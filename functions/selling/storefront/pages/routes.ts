import { Hono } from '../../../../src/http/hono.ts'
import { Problem, type ProblemCode } from '../../../../src/http/problems.ts'
import type { Env } from '../../../../src/http/router.ts'
import { makeKnown } from '../../../../src/http/stages/rate-limit.ts'
import { base36 } from '../../../../src/kernel/ids.ts'
import { type Locale, withLocale } from '../../../../src/kernel/locale.ts'
import type { Look } from '../../../../src/kernel/look.ts'
import { type KeptPage, keepPage, keptPage } from '../../../../src/platform/page-cache.ts'
import {
  baseOf,
  type Ctx,
  formFields,
  framed,
  type Html,
  localeOf,
  lookAs,
  page,
  statePageOf as state,
} from '../../../page/hosted-payment/api.ts'
import { cartOf, fieldsOf, linesMax, problemsOf } from '../cart.ts'
import { type Asked, counterAt, itemAt, type Position, placeOrder, shelfAt } from '../shop.ts'
import type { Shop } from '../store.ts'
import { cartPage, type OrderProblem, type Returned } from './cart.ts'
import { catalogPage, itemPage, listPath } from './catalog.ts'
import { merchantOf } from './frame.ts'

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** How long a data center shows a page as it was drawn: docs/decisions/storefront.md. */
const keptSeconds = 30

const catalogOf = (c: Ctx) => c.req.param('catalog')!
const pathOf = (c: Ctx) => `/k/${catalogOf(c)}`
const originOf = (c: Ctx) => `https://${c.get('services').settings.linkBaseUrl}`

/** What the address asks for; what it asks wrongly is left out. */
function askedOf(c: Ctx): Asked {
  const words = (c.req.query('q') ?? '')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 100)
  const category = c.req.query('category') ?? ''
  return {
    words,
    categoryId: new RegExp(`^${uuid}$`).test(category) ? category : null,
    after: positionOf(c.req.query('after') ?? ''),
  }
}

function positionOf(text: string): Position | null {
  const [, position, at, id] = new RegExp(`^(\\d{1,7})\\.([0-9a-z]{1,9})\\.(${uuid})$`).exec(text) ?? []
  const createdAt = new Date(Number.parseInt(at ?? '', 36))
  return id !== undefined && Number.isFinite(createdAt.getTime())
    ? { position: Number(position), createdAt, id }
    : null
}

/** In the kept page for the key of a form: each buyer's form gets one of its own. */
const keySlot = 'value="{attempt_key}"'

/** A page from the cache, or drawn again and kept: what all readers of its address and language get. */
async function keptOrDrawn(
  c: Ctx,
  path: string,
  draw: (locale: Locale) => Promise<{ shop: Shop; html: Html } | null>,
  mayBeListed = true,
): Promise<Response> {
  const locale = localeOf(c)
  const address = `${originOf(c)}${withLocale(path, locale)}`
  const kept = await keptPage(address)
  if (kept) return sent(c, kept)
  const drawn = await draw(locale)
  if (!drawn) return state(c, { state: 'not_found' }, locale)
  const isListed =
    mayBeListed && drawn.shop.isListedInSearch && c.get('services').settings.environment === 'live'
  const fresh: KeptPage = {
    body: String(await drawn.html),
    headers: {
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy': c.res.headers.get('Content-Security-Policy')!,
      'x-robots-tag': isListed ? 'all' : 'noindex, nofollow',
    },
  }
  // A page that cannot be kept is drawn again.
  c.executionCtx.waitUntil(keepPage(address, fresh, keptSeconds).catch(() => {}))
  return sent(c, fresh)
}

function sent(c: Ctx, { body, headers }: KeptPage): Response {
  makeKnown(catalogOf(c))
  for (const name of ['content-security-policy', 'x-robots-tag'])
    if (headers[name]) c.header(name, headers[name])
  return c.html(body.replace(keySlot, `value="${base36(32)}"`)) as Response
}

/** Of a merchant who has set nothing: its name stands on top all the same. */
const plain: Look = {
  primary_color: null,
  button_text_color: null,
  background_color: null,
  accent_color: null,
  logo: null,
}

/** What drawing a page of a shop needs. From here on the page looks like the merchant's. */
async function drawnFor(c: Ctx, shop: Shop, locale: Locale, path: string) {
  await lookAs(c, { merchantName: merchantOf(shop), look: shop.branding ?? plain })
  return {
    base: { ...baseOf(c, locale), path },
    path: pathOf(c),
    origin: originOf(c),
    attemptKey: '{attempt_key}',
    resizes: c.get('services').images !== undefined,
  }
}

function showCatalog(c: Ctx) {
  const asked = askedOf(c)
  const path = listPath(pathOf(c), asked, asked.after)
  return keptOrDrawn(
    c,
    path,
    async (locale) => {
      const shelf = await shelfAt(c.get('services'), catalogOf(c), asked, new Date())
      if (!shelf) return null
      const drawn = await drawnFor(c, shelf.shop, locale, path)
      return { shop: shelf.shop, html: catalogPage(shelf, asked, drawn) }
    },
    asked.words === '' && asked.categoryId === null,
  )
}

function showItem(c: Ctx) {
  const path = `${pathOf(c)}/${c.req.param('item')}`
  return keptOrDrawn(c, path, async (locale) => {
    const found = await itemAt(c.get('services'), catalogOf(c), c.req.param('item')!, new Date())
    if (!found) return null
    const drawn = await drawnFor(c, found.shop, locale, path)
    return { shop: found.shop, html: itemPage(found, drawn) }
  })
}

const wholeProblems: Readonly<Partial<Record<ProblemCode, OrderProblem>>> = {
  amount_below_minimum: 'too_little',
  amount_above_maximum: 'too_much',
  // All else is compared before: what one payment would grant.
  parameter_invalid: 'too_many_granted',
  currency_unsupported: 'not_now',
  payment_method_unavailable: 'not_now',
  payment_method_inactive: 'not_now',
  payments_not_configured: 'not_now',
  location_not_found: 'not_now',
  catalog_item_not_for_sale: 'not_now',
}

/** The cart becomes a checkout session, whose page takes the money; or comes back with what to correct. */
async function checkOut(c: Ctx) {
  const field = await formFields(c)
  const locale = localeOf(c, field('locale'))
  const [attemptKey, now] = [field('attempt_key'), new Date()]
  const lines = cartOf(await c.req.parseBody())
  if (lines === null || !/^[a-z0-9]{32}$/.test(attemptKey)) return state(c, { state: 'bad_request' }, locale)
  const counter = await counterAt(c.get('services'), catalogOf(c), lines.slice(0, linesMax), now)
  if (!counter) return state(c, { state: 'not_found' }, locale)
  const { shop } = counter
  const drawn = { ...(await drawnFor(c, shop, locale, pathOf(c))), attemptKey }
  const again = async (why: Partial<Returned>, status: number) => {
    const returned = { lines: lines.slice(0, linesMax), problems: new Map(), whole: null, ...why }
    return page(c, cartPage(counter, returned, drawn), status)
  }
  if (shop.workspaceStatus !== 'active')
    return state(c, { state: 'no_payments', merchantName: merchantOf(shop), refused: true }, locale)
  if (lines.length === 0) return again({ whole: 'empty' }, 422)
  if (lines.length > linesMax) return again({ whole: 'too_many' }, 422)
  const problems = problemsOf(lines, counter.items, shop, counter.left)
  if (problems.size > 0) {
    const isTyped = [...problems.values()].some(({ kind }) => kind === 'quantity' || kind === 'most')
    return again({ problems }, isTyped ? 422 : 409)
  }
  c.set('resend', { action: c.req.path, fields: { ...fieldsOf(lines), attempt_key: attemptKey, locale } })
  try {
    const request = { requestId: c.get('requestId'), now, attemptKey }
    const work = placeOrder(c.get('services'), counter, lines, request)
    c.executionCtx.waitUntil(work.catch(() => {}))
    return c.redirect(withLocale(`/${await work}`, locale), 303)
  } catch (error) {
    const whole = error instanceof Problem ? wholeProblems[error.code] : undefined
    if (!whole) throw error
    return again({ whole }, 409)
  }
}

const only = (allowed: string) => () => {
  throw new Problem('method_not_allowed', { headers: { Allow: allowed } })
}

/** The pages of published catalogs. GET reads; an order is made by POST of the cart alone. */
export function storefrontPages(): Hono<Env> {
  const catalog = '/k/:catalog{scat_[a-z0-9]{32}}'
  const item = `${catalog}/:item{${uuid}}`
  const app = new Hono<Env>()
  app.use('/k/*', ...framed)
  app.get(catalog, (c) => showCatalog(c))
  app.get(item, (c) => showItem(c))
  app.post(`${catalog}/checkout`, (c) => checkOut(c))
  // The form's target, opened by itself.
  app.get(`${catalog}/checkout`, (c: Ctx) => c.redirect(withLocale(pathOf(c), localeOf(c)), 303))
  for (const path of [catalog, item]) app.all(path, only('GET, HEAD'))
  app.all(`${catalog}/checkout`, only('GET, HEAD, POST'))
  app.all('/k/*', (c) => state(c, { state: 'not_found' }))
  return app
}
