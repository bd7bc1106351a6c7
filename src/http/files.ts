import { type Context, Hono } from 'hono'
import type { Env } from './mount.ts'

/** The Worker's assets: documentation, and what pages show. */
export const files = new Hono<Env>()
/** Who opens the base address in a browser wants to know what it is. */
files.get('/', (c) => c.redirect('/docs'))
for (const path of ['/assets/*', '/docs', '/docs/*', '/openapi.json']) files.get(path, file)

/** A file of the Worker's assets, with the headers of all our replies; one that is not there answers like any address. */
async function file(c: Context<Env>): Promise<Response> {
  const { status, headers, body } = await c.env.ASSETS!.fetch(c.req.raw)
  if (status === 404) return c.notFound()
  const [code, named] = [status as 200, Object.fromEntries([...headers])]
  return body === null ? c.body(null, code, named) : c.body(body, code, named)
}
