import { html } from 'hono/html'
import { brandName, formatMoney } from '../../../../src/kernel/format.ts'
import type { Locale } from '../../../../src/kernel/locale.ts'
import {
  type CardSummary,
  foreign,
  type Html,
  hiddenFields,
  icon,
  layout,
  type Money,
  type PageBase,
  text,
} from '../../../page/hosted-payment/api.ts'

export type ChallengeView = PageBase &
  Money & {
    readonly merchantName: string
    readonly card: CardSummary
    /** Where the answer is posted, as `outcome` (`approve` or `fail`) and `locale`: this page's own path. */
    readonly action: string
  }

type Words = { title: string; bank: string; detail: string; approve: string; fail: string }

const challengeText: Readonly<Record<Locale, Words>> = {
  'es-MX': {
    title: '¿Autorizas este pago?',
    bank: 'Banco de prueba',
    detail: 'Esta página hace las veces de tu banco. Elige qué responde.',
    approve: 'Aprobar el pago',
    fail: 'Rechazar la verificación',
  },
  en: {
    title: 'Do you authorize this payment?',
    bank: 'Test bank',
    detail: 'This page stands in for your bank. Choose its answer.',
    approve: 'Approve the payment',
    fail: 'Fail the verification',
  },
}

/** The sandbox's 3-D Secure challenge: what the buyer's bank would show. */
export function challengePage(view: ChallengeView): Html {
  const words = challengeText[view.locale]
  const common = text[view.locale].common
  return layout(view, {
    title: `${words.bank}: ${words.title}`,
    main: html`<section class="panel outcome bank" aria-labelledby="challenge">
${icon('bank', 'calm')}
<p class="eyebrow">${words.bank}</p>
<h1 id="challenge">${words.title}</h1>
<p class="muted">${words.detail}</p>
<dl class="facts">
<div><dt>${common.amount}</dt><dd><strong>${formatMoney(view.amountMinor, view.currency, view.locale)}</strong></dd></div>
<div><dt>${common.merchant}</dt><dd>${foreign(view.merchantName)}</dd></div>
<div><dt>${common.card}</dt><dd>${common.cardEnding(brandName(view.card.brand), view.card.last4)}</dd></div>
</dl>
<form method="post" action="${view.action}" data-once>
${hiddenFields({ locale: view.locale })}
<button class="primary" name="outcome" value="approve" data-busy="${common.sending}">${words.approve}</button>
<button class="secondary" name="outcome" value="fail" data-busy="${common.sending}">${words.fail}</button>
</form>
</section>`,
  })
}
