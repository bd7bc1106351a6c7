import { html, raw } from 'hono/html'
import { isPushMethod } from '../../../src/kernel/payment-methods.ts'
import { emailHint, wrongText } from './payer-email.ts'
import { text } from './text.ts'
import { detailsText } from './text-details.ts'
import type { BuyerField, Html, PayView } from './view.ts'

/** What a buyer types beside a card. The browser's own messages would come one at a time: the server checks all at once. */

/** The attribute of a field that belongs to the form that pays, wherever it stands on the page. */
export const payForm = raw(' form="pay"')

/** Whether the merchant receives what a field asks for; the processor's own question alone is none of the sale's. */
const isShared = ({ collects }: PayView, id: 'name' | 'email') => (collects?.[id] ?? 'no') !== 'no'

/** Below a field: which addresses pay, and who receives what is typed. */
function hintsOf(view: PayView, id: BuyerField, at: string, isWrong: boolean): Html {
  const isOurs = isShared(view, id === 'name' ? 'name' : 'email')
  const shared = isOurs
    ? html`<p class="muted hint" id="${at}-shared">${detailsText[view.locale].shared(view.merchantName)}</p>`
    : ''
  return html`${emailHint(view, id, at, isWrong)}${shared}`
}

/** What ties a field to its messages. */
function tied(view: PayView, id: BuyerField, at: string, isWrong: boolean): Html {
  const ids = [
    ...(isWrong ? [`${at}-error`] : []),
    ...(isShared(view, id === 'name' ? 'name' : 'email') ? [`${at}-shared`] : []),
  ]
  if (ids.length === 0) return raw('')
  return html`${isWrong ? html` aria-invalid="true"` : ''} aria-describedby="${ids.join(' ')}"`
}

/** Who pays, asked once for all methods. For a card alone: where the receipt goes. */
export function contactFields(view: PayView): Html {
  if (!view.methods.some(isPushMethod)) return receiptField(view)
  const words = text[view.locale].pay
  const mixed = view.methods.some((method) => !isPushMethod(method)) && view.collects?.name !== 'required'
  return html`<div class="contact">
${buyerField('name', mixed ? words.buyerNameFor : words.buyerName, view)}
${buyerField('email', words.buyerEmail, view)}
<p class="field"><label class="choice"><input type="checkbox" name="receipt" value="yes"${view.wantsMail ? ' checked' : ''}> ${words.mails.ask}</label></p>
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

/** The processor of a push payment requires both; we pass them on, and keep the address where the buyer wants mails. */
function buyerField(id: 'name' | 'email', label: string, view: PayView): Html {
  const wrong = view.wrong.includes(id)
  const at = buyerId(id)
  const mustBe = view.collects?.[id] === 'required' || (id === 'email' && !!view.payerEmailDomains)
  return html`<div class="field">
<label for="${at}">${label}</label>
<input id="${at}" name="${id}" ${kinds[id]} value="${view.buyer[id]}" data-kind="${id}" data-required="${mustBe ? 'always' : 'push'}"${id === 'email' ? domains(view) : ''}${tied(view, id, at, wrong)}>
${hintsOf(view, id, at, wrong)}
${wrong ? html`<p class="field-error" id="${at}-error">${wrongText(view, id)}</p>` : ''}
</div>`
}

const domains = ({ payerEmailDomains }: PayView) =>
  payerEmailDomains ? html` data-domains="${payerEmailDomains.join(' ')}"` : ''

export const buyerId = (id: 'name' | 'email') => `buyer-${id}`
