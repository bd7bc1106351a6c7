import { html, raw } from 'hono/html'
import { formatDateTime, formatMoney, formatPlain } from '../../../../../src/kernel/format.ts'
import { withLocale } from '../../../../../src/kernel/locale.ts'
import { foreign, icon, layout, sentence } from '../frame/layout.ts'
import { reach } from '../frame/payee.ts'
import type { Html, VoucherView } from '../frame/view.ts'
import { folioRow } from '../result/facts.ts'
import { unappliedNotice, unappliedRow } from '../result/unapplied.ts'
import { text } from '../text.ts'
import { copyButton, copyStatus, keepsakes, timeLeft, toPhone } from './awaiting.ts'
import { barcode } from './barcode.ts'

/** The voucher for the till; after expiry, until when a payment made in time may still be reported. */
export function voucherPage(view: VoucherView): Html {
  const words = text[view.locale].voucher
  const title = view.expired ? words.expired.title : words.networks[view.method].title
  return layout(view, {
    title: `${title} · ${view.merchantName}`,
    state: 'awaits_payment',
    scripts: ['awaiting.js'],
    main: html`<section class="panel outcome voucher" aria-labelledby="outcome">
${view.expired ? icon('clock', 'calm') : ''}
<h1 id="outcome">${title}</h1>
${unappliedNotice(view, false)}${view.expired ? over(view) : toPay(view)}
${facts(view)}
${actions(view)}
${reach(view, 'questions')}
</section>`,
  })
}

function toPay(view: VoucherView): Html {
  const { awaiting, common, result, spei, voucher: words } = text[view.locale]
  const network = words.networks[view.method]
  const amount = formatMoney(view.amountMinor, view.currency, view.locale)
  const until = words.until(formatDateTime(view.expiresAt, view.locale))
  const lines = [
    `${network.title} · ${view.merchantName}`,
    amount,
    grouped(view.number),
    ...(view.description ? [view.description] : []),
    `${until} (${common.mexicoCity})`,
  ]
  return html`<p class="amount">${amount}</p>
<p>${sentence(network.detail, view.merchantName)}</p>
<p class="deadline"><strong>${until}</strong> <small class="muted">(${common.mexicoCity})</small> ${timeLeft(view.expiresAt, view.now, view)}</p>
<figure>
${barcode(view.number, words.barcode)}
<figcaption><span class="sr-only">${result.numbers[view.method]}: </span><code class="digits" translate="no">${grouped(view.number)}</code></figcaption>
</figure>
<p class="copies">${copyButton(view.number, awaiting.copyNumber, awaiting.numberCopied)} ${copyButton(formatPlain(view.amountMinor, view.currency), spei.copyAmount, spei.amountCopied)}</p>
${copyStatus}
<ol class="steps">
${network.steps.map((step) => html`<li>${step}</li>`)}
</ol>
<p class="muted">${network.fee}</p>
${keepsakes(view, lines)}`
}

const grouped = (number: string) => number.replace(/.{4}(?=.)/g, '$& ')

function over(view: VoucherView): Html {
  const words = text[view.locale].voucher.expired
  return html`<p>${words.detail}</p>
<p class="muted">${words.paid(formatDateTime(view.toldUntil, view.locale))}</p>`
}

function facts(view: VoucherView): Html {
  const { common, result, voucher } = text[view.locale]
  const rows: [string, string | Html][] = [[common.merchant, foreign(view.merchantName)]]
  if (view.description) rows.push([common.description, foreign(view.description)])
  if (view.expired)
    rows.push(
      [common.amount, formatMoney(view.amountMinor, view.currency, view.locale)],
      [result.numbers[view.method], html`<code>${grouped(view.number)}</code>`],
    )
  rows.push(...unappliedRow(view, false))
  return html`<dl class="facts">
${rows.map(
  ([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>
`,
)}${folioRow(common.reference, view.reference, voucher.notAsked)}</dl>`
}

function actions(view: VoucherView): Html {
  const { voucher } = text[view.locale]
  const link = (path: string, label: string) =>
    html`<a class="button secondary" href="${withLocale(path, view.locale)}">${label}</a>
`
  return html`${view.expired ? '' : toPhone(view)}
${link(view.path, voucher.check)}${view.otherPath ? link(view.otherPath, voucher.other) : raw('')}
<p class="muted no-print">${voucher.networks[view.method].told}</p>`
}
