import { Hono } from '../../../../src/http/hono.ts'
import { Problem } from '../../../../src/http/problems.ts'
import type { Env } from '../../../../src/http/router.ts'
import { answerChallenge, openChallenge } from '../../../../src/processors/simulator/card.ts'
import { handlePaymentNotification, type PaymentOrigins } from '../../../money/payments/api.ts'
import {
  baseOf,
  type Ctx,
  formFields,
  framed,
  localeOf,
  ownPath,
  page,
  statePageOf,
} from '../../../page/hosted-payment/api.ts'
import { challengePage } from './challenge.ts'
import { devicePage } from './device.ts'

const path = '/simulator/3ds/:reference{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}}'

/**
 * The sandbox's bank, which asks the buyer, reports the answer to us and redirects the buyer back, and its readers and
 * phones. Absent in live.
 */
export function simulatorPages(origins: PaymentOrigins): Hono<Env> {
  const app = new Hono<Env>()
  app.use('/simulator/*', ...framed, async (c, next) =>
    c.get('services').settings.environment === 'live' ? statePageOf(c, { state: 'not_found' }) : next(),
  )
  app.get('/simulator/device', (c) => page(c as Ctx, devicePage(baseOf(c as Ctx, localeOf(c as Ctx)))))
  app.get(path, showChallenge)
  app.post(path, (c) => answer(c, origins))
  app.all(path, () => {
    throw new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD, POST' } })
  })
  app.all('/simulator/*', (c) => statePageOf(c, { state: 'not_found' }))
  return app
}

async function showChallenge(c: Ctx) {
  const locale = localeOf(c)
  const challenge = await openChallenge(c.get('services').db.call, c.req.param('reference')!)
  if (!challenge) return statePageOf(c, { state: 'not_found' }, locale)
  if (!challenge.open)
    return c.redirect(ownPath(challenge.returnUrl, c.get('services').settings, locale), 303)
  return c.html(challengePage({ ...baseOf(c, locale), ...challenge, card: challenge, action: c.req.path }))
}

async function answer(c: Ctx, origins: PaymentOrigins) {
  const services = c.get('services')
  const reference = c.req.param('reference')!
  const field = await formFields(c)
  const outcome = field('outcome')
  const locale = localeOf(c, field('locale'))
  if (outcome !== 'approve' && outcome !== 'fail') return statePageOf(c, { state: 'bad_request' }, locale)
  const answered = await answerChallenge(services.db.call, reference, outcome === 'approve')
  if (!answered) return statePageOf(c, { state: 'not_found' }, locale)
  const work = handlePaymentNotification({ services, requestId: c.get('requestId') }, origins, reference)
  // Record the answer even if the buyer leaves the page.
  c.executionCtx.waitUntil(work.catch(() => {}))
  await work
  return c.redirect(ownPath(answered.returnUrl, services.settings, locale), 303)
}
