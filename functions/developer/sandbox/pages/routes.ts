import { Hono } from 'hono'
import type { Env } from '../../../../src/http/router.ts'
import { baseOf, type Ctx, framed, localeOf, page, statePageOf } from '../../../page/hosted-payment/api.ts'
import { devicePage } from './device.ts'

/** In live there is no such page. */
export function devicePages(): Hono<Env> {
  const app = new Hono<Env>()
  app.use('/sandbox/device', ...framed)
  app.get('/sandbox/device', (c) => {
    const ctx = c as Ctx
    return c.get('services').settings.environment === 'sandbox'
      ? page(ctx, devicePage(baseOf(ctx, localeOf(ctx))))
      : statePageOf(ctx, { state: 'not_found' })
  })
  return app
}
