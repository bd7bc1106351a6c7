import { type Context, Hono } from 'hono'
import type { Env } from './router.ts'

/** The Worker's assets: documentation and the pages' files. */
export const files = new Hono<Env>()
files.get('/', (c) => c.redirect('/docs'))
for (const path of ['/assets/*', '/docs', '/docs/*', '/openapi.json']) files.get(path, file)

/** A file of the Worker's assets, with the headers of all our replies; a missing one is a 404 like any other. */
async function file(c: Context<Env>): Promise<Response> {
  const { status, headers, body } = await c.env.ASSETS!.fetch(c.req.raw)
  if (status === 404) return c.notFound()
  const [code, named] = [status as 200, Object.fromEntries([...headers])]
  return body === null ? c.body(null, code, named) : c.body(body, code, named)
}
