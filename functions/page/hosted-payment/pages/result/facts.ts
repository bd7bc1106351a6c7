import { html, raw } from 'hono/html'
import { folioOf } from '../../../../../src/kernel/folio.ts'
import { withLocale } from '../../../../../src/kernel/locale.ts'
import { foreign } from '../frame/layout.ts'
import type { Html, PageBase } from '../frame/view.ts'
import { detailsText } from '../pay/text-details.ts'
import { text } from '../text.ts'
import { invoiceRows, type Row } from './receipt-rows.ts'

/** Facts as the rows of a list. */
export const factRows = (rows: readonly Row[]): Html =>
  html`${rows.map(
    (row) =>
      html`<div${row.as === 'code' ? html` class="long"` : ''}><dt>${row.term}</dt><dd>${shown(row)}${row.small ? html` <small>${row.small}</small>` : ''}</dd></div>
`,
  )}`

function shown({ value, as }: Row): string | Html {
  if (as === 'strong') return html`<strong>${value}</strong>`
  if (as === 'code') return html`<code>${value}</code>`
  return as === 'foreign' ? foreign(value) : value
}

/** What the buyer gave for a CFDI; nothing where they gave nothing, or this is not their browser. */
export function invoiceFacts(view: Parameters<typeof invoiceRows>[0]): Html {
  const rows = invoiceRows(view)
  if (rows.length === 0) return raw('')
  return html`
<h2 id="invoice">${detailsText[view.locale].tax}</h2>
<dl class="facts" aria-labelledby="invoice">
${factRows(rows)}</dl>`
}

/** The number by which the buyer and the merchant find a payment or an order. */
export const folioRow = (term: string, reference: string, what: string | null = null): Html =>
  html`<div class="long folio"><dt>${term}</dt><dd><strong translate="no">${folioOf(reference)}</strong>${what ? html` <small>${what}</small>` : ''}</dd></div>
`

/** What is done with a receipt: it is kept as a file, or printed. */
export const paperTools = (view: PageBase, isWithheld = false): Html =>
  html`${view.testMode ? html`<p class="muted">${text[view.locale].result.testReceipt}</p>` : ''}
${
  isWithheld
    ? ''
    : html`<a class="button secondary" href="${withLocale(`${view.path}/receipt.pdf`, view.locale)}">${text[view.locale].receipt.pdf}</a>
`
}<button type="button" class="secondary" data-print hidden>${text[view.locale].result.print}</button>`
