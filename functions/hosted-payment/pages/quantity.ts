import { html, raw } from 'hono/html'
import { formatMoney } from '../../../src/kernel/format.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import type { Method } from '../../../src/kernel/payment-methods.ts'
import type { PaymentRow } from '../../payments/api.ts'
import type { Sale } from '../hosted-origin.ts'
import type { Quote, VisitTerms } from '../signed-quote.ts'
import { hiddenFields } from './layout.ts'
import type { Html, PayView, QuantityView } from './view.ts'

/** How many the buyer takes: as asked for, as the payment that is tried again had it, or as the page begins. */
export function quantityOf(
  { quantities }: Sale,
  typed: string | undefined,
  retried: PaymentRow | null,
): { readonly quantity: number | null; readonly error: boolean } {
  if (!quantities) return { quantity: null, error: false }
  const begins = retried?.quantity ?? quantities.first
  const asked = typed === undefined ? begins : /^\d{1,5}$/.test(typed.trim()) ? Number(typed) : 0
  const fits = asked >= quantities.min && asked <= quantities.max
  return { quantity: fits ? asked : quantities.first, error: typed !== undefined && !fits }
}

/** `retry` of a buyer who pays another way than by the voucher or CLABE that holds the sale. */
export const anotherWay = 'another-way'

/** The parameters of a visit beside the one that is chosen anew. */
export const keptOf = (
  { retryOf, replaces, clientReferenceId }: Pick<VisitTerms, 'retryOf' | 'replaces' | 'clientReferenceId'>,
  method: string | undefined,
) => ({
  ...(retryOf === null && replaces === null ? {} : { retry: retryOf ?? anotherWay }),
  ...(clientReferenceId === null ? {} : { client_reference_id: clientReferenceId }),
  ...(method === undefined ? {} : { method }),
})

/** The form's part of a quote; null where the buyer does not choose how many. */
export const quantitiesShown = (quote: Quote, method: Method, error: boolean): QuantityView | null =>
  quote.quantities && quote.quantity !== null
    ? {
        ...quote.quantities,
        unitMinor: quote.amountMinor / BigInt(quote.quantity),
        value: quote.quantity,
        kept: keptOf(quote, quote.methods.length > 1 ? method : undefined),
        error,
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

/** The form in which a buyer says how many: sent by GET to the sale's own address, it takes no money. */
export function quantityForm({
  quantities,
  currency,
  locale,
  path,
}: Pick<PayView, 'currency' | 'locale'> & Partial<Pick<PayView, 'quantities' | 'path'>>): Html {
  if (!quantities || !path) return raw('')
  const { value, min, max, unitMinor, kept, error } = quantities
  const said = words[locale]
  const hint = error ? said.wrong(min, max) : said.bounds(min, max)
  return html`<form class="quantity" method="get" action="${path.split('?')[0]}">
${hiddenFields({ ...kept, lang: locale === 'en' ? 'en' : 'es' })}
<div class="field">
<label for="quantity">${said.label}</label>
<input id="quantity" name="quantity" type="number" inputmode="numeric" min="${min}" max="${max}" step="1" required value="${value}" aria-describedby="quantity-hint"${
    error ? html` aria-invalid="true" autofocus` : ''
  }>
<p id="quantity-hint"${error ? html` class="field-error" role="alert"` : html` class="muted"`}>${hint} ${said.each(formatMoney(unitMinor, currency, locale))}.</p>
</div>
<button class="small">${said.update}</button>
</form>`
}
