import { html, raw } from 'hono/html'
import { formatMoney, formatPlain, formatShort, parseAmount } from '../../../../../src/kernel/format.ts'
import { withLocale } from '../../../../../src/kernel/locale.ts'
import type { PaymentRow } from '../../../../money/payments/api.ts'
import type { Part, Sale } from '../../hosted-origin.ts'
import { alertBox, foreign, hiddenFields, layout } from '../frame/layout.ts'
import { reach } from '../frame/payee.ts'
import { amountBefore, sharedForms, sharedWords } from '../frame/shared.ts'
import type { AmountError, AmountView, Html } from '../frame/view.ts'
import { text } from '../text.ts'

/** The amount to pay; or why the buyer must choose one (again). A retry keeps the amount of its payment. */
export function amountOf(
  { amount, currency, shared }: Sale,
  part: Part | null,
  typed: string | undefined,
  retried: PaymentRow | null,
): bigint | { readonly error: AmountError | null } {
  if (typeof amount === 'bigint') return amount
  if (part && !('amount' in part)) return shared?.inPart(part)?.amountMinor ?? { error: 'part_taken' }
  if (typed === undefined) return retried ? amountBefore(retried) : { error: null }
  const chosen = parseAmount(typed, currency)
  if (chosen === null) return { error: 'not_an_amount' }
  return chosen < amount.amountMinorMin || chosen > amount.amountMinorMax
    ? { error: 'out_of_bounds' }
    : chosen
}

/** The form in which a buyer chooses the amount. It is sent by GET to the sale's own address, and takes no money. */
export function amountPage(view: AmountView): Html {
  const { pay } = text[view.locale]
  const words = pay.chooseAmount
  const money = (amountMinor: bigint) => formatMoney(amountMinor, view.currency, view.locale)
  const bounds = words.bounds(money(view.amountMinorMin), money(view.amountMinorMax))
  const error = errorOf(view)
  return layout(view, {
    title: pay.title(view.merchantName),
    isNamed: true,
    preview: view.description ?? text[view.locale].rows.previewPlain,
    ...followed(view),
    main: html`<section class="panel" aria-labelledby="amount-heading">
<h1 id="amount-heading" class="pay-to"><small>${pay.payTo}</small> ${foreign(view.merchantName)}</h1>
${reach(view)}
${view.description ? html`<p class="description">${foreign(view.description)}</p>` : ''}
${view.shared ? html`<p class="muted" role="status"></p>` : ''}${error === null ? raw('') : alertBox(error)}
${sharedForms(view)}
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

/** What the script of a page needs on which others pay their parts meanwhile. */
const followed = ({ shared, path, kept, locale }: AmountView) =>
  shared?.terms
    ? {
        scripts: ['parts.js'],
        data: {
          status: `${path}/status`,
          page: withLocale(`${path}?${new URLSearchParams(kept)}`, locale),
          terms: shared.terms,
          changed: sharedWords[locale].changed,
        },
      }
    : {}

function errorOf({ error, locale }: AmountView): string | null {
  if (error === null) return null
  return error === 'part_taken' ? sharedWords[locale].taken : text[locale].pay.chooseAmount.errors[error]
}

/** The amounts that the merchant suggests, each a way to the form. */
function presets({
  presetsMinor = [],
  path,
  kept,
  currency,
  locale,
  shared,
  amountMinorMax,
}: AmountView): Html {
  const nameOf = (amountMinor: bigint) =>
    shared && amountMinor === amountMinorMax ? `${sharedWords[locale].rest} · ` : ''
  if (presetsMinor.length === 0) return raw('')
  return html`<ul class="presets">
${presetsMinor.map((amountMinor) => {
  const query = new URLSearchParams({ ...kept, amount: formatPlain(amountMinor, currency) })
  return html`<li><a href="${withLocale(`${path}?${query}`, locale)}">${nameOf(amountMinor)}${formatShort(amountMinor, currency, locale)}</a></li>
`
})}</ul>`
}
