import type { CookieOptions } from 'hono/utils/cookie'
import type { Ctx } from './frame.ts'

/**
 * The attributes of a buyer's cookie, sent to this sale's addresses alone. Within a merchant's page it is kept apart for
 * that page's site (https://datatracker.ietf.org/doc/draft-cutler-httpbis-partitioned-cookies/).
 */
export const cookieOf = (c: Ctx, publicId: string): CookieOptions => ({
  path: `/${publicId}`,
  httpOnly: true,
  secure: true,
  ...(c.get('embeddedIn') ? { sameSite: 'None', partitioned: true } : { sameSite: 'Lax' }),
})
