import { html, raw } from 'hono/html'
import { formatDateTime, formatMoney, formatPlain } from '../../../../../src/kernel/format.ts'
import { withLocale } from '../../../../../src/kernel/locale.ts'
import { foreign, icon, layout, sentence } from '../frame/layout.ts'
import { reach } from '../frame/payee.ts'
import type { Html, SpeiView } from '../frame/view.ts'
import { folioRow } from '../result/facts.ts'
import { unappliedNotice, unappliedRow } from '../result/unapplied.ts'
import { text } from '../text.ts'
import { conceptOf, copyButton, copyStatus, keepsakes, timeLeft, toPhone } from './awaiting.ts'

/**
 * The transfer's details for the buyer's own bank; after expiry, until when a transfer made in time may still be
 * reported.
 */
export function speiPage(view: SpeiView): Html {
  const words = text[view.locale].spei
  const title = view.expired ? words.expired.title : words.title
  return layout(view, {
    title: `${title} · ${view.merchantName}`,
    state: 'awaits_payment',
    scripts: ['awaiting.js'],
    main: html`<section class="panel outcome voucher" aria-labelledby="outcome" data-news="${String(view.receivedMinor)}">
${view.expired ? icon('clock', 'calm') : ''}
<h1 id="outcome">${title}</h1>
${unappliedNotice(view, false)}${view.expired ? over(view) : toSend(view)}
${facts(view)}
${actions(view)}
${reach(view, 'questions')}
</section>`,
  })
}

const missingOf = (view: SpeiView) => view.amountMinor - view.receivedMinor
const money = (view: SpeiView, amountMinor: bigint) => formatMoney(amountMinor, view.currency, view.locale)

function toSend(view: SpeiView): Html {
  const { common, spei: words } = text[view.locale]
  const partly = view.receivedMinor > 0n
  const until = words.until(formatDateTime(view.expiresAt, view.locale))
  const missing = money(view, missingOf(view))
  const lines = [
    `${words.title} · ${view.merchantName}`,
    missing,
    `CLABE ${view.clabe}`,
    `${words.beneficiary}: ${view.beneficiary}`,
    `${words.bank}: ${view.bankName}`,
    `${until} (${common.mexicoCity})`,
  ]
  return html`${partly ? html`<p role="status">${words.partly(money(view, view.receivedMinor))}</p>` : ''}
<p class="amount">${missing}</p>
${copyButton(formatPlain(missingOf(view), view.currency), words.copyAmount, words.amountCopied)}
<p>${partly ? words.rest : sentence(words.detail, view.merchantName)}</p>
<p class="deadline"><strong>${until}</strong> <small class="muted">(${common.mexicoCity})</small> ${timeLeft(view.expiresAt, view.now, view)}</p>
<p class="clabe"><small class="muted">CLABE</small> <code class="digits" translate="no">${groups(view.clabe)}</code></p>
${copyButton(view.clabe, words.copy, words.copied)}
${copyStatus}
<ol class="steps">
${words.steps.map((step) => html`<li>${step}</li>`)}
</ol>
<p class="muted">${words.parts}</p>
${keepsakes(view, lines)}`
}

/** Bank, plaza, account and check digit, spaced only visually: selected and pasted, the number has no spaces. */
const groups = (clabe: string): Html =>
  html`${[clabe.slice(0, 3), clabe.slice(3, 6), clabe.slice(6, 10), clabe.slice(10, 14), clabe.slice(14)].map(
    (group) => html`<span>${group}</span>`,
  )}`

function over(view: SpeiView): Html {
  const words = text[view.locale].spei.expired
  return html`<p>${words.detail}</p>
<p class="muted">${words.paid(formatDateTime(view.toldUntil, view.locale))}</p>
${view.receivedMinor > 0n ? html`<p class="notice">${sentence((name) => words.received(money(view, view.receivedMinor), name), view.merchantName)}</p>` : ''}`
}

function facts(view: SpeiView): Html {
  const { awaiting, common, spei } = text[view.locale]
  const rows: [string, string | Html][] = [
    [spei.beneficiary, foreign(view.beneficiary)],
    [spei.bank, view.bankName],
  ]
  if (view.description) rows.push([common.description, foreign(view.description)])
  if (view.expired || view.receivedMinor > 0n)
    rows.push(
      [common.amount, money(view, view.amountMinor)],
      [spei.received, money(view, view.receivedMinor)],
      [spei.missing, html`<strong>${money(view, missingOf(view))}</strong>`],
    )
  rows.push(...unappliedRow(view, false))
  return html`<dl class="facts">
${rows.map(
  ([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>
`,
)}${
  view.expired
    ? ''
    : html`<div class="long"><dt>${awaiting.concept}</dt><dd>${concept(view)}</dd></div>
`
}${folioRow(common.reference, view.reference, spei.notAsked)}</dl>`
}

/** What the buyer may write in the transfer. */
function concept(view: SpeiView): Html {
  const { awaiting } = text[view.locale]
  const words = conceptOf(view.description ?? view.merchantName)
  return html`<code translate="no">${words}</code> ${copyButton(words, awaiting.copyConcept, awaiting.conceptCopied)} <small>${awaiting.conceptDetail}</small>`
}

function actions(view: SpeiView): Html {
  const { spei, voucher } = text[view.locale]
  const link = (path: string, label: string) =>
    html`<a class="button secondary" href="${withLocale(path, view.locale)}">${label}</a>
`
  return html`${view.expired ? '' : toPhone(view)}
${link(view.path, voucher.check)}${view.otherPath ? link(view.otherPath, voucher.other) : raw('')}
<p class="muted no-print">${spei.told}</p>`
}
