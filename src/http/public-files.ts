import type { Context } from 'hono'
import { filesIn, type StoredFile } from '../platform/files.ts'
import { imageWidths, resized } from '../platform/images.ts'
import { keepFile, keptFile } from '../platform/page-cache.ts'
import { Hono } from './hono.ts'
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

/**
 * The stored files of a folder, for everybody who has an address. `?w=` asks for an image in one of `imageWidths`; where
 * the platform does not resize it, it comes as it was uploaded.
 */
export function publicFiles(folder: string) {
  const routes = new Hono<Env>()
  routes.get(`/${folder}/:address{[a-z0-9]{32}}`, async (c) => {
    await limitRate(c.env, 'public', networkOfCaller(c))
    const address = c.req.param('address')
    const { images } = c.get('services')
    const width = images && imageWidths.find((each) => String(each) === c.req.query('w'))
    const etag = width ? `"${address}-${width}"` : `"${address}"`
    const isKnown = c.req.header('if-none-match')?.includes(etag)
    const small = width && !isKnown ? await smallOf(c, folder, address, width) : null
    const file = isKnown ? null : (small ?? (await fileOf(c, folder, address)))
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    c.header('ETag', etag)
    if (!file) return c.body(null, 304)
    // The service may do next time what it did not do now.
    if (width && !small) {
      c.header('Cache-Control', 'public, max-age=60')
      c.header('ETag', `"${address}"`)
    }
    c.header('Content-Type', file.contentType)
    c.header('Content-Length', String(file.bytes))
    return c.body(file.body)
  })
  return routes
}

async function fileOf(c: Context<Env>, folder: string, address: string): Promise<StoredFile> {
  const file = await filesIn(c.get('services').bucket).get(`${folder}/${address}`)
  if (!file) throw new Problem('route_not_found')
  return file
}

/** The smaller image: each call of the service costs, so that a data center keeps what it made. */
async function smallOf(c: Context<Env>, folder: string, address: string, width: number) {
  const { images, settings } = c.get('services')
  const at = `https://${settings.linkBaseUrl}/${folder}/${address}?w=${width}`
  const kept = await keptFile(at)
  const contentType = 'image/webp'
  const content = kept
    ? new Uint8Array(await kept.arrayBuffer())
    : await resized(images!, await fileOf(c, folder, address), width)
  if (!content) return null
  if (!kept) {
    const file = new Response(content, { headers: { ...headers, 'Content-Type': contentType } })
    c.executionCtx.waitUntil(keepFile(at, file).catch(() => {}))
  }
  return { body: new Response(content).body!, bytes: content.length, contentType }
}
