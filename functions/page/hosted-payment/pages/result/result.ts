import { html, raw } from 'hono/html'
import { formatDateTime } from '../../../../../src/kernel/format.ts'
import { withLocale } from '../../../../../src/kernel/locale.ts'
import {
  alertBox,
  foreign,
  hiddenFields,
  type IconName,
  icon,
  layout,
  sentence,
  type Tone,
} from '../frame/layout.ts'
import { reach } from '../frame/payee.ts'
import type { Html, ResultView } from '../frame/view.ts'
import { partsOf } from '../pay/order.ts'
import { linesOf } from '../pay/pay.ts'
import { text } from '../text.ts'
import { reasonOf } from './decline-reason.ts'
import { deliveredHead, deliveredPart, deliveredScripts } from './delivered.ts'
import { factRows, folioRow, invoiceFacts, paperTools } from './facts.ts'
import { isReceipt, rowsOf } from './receipt-rows.ts'
import { unappliedNotice } from './unapplied.ts'

const looks: Readonly<Record<ResultView['state'], readonly [IconName, Tone]>> = {
  succeeded: ['check', 'good'],
  requires_capture: ['check', 'good'],
  partially_captured: ['check', 'good'],
  declined: ['cross', 'bad'],
  processing: ['clock', 'calm'],
  under_review: ['info', 'calm'],
  requires_action: ['bank', 'calm'],
  canceled: ['cross', 'calm'],
  released: ['info', 'calm'],
  reversed: ['info', 'calm'],
  expired: ['clock', 'calm'],
}

/** The result of one payment, from our own records. Status 200 in every state. */
export function resultPage(view: ResultView): Html {
  const title = titleOf(view)
  const [iconName, tone] = looks[view.state]
  return layout(view, {
    title: `${title} · ${view.merchantName}`,
    state: statusOf(view),
    ...(view.state === 'processing' ? { head: refreshWithoutScript } : deliveredHead(view)),
    scripts: deliveredScripts(view),
    main: html`<section class="panel outcome" aria-labelledby="outcome">
${view.state === 'processing' ? html`<span class="icon calm waiting" aria-hidden="true"></span>` : icon(iconName, tone)}
<h1 id="outcome">${title}</h1>
${lead(view)}
${messageOf(view)}${unappliedNotice(view, isPaid(view))}${deliveredPart(view)}${withheld(view)}${facts(view)}
${actions(view)}
${reach(view, 'questions')}
</section>`,
  })
}

const isPaid = ({ state }: ResultView) => state === 'succeeded' || state === 'partially_captured'

/** What the merchant says once it is paid. */
const messageOf = (view: ResultView): Html =>
  'successMessage' in view && view.successMessage
    ? html`<p class="notice">${foreign(view.successMessage)}</p>`
    : raw('')

/** Why a paid page has neither what was bought nor a file: it is open in another browser than the payer's. */
const withheld = ({ isWithheld = false, locale }: ResultView): Html =>
  isWithheld
    ? html`<p class="notice">${text[locale].receipt.withheld}</p>
`
    : raw('')

/** The payment's own status, for scripts that read the page. */
function statusOf(view: ResultView): string {
  if (view.state === 'released') return view.by === 'time' ? 'expired' : 'canceled'
  return view.state === 'reversed' ? 'canceled' : view.state
}

function titleOf(view: ResultView): string {
  const words = text[view.locale].result
  if (view.state === 'processing') return words.processing.titles[view.method]
  if (view.state === 'declined') return words.declined.titles[view.method]
  if (view.state === 'requires_action' && !view.bank) return words.requires_action.over.title
  return words[view.state].title
}

/** With JavaScript the page polls itself and reloads only on a change, which does not interrupt a screen reader. */
const refreshWithoutScript = html`<noscript><meta http-equiv="refresh" content="3"></noscript>
`

function lead(view: ResultView): Html {
  const words = text[view.locale].result
  switch (view.state) {
    case 'succeeded':
      return html`<p>${sentence(words.succeeded.detail, view.merchantName)}</p>${refunded(view)}`
    case 'requires_capture':
      return html`<p>${sentence(words.requires_capture.detail, view.merchantName)}</p>
<p class="muted">${words.requires_capture.until(formatDateTime(view.captureBefore, view.locale))}</p>`
    case 'partially_captured':
      return html`<p>${sentence(words.partially_captured.detail, view.merchantName)}</p>${refunded(view)}`
    case 'declined':
      return html`<p role="alert" tabindex="-1" autofocus>${reasonOf(view, view.locale)}</p>
<p class="muted">${text[view.locale].common.notCharged}${view.retryPath ? '' : ` ${words.closed}`}</p>`
    case 'processing':
      return html`<p role="status" aria-live="polite">${words.processing.detail}</p>
<p class="muted">${words.processing.keep[view.method]}</p>`
    case 'under_review':
      return html`<p>${words.under_review.detail}</p>
<p class="muted">${words.under_review.keep}</p>`
    case 'requires_action':
      return challengeLead(view)
    case 'released':
      return html`<p>${sentence(words.released[view.by], view.merchantName)}</p>
<p class="muted">${text[view.locale].common.notCharged}${view.retryPath ? '' : ` ${words.closed}`}</p>`
    case 'reversed':
      return html`<p>${sentence(words.reversed[view.how], view.merchantName)}</p>`
    default:
      return html`<p>${words[view.state].detail}</p>
<p class="muted">${
        view.push && !view.unapplied
          ? sentence(words.mayHavePaid[view.push], view.merchantName)
          : view.unapplied
            ? ''
            : text[view.locale].common.notCharged
      }${view.retryPath ? '' : ` ${words.closed}`}</p>`
  }
}

type Challenge = Extract<ResultView, { state: 'requires_action' }>

function challengeLead(view: Challenge): Html {
  const words = text[view.locale].result.requires_action
  const alert = view.notClosed ? alertBox(words.notClosed) : ''
  if (!view.bank) return html`${alert}<p>${words.over.detail}</p>`
  return html`${alert}<p>${sentence(words.detail, view.merchantName)}</p>
<p class="muted">${words.until(formatDateTime(view.bank.until, view.locale))}</p>`
}

function challengeActions(view: Challenge): Html {
  const { common, result } = text[view.locale]
  const words = result.requires_action
  const link = (path: string, look: string, label: string, mark: Html | '' = '') =>
    html`<a class="button ${look}" href="${withLocale(path, view.locale)}"${mark}>${label}</a>`
  const mark = view.bank?.isNext ? raw(' data-bank') : ''
  const bank = view.bank ? link(view.bank.path, 'primary', words.continue, mark) : ''
  if (!view.other) return html`${bank || link(view.path, 'secondary', result.processing.check)}`
  return html`${bank}
<form method="post" action="${view.other.path}" data-once>
${hiddenFields({ locale: view.locale, attempt: String(view.other.attempt) })}
<button class="${view.bank ? 'secondary' : 'primary'}" data-busy="${common.sending}" aria-describedby="other">${words.other}</button>
</form>
<p class="muted" id="other">${words.otherDetail}</p>`
}

function refunded(view: Extract<ResultView, { refundedMinor: bigint }>): Html {
  if (view.refundedMinor === 0n) return raw('')
  return html`
<p>${sentence(text[view.locale].result.refunded, view.merchantName)}</p>`
}

function facts(view: ResultView): Html {
  const { common, receipt } = text[view.locale]
  const folio = isReceipt(view)
    ? folioRow(receipt.folio, view.reference, receipt.folioFor)
    : folioRow(common.reference, view.reference)
  return html`${'lines' in view ? html`${linesOf(view)}${partsOf(view)}` : ''}<dl class="facts">
${factRows(rowsOf(view))}${folio}</dl>${isReceipt(view) ? invoiceFacts(view) : ''}`
}

function actions(view: ResultView): Html {
  const { common, pay, result } = text[view.locale]
  switch (view.state) {
    case 'succeeded':
    case 'requires_capture':
    case 'partially_captured':
      return html`${
        view.successUrl
          ? html`<a class="button primary" href="${view.successUrl}" rel="noreferrer">${sentence(pay.backTo, view.merchantName)}</a>`
          : ''
      }
${paperTools(view, view.isWithheld)}`
    case 'requires_action':
      return challengeActions(view)
    case 'processing':
      return html`<a class="button secondary" href="${withLocale(view.path, view.locale)}">${result.processing.check}</a>`
    case 'under_review':
      return raw('')
    default: {
      if (!view.retryPath) return raw('')
      // Where money has already arrived, paying again is not the main action.
      const look = 'unapplied' in view && view.unapplied ? 'secondary' : 'primary'
      return html`<a class="button ${look}" href="${withLocale(view.retryPath, view.locale)}">${common.tryAgain}</a>`
    }
  }
}
