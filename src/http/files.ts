import type { Context } from 'hono'
import { Hono } from './hono.ts'
import type { Env } from './router.ts'

/** The Worker's assets: documentation and the pages' files. */
export const files = new Hono<Env>()
files.get('/', (c) => c.redirect('/docs'))
for (const path of ['/assets/*', '/docs', '/docs/*', '/openapi.json', '/robots.txt'])
  files.get(path, (c) => file(c, c.req.raw))
files.get('/favicon.ico', (c) => file(c, new Request(new URL('/assets/spindle.svg', c.req.url))))

/** A file of the Worker's assets, with the headers of all our replies; a missing one is a 404 like any other. */
async function file(c: Context<Env>, request: Request): Promise<Response> {
  const { status, headers, body } = await c.env.ASSETS!.fetch(request)
  if (status === 404) return c.notFound()
  const [code, named] = [status as 200, Object.fromEntries([...headers])]
  return body === null ? c.body(null, code, named) : c.body(body, code, named)
}
