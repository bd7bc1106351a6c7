import { html, raw } from 'hono/html'
import { isPushMethod } from '../../../../../src/kernel/payment-methods.ts'
import type { BuyerField, Html, PayView } from '../frame/view.ts'
import { text } from '../text.ts'
import { emailHint, wrongText } from './payer-email.ts'
import { detailsText } from './text-details.ts'

/** What a buyer types beside a card. The browser's own messages would come one at a time: the server checks all at once. */

/** The attribute of a field that belongs to the form that pays, wherever it stands on the page. */
export const payForm = raw(' form="pay"')

/**
 * Whether the merchant receives what a field asks for; a question of the processor alone is not one of the
 * sale.
 */
const isShared = ({ collects }: PayView, id: 'name' | 'email') => (collects?.[id] ?? 'no') !== 'no'

/** What is mailed to the address of a form with push methods. */
const mailsText = ({ methods, locale }: PayView) =>
  methods.every(isPushMethod) ? text[locale].pay.mails.all : text[locale].rows.mixedMails

/** Below a field: which addresses pay, and who receives what is typed. */
function hintsOf(view: PayView, id: BuyerField, at: string, isWrong: boolean): Html {
  const isOurs = isShared(view, id === 'name' ? 'name' : 'email')
  const shared = isOurs
    ? html`<p class="muted hint" id="${at}-shared">${detailsText[view.locale].shared(view.merchantName)}</p>`
    : ''
  const mails =
    at === 'buyer-email' ? html`<p class="muted hint" id="${at}-mails">${mailsText(view)}</p>` : ''
  return html`${emailHint(view, id, at, isWrong)}${mails}${shared}`
}

/** What ties a field to its messages. */
function tied(view: PayView, id: BuyerField, at: string, isWrong: boolean): Html {
  const ids = [
    ...(isWrong ? [`${at}-error`] : []),
    ...(at === 'buyer-email' ? [`${at}-mails`] : []),
    ...(isShared(view, id === 'name' ? 'name' : 'email') ? [`${at}-shared`] : []),
  ]
  if (ids.length === 0) return raw('')
  return html`${isWrong ? html` aria-invalid="true"` : ''} aria-describedby="${ids.join(' ')}"`
}

const isRequired = ({ collects, payerEmailDomains }: PayView, id: 'name' | 'email') =>
  collects?.[id] === 'required' || (id === 'email' && !!payerEmailDomains)

/** Whether a card is paid without it. */
const isOptional = (view: PayView, id: 'name' | 'email') =>
  view.methods.some((method) => !isPushMethod(method)) && !isRequired(view, id)

/** Who pays, asked once for all methods. For a card alone: where the receipt goes. */
export function contactFields(view: PayView): Html {
  if (!view.methods.some(isPushMethod)) return receiptField(view)
  const words = text[view.locale].pay
  return html`<div class="contact">
${buyerField('name', isOptional(view, 'name') ? words.buyerNameFor : words.buyerName, view)}
${buyerField('email', isOptional(view, 'email') ? words.buyerEmailFor : words.buyerEmail, view)}
</div>`
}

/** Where the buyer of a card payment wants the receipt: may stay empty, unless the sale asks for the address. */
function receiptField(view: PayView): Html {
  const words = text[view.locale].pay
  const isWrong = view.wrong.length > 0
  const mustBe = view.collects?.email === 'required'
  return html`<div class="field">
<label for="receipt_email">${mustBe ? words.buyerEmail : words.mails.label}</label>
<input id="receipt_email" name="receipt_email" type="email" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" enterkeyhint="go" maxlength="254" value="${view.buyer.email}" data-kind="receipt_email"${view.payerEmailDomains || mustBe ? html` required data-required="always"` : ''}${domains(view)}${tied(view, 'receipt_email', 'receipt_email', isWrong)}>
${hintsOf(view, 'receipt_email', 'receipt_email', isWrong)}
${isWrong ? html`<p class="field-error" id="receipt_email-error">${wrongText(view, 'receipt_email')}</p>` : ''}
</div>`
}

const kinds = {
  name: raw('type="text" autocomplete="name" autocapitalize="words" enterkeyhint="next" maxlength="100"'),
  email: raw(
    'type="email" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" enterkeyhint="go" maxlength="254"',
  ),
}

/** The processor of a push payment requires both; we pass them on, and mail to the address. */
function buyerField(id: 'name' | 'email', label: string, view: PayView): Html {
  const wrong = view.wrong.includes(id)
  const at = buyerId(id)
  return html`<div class="field">
<label for="${at}">${label}</label>
<input id="${at}" name="${id}" ${kinds[id]} value="${view.buyer[id]}" data-kind="${id}" data-required="${isRequired(view, id) ? 'always' : 'push'}"${id === 'email' ? domains(view) : ''}${tied(view, id, at, wrong)}>
${hintsOf(view, id, at, wrong)}
${wrong ? html`<p class="field-error" id="${at}-error">${wrongText(view, id)}</p>` : ''}
</div>`
}

const domains = ({ payerEmailDomains }: PayView) =>
  payerEmailDomains ? html` data-domains="${payerEmailDomains.join(' ')}"` : ''

export const buyerId = (id: 'name' | 'email') => `buyer-${id}`
