import { html, raw } from 'hono/html'
import { firstLetters } from '../../../../../src/kernel/first-letters.ts'
import { formatDateTime, formatMoney, formatShort } from '../../../../../src/kernel/format.ts'
import { withLocale } from '../../../../../src/kernel/locale.ts'
import { isPushMethod } from '../../../../../src/kernel/payment-methods.ts'
import { foreign, layout, sentence } from '../frame/layout.ts'
import { reach } from '../frame/payee.ts'
import type { Html, PayView } from '../frame/view.ts'
import { recoveryForm } from '../mailed/recovering.ts'
import { taxRows } from '../result/receipt-rows.ts'
import { freeText } from '../result/text-free.ts'
import { text } from '../text.ts'
import { cardList, cardScript } from './card-form.ts'
import { payForm } from './fields.ts'
import { declined, methodRows, pending } from './methods.ts'
import { orderForm, orderPath, partsOf } from './order.ts'
import { quantityField } from './quantity.ts'
import { orderText } from './text-order.ts'

/**
 * The form of a sale: one form, in which each method has a button of its own. What the buyer may choose of the order
 * stands in the summary and is sent with it.
 */
export function payPage(view: PayView): Html {
  const words = text[view.locale].pay
  const orderWords = orderText[view.locale]
  const card = !view.isBlocked && view.methods.some((method) => !isPushMethod(method))
  const script = card ? cardScript(view) : 'form.js'
  const amount = formatMoney(view.amountMinor, view.currency, view.locale)
  return layout(view, {
    title: words.title(view.merchantName),
    preview: preview(view, amount),
    isNamed: true,
    wide: true,
    data: {
      status: `/${view.publicId}/status`,
      page: withLocale(view.path, view.locale),
      terms: view.terms,
      ...(view.closesInMs === null ? {} : { 'closes-in-ms': String(view.closesInMs) }),
    },
    scripts: [script],
    ...(view.declined ? { state: 'declined' } : {}),
    main: html`${firstButton(view)}${summary(view, 'h1')}
<div class="panel" data-renewed="${words.renewed(view.merchantName, amount)}" data-changed="${orderWords.changed(amount)}">
<p class="sr-only" role="status" data-total="${orderWords.totalNow(amount)}"></p>
${declined(view)}
${pending(view)}
${methodRows(view)}
${recoveryForm(view)}
</div>
${card && !view.cardEntry ? cardList(view) : ''}`,
  })
}

/** What the Enter key presses where no script runs and there is something to choose: it takes no money. */
const firstButton = (view: PayView): Html =>
  view.methods.length > 1 || view.adjustable || view.quantities
    ? html`<button class="sr-only" tabindex="-1" aria-hidden="true"${payForm} formaction="${orderPath(view)}"></button>
`
    : raw('')

/** What a message that contains the address shows of it. */
function preview({ description, lines, locale }: PayView, amount: string): string {
  const what = description ?? lines?.map(({ name }) => name).join(', ')
  return what ? text[locale].rows.preview(amount, firstLetters(what, 160)) : amount
}

/** The payee, the amount and the description; also the head of the review page. */
export function summary(
  view: Pick<
    PayView,
    'merchantName' | 'description' | 'lines' | 'parts' | 'cancelUrl' | 'amountMinor' | 'currency' | 'locale'
  > &
    Partial<Pick<PayView, 'expiresAt' | 'amountPath' | 'payee' | 'formPath' | 'isBlocked'> & Priced>,
  heading: 'h1' | 'p',
): Html {
  const words = text[view.locale]
  const { expires } = view.amountMinor === 0n ? freeText[view.locale] : words.pay
  const payTo = html`<small>${words.pay.payTo}</small> ${foreign(view.merchantName)}`
  return html`<div class="summary">
${heading === 'h1' ? html`<h1 class="pay-to">${payTo}</h1>` : html`<p class="pay-to">${payTo}</p>`}
${reach(view)}
${
  view.isBlocked
    ? ''
    : html`<p class="amount"${view.varies ? html` data-charged` : ''}>${formatMoney(view.amountMinor, view.currency, view.locale)}</p>
${composed(view)}`
}
${view.description ? html`<p class="description">${foreign(view.description)}</p>` : ''}
${view.formPath === undefined ? '' : quantityField(view as PayView)}
${view.amountPath ? html`<p><a href="${withLocale(view.amountPath, view.locale)}">${words.pay.chooseAmount.other}</a></p>` : ''}
${view.formPath === undefined ? html`${linesOf(view)}${partsOf(view)}` : order(view as PayView)}
${
  view.expiresAt
    ? html`<p class="muted">${expires(formatDateTime(view.expiresAt, view.locale))} (${words.common.mexicoCity}).</p>`
    : ''
}
${
  view.cancelUrl
    ? html`<p><a href="${view.cancelUrl}" rel="noreferrer">${sentence(words.pay.backTo, view.merchantName)}</a></p>`
    : ''
}
</div>`
}

/** How many lines stand above the form on a phone without pushing it out of sight. */
const linesShownMax = 4

/**
 * What is ordered, with its total and the IVA in it, and what the buyer may change of it. On a phone it is folded behind a
 * line that says how much it is; the style shows all of it beside the form. What is wrong with it opens it, and a short one
 * whose buyer may add a tip is open: nobody looks for a tip behind a line.
 */
function order(view: PayView): Html {
  const { lines = [], parts = [], adjustable, locale } = view
  if (lines.length + parts.length === 0 && !adjustable) return orderForm(view)
  const words = orderText[locale]
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const total = formatMoney(view.amountMinor, view.currency, locale)
  const isOpen = view.unadjusted || view.isChanged || (adjustable?.tip && lines.length <= linesShownMax)
  return html`<details class="order" id="order"${isOpen ? html` open` : ''}><summary id="order-line"><span>${words.heading}${count > 0 ? ` · ${words.things(count)}` : ''}</span>${view.isBlocked ? '' : html` <strong>${formatShort(view.amountMinor, view.currency, locale)}</strong>`}</summary>
<div class="order-body">
${linesOf(view)}
${partsOf(view)}
${view.isBlocked ? '' : totalOf(view, total)}
${orderForm(view)}
</div></details>`
}

/** The rows below the lines. */
const totalOf = (view: PayView, total: string): Html =>
  html`<ul class="lines sum">
<li><strong>${text[view.locale].common.total}</strong> <strong>${total}</strong></li>
${taxRows(view).map(
  ({ term, value }) => html`<li class="muted"><span>${term}</span> <span>${value}</span></li>
`,
)}</ul>`

/** What is sold, line by line; nothing where there are none. */
export function linesOf({
  lines = [],
  currency,
  locale,
}: Pick<PayView, 'lines' | 'currency' | 'locale'>): Html {
  if (lines.length === 0) return raw('')
  return html`<ul class="lines">
${lines.map(
  ({
    name,
    quantity,
    total,
  }) => html`<li><span>${quantity > 1 ? html`<b>${quantity} ×</b> ` : ''}${foreign(name)}</span> <span>${formatMoney(BigInt(total), currency, locale)}</span></li>
`,
)}</ul>`
}

/** What a page that knows the terms shows beside the amount. */
type Priced = {
  readonly priceMinor: bigint
  /** The terms cost different totals: the script shows the one of the chosen term. */
  readonly varies: boolean
}

/** The parts of the amount; nothing where it is the price. */
function composed(view: Pick<PayView, 'amountMinor' | 'currency' | 'locale'> & Partial<Priced>): Html {
  const priceMinor = view.priceMinor ?? view.amountMinor
  if (priceMinor === view.amountMinor && !view.varies) return raw('')
  const words = text[view.locale].pay
  const money = (amountMinor: bigint) => formatMoney(amountMinor, view.currency, view.locale)
  return view.varies
    ? html`<p class="muted">${words.price(money(priceMinor))}</p>`
    : html`<p class="muted">${words.composed(money(priceMinor), money(view.amountMinor - priceMinor))}</p>`
}
