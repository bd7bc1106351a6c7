import { html } from 'hono/html'
import { formatMoney } from '../../../src/kernel/format.ts'
import { hiddenFields } from './layout.ts'
import { problems, receiptField } from './methods.ts'
import { text } from './text.ts'
import type { Html, PayView } from './view.ts'

/** Stripe's own fields for the card, in frames of Stripe's; their input never reaches this page. */
export function stripeCardForm(view: PayView, publishableKey: string): Html {
  const words = text[view.locale].pay
  const next = view.installments ? 'review' : 'attempts'
  return html`<section aria-labelledby="card-heading">
<h2 id="card-heading">${words.heading}</h2>
${problems(view)}
<noscript><p class="alert">${words.stripe.needsScript}</p></noscript>
<form method="post" action="/${view.publicId}/${next}" data-stripe-card data-key="${publishableKey}" data-amount="${view.amountMinor}" data-currency="${view.currency}" data-language="${view.locale}" hidden>
${hiddenFields({ quote: view.sealedQuote, attempt_key: view.attemptKey, locale: view.locale, card_token: '' })}
<p data-loading>${words.stripe.loading}</p>
<div class="field" data-stripe-element></div>
${receiptField(view)}
<p class="field-error" role="alert" data-problem data-unreachable="${words.stripe.unreachable}" hidden></p>
<button class="primary" data-busy="${text[view.locale].common.sending}" disabled>${
    view.installments ? words.continue : words.pay(formatMoney(view.amountMinor, view.currency, view.locale))
  }</button>
</form>
<p class="note">${words.stripe.byStripe}</p>
</section>`
}

/** Stripe's additions to our own policy: https://docs.stripe.com/security/guide#content-security-policy */
export const withStripe = (policy: string): string =>
  policy
    .replace("script-src 'self'", "script-src 'self' https://js.stripe.com https://*.js.stripe.com")
    .replace("connect-src 'self'", "connect-src 'self' https://api.stripe.com")
    .replace("img-src 'self' data:", "img-src 'self' data: https://*.stripe.com")
    .concat('; frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com')
