import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { pickLocale } from '../kernel/locale.ts'
import type { Operation } from './operation.ts'

const [json, picture] = ['application/json', 'image/svg+xml']

/** The reply as a picture, in the language that the request accepts; null where it accepts JSON as well as that. */
export async function pictureOf(
  c: Context,
  draw: NonNullable<Operation['draw']>,
  body: string,
): Promise<Response | null> {
  c.header('Vary', 'Accept, Accept-Language')
  if (accepts(c, { header: 'Accept', supports: [json, picture], default: json, match: rather }) !== picture)
    return null
  const locale = pickLocale(null, c.req.header('accept-language'))
  c.header('Content-Type', picture)
  c.header('Content-Language', locale)
  return c.body(await draw(body, locale))
}

/** A range of types counts for JSON alone: who takes anything gets JSON. */
function rather(accepted: readonly { readonly type: string; readonly q: number }[]): string {
  const best = (...types: string[]) =>
    Math.max(0, ...accepted.filter(({ type }) => types.includes(type)).map(({ q }) => q))
  return best(picture!) > best(json!, 'application/*', '*/*') ? picture! : json!
}
