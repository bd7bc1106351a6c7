import type { Context } from 'hono'
import type { Env } from './mount.ts'

/** A file of the Worker's assets, with the headers of all our replies; one that is not there answers like any address. */
export async function file(c: Context<Env>): Promise<Response> {
  const { status, headers, body } = await c.env.ASSETS!.fetch(c.req.raw)
  if (status === 404) return c.notFound()
  const [code, named] = [status as 200, Object.fromEntries([...headers])]
  return body === null ? c.body(null, code, named) : c.body(body, code, named)
}
