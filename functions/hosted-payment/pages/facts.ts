import { html } from 'hono/html'
import { withLocale } from '../../../src/kernel/locale.ts'
import { foreign } from './layout.ts'
import type { Row } from './receipt-rows.ts'
import { text } from './text.ts'
import type { Html, PageBase } from './view.ts'

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

/** What is done with a receipt: it is kept as a file, or printed. */
export const paperTools = (view: PageBase): Html =>
  html`${view.testMode ? html`<p class="muted">${text[view.locale].result.testReceipt}</p>` : ''}
<a class="button secondary" href="${withLocale(`${view.path}/receipt.pdf`, view.locale)}">${text[view.locale].receipt.pdf}</a>
<button type="button" class="secondary" data-print hidden>${text[view.locale].result.print}</button>`
