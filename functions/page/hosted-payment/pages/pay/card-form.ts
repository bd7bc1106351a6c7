import { html, raw } from 'hono/html'
import { formatList, formatMoney, formatShort } from '../../../../../src/kernel/format.ts'
import { cardMethod } from '../../../../../src/kernel/payment-methods.ts'
import type { CardEntry } from '../../../../../src/processors/port.ts'
import { hiddenFields } from '../frame/layout.ts'
import type { Html, PayView, TestCardChoice } from '../frame/view.ts'
import { text } from '../text.ts'
import { payLabel } from './pay-label.ts'
import { withStripe } from './stripe-policy.ts'

/**
 * The part of the form that pays by card: `card_token` and `months`. The fields that a card is typed into have no name, so
 * no browser can send them. In live they are the processor's own.
 */
export function cardFields(view: PayView): Html {
  const words = text[view.locale].pay
  const { cardEntry } = view
  return cardEntry
    ? cardEntries[cardEntry.by].fields(view, cardEntry.publicKey)
    : html`<div data-sandbox-card>
${tokenSelect(view)}
${typedCard(view)}
${monthsField(view)}
${payButton(view)}
</div>
<p class="note" data-enhanced hidden>${words.neverLeaves}</p>`
}

/** What a page that takes cards by a processor's own fields needs: them, their script, and the hosts that they may reach. */
interface CardFields {
  readonly script: string
  readonly policy: (policy: string) => string
  fields(view: PayView, publicKey: string): Html
}

export const cardEntries: Readonly<Record<CardEntry['by'], CardFields>> = {
  stripe: { script: 'stripe-card.js', policy: withStripe, fields: stripeFields },
}

export const cardScript = ({ cardEntry }: PayView): string =>
  cardEntry ? cardEntries[cardEntry.by].script : 'sandbox-card.js'

/** Stripe's own fields for the card, in frames of Stripe's; their input never reaches this page. */
function stripeFields(view: PayView, publishableKey: string): Html {
  const words = text[view.locale].pay
  return html`<noscript><p class="alert">${words.stripe.needsScript}</p></noscript>
<div data-stripe-card data-key="${publishableKey}" data-amount="${view.cardMinor}" data-currency="${view.currency}" data-language="${view.locale}" hidden>
<input type="hidden" name="card_token" value="">
<p data-loading>${words.stripe.loading}</p>
<div class="field" data-stripe-element></div>
${monthsField(view)}
<p class="field-error" role="alert" data-problem data-unreachable="${words.stripe.unreachable}" hidden></p>
${payButton(view, true)}
</div>
<p class="note">${words.stripe.byStripe}</p>`
}

function payButton(view: PayView, disabled = false): Html {
  const { cardMinor, installments } = view
  const varies = installments?.offers.some(({ totalMinor }) => totalMinor !== cardMinor) ?? false
  const label = payLabel({ ...view, amountMinor: cardMinor, varies })
  return html`<button class="primary" name="method" value="${cardMethod}" data-busy="${text[view.locale].common.sending}"${disabled ? ' disabled' : ''}>${label}</button>`
}

/** In how many months: known for this amount, not yet for this card. The script replaces it by what the card gets. */
function monthsField(view: PayView): Html {
  const { installments, locale, currency } = view
  if (!installments || installments.offers.length === 0) return hiddenFields({ months: '1' })
  const words = text[locale].rows
  const short = (amountMinor: bigint) => formatShort(amountMinor, currency, locale)
  const label = ({ months, monthlyMinor, totalMinor }: (typeof installments.offers)[number]) =>
    installments.interestFree
      ? words.termFree(months, short(monthlyMinor))
      : words.term(months, short(monthlyMinor), short(totalMinor))
  const note = html`<p class="muted hint" id="months-note">${financing(view)}</p>`
  if (installments.required) {
    const [only] = installments.offers
    return html`${hiddenFields({ months: String(only!.months) })}<div class="field plan"><p><strong>${label(only!)}</strong></p>
${note}</div>`
  }
  return html`<div class="field" data-terms="/${view.publicId}/review">
<label for="months">${words.months}</label>
<select id="months" name="months" aria-describedby="months-note">
<option value="1" data-total="${formatMoney(view.cardMinor, currency, locale)}">${words.atOnce(short(view.cardMinor))}</option>
${installments.offers.map(
  (
    offer,
  ) => html`<option value="${offer.months}" data-total="${formatMoney(offer.totalMinor, currency, locale)}">${label(offer)}</option>
`,
)}</select>
${note}
</div>`
}

/** Which cards get terms, and what a term costs. */
function financing({ installments, amountMinor, currency, locale }: PayView): string {
  const words = text[locale].pay
  const { required, interestFree, months, surchargeMinor } = installments!
  const list = formatList(months, locale)
  if (required) return interestFree ? words.interestFreeOnly(list) : words.installmentsOnly(list)
  const which = interestFree ? words.interestFree(list) : words.installments(list)
  if (surchargeMinor === 0n) return which
  const money = (minor: bigint) => formatMoney(minor, currency, locale)
  return `${which} ${words.surcharge(money(surchargeMinor), money(amountMinor + surchargeMinor))}`
}

/** The card choice without JavaScript; the script removes it. */
function tokenSelect(view: PayView): Html {
  const words = text[view.locale].pay
  return html`<div class="field" data-fallback>
<label for="card-token">${words.testCard}</label>
<select id="card-token" name="card_token">
<option value="">${words.chooseTestCard}</option>
${view.testCards.map(
  (card) => html`<option value="${card.token}">${card.label[view.locale]} (${card.number.slice(-4)})</option>
`,
)}</select>
</div>`
}

/** Hidden until the script can read them; `autocomplete` is off so that no browser offers a real card here. */
function typedCard(view: PayView): Html {
  const words = text[view.locale].pay
  const { missing } = words
  const digits = raw('inputmode="numeric"')
  // The buyer's name is no card data: it is sent, so that the form has it again after a decline.
  const name = html`name="card_name" maxlength="100" autocapitalize="words" value="${view.buyer.name}"`
  const brand = raw(
    '<span class="card-brand" data-brand role="status"></span><span class="card-brands">Visa · Mastercard · American Express</span>',
  )
  return html`<div class="card-fields" data-enhanced hidden>
${field('card-number', { label: words.number, typing: html`${digits} placeholder=" "`, missing: missing.number, wrong: words.notATestCard, brand })}
${field('card-expiry', { label: words.expiry, typing: html`${digits} placeholder="${words.expiryHint}"`, missing: missing.expiry, wrong: words.past, hint: words.expiryHint })}
${field('card-cvc', { label: words.securityCode, typing: html`${digits} placeholder="123"`, missing: missing.securityCode, hint: words.securityCodeHint })}
${field('card-name', { label: words.name, typing: name, missing: missing.name })}
</div>`
}

interface CardField {
  readonly label: string
  readonly typing: Html
  readonly missing: string
  readonly wrong?: string
  readonly hint?: string
  readonly brand?: Html
}

function field(id: string, { label, typing, missing, wrong = missing, hint, brand }: CardField): Html {
  return html`<div class="field ${id}">
<label for="${id}">${label}</label>
<div class="typed"><input id="${id}" ${typing} autocomplete="off" spellcheck="false" enterkeyhint="next" aria-required="true" aria-describedby="${hint ? `${id}-hint ` : ''}${id}-error">${brand ?? ''}</div>
${hint ? html`<p class="sr-only" id="${id}-hint">${hint}</p>` : ''}
<p class="field-error" id="${id}-error" role="alert" data-missing="${missing}" data-wrong="${wrong}" hidden></p>
</div>`
}

/** The helper list, and the script's one table from number to token. */
export function cardList(view: PayView): Html {
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
