import { html, raw } from 'hono/html'
import { formatMoney } from '../../../../../src/kernel/format.ts'
import type { Locale } from '../../../../../src/kernel/locale.ts'
import type { PaymentRow } from '../../../../money/payments/api.ts'
import type { Sale } from '../../hosted-origin.ts'
import type { Quote, VisitTerms } from '../../sealed-quote.ts'
import type { Html, PayView, QuantityView } from '../frame/view.ts'
import { payForm } from './fields.ts'
import { orderButton } from './order.ts'

/** How many the buyer takes: as asked for, as the payment that is tried again had it, or as the page begins. */
export function quantityOf(
  { quantities }: Sale,
  typed: string | undefined,
  retried: PaymentRow | null,
): { readonly quantity: number | null; readonly wrong: string | null } {
  if (!quantities) return { quantity: null, wrong: null }
  const begins = retried?.quantity ?? quantities.first
  const asked = typed === undefined ? begins : /^\d{1,5}$/.test(typed.trim()) ? Number(typed) : 0
  const fits = asked >= quantities.min && asked <= quantities.max
  return {
    quantity: fits ? asked : quantities.first,
    wrong: typed !== undefined && !fits ? typed.slice(0, 20) : null,
  }
}

/** `retry` of a buyer who pays another way than by the voucher or CLABE that holds the sale. */
export const anotherWay = 'another-way'

/** The parameters of a visit, except the one that is chosen again. */
export const keptOf = (
  { retryOf, replaces, clientReferenceId }: Pick<VisitTerms, 'retryOf' | 'replaces' | 'clientReferenceId'>,
  method: string | undefined,
) => ({
  ...(retryOf === null && replaces === null ? {} : { retry: retryOf ?? anotherWay }),
  ...(clientReferenceId === null ? {} : { client_reference_id: clientReferenceId }),
  ...(method === undefined ? {} : { method }),
})

/** The form's part of a quote; null where the buyer does not choose how many. `wrong`: as typed, out of the bounds. */
export const quantitiesShown = (quote: Quote, wrong: string | null): QuantityView | null =>
  quote.quantities && quote.quantity !== null
    ? {
        ...quote.quantities,
        unitMinor: quote.amountMinor / BigInt(quote.quantity),
        value: wrong ?? String(quote.quantity),
        error: wrong !== null,
      }
    : null

const words = {
  'es-MX': {
    label: 'Cantidad',
    update: 'Actualizar',
    each: (price: string) => `${price} cada uno`,
    bounds: (min: number, max: number) => `De ${min} a ${max}.`,
    wrong: (min: number, max: number) => `Escribe un número del ${min} al ${max}.`,
  },
  en: {
    label: 'Quantity',
    update: 'Update',
    each: (price: string) => `${price} each`,
    bounds: (min: number, max: number) => `From ${min} to ${max}.`,
    wrong: (min: number, max: number) => `Enter a number from ${min} to ${max}.`,
  },
} as const satisfies Record<Locale, unknown>

/** The field in which a buyer says how many. It belongs to the form that pays; a button of that form applies it first. */
export function quantityField(view: PayView): Html {
  const { quantities, currency, locale } = view
  if (!quantities) return raw('')
  const { value, min, max, unitMinor, error } = quantities
  const said = words[locale]
  const hint = error ? said.wrong(min, max) : said.bounds(min, max)
  return html`<div class="quantity"><div class="field" data-choices>
<label for="quantity">${said.label}</label>
<input id="quantity" name="quantity"${payForm} type="number" inputmode="numeric" min="${min}" max="${max}" step="1" required value="${value}" aria-describedby="quantity-hint"${
    error ? html` aria-invalid="true" autofocus` : ''
  }>
<p id="quantity-hint"${error ? html` class="field-error" role="alert"` : html` class="muted"`}>${hint} ${said.each(formatMoney(unitMinor, currency, locale))}.</p>
</div>
${orderButton(view, said.update, html` data-manual`)}</div>`
}
