import { html, raw } from 'hono/html'
import { formatDateTime } from '../../../../../src/kernel/format.ts'
import type { Delivered } from '../../../../goods/entitlements/api.ts'
import { foreign } from '../frame/layout.ts'
import type { Html, ResultView } from '../frame/view.ts'
import { deliveredWords } from './delivered-words.ts'

/** While something is being prepared, the receipt looks again: for this long after the payment. */
const awaitedMs = 180_000

type Granted = Pick<ResultView, 'locale' | 'merchantName' | 'delivered'>

/** What the buyer got, on the receipt; nothing where the payment granted nothing. */
export function deliveredPart(view: Granted): Html {
  const { delivered = [] } = view
  if (delivered.length === 0) return raw('')
  const words = deliveredWords[view.locale]
  const awaited = delivered.filter(({ state }) => state === 'pending').length
  return html`<section class="delivered" aria-labelledby="delivered" data-news="${String(awaited)}"${awaited > 0 ? html` data-awaited` : ''}>
<h2 id="delivered">${words.heading}</h2>
<ul>
${delivered.map(
  (one) => html`<li><p><strong>${foreign(one.itemName)}</strong> · <small>${words.kinds[one.kind]}</small></p>
${content(one, view)}</li>
`,
)}</ul>
<p class="sr-only" role="status" data-copy-status></p>
</section>
`
}

/** With buttons that copy, where there is something to copy. */
export const deliveredScripts = ({ delivered = [] }: Granted) => [
  delivered.some(({ code }) => code !== null) ? 'awaiting.js' : 'pay.js',
]

/** Looks again while a code is being made. */
export const deliveredHead = (view: Granted & { readonly paidAt?: Date }): { head?: Html } =>
  view.paidAt &&
  Date.now() - view.paidAt.getTime() < awaitedMs &&
  view.delivered?.some(({ state }) => state === 'pending')
    ? { head: html`<noscript><meta http-equiv="refresh" content="10"></noscript>` }
    : {}

function content(one: Delivered, { locale, merchantName }: Granted): Html {
  const words = deliveredWords[locale]
  const until =
    one.expiresAt && one.state !== 'expired' && one.state !== 'revoked'
      ? html`<p class="muted">${words.until(formatDateTime(one.expiresAt, locale))}</p>`
      : ''
  if (one.state !== 'ready')
    return html`${one.code === null ? '' : html`<p><code translate="no">${one.code}</code></p>`}<p class="muted">${words.states[one.state]}</p>${until}`
  if (one.kind === 'access') return html`<p>${words.opened(merchantName)}</p>${until}`
  if (one.kind !== 'file')
    return html`<p class="code"><code translate="no">${one.code}</code>
<button type="button" class="secondary" data-copy="${one.code}" data-copied="${words.copied}" hidden>${words.copy}</button></p>${until}`
  if (one.downloads.length === 0) return html`<p class="muted">${words.noFiles(merchantName)}</p>`
  return html`${one.downloads.map(({ name, bytes, path, left }) =>
    left === 0
      ? html`<p class="muted">${foreign(name)}: ${words.states.used_up}</p>
`
      : html`<p><a class="button secondary" href="${path}" download>${words.download(name)}</a> <small>${sizeOf(bytes, locale)}</small></p>
${left === null ? '' : html`<p class="muted">${words.left(left)}</p>`}`,
  )}${until}`
}

const sizeOf = (bytes: number, locale: string) =>
  bytes < 1_000_000
    ? new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte' }).format(Math.ceil(bytes / 1_000))
    : new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(
        bytes / 1_000_000,
      )
