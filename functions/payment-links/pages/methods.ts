import { html, raw } from 'hono/html'
import type { Method } from '../../../src/processors/port.ts'
import { formatMoney } from './format.ts'
import { alertBox, hiddenFields } from './layout.ts'
import { withLocale } from './locale.ts'
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

/** Something was begun and is not over: what becomes of it when the buyer pays by this form. */
export function pending(view: PayView): Html {
  if (!view.pending) return raw('')
  const words = text[view.locale].pay.pending[view.pending.kind]
  const { receivedMinor } = view.pending
  const amount = formatMoney(receivedMinor, view.currency, view.locale)
  const received = receivedMinor > 0n ? text[view.locale].pay.pendingReceived(amount) : ''
  return html`<p class="notice">${words.detail} ${received} <a href="${withLocale(view.pending.path, view.locale)}">${words.show}</a></p>`
}

/** Name and e-mail address are asked by whoever processes the payment; we pass them on and keep neither. */
export function cashForm(view: PayView, method: 'oxxo' | 'spei'): Html {
  const words = text[view.locale].pay
  const own = words.cash[method]
  const amount = formatMoney(view.amountMinor, view.currency, view.locale)
  return html`<section aria-labelledby="cash-heading">
<h2 id="cash-heading">${own.heading}</h2>
${view.error ? alertBox(words.errors[view.error]) : ''}
<p class="how">${own.detail}</p>
<form method="post" action="/${view.publicId}/attempts" data-once>
${hiddenFields({ offer: view.offer, attempt_key: view.attemptKey, locale: view.locale, method })}
${field('name', words.buyerName, 'text', 'name', view.buyer.name, view.error === 'name_required')}
${field('email', words.buyerEmail, 'email', 'email', view.buyer.email, view.error === 'email_required')}
<button class="primary" data-busy="${text[view.locale].common.sending}">${own.get(amount)}</button>
</form>
<p class="note">${words.buyerPrivacy}</p>
</section>`
}

function field(
  id: 'name' | 'email',
  label: string,
  type: 'text' | 'email',
  autocomplete: string,
  value: string,
  wrong: boolean,
): Html {
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${id}" type="${type}" autocomplete="${autocomplete}" maxlength="${id === 'name' ? 100 : 254}" required value="${value}"${
    wrong ? html` aria-invalid="true"` : ''
  }>
</div>`
}
