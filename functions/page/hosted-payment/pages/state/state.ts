import { html, raw } from 'hono/html'
import { formatList, formatMoney } from '../../../../../src/kernel/format.ts'
import { withLocale } from '../../../../../src/kernel/locale.ts'
import type { Method } from '../../../../../src/kernel/payment-methods.ts'
import type { CaptureMethod } from '../../../../../src/processors/port.ts'
import { foreign, hiddenFields, type IconName, icon, layout, sentence, type Tone } from '../frame/layout.ts'
import { reach } from '../frame/payee.ts'
import type { Change, Html, PageState, StateView } from '../frame/view.ts'
import { goOn } from '../pay/order.ts'
import { shortDetail, shortLines, shortOffer, shortTitle } from '../pay/shortage.ts'
import { text } from '../text.ts'

/** 409: it may take a payment later. An origin's own states say their status themselves. */
export const stateStatus = {
  own: 410,
  busy: 409,
  changed: 409,
  not_found: 404,
  bad_request: 400,
  foreign_form: 403,
  no_payments: 403,
  wrong_method: 405,
  too_many_requests: 429,
  not_set_up: 503,
  error: 500,
} as const satisfies Readonly<Record<PageState, number>>

const looks: Readonly<Record<Exclude<PageState, 'own'>, readonly [IconName, Tone]>> = {
  busy: ['clock', 'calm'],
  changed: ['info', 'calm'],
  not_found: ['info', 'calm'],
  bad_request: ['info', 'calm'],
  foreign_form: ['info', 'calm'],
  wrong_method: ['info', 'calm'],
  too_many_requests: ['pause', 'calm'],
  not_set_up: ['info', 'calm'],
  no_payments: ['info', 'calm'],
  error: ['cross', 'bad'],
}

/** A page that takes no money and says why; its HTTP status is `stateStatus[view.state]`. */
export function statePage(given: StateView): Html {
  const isHidden = 'merchantName' in given && given.merchantName === null
  const view = isHidden ? { ...given, payee: undefined, shownAs: undefined } : given
  const short = 'short' in view ? view.short : null
  const words = 'words' in view ? view.words : text[view.locale].state[view.state]
  const title = short ? shortTitle(short, view.locale) : words.title
  return layout(view, {
    title,
    ...('merchantName' in view && view.merchantName !== null ? { preview: view.merchantName } : {}),
    main: html`<section class="panel outcome" aria-labelledby="outcome">
${icon(...(view.state === 'own' ? view.look : looks[view.state]))}
<h1 id="outcome">${title}</h1>
${
  view.state === 'own' && view.sold && !short
    ? html`<p class="description">${foreign(view.sold)}</p>
`
    : ''
}<p>${detail(view)}</p>
${view.state === 'changed' ? changed(view) : ''}${short ? shortLines(short, view.locale) : ''}${aside(view)}
${action(view)}
${reach(view, 'questions')}
</section>`,
  })
}

/** Before and now, a row each. */
function changed(view: Extract<StateView, { state: 'changed' }>): Html {
  const words = text[view.locale].state.changed
  if (view.changes.length === 0) return raw('')
  return html`<dl class="facts changes">
${view.changes.map(
  (
    change,
  ) => html`<div class="long"><dt>${words.what[change.what]}</dt><dd>${words.was(...valuesOf(change, view))}</dd></div>
`,
)}</dl>
`
}

function valuesOf(change: Change, { locale, currency }: { locale: StateView['locale']; currency: string }) {
  const { pay, state } = text[locale]
  const of = <T>(write: (value: T) => string, { from, to }: { from: T; to: T }) =>
    [write(from), write(to)] as const
  switch (change.what) {
    case 'amount':
    case 'surcharge':
      return of(
        (amount: bigint) => (amount === 0n ? state.changed.none : formatMoney(amount, currency, locale)),
        change,
      )
    case 'methods':
      return of(
        (list: readonly Method[]) =>
          formatList(
            list.map((method) => pay.methodNames[method]),
            locale,
          ),
        change,
      )
    case 'installments':
      return of(
        (months: readonly number[]) =>
          months.length === 0 ? state.changed.none : state.changed.months(formatList(months, locale)),
        change,
      )
    case 'capture':
      return of((capture: CaptureMethod) => state.changed.capture[capture], change)
  }
}

/** States of a POST that was refused before any call to a processor. */
const nothingHappened: ReadonlySet<PageState> = new Set([
  'busy',
  'changed',
  'foreign_form',
  'not_set_up',
  'no_payments',
])

function aside(view: StateView): Html {
  const words = text[view.locale]
  if (view.state === 'busy' && !view.refused) return html`<p class="muted">${words.state.busy.own}</p>`
  if (nothingHappened.has(view.state)) return html`<p class="muted">${words.common.notCharged}</p>`
  return 'refused' in view && view.refused ? html`<p class="muted">${words.state.refused}</p>` : raw('')
}

function detail(view: StateView): string | Html {
  const words = text[view.locale].state
  switch (view.state) {
    case 'not_found':
    case 'bad_request':
    case 'foreign_form':
    case 'wrong_method':
      return words[view.state].detail
    case 'error':
      return view.resend ? words.error.resend : words.error.detail
    case 'too_many_requests':
      return words.too_many_requests.detail(view.retryAfterSeconds)
    case 'not_set_up':
    case 'no_payments':
      return sentence(words[view.state].detail, view.merchantName)
    default:
      if ('short' in view && view.short) return shortDetail(view.short, view.merchantName ?? '', view.locale)
      return view.merchantName === null
        ? view.words.detail('')
        : sentence(view.words.detail, view.merchantName)
  }
}

function action(view: StateView): Html {
  if (view.state === 'own' && view.adjustedAt) return goOn(view.adjustedAt, view.locale)
  if (view.state === 'own' && view.short?.offer) return shortOffer(view.short, view.locale)
  const onward = view.state === 'own' ? (view.cancelUrl ?? siteOf(view)) : null
  if (view.state === 'own' && onward && view.merchantName !== null)
    return html`<a class="button primary" href="${onward}" rel="noreferrer">${sentence(text[view.locale].pay.backTo, view.merchantName)}</a>`
  const words = text[view.locale]
  switch (view.state) {
    case 'busy':
      return link(view.retryPath, words.common.tryAgain, view)
    case 'changed':
      return link(view.retryPath, words.state.reviewAgain, view)
    case 'bad_request':
    case 'foreign_form':
      return link(view.path, words.state.openLink, view)
    case 'too_many_requests':
      return link(view.path, words.common.tryAgain, view)
    case 'error':
      return html`${view.resend ? resendForm(view.resend, view) : link(view.path, words.common.tryAgain, view)}
<p class="muted request">${words.state.error.request}: <code>${view.requestId}</code></p>`
    default:
      return raw('')
  }
}

/** Where nothing more can be paid here, the merchant's own site; after a payment the receipt leads on. */
const siteOf = ({ sold, payee }: Extract<StateView, { state: 'own' }>): string | null =>
  sold ? (payee?.website ?? null) : null

function resendForm(
  resend: { readonly action: string; readonly fields: Readonly<Record<string, string>> },
  view: StateView,
): Html {
  const words = text[view.locale].common
  return html`<form method="post" action="${resend.action}" data-once>
${hiddenFields(resend.fields)}
<button class="primary" data-busy="${words.sending}">${words.tryAgain}</button>
</form>`
}

function link(path: string, label: string, view: StateView): Html {
  return html`<a class="button primary" href="${withLocale(path, view.locale)}">${label}</a>`
}
