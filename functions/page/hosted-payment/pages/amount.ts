import { html, raw } from 'hono/html'
import { formatMoney, formatPlain } from '../../../../src/kernel/format.ts'
import { withLocale } from '../../../../src/kernel/locale.ts'
import { alertBox, foreign, hiddenFields, layout } from './layout.ts'
import { reach } from './payee.ts'
import { text } from './text.ts'
import type { AmountView, Html } from './view.ts'

/** The form in which a buyer chooses the amount. It is sent by GET to the sale's own address, and takes no money. */
export function amountPage(view: AmountView): Html {
  const { pay } = text[view.locale]
  const words = pay.chooseAmount
  const money = (amountMinor: bigint) => formatMoney(amountMinor, view.currency, view.locale)
  const bounds = words.bounds(money(view.amountMinorMin), money(view.amountMinorMax))
  const error = view.error === null ? null : words.errors[view.error]
  return layout(view, {
    title: pay.title(view.merchantName),
    isNamed: true,
    preview: view.description ?? text[view.locale].rows.previewPlain,
    main: html`<section class="panel" aria-labelledby="amount-heading">
<h1 id="amount-heading" class="pay-to"><small>${pay.payTo}</small> ${foreign(view.merchantName)}</h1>
${reach(view)}
${view.description ? html`<p class="description">${foreign(view.description)}</p>` : ''}
${error === null ? raw('') : alertBox(error)}
${presets(view)}
<form method="get" action="${view.path}">
${hiddenFields({ ...view.kept, lang: view.locale === 'en' ? 'en' : 'es' })}
<div class="field">
<label for="amount">${words.label(view.currency.toUpperCase())}</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="transaction-amount" maxlength="20" required value="${view.typed}" aria-describedby="amount-bounds"${
      error === null ? '' : html` aria-invalid="true"`
    }>
<p class="muted" id="amount-bounds">${bounds}</p>
</div>
<button class="primary">${pay.continue}</button>
</form>
</section>`,
  })
}

/** The amounts that the merchant suggests, each a way to the form. */
function presets({ presetsMinor = [], path, kept, currency, locale }: AmountView): Html {
  if (presetsMinor.length === 0) return raw('')
  return html`<ul class="presets">
${presetsMinor.map((amountMinor) => {
  const query = new URLSearchParams({ ...kept, amount: formatPlain(amountMinor, currency) })
  return html`<li><a href="${withLocale(`${path}?${query}`, locale)}">${formatMoney(amountMinor, currency, locale)}</a></li>
`
})}</ul>`
}
