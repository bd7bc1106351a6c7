import { html } from 'hono/html'
import {
  darkPalette,
  type Look,
  lightPalette,
  type Palette,
  type Reach,
  type ShownLook,
} from '../../../../../src/kernel/look.ts'
import { sha256Base64 } from '../../../../../src/platform/crypto.ts'
import type { Sale } from '../../hosted-origin.ts'
import type { Ctx } from './frame.ts'
import { pageHeaders } from './headers.ts'
import type { Html } from './view.ts'

/** From here on the pages of this request look like the merchant's. */
export async function lookAs(c: Ctx, { merchantName, look, reach, ...sold }: Shown): Promise<void> {
  if (reach) c.set('payee', { name: merchantName, ...reach })
  c.set('embeddedIn', 'sale' in sold ? sold.sale.embeddedIn : sold.embeddedIn)
  if (look) c.set('look', await shownLook(merchantName, look))
  c.header('Content-Security-Policy', policyOf(c))
}

/** What is for sale, or a quote of it. */
type Shown = {
  readonly merchantName: string
  readonly look: Look | null
  readonly reach?: Reach
} & ({ readonly sale: Pick<Sale, 'embeddedIn'> } | Pick<Sale, 'embeddedIn'>)

/** The policy of this request's page: with its colors, and with the pages that may frame it. */
export function policyOf(c: Ctx): string {
  const policy = c.get('look')?.policy ?? pageHeaders['Content-Security-Policy']!
  const embeddedIn = c.get('embeddedIn')
  return embeddedIn
    ? policy.replace("frame-ancestors 'none'", `frame-ancestors ${embeddedIn.join(' ')}`)
    : policy
}

/** Where the page may not name the merchant after all. */
export function lookAsNobody(c: Ctx): void {
  c.set('look', undefined)
  c.set('payee', undefined)
  c.set('embeddedIn', undefined)
  c.header('Content-Security-Policy', pageHeaders['Content-Security-Policy'])
}

/** The style stands in the page, so that its colors cost no request; the policy names its digest. */
export async function shownLook(name: string, look: Look): Promise<ShownLook> {
  const css = styleOf(look)
  const policy = pageHeaders['Content-Security-Policy']!
  const own =
    css === ''
      ? policy
      : policy.replace("style-src 'self'", `style-src 'self' 'sha256-${await sha256Base64(css)}'`)
  return { name, logo: look.logo, css, policy: own }
}

function styleOf(look: Look): string {
  const [light, dark] = [lightPalette(look), darkPalette(look)]
  if (!light || !dark) return ''
  return `${rootOf(light)}@media screen and (prefers-color-scheme:dark){${rootOf(dark)}}`
}

const rootOf = ({
  page,
  accent,
  accentStrong,
  accentWash,
  onAccent,
  button,
  buttonStrong,
  onButton,
}: Palette) =>
  `:root{--page:${page};--accent:${accent};--accent-strong:${accentStrong};--accent-wash:${accentWash};--on-accent:${onAccent};--button:${button};--button-strong:${buttonStrong};--on-button:${onButton}}`

/** The logo on white, as it was made for; without one, the name. */
export const brandMark = ({ name, logo }: ShownLook): Html =>
  logo
    ? html`<img class="brand" src="/logos/${logo.address}" alt="${name}" width="${logo.width}" height="${logo.height}">`
    : html`<bdi>${name}</bdi>`
