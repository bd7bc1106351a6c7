import { html, raw } from 'hono/html'
import { formatMoney, formatPlain, formatShort } from '../../../../../src/kernel/format.ts'
import type { Locale } from '../../../../../src/kernel/locale.ts'
import type { AmountPart } from '../../../../../src/kernel/order.ts'
import type {
  Adjustable,
  AdjustableLine,
  AdjustableTip,
  Unchanged,
} from '../../../../order/lines/api-pure.ts'
import { alertBox, errorSummary, foreign, hiddenFields } from '../frame/layout.ts'
import type { Html } from '../frame/view.ts'
import { payForm } from './fields.ts'
import { orderText } from './text-order.ts'

/** What the buyer asked to change and was not changed, with the fields as they typed them. */
export interface Unadjusted extends Unchanged {
  /** The rest of what was asked may be paid. */
  readonly isLeftOut?: true
  readonly typed: Readonly<Record<string, string>>
}

interface OrderView {
  readonly publicId: string
  readonly locale: Locale
  readonly currency: string
  readonly formPath: string
  readonly method: string
  readonly parts?: readonly AmountPart[] | undefined
  readonly adjustable?: Adjustable | undefined
  readonly unadjusted?: Unadjusted | null | undefined
}

/** What is added to the lines and taken off them, a row each. */
export function partsOf({ parts = [], currency, locale }: Pick<OrderView, 'parts' | 'currency' | 'locale'>) {
  if (parts.length === 0) return raw('')
  const words = orderText[locale]
  return html`<ul class="lines">
${parts.map(
  ({ kind, name, amount }) => html`<li><span>${
    kind === 'tip' ? words.tip : foreign(words[kind](name ?? ''))
  }</span> <span>${formatMoney(BigInt(amount), currency, locale)}</span></li>
`,
)}</ul>`
}

/** The same in words alone; amounts in minor units, as text. */
export function namesOfParts({ parts = [], locale }: Pick<OrderView, 'parts' | 'locale'>) {
  const words = orderText[locale]
  return parts.map(({ kind, name, amount }) => ({
    name: kind === 'tip' ? words.tip : words[kind](name ?? ''),
    amount,
  }))
}

/** The field that a problem is about; null: the order as a whole. */
function fieldOf({ problem, at }: Unchanged): string | null {
  if (problem.startsWith('code.')) return 'code'
  if (problem.startsWith('tip.')) return 'tip_own'
  return problem.startsWith('quantity.') && at !== undefined ? `quantity.${at}` : null
}

/**
 * What the buyer may change of the order, before the first payment is tried. The fields belong to the form that pays, so
 * that no choice is lost; a button of that form applies them first. No script is needed.
 */
export function orderForm(view: OrderView): Html {
  const { adjustable, unadjusted } = view
  const words = orderText[view.locale]
  const field = unadjusted ? fieldOf(unadjusted) : null
  const problem = problemOf(view)
  const summary = !unadjusted ? raw('') : field && adjustable ? errorSummary(problem, []) : alertBox(problem)
  if (!adjustable) return summary
  const { lines, tip, shipping } = adjustable
  const chosen =
    lines.length + shipping.length === 0 && tip === null
      ? raw('')
      : html`<div class="choices" data-choices>${lines.map((line) => quantityField(line, view, field))}${shipping.length > 0 ? shippingFields(adjustable, view) : ''}${tip ? tipFields(tip, view, field) : ''}</div>
${orderButton(view, words.update, html` data-manual`)}`
  return html`${summary}${takeLeft(view)}${chosen}${adjustable.takesCodes ? codeForm(adjustable, view, field) : ''}`
}

/** What is wrong with what the buyer typed, in words; empty where nothing is. */
function problemOf({ unadjusted, locale }: OrderView): string {
  if (!unadjusted) return ''
  const { left, problems } = orderText[locale]
  return unadjusted.left === undefined ? problems[unadjusted.problem] : left(unadjusted.left)
}

/** Where too few are left: one button that takes as many, with all else as it was typed. */
function takeLeft(view: OrderView): Html {
  const { at, left, typed } = view.unadjusted ?? {}
  if (at === undefined || left === undefined) return raw('')
  return html`<form method="post" action="${orderPath(view)}" novalidate>
${hiddenFields({ locale: view.locale, ...typed, [`quantity.${at}`]: String(left) })}<button class="small">${orderText[view.locale].takeLeft(left)}</button>
</form>`
}

const typedIn = ({ unadjusted }: OrderView, name: string) => unadjusted?.typed[name]

/** A field's message, and what ties it to the field. */
function wrong(view: OrderView, name: string, field: string | null) {
  if (field !== name) return { mark: raw(''), message: raw('') }
  const id = `${name}-error`
  return {
    mark: html` aria-invalid="true" aria-describedby="${id}"`,
    message: html`<p class="field-error" id="${id}">${problemOf(view)}</p>`,
  }
}

function quantityField(
  { at, name, quantity, least, most }: AdjustableLine,
  view: OrderView,
  field: string | null,
) {
  const id = `quantity.${at}`
  const { mark, message } = wrong(view, id, field)
  return html`<div class="field">
<label for="${id}">${foreign(orderText[view.locale].quantityOf(name))}</label>
<input id="${id}" name="${id}"${payForm} type="number" inputmode="numeric" min="${least}" max="${most}" required value="${typedIn(view, id) ?? String(quantity)}"${mark}>
${message}</div>
`
}

function shippingFields({ shipping, shippingAt }: Adjustable, view: OrderView): Html {
  const now = typedIn(view, 'shipping') ?? String(shippingAt)
  return html`<fieldset class="tips"><legend>${orderText[view.locale].sending}</legend>
${shipping.map(
  (
    { name, amount },
    at,
  ) => html`<label class="choice"><input type="radio" name="shipping"${payForm} value="${at}"${String(at) === now ? ' checked' : ''}> <span>${foreign(name)} · <span class="price">${formatShort(BigInt(amount), view.currency, view.locale)}</span></span></label>
`,
)}</fieldset>
`
}

function tipFields(
  { presets, allowsOwn, chosenBps, chosen }: AdjustableTip,
  view: OrderView,
  field: string | null,
) {
  const words = orderText[view.locale]
  const isOwn = chosenBps === null && chosen !== '0'
  const now = typedIn(view, 'tip') ?? (chosenBps === null ? (isOwn ? 'own' : '') : String(chosenBps))
  const choice = (value: string, label: Html | string) =>
    html`<label class="choice"><input type="radio" name="tip"${payForm} value="${value}"${value === now ? ' checked' : ''}> ${label}</label>
`
  const { mark, message } = wrong(view, 'tip_own', field)
  const own = typedIn(view, 'tip_own') ?? (isOwn ? formatPlain(BigInt(chosen), view.currency) : '')
  return html`<fieldset class="tips"><legend>${words.tip}</legend>
${choice('', words.noTip)}${presets.map(({ bps, amount }) =>
  choice(String(bps), `${bps / 100} % · ${formatShort(BigInt(amount), view.currency, view.locale)}`),
)}${
  allowsOwn
    ? html`${choice('own', words.ownTip)}<div class="field own">
<label for="tip_own">${words.tipAmount(view.currency.toUpperCase())}</label>
<input id="tip_own" name="tip_own"${payForm} inputmode="decimal" autocomplete="off" maxlength="20" value="${own}"${mark}>
${message}</div>`
    : ''
}</fieldset>
`
}

function codeForm({ code }: Adjustable, view: OrderView, field: string | null): Html {
  const words = orderText[view.locale]
  if (code !== null) return orderButton(view, words.remove(code), html` name="code" value=""`)
  const { mark, message } = wrong(view, 'code', field)
  return html`<details class="code" id="code-row"${field === 'code' ? html` open` : ''}><summary>${words.haveCode}</summary>
<div class="field">
<label for="code">${words.code}</label>
<input id="code" name="code"${payForm} autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" value="${typedIn(view, 'code') ?? ''}"${mark}>
${message}</div>
${orderButton(view, words.apply)}
</details>`
}

/** A button of the form that pays, which changes the order and takes no money. */
export const orderButton = (
  view: Pick<OrderView, 'publicId' | 'formPath' | 'method'>,
  label: string,
  more: Html | '' = '',
): Html =>
  html`<button class="small"${payForm} formaction="${orderPath(view)}"${more}>${label}</button>
`

/** The visit's parameters go with the form, and come back with its page. */
export function orderPath({
  publicId,
  formPath,
  method,
}: Pick<OrderView, 'publicId' | 'formPath' | 'method'>): string {
  const query = new URLSearchParams(formPath.split('?')[1] ?? '')
  query.set('method', method)
  return `/${publicId}/order?${query}`
}

/** Where an order that must change first can be changed, with what the buyer chose of it. */
export interface AdjustedAt {
  readonly publicId: string
  readonly kept: Readonly<Record<string, string>>
}

/** The way on from a state in which the order must change first: without the buyer's code. */
export function goOn({ publicId, kept }: AdjustedAt, locale: Locale): Html {
  const query = new URLSearchParams(kept)
  return html`<form method="post" action="/${publicId}/order${query.size > 0 ? `?${query}` : ''}">
${hiddenFields({ locale, ...(kept.code ? { code: '' } : {}) })}<button class="primary">${orderText[locale].goOnWithout}</button>
</form>`
}
