import { html, raw } from 'hono/html'
import { formatMoney } from '../../../src/kernel/format.ts'
import { withLocale } from '../../../src/kernel/locale.ts'
import type { Method, PushMethod } from '../../../src/kernel/payment-methods.ts'
import { alertBox, errorSummary, hiddenFields } from './layout.ts'
import { reasonOf } from './result.ts'
import { text } from './text.ts'
import type { Html, PayView } from './view.ts'

/** A link's page for one of its methods. */
export const withMethod = (path: string, method: Method): string =>
  `${path}${path.includes('?') ? '&' : '?'}method=${method}`

/** The methods of a link, each a page of its own: no script is needed to choose. */
export function methodTabs(view: PayView): Html {
  if (view.methods.length < 2) return raw('')
  const words = text[view.locale].pay
  return html`<nav class="methods" aria-label="${words.methods}">
<ul>
${view.methods.map(
  (method) => html`<li><a href="${withLocale(withMethod(view.formPath, method), view.locale)}"${
    method === view.method ? html` aria-current="page"` : ''
  }>${words.methodNames[method]}</a></li>
`,
)}</ul>
</nav>`
}

/** A notice about an open payment: what becomes of it when the buyer pays by this form. */
export function pending(view: PayView): Html {
  if (!view.pending) return raw('')
  const words = text[view.locale].pay.pending[view.pending.kind]
  const { receivedMinor } = view.pending
  const amount = formatMoney(receivedMinor, view.currency, view.locale)
  const received = receivedMinor > 0n ? text[view.locale].pay.pendingReceived(amount) : ''
  return html`<p class="notice">${words.detail} ${received} <a href="${withLocale(view.pending.path, view.locale)}">${words.show}</a></p>`
}

/** The processor requires name and e-mail address; we pass them on, and keep the address where the buyer wants mails. */
export function pushForm(view: PayView, method: PushMethod): Html {
  const words = text[view.locale].pay
  const own = words.push[method]
  const amount = formatMoney(view.amountMinor, view.currency, view.locale)
  return html`<section aria-labelledby="push-heading">
<h2 id="push-heading">${own.heading}</h2>
${problems(view)}
<p class="how">${own.detail}</p>
<form method="post" action="/${view.publicId}/attempts" data-once novalidate>
${hiddenFields({ quote: view.sealedQuote, attempt_key: view.attemptKey, locale: view.locale, method })}
${field('name', words.buyerName, 'text', view)}
${field('email', words.buyerEmail, 'email', view)}
<p class="field"><label class="choice"><input type="checkbox" name="receipt" value="yes"${view.wantsMail ? ' checked' : ''}> ${words.mails.ask}</label></p>
<button class="primary" data-busy="${text[view.locale].common.sending}">${own.get(amount)}</button>
</form>
<p class="note">${words.buyerPrivacy}</p>
</section>`
}

/** Why the form came back, or what it retries; only the latest. */
export function problems(view: PayView): Html {
  const { pay, result } = text[view.locale]
  if (view.wrong.length > 0)
    return errorSummary(
      pay.mend,
      view.wrong.map((id) => [id, pay.wrong[id]]),
    )
  if (view.error) return alertBox(pay.errors[view.error])
  if (!view.declined) return raw('')
  return alertBox(`${result.declined.titles[view.declined.method]}. ${reasonOf(view.declined, view.locale)}`)
}

/** Where the buyer of a card payment wants the receipt: may stay empty. */
export function receiptField(view: PayView): Html {
  const words = text[view.locale].pay
  const isWrong = view.wrong.includes('receipt_email')
  return html`<div class="field">
<label for="receipt_email">${words.mails.label}</label>
<input id="receipt_email" name="receipt_email" type="email" inputmode="email" autocomplete="email" maxlength="254" value="${view.buyer.email}"${
    isWrong ? html` aria-invalid="true" aria-describedby="receipt_email-error"` : ''
  }>
${isWrong ? html`<p class="field-error" id="receipt_email-error">${words.wrong.receipt_email}</p>` : ''}
</div>`
}

/** The browser's own messages would come one at a time, in its language: the server checks all fields at once. */
function field(id: 'name' | 'email', label: string, type: 'text' | 'email', view: PayView): Html {
  const wrong = view.wrong.includes(id)
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${id}" type="${type}" autocomplete="${id}" maxlength="${id === 'name' ? 100 : 254}" required value="${view.buyer[id]}"${
    wrong ? html` aria-invalid="true" aria-describedby="${id}-error"` : ''
  }>
${wrong ? html`<p class="field-error" id="${id}-error">${text[view.locale].pay.wrong[id]}</p>` : ''}
</div>`
}
