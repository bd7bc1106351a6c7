import { Hono } from 'hono'
import { filesIn } from '../platform/files.ts'
import { Problem } from './problems.ts'
import type { Env } from './router.ts'
import { limitRate, networkOfCaller } from './stages/rate-limit.ts'

/** An address has one content for ever; opened by itself, an SVG can neither run nor load anything. */
const headers = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
}

/** The stored files of a folder, for everybody who has an address. */
export function publicFiles(folder: string) {
  const routes = new Hono<Env>()
  routes.get(`/${folder}/:address{[0-9a-f]{32}}`, async (c) => {
    await limitRate(c.env, 'public', networkOfCaller(c))
    const address = c.req.param('address')
    const etag = `"${address}"`
    const isKnown = c.req.header('if-none-match')?.includes(etag)
    const file = isKnown ? null : await filesIn(c.get('services').bucket).get(`${folder}/${address}`)
    if (!file && !isKnown) throw new Problem('route_not_found')
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    c.header('ETag', etag)
    if (!file) return c.body(null, 304)
    c.header('Content-Type', file.contentType)
    c.header('Content-Length', String(file.bytes))
    return c.body(file.body)
  })
  return routes
}
