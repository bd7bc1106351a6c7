import { others } from '../../../../src/http/access/kinds.ts'
import { Hono } from '../../../../src/http/hono.ts'
import { Problem } from '../../../../src/http/problems.ts'
import type { Env } from '../../../../src/http/router.ts'
import { makeKnown } from '../../../../src/http/stages/rate-limit.ts'
import { withLocale } from '../../../../src/kernel/locale.ts'
import {
  baseOf,
  type Ctx,
  framed,
  localeOf,
  lookAs,
  page,
  reading,
  statePageOf,
} from '../../../page/hosted-payment/api.ts'
import { view } from '../contract-codes.ts'
import { codeAt, orderAtCode } from '../store.ts'
import { noOrder } from '../words.ts'
import { displayPage, followedOf, type Showing } from './display.ts'

/** What an active code leads to; null where there is none. One trip. */
async function codeOf(c: Ctx): Promise<Showing | null> {
  const publicId = c.req.param('publicId')!
  const services = c.get('services')
  const found = await reading(services, () =>
    services.db.read(view.id, others.public_id(publicId), [codeAt({ publicId }), orderAtCode({ publicId })]),
  )
  const [[code], [order = null]] = found?.rows ?? [[], []]
  if (!code) return null
  makeKnown(publicId)
  c.header('Cache-Control', 'no-store')
  return { ...code, order }
}

const merchantOf = ({ branding, workspaceName }: Showing) => branding?.brand_name ?? workspaceName

/** A printed code leads to the order that the register shows, unless that is paid by its own code alone. */
async function showCode(c: Ctx): Promise<Response> {
  const locale = localeOf(c)
  const code = await codeOf(c)
  if (!code) return statePageOf(c, { state: 'not_found' }, locale)
  const { order, branding } = code
  const merchantName = merchantOf(code)
  if (code.purpose === 'display') {
    await lookAs(c, { merchantName, look: branding })
    const drawn = await displayPage(code, merchantName, baseOf(c, locale), new Date())
    return page(c, drawn)
  }
  if (order?.isCurrent && order.mode !== 'dynamic')
    return c.redirect(withLocale(`/${order.publicId}`, locale), 302)
  return statePageOf(
    c,
    { state: 'own', look: ['clock', 'calm'], words: noOrder[locale], merchantName },
    locale,
    404,
  )
}

/** What an open display asks for: whether it shows something else now. Names nothing. */
async function showState(c: Ctx): Promise<Response> {
  const code = await codeOf(c)
  if (code?.purpose !== 'display') return c.json({ state: 'not_found' }, 404)
  return c.json({ state: 'open', followed: followedOf(code, new Date()) })
}

export function registerPages(): Hono<Env> {
  const at = '/r/:publicId{sreg_[a-z0-9]{32}}'
  const app = new Hono<Env>()
  app.use(`${at}/*`, ...framed)
  app.get(at, (c) => showCode(c as Ctx))
  app.get(`${at}/state`, (c) => showState(c as Ctx))
  for (const path of [at, `${at}/state`])
    app.all(path, () => {
      throw new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD' } })
    })
  app.use('/r/*', ...framed)
  app.all('/r/*', (c) => statePageOf(c as Ctx, { state: 'not_found' }))
  return app
}
