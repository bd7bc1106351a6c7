import { html, raw } from 'hono/html'
import { formatMoney } from '../../../../src/kernel/format.ts'
import { withLocale } from '../../../../src/kernel/locale.ts'
import { foreign, type Html, icon, layout, type PageBase } from '../../../page/hosted-payment/api.ts'
import type { CodeAt, ShownAtCode } from '../store.ts'
import { display } from '../words.ts'

/** A code with what its register shows, or else its newest order; null: it had none. */
export interface Showing extends CodeAt {
  readonly order: ShownAtCode | null
}

/** For how long a display says that an order was paid. */
const thanksMs = 45_000

/** What a display shows of an order. Money that comes after its time thanks nobody: its buyer has left. */
function shownOf({ order }: Showing, now: Date) {
  if (order === null) return 'idle'
  const { isCurrent, livePaymentId, status, expiresAt, endedAt } = order
  if (isCurrent && livePaymentId !== null) return 'paying'
  if (isCurrent) return expiresAt > now ? 'open' : 'idle'
  if (status !== 'paid' || endedAt === null || endedAt > expiresAt) return 'idle'
  return now.getTime() - endedAt.getTime() < thanksMs ? 'paid' : 'idle'
}

/** Another text wherever a display shows something else. */
export function followedOf(code: Showing, now: Date): string {
  const shown = shownOf(code, now)
  return shown === 'idle' ? shown : `${shown}.${code.order!.publicId.slice(-8)}`
}

/** The page of a screen that faces buyers: it follows its register by itself. */
export async function displayPage(
  code: Showing,
  merchantName: string,
  base: PageBase,
  now: Date,
): Promise<Html> {
  const words = display[base.locale]
  const shown = shownOf(code, now)
  const parts = { idle, paid, open, paying: open }
  return layout(base, {
    title: `${merchantName}: ${code.registerName}`,
    name: merchantName,
    isNamed: true,
    scripts: ['display.js'],
    // Without a script the page is asked for again.
    head: html`<link rel="stylesheet" href="/assets/display.css">
<noscript><meta http-equiv="refresh" content="5"></noscript>
`,
    data: {
      followed: followedOf(code, now),
      status: `${base.path}/state`,
      page: withLocale(base.path, base.locale),
    },
    main: html`<p class="sr-only" role="status" data-said="${words.changed}"></p>
<p class="alert" role="alert" data-offline hidden>${words.offline}</p>
<div class="counter">
${await parts[shown](code, merchantName, base)}
</div>`,
  })
}

function idle(_: Showing, merchantName: string, { locale }: PageBase): Html {
  const words = display[locale]
  return html`<section class="panel outcome display" aria-labelledby="shown">
<h1 id="shown">${words.welcome}</h1>
<p class="merchant">${foreign(merchantName)}</p>
<p class="muted">${words.idle}</p>
</section>`
}

function paid({ order }: Showing, _: string, { locale }: PageBase): Html {
  const words = display[locale]
  return html`<section class="panel outcome display" aria-labelledby="shown">
${icon('check', 'good')}
<h1 id="shown">${words.paid}</h1>
<p class="amount">${formatMoney(order!.paidMinor ?? order!.amountMinor, order!.currency, locale)}</p>
<p>${words.thanks}</p>
</section>`
}

async function open({ order }: Showing, merchantName: string, base: PageBase): Promise<Html> {
  const { locale, address } = base
  const words = display[locale]
  const { lines, amountMinor, currency, description, publicId, mode, livePaymentId } = order!
  const { qrSvg } = await import('../../../../src/platform/qr.ts')
  const isShown = mode !== 'static' && livePaymentId === null
  return html`<section class="panel display" aria-labelledby="shown">
<h1 id="shown">${foreign(merchantName)}</h1>
${description === null ? '' : html`<p class="description">${foreign(description)}</p>`}
<ul class="rung">
${lines.map(
  ({ name, quantity, amount_total }) =>
    html`<li><span>${quantity > 1 ? `${quantity} × ` : ''}${foreign(name)}</span><span>${formatMoney(BigInt(amount_total), currency, locale)}</span></li>
`,
)}</ul>
<p class="total"><span>${words.total}</span><strong>${formatMoney(amountMinor, currency, locale)}</strong></p>
</section>
${
  isShown
    ? html`<section class="panel display scan" aria-labelledby="scan">
<h2 id="scan">${words.scan}</h2>
${raw(qrSvg(`${address}/${publicId}`, words.code))}
</section>`
    : html`<section class="panel display scan" aria-labelledby="scan">
<h2 id="scan">${livePaymentId === null ? words.scan : words.paying}</h2>
</section>`
}`
}
