import { html } from 'hono/html'
import { withLocale } from '../../../../../src/kernel/locale.ts'
import { cardMethod, isPushMethod } from '../../../../../src/kernel/payment-methods.ts'
import { logFailure } from '../../../../../src/platform/log.ts'
import { isPerson } from '../../../../../src/platform/person-check.ts'
import type { Quote } from '../../sealed-quote.ts'
import { baseOf, type Ctx, page } from '../frame/frame.ts'
import { alertBox, foreign, hiddenFields, layout } from '../frame/layout.ts'
import { policyOf } from '../frame/look.ts'
import { reach } from '../frame/payee.ts'
import { text } from '../text.ts'
import { formPathOf } from './form.ts'
import type { Form } from './submitting.ts'

/* Where stolen cards are tried out, a buyer shows that no program pays: Cloudflare Turnstile asks, mostly without a question. */

/** The name that Turnstile's widget gives to its field. */
export const personField = 'cf-turnstile-response'
/** Says that the form comes from the page that asks. */
export const askedField = 'asked_for_person'
const action = 'pay_by_card'

/** Whether the form says that a person sent it, and Turnstile says so too. */
export const isTakenForPerson = async (c: Ctx, { personToken, attemptKey }: Form): Promise<boolean> => {
  const settings = c.get('services').settings.personCheck
  if (settings === null || personToken === '') return false
  const asked = { token: personToken, action, cdata: c.req.param('publicId')!, form: attemptKey }
  return isPerson(settings, asked, logFailure('person check', { requestId: c.get('requestId') }))
}

/**
 * The page that asks, with the form that was sent; null where Turnstile is not set up. Nothing was charged. Once content,
 * the widget sends the form by itself; after a refusal the buyer does, so that no page asks again and again.
 */
export function askForPerson(c: Ctx, quote: Quote, { locale, personToken, isAskedAgain }: Form) {
  const { personCheck } = c.get('services').settings
  const sent = c.get('resend')
  if (personCheck === null || !sent) return null
  const base = { ...baseOf(c, locale), path: formPathOf(quote, cardMethod) }
  const words = text[locale].person
  const push = quote.methods.find(isPushMethod)
  c.header('Content-Security-Policy', withTurnstile(policyOf(c), personCheck.base))
  return page(
    c,
    layout(base, {
      title: `${words.title} · ${quote.merchantName}`,
      scripts: ['person.js'],
      head: html`<script src="${personCheck.base}/turnstile/v0/api.js" defer data-turnstile></script>
`,
      main: html`<section class="panel" aria-labelledby="person-heading">
<h1 id="person-heading">${words.title}</h1>
${reach(base)}
${isAskedAgain ? alertBox(words.again) : ''}
<p class="asked">${foreign(words.detail(quote.merchantName))}</p>
<noscript><p class="alert">${words.needsScript}</p></noscript>
<form method="post" action="${sent.action}" data-once data-person>
${hiddenFields({ ...sent.fields, [askedField]: 'yes' })}
<div class="field cf-turnstile" data-sitekey="${personCheck.siteKey}" data-action="${action}" data-cdata="${quote.publicId}" data-size="flexible" data-language="${locale === 'en' ? 'en' : 'es'}"${personToken === '' ? html` data-callback="isPerson"` : ''} data-error-callback="isUnreachable"></div>
<p class="field-error" role="alert" data-unreachable hidden>${words.unreachable}</p>
<button class="primary" data-busy="${text[locale].common.sending}">${words.go}</button>
</form>
<p class="note">${text[locale].common.notCharged}</p>
${push ? html`<p class="note"><a href="${withLocale(formPathOf(quote, push), locale)}">${words.otherWay}</a></p>` : ''}
</section>`,
    }),
    403,
  )
}

/** Turnstile's additions: https://developers.cloudflare.com/turnstile/reference/content-security-policy */
const withTurnstile = (policy: string, base: string): string =>
  policy.replace("script-src 'self'", `script-src 'self' ${base}`).concat(`; frame-src ${base}`)
