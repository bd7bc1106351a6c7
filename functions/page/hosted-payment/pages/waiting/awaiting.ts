import { html, raw } from 'hono/html'
import { formatLeft, formatMoney } from '../../../../../src/kernel/format.ts'
import { qrSvg } from '../../../../../src/platform/qr.ts'
import type { Html, Money, PageBase } from '../frame/view.ts'
import { text } from '../text.ts'

/** What the pages of vouchers and CLABEs share: copying, sharing, keeping, and going on with a phone. */

type View = PageBase &
  Money & {
    readonly merchantName: string
    /** What others may open: not the address at which the receipt will be. */
    readonly sharePath: string
  }

/** Hidden until the script can copy. */
export const copyButton = (value: string, label: string, copied: string): Html =>
  html`<button type="button" class="small" data-copy="${value}" data-copied="${copied}" hidden>${label}</button>`

/** Read out after a copy. */
export const copyStatus = raw('<p class="sr-only" role="status" data-copy-status></p>')

/** How long it can still be paid, kept up by the script. */
export const timeLeft = (until: Date, now: Date, { locale }: PageBase): Html =>
  html`<time class="left" datetime="${until.toISOString()}" data-left>${formatLeft(until, now, locale)}</time>`

const addressOf = ({ address, path }: PageBase) => (address ? address + path : null)

/** Share, save as an image, print. `lines`: what the image says, from the top; the amount comes first. */
export function keepsakes(view: View, lines: readonly string[]): Html {
  const words = text[view.locale].awaiting
  const amount = formatMoney(view.amountMinor, view.currency, view.locale)
  const url = addressOf({ ...view, path: view.sharePath })
  return html`<p class="muted no-print">${words.mailed}</p>
<div class="tools no-print" role="group" aria-label="${words.tools}">
${
  url
    ? html`<button type="button" class="small" data-share="${url}" data-text="${words.shareText(amount, view.merchantName)}" data-copied="${words.shared}" hidden>${words.share}</button>
`
    : ''
}<button type="button" class="small" data-save="${JSON.stringify(lines)}" hidden>${words.save}</button>
<button type="button" class="small" data-print hidden>${words.print}</button>
</div>`
}

/** The page's address as a QR code, for a screen that is no phone's. */
export function toPhone(view: PageBase): Html {
  const url = addressOf(view)
  if (!url) return raw('')
  const words = text[view.locale].awaiting
  return html`<aside class="to-phone" aria-labelledby="to-phone">
${raw(qrSvg(url, words.phoneCode))}
<div><h2 id="to-phone">${words.phone}</h2>
<p class="muted">${words.phoneDetail}</p></div>
</aside>`
}

/** What a bank takes as a concept: at most 40 plain letters and digits. */
export const conceptOf = (what: string): string =>
  what
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .slice(0, 40)
    .trim() || 'Pago'
