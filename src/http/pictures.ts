import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { pickLocale } from '../kernel/locale.ts'
import type { Operation } from './operation.ts'

const [json, picture] = ['application/json', 'image/svg+xml']

/** The reply as a picture, in the language that the request accepts; null where it accepts JSON rather. */
export async function pictureOf(
  c: Context,
  draw: NonNullable<Operation['draw']>,
  body: string,
): Promise<Response | null> {
  c.header('Vary', 'Accept, Accept-Language')
  if (accepts(c, { header: 'Accept', supports: [json, picture], default: json }) !== picture) return null
  const locale = pickLocale(null, c.req.header('accept-language'))
  c.header('Content-Type', picture)
  c.header('Content-Language', locale)
  return c.body(await draw(body, locale))
}
