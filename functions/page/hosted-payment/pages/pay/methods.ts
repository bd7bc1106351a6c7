import { html, raw } from 'hono/html'
import { formatDay, formatMoney, formatShort } from '../../../../../src/kernel/format.ts'
import { withLocale } from '../../../../../src/kernel/locale.ts'
import {
  type Flow,
  flowOf,
  hasFlow,
  isPushMethod,
  type Method,
  type PushMethod,
} from '../../../../../src/kernel/payment-methods.ts'
import { alertBox, errorSummary, hiddenFields } from '../frame/layout.ts'
import type { Html, PayView } from '../frame/view.ts'
import { reasonOf } from '../result/decline-reason.ts'
import { freeText } from '../result/text-free.ts'
import { text } from '../text.ts'
import { cardFields } from './card-form.ts'
import { detailErrors, detailFields } from './details.ts'
import { buyerId, contactFields } from './fields.ts'
import { wrongText } from './payer-email.ts'
import { detailsText } from './text-details.ts'
import { orderText } from './text-order.ts'

/** A sale's page with one of its methods open. */
export const withMethod = (path: string, method: Method): string =>
  `${path}${path.includes('?') ? '&' : '?'}method=${method}`

/**
 * The form that pays: who pays and what the sale asks once, then each method as a row with what it promises and a button
 * of its own, whose value names the method. No script is needed to choose.
 */
export function methodRows(view: PayView): Html {
  const isFree = view.methods.length === 0
  const common = html`${contactFields(view)}${detailFields(view)}`
  return html`<form id="pay" method="post" action="/${view.publicId}/${isFree ? 'complete' : 'attempts'}" data-once novalidate data-words="${JSON.stringify(checkWords(view))}">
${hiddenFields({ ...(view.isBlocked ? {} : { quote: view.sealedQuote, attempt_key: view.attemptKey }), locale: view.locale })}
${problems(view)}
${view.isBlocked ? html`<div data-ways data-blocked><p class="notice">${orderText[view.locale].correct}</p></div>` : isFree ? freeWay(view, common) : html`${common}<div data-ways>${ways(view)}</div>`}
</form>`
}

/** For the script: what such a method requires of the buyer. */
const pushMark = (method: Method) => (isPushMethod(method) ? raw(' data-push') : '')

function ways(view: PayView): Html {
  const words = text[view.locale]
  const [only] = view.methods
  if (view.methods.length === 1)
    return html`<section aria-labelledby="only-heading" data-method="${only}"${pushMark(only!)}>
<h2 id="only-heading">${isPushMethod(only!) ? words.pay.push[only].heading : words.pay.heading}</h2>
<p class="promise lone">${promiseOf(view, only!)}</p>
${wayOf(view, only!)}
</section>`
  return html`<section aria-labelledby="methods-heading">
<h2 id="methods-heading">${words.rows.choose}</h2>
<div class="methods">
${view.methods.map(
  (
    method,
  ) => html`<details class="method" name="way" id="by-${method}" data-method="${method}"${pushMark(method)}${method === view.method ? ' open' : ''}>
<summary>${methodIcon(method)}<span class="method-name">${words.pay.methodNames[method]}</span> <span class="promise">${promiseOf(view, method)}</span></summary>
<div class="method-body">
${wayOf(view, method)}
</div>
</details>
`,
)}</div>
</section>`
}

/** What a method does for the buyer: when it must be paid, how fast it is, in how many parts. */
function promiseOf(view: PayView, method: Method): Html {
  const { promise } = text[view.locale].rows
  if (!isPushMethod(method)) return html`${promise.card}${inParts(view)}`
  if (hasFlow(method, 'bank_transfer')) return html`${promise.bank_transfer}`
  return html`${promise.voucher(formatDay(view.pushUntil[method]!, view.locale))}`
}

function inParts({ installments, currency, locale }: PayView): Html {
  const last = installments?.offers.at(-1)
  if (!installments || !last) return raw('')
  const words = text[locale].rows
  const say = installments.required
    ? words[installments.interestFree ? 'timesFree' : 'times']
    : words[installments.interestFree ? 'upToFree' : 'upTo']
  return html` <b>${say(last.months, formatShort(last.monthlyMinor, currency, locale))}</b>`
}

const wayOf = (view: PayView, method: Method): Html =>
  isPushMethod(method) ? pushWay(view, method) : cardFields(view)

/** An order that costs nothing: one button, and what the sale asks for. */
function freeWay(view: PayView, common: Html): Html {
  const words = freeText[view.locale]
  return html`<section aria-labelledby="free-heading" data-method="${view.method}">
<h2 id="free-heading">${words.heading}</h2>
<p class="promise lone">${words.promise}</p>
${common}
<button class="primary" data-busy="${text[view.locale].common.sending}">${words.complete}</button>
</section>`
}

function pushWay(view: PayView, method: PushMethod): Html {
  const words = text[view.locale].pay
  const own = words.push[method]
  const amount = formatMoney(view.priceMinor, view.currency, view.locale)
  return html`<p class="how">${own.detail}</p>
<button class="primary" name="method" value="${method}" data-busy="${text[view.locale].common.sending}">${own.get(amount)}</button>
<p class="note">${words.buyerPrivacy}</p>`
}

/** What the script says of a field before anything is sent: the words of the server. */
function checkWords(view: PayView) {
  const { mend, wrong } = text[view.locale].pay
  const { missing, rfc, postal_code, phone, number, consent } = detailsText[view.locale].problems
  const email = wrongText(view, 'email')
  const receipt_email = wrongText(view, 'receipt_email')
  return { mend, missing, rfc, postal_code, phone, number, consent, name: wrong.name, email, receipt_email }
}

/** Why the form came back; what to correct. */
function problems(view: PayView): Html {
  const { pay } = text[view.locale]
  const details = detailErrors(view)
  const own = view.wrong.map(
    (id) => [id === 'receipt_email' ? id : buyerId(id), wrongText(view, id)] as const,
  )
  if (details.length + own.length > 0) return errorSummary(pay.mend, [...own, ...details])
  if (view.isChanged)
    return alertBox(orderText[view.locale].changed(formatMoney(view.amountMinor, view.currency, view.locale)))
  return view.error ? alertBox(pay.errors[view.error]) : raw('')
}

/** Why the payment that is tried again was refused, and how else it can be paid; errors of this form come first. */
export function declined(view: PayView): Html {
  if (!view.declined || view.error || view.wrong.length > 0 || view.wrongDetails) return raw('')
  const { result, common, rows, pay } = text[view.locale]
  const { method } = view.declined
  const others = view.methods.filter((other) => other !== view.method)
  const offered =
    others.length === 0
      ? ''
      : html`<p>${isPushMethod(method) ? rows.instead : rows.again} ${others.map(
          (other) =>
            html`<a href="${withLocale(withMethod(view.formPath, other), view.locale)}" data-open="by-${other}">${pay.methodNames[other]}</a> `,
        )}</p>`
  return html`<div class="alert declined" role="alert" tabindex="-1" autofocus>
<p><strong>${result.declined.titles[method]}</strong></p>
<p>${reasonOf(view.declined, view.locale)} ${common.notCharged}</p>
${offered}</div>`
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

const iconPaths: Readonly<Record<Flow, string>> = {
  card: 'M3 6.5h18v11H3zM3 10h18M6.5 14.5h4',
  presented: 'M3 6.5h18v11H3zM3 10h18M6.5 14.5h4',
  voucher:
    'M4 10v9h16v-9M3 10l1.5-5h15L21 10M3 10c0 3 4.5 3 4.5 0 0 3 4.5 3 4.5 0 0 3 4.5 3 4.5 0 0 3 4.5 3 4.5 0M10 19v-5h4v5',
  bank_transfer: 'M4 8h13M13.5 4.5L17 8l-3.5 3.5M20 16H7M10.5 12.5L7 16l3.5 3.5',
}

const methodIcon = (method: Method): Html =>
  html`<svg class="method-icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="${iconPaths[flowOf(method)]}"/></svg>`
