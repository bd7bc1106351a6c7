import { html, raw } from 'hono/html'
import { formatMoney, formatPlain, parseAmount } from '../../../../../src/kernel/format.ts'
import type { Locale } from '../../../../../src/kernel/locale.ts'
import type { PaymentRow } from '../../../../money/payments/api.ts'
import type { Part, Sale } from '../../hosted-origin.ts'
import type { Ctx } from './frame.ts'
import { foreign, hiddenFields } from './layout.ts'
import type { AmountView, Html } from './view.ts'

/** The part that the address names, or that the payment to try again paid; null for none. */
export function partOf(c: Ctx, { shared, currency }: Sale, retried: PaymentRow | null): Part | null {
  if (!shared) return null
  const amount = c.req.query('amount')
  if (amount !== undefined) {
    const amountMinor = parseAmount(amount, currency)
    return amountMinor === null ? null : { amount: amountMinor.toString() }
  }
  const lines = c.req.queries('line') ?? []
  if (lines.length > 0) return { lines }
  const shares = c.req.query('shares')
  if (shares !== undefined) return { shares: /^\d{1,3}$/.test(shares) ? Number(shares) : 0 }
  const paid = retried?.order?.lines.flatMap(({ id = [] }) => id) ?? []
  if (paid.length > 0) return { lines: paid }
  return retried && { amount: amountBefore(retried).toString() }
}

/** What a payment paid without what came on top, in minor units. */
export const amountBefore = ({ amountMinor, markupMinor, tipAmountMinor }: PaymentRow): bigint =>
  amountMinor - markupMinor - tipAmountMinor

/** The part as parameters of the address. */
export function partQuery(part: Part, currency: string): string {
  if ('lines' in part) return new URLSearchParams(part.lines.map((line) => ['line', line])).toString()
  return 'shares' in part ? `shares=${part.shares}` : `amount=${formatPlain(BigInt(part.amount), currency)}`
}

export const sharedWords = {
  'es-MX': {
    lines: 'Paga lo tuyo',
    payLines: 'Pagar lo elegido',
    shares: 'Divide en partes iguales',
    among: 'Entre cuántas personas',
    payShare: 'Pagar mi parte',
    amount: 'Paga un importe',
    left: 'Falta por pagar',
    rest: 'El resto',
    taken: 'Alguien más ya paga eso. Elige otra vez.',
    changed: 'Lo que falta por pagar cambió. Revisa lo que elegiste.',
  },
  en: {
    lines: 'Pay for what is yours',
    payLines: 'Pay for these',
    shares: 'Split it equally',
    among: 'Among how many people',
    payShare: 'Pay my share',
    amount: 'Pay an amount',
    left: 'Left to pay',
    rest: 'The rest',
    taken: 'Somebody else is paying for that. Choose again.',
    changed: 'What is left to pay has changed. Check what you chose.',
  },
} as const satisfies Record<Locale, unknown>

/** The ways to pay a part of what several buyers share: forms sent by GET, each of which leads to the form that pays. */
export function sharedForms(view: AmountView): Html {
  const { shared, path, kept, currency, locale } = view
  if (!shared) return raw('')
  const words = sharedWords[locale]
  const usual = Math.min(Math.max(shared.sharesUsual ?? 2, 2), shared.sharesMax)
  const hidden = hiddenFields({ ...kept, lang: locale === 'en' ? 'en' : 'es' })
  const lines = shared.lines.map(
    ({ id, name, amountMinor }) =>
      html`<li><label><input type="checkbox" name="line" value="${id}"><span>${foreign(name)}</span><span>${formatMoney(amountMinor, currency, locale)}</span></label></li>
`,
  )
  return html`<ul class="lines"><li><span>${words.left}</span><b>${formatMoney(view.amountMinorMax, currency, locale)}</b></li></ul>
${
  lines.length === 0
    ? ''
    : html`<form class="part" method="get" action="${path}" aria-labelledby="part-lines">
${hidden}<h2 id="part-lines">${words.lines}</h2>
<ul class="lines">
${lines}</ul>
<button class="secondary">${words.payLines}</button>
</form>`
}${
  shared.sharesMax < 2
    ? ''
    : html`<form class="part" method="get" action="${path}" aria-labelledby="part-shares">
${hidden}<h2 id="part-shares">${words.shares}</h2>
<div class="field">
<label for="shares">${words.among}</label>
<input id="shares" name="shares" type="number" inputmode="numeric" min="2" max="${shared.sharesMax}" step="1" required value="${usual}">
</div>
<button class="secondary">${words.payShare}</button>
</form>`
}<h2 class="part">${words.amount}</h2>`
}
