import { type Context, Hono } from 'hono'
import type { Env } from '../../../src/http/mount.ts'
import { limitRate } from '../../../src/http/stages/rate-limit.ts'
import { answerChallenge, openChallenge } from '../../../src/processors/simulator/simulator.ts'
import { pageHeaders, pickLocale, statePage, stateStatus, withLocale } from '../../payment-links/published.ts'
import { heardOf, type Surfaces } from '../../payments/published.ts'
import { challengePage } from './challenge.ts'

type Ctx = Context<Env>

const path = '/simulator/3ds/:reference{[0-9a-f]{8}-[0-9a-f-]{27}}'

/** The sandbox's bank: asks the buyer, tells us, sends the buyer back. Absent in live. */
export function simulatorPages(surfacesOf: (c: Ctx) => Surfaces): Hono<Env> {
  const app = new Hono<Env>()
  app.use(path, async (c, next) => {
    for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value)
    await limitRate(c.env, 'public', c.req.header('cf-connecting-ip') ?? 'local')
    if (c.get('services').settings.environment === 'live') return c.notFound()
    await next()
  })
  app.get(path, async (c) => {
    const reference = c.req.param('reference')!
    const locale = pickLocale(c.req.query('lang'), c.req.header('accept-language'))
    const base = { locale, testMode: true, path: c.req.path }
    const challenge = await openChallenge(c.get('services').db.call, reference)
    if (!challenge?.open) return c.html(statePage({ ...base, state: 'not_found' }), stateStatus.not_found)
    return c.html(challengePage({ ...base, ...challenge, card: challenge, action: c.req.path }))
  })
  app.post(path, async (c) => {
    const services = c.get('services')
    const reference = c.req.param('reference')!
    const form = await c.req.parseBody()
    const locale = pickLocale(String(form.locale ?? ''), c.req.header('accept-language'))
    const answered = await answerChallenge(services.db.call, reference, form.outcome === 'approve')
    if (!answered)
      return c.html(statePage({ locale, testMode: true, path: c.req.path, state: 'not_found' }), 404)
    const work = heardOf(services, surfacesOf(c), reference, c.get('requestId'))
    c.executionCtx.waitUntil(work.catch(() => {}))
    await work
    return c.redirect(withLocale(answered.returnUrl, locale), 303)
  })
  return app
}
