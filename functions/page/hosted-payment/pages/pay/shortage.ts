import { html, raw } from 'hono/html'
import { type Locale, withLocale } from '../../../../../src/kernel/locale.ts'
import type { Shortage } from '../../../../order/lines/api-pure.ts'
import { alertBox, foreign, hiddenFields, sentence } from '../frame/layout.ts'
import type { Html } from '../frame/view.ts'
import { orderText } from './text-order.ts'

/** What a page says of what is left, and where its one button leads. */
export interface ShortView extends Shortage {
  readonly publicId: string
  /** The parameters of the visit, which a quantity is chosen with. */
  readonly kept: Readonly<Record<string, string>>
  /** What was offered could not be ordered, and is no longer offered. */
  readonly isRefused: boolean
}

const words = {
  'es-MX': {
    left: (left: number) => (left === 0 ? 'Se agotó' : left === 1 ? 'Queda 1' : `Quedan ${left}`),
    only: (left: number) => (left === 1 ? 'Solo queda 1' : `Solo quedan ${left}`),
    notEnough: 'No queda suficiente',
    offered: (merchant: string) => `Pediste más de lo que le queda a ${merchant}.`,
    asItIs: (merchant: string) =>
      `Pediste más de lo que le queda a ${merchant}. La compra no se puede completar como está.`,
    take: (quantity: number) => `Continuar con ${quantity}`,
    takeAll: 'Continuar con lo que queda',
    notCharged: 'No se cobró nada.',
  },
  en: {
    left: (left: number) => (left === 0 ? 'Sold out' : `${left} left`),
    only: (left: number) => `Only ${left} left`,
    notEnough: 'There is not enough left',
    offered: (merchant: string) => `You asked for more than ${merchant} has left.`,
    asItIs: (merchant: string) =>
      `You asked for more than ${merchant} has left. The purchase cannot be completed as it is.`,
    take: (quantity: number) => `Continue with ${quantity}`,
    takeAll: 'Continue with what is left',
    notCharged: 'Nothing was charged.',
  },
} as const satisfies Record<Locale, unknown>

export const shortTitle = ({ lines }: ShortView, locale: Locale): string =>
  lines.length === 1 ? words[locale].only(lines[0]!.left) : words[locale].notEnough

export const shortDetail = ({ offer }: ShortView, merchant: string, locale: Locale): Html =>
  html`${sentence(offer ? words[locale].offered : words[locale].asItIs, merchant)} ${words[locale].notCharged}`

/** Each thing that there is too little of, and how many of it can be had. */
export const shortLines = ({ lines, isRefused }: ShortView, locale: Locale): Html =>
  html`${isRefused ? alertBox(orderText[locale].problems['order.amount']) : ''}<dl class="facts">
${lines.map(
  ({ name, left }) => html`<div><dt>${foreign(name)}</dt><dd>${words[locale].left(left)}</dd></div>
`,
)}</dl>
`

/** One button that orders what is left; it may be gone by then, which the next page says. */
export function shortOffer({ offer, publicId, kept }: ShortView, locale: Locale): Html {
  if (!offer) return raw('')
  const { take, takeAll } = words[locale]
  if ('quantity' in offer) {
    const query = new URLSearchParams({ ...kept, quantity: String(offer.quantity) })
    return html`<a class="button primary" href="${withLocale(`/${publicId}?${query}`, locale)}">${take(offer.quantity)}</a>`
  }
  const chosen = Object.entries(offer.quantities)
  const fields = Object.fromEntries(chosen.map(([at, quantity]) => [`quantity.${at}`, String(quantity)]))
  const query = new URLSearchParams(kept)
  return html`<form method="post" action="/${publicId}/order${query.size > 0 ? `?${query}` : ''}">
${hiddenFields({ ...fields, locale })}<button class="primary">${chosen.length === 1 ? take(chosen[0]![1]) : takeAll}</button>
</form>`
}
