import { html, raw } from 'hono/html'
import { formatDateTime, formatList, formatMoney } from '../../../src/kernel/format.ts'
import { withLocale } from '../../../src/kernel/locale.ts'
import { isPush } from '../../../src/kernel/payment-methods.ts'
import { foreign, hiddenFields, layout, sentence } from './layout.ts'
import { methodTabs, pending, problems, pushForm, receiptField } from './methods.ts'
import { stripeCardForm } from './stripe-card.ts'
import { type Text, text } from './text.ts'
import type { Html, PayView, TestCardChoice } from './view.ts'

/**
 * The form of a link for one method, and the way to the others. The card form posts `card_token`, `quote`,
 * `attempt_key` and `locale` to `/{public_id}/review` when the link offers installments, else to
 * `/{public_id}/attempts`; card fields have no name, so no browser can send them. The form of a push payment posts `method`,
 * `name` and `email` instead of the token.
 */
export function payPage(view: PayView): Html {
  const words = text[view.locale].pay
  const card = !isPush(view)
  return layout(view, {
    title: words.title(view.merchantName),
    wide: true,
    scripts: card ? [view.publishableKey ? 'stripe-card.js' : 'sandbox-card.js'] : [],
    main: html`${summary(view, 'h1')}
<div class="panel">
${methodTabs(view)}
${pending(view)}
${formOf(view)}
</div>
${card && !view.publishableKey ? cardList(view) : ''}`,
  })
}

function formOf(view: PayView): Html {
  if (isPush(view)) return pushForm(view, view.method)
  return view.publishableKey ? stripeCardForm(view, view.publishableKey) : cardForm(view)
}

function cardForm(view: PayView): Html {
  const words = text[view.locale].pay
  const next = view.installments ? 'review' : 'attempts'
  return html`<section aria-labelledby="card-heading">
<h2 id="card-heading">${words.heading}</h2>
${problems(view)}
<form method="post" action="/${view.publicId}/${next}" data-sandbox-card data-once>
${hiddenFields({ quote: view.sealedQuote, attempt_key: view.attemptKey, locale: view.locale })}
${tokenSelect(view)}
${cardFields(view)}
${receiptField(view)}
<button class="primary" data-busy="${text[view.locale].common.sending}">${
    view.installments ? words.continue : words.pay(formatMoney(view.amountMinor, view.currency, view.locale))
  }</button>
</form>
<p class="note" data-enhanced hidden>${words.neverLeaves}</p>
</section>`
}

/** The payee, the amount and the description; also the head of the review page. */
export function summary(
  view: Pick<
    PayView,
    'merchantName' | 'description' | 'lines' | 'cancelUrl' | 'amountMinor' | 'currency' | 'locale'
  > &
    Partial<Pick<PayView, 'expiresAt' | 'installments' | 'amountPath' | 'shownAs'> & Priced>,
  heading: 'h1' | 'p',
): Html {
  const words = text[view.locale]
  const payTo = html`<small>${words.pay.payTo}</small> ${foreign(view.merchantName)}`
  const months = view.installments ? formatList(view.installments.months, view.locale) : ''
  return html`<div class="summary">
<div class="payee">${view.shownAs?.logo ? '' : html`<span class="avatar" aria-hidden="true">${initial(view.merchantName)}</span>`}
${heading === 'h1' ? html`<h1 class="pay-to">${payTo}</h1>` : html`<p class="pay-to">${payTo}</p>`}</div>
<p class="amount"${view.varies ? html` data-charged` : ''}>${formatMoney(view.amountMinor, view.currency, view.locale)}</p>
${composed(view)}
${view.amountPath ? html`<p><a href="${withLocale(view.amountPath, view.locale)}">${words.pay.chooseAmount.other}</a></p>` : ''}
${view.description ? html`<p class="description">${foreign(view.description)}</p>` : ''}
${linesOf(view)}
${view.installments ? html`<p class="muted">${financing(view.installments, months, words.pay)} ${surcharge(view)}</p>` : ''}
${
  view.expiresAt
    ? html`<p class="muted">${words.pay.expires(formatDateTime(view.expiresAt, view.locale))} (${words.common.mexicoCity}).</p>`
    : ''
}
${
  view.cancelUrl
    ? html`<p><a href="${view.cancelUrl}" rel="noreferrer">${sentence(words.pay.backTo, view.merchantName)}</a></p>`
    : ''
}
</div>`
}

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
function composed(
  view: Pick<PayView, 'amountMinor' | 'currency' | 'locale'> &
    Partial<Pick<PayView, 'installments'> & Priced>,
): Html {
  const demanded = view.installments?.required ? view.installments.surchargeMinor : 0n
  const priceMinor = view.priceMinor ?? view.amountMinor - demanded
  if (priceMinor === view.amountMinor && !view.varies) return raw('')
  const words = text[view.locale].pay
  const money = (amountMinor: bigint) => formatMoney(amountMinor, view.currency, view.locale)
  return view.varies
    ? html`<p class="muted">${words.price(money(priceMinor))}</p>`
    : html`<p class="muted">${words.composed(money(priceMinor), money(view.amountMinor - priceMinor))}</p>`
}

/** The cost of choosing a term, where one may be chosen. */
function surcharge(
  view: Pick<PayView, 'amountMinor' | 'currency' | 'locale'> & Partial<Pick<PayView, 'installments'>>,
): string {
  const { required = true, surchargeMinor = 0n } = view.installments ?? {}
  if (required || surchargeMinor === 0n) return ''
  const money = (amountMinor: bigint) => formatMoney(amountMinor, view.currency, view.locale)
  return text[view.locale].pay.surcharge(money(surchargeMinor), money(view.amountMinor + surchargeMinor))
}

function financing(
  { required, interestFree }: NonNullable<PayView['installments']>,
  months: string,
  words: Text['pay'],
): string {
  if (required) return interestFree ? words.interestFreeOnly(months) : words.installmentsOnly(months)
  return interestFree ? words.interestFree(months) : words.installments(months)
}

/** The card choice without JavaScript; the script removes it. */
function tokenSelect(view: PayView): Html {
  const words = text[view.locale].pay
  return html`<div class="field" data-fallback>
<label for="card-token">${words.testCard}</label>
<select id="card-token" name="card_token" required>
<option value="">${words.chooseTestCard}</option>
${view.testCards.map(
  (card) => html`<option value="${card.token}">${card.label[view.locale]} (${card.number.slice(-4)})</option>
`,
)}</select>
</div>`
}

/** Hidden until the script can read them; `autocomplete` is off so that no browser offers a real card here. */
function cardFields(view: PayView): Html {
  const words = text[view.locale].pay
  const missing = words.missing
  return html`<div class="card-fields" data-enhanced hidden>
${field('card-number', words.number, { missing: missing.number, wrong: words.notATestCard })}
${field('card-expiry', words.expiry, { missing: missing.expiry, wrong: words.past }, words.expiryHint)}
${field('card-cvc', words.securityCode, { missing: missing.securityCode, wrong: missing.securityCode }, words.securityCodeHint)}
${field('card-name', words.name, { missing: missing.name, wrong: missing.name }, null, view.buyer.name)}
</div>`
}

function field(
  id: string,
  label: string,
  messages: { missing: string; wrong: string },
  hint: string | null = null,
  holder: string | null = null,
): Html {
  const typing = holder === null ? 'numeric' : 'text'
  // The buyer's name is no card data: it is sent, so that the form has it again after a decline.
  const sent = holder === null ? '' : html` name="name" maxlength="100" value="${holder}"`
  return html`<div class="field ${id}">
<label for="${id}">${label}</label>
<input id="${id}"${sent} inputmode="${typing}" autocomplete="off" spellcheck="false" aria-required="true" placeholder="${hint ?? ''}" aria-describedby="${hint ? `${id}-hint ` : ''}${id}-error">
${hint ? html`<p class="sr-only" id="${id}-hint">${hint}</p>` : ''}
<p class="field-error" id="${id}-error" role="alert" data-missing="${messages.missing}" data-wrong="${messages.wrong}" hidden></p>
</div>`
}

/** The helper list, and the script's one table from number to token. */
function cardList(view: PayView): Html {
  const words = text[view.locale].pay
  return html`<details class="cards" data-enhanced hidden>
<summary>${words.testCards}</summary>
<p class="muted">${words.testCardsDetail}</p>
<ul>
${view.testCards.map((card) => cardRow(card, view))}</ul>
</details>
<p class="sr-only" role="status" data-used></p>`
}

function cardRow(card: TestCardChoice, view: PayView): Html {
  const words = text[view.locale].pay
  const label = card.label[view.locale]
  return html`<li data-number="${card.number}" data-token="${card.token}">
<span>${label} <code>${card.number.replace(/(.{4})(?=.)/g, '$1 ')}</code></span>
<button type="button" class="small" data-use="${words.used(label)}" aria-label="${words.useCard(label)}">${words.use}</button>
</li>
`
}

function initial(name: string): string {
  const [first] = new Intl.Segmenter('es', { granularity: 'grapheme' }).segment(name.trim())
  return first ? first.segment.toLocaleUpperCase('es') : ''
}
