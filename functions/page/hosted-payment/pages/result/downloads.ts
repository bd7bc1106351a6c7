import { Hono } from '../../../../../src/http/hono.ts'
import { Problem } from '../../../../../src/http/problems.ts'
import type { Env } from '../../../../../src/http/router.ts'
import { takeDownload } from '../../../../goods/entitlements/api.ts'
import { type Ctx, framed, localeOf, statePageOf } from '../frame/frame.ts'
import { deliveredWords } from './delivered-words.ts'

/** Saved under its name, never shown: a browser runs nothing of it. */
const fileHeaders = {
  'Content-Type': 'application/octet-stream',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** Downloads of what was bought, at signed addresses. Each counts. */
export function downloadPages(): Hono<Env> {
  const app = new Hono<Env>()
  app.use('/downloads/*', ...framed)
  app.get('/downloads/:catalog{[a-z]+_[a-z0-9]{32}}/:token{[A-Za-z0-9_-]{1,800}}', async (c: Ctx) => {
    // A look at the headers alone takes no download.
    if (c.req.method === 'HEAD') throw new Problem('method_not_allowed', { headers: { Allow: 'GET' } })
    const address = { catalog: c.req.param('catalog')!, token: c.req.param('token')! }
    const taken = await takeDownload(c.get('services'), c.get('requestId'), address)
    if (typeof taken === 'string') {
      const locale = localeOf(c)
      const words = deliveredWords[locale].refused[taken]
      const look = ['info', 'calm'] as const
      return statePageOf(
        c,
        { state: 'own', look, words, merchantName: null },
        locale,
        taken === 'not_found' ? 404 : 410,
      )
    }
    for (const [name, value] of Object.entries(fileHeaders)) c.header(name, value)
    c.header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(taken.name)}`)
    c.header('Content-Length', String(taken.file.bytes))
    return c.body(taken.file.body)
  })
  app.all('/downloads/*', (c: Ctx) => statePageOf(c, { state: 'not_found' }))
  return app
}
