import { html, raw } from 'hono/html'
import type { ItemImage } from '../../../../drizzle/schema/digital-catalogs.ts'
import { formatShort } from '../../../../src/kernel/format.ts'
import { type Locale, withLocale } from '../../../../src/kernel/locale.ts'
import { imageWidths } from '../../../../src/platform/images.ts'
import { foreign, type Html } from '../../../page/hosted-payment/api.ts'
import type { Choice, Offer } from '../offer.ts'
import { en } from './text.en.ts'
import { es, type ShopText } from './text.es.ts'

export const textOf: Readonly<Record<Locale, ShopText>> = { 'es-MX': es, en }

/** How rows of items are drawn. */
export interface Drawing {
  readonly locale: Locale
  readonly currency: string
  /** The path of the catalog's page. */
  readonly path: string
  /** Whether the platform resizes images. */
  readonly resizes: boolean
}

export const itemPath = (path: string, { id }: Offer, locale: Locale) => withLocale(`${path}/${id}`, locale)

/** As wide as a column of `.items` and `.images` is. */
const columnWidth = '(min-width: 33rem) 20rem, 100vw'

function smallerOnes({ address, width }: ItemImage) {
  const smaller = imageWidths.filter((each) => each < width)
  if (smaller.length === 0) return ''
  const sources = smaller.map((each) => `/catalog-images/${address}?w=${each} ${each}w`)
  return html` srcset="${[...sources, `/catalog-images/${address} ${width}w`].join(', ')}" sizes="${columnWidth}"`
}

export const imageTag = (image: ItemImage, isFirst: boolean, { resizes }: Pick<Drawing, 'resizes'>): Html => {
  const { address, width, height, alt } = image
  return html`<img src="/catalog-images/${address}"${resizes ? smallerOnes(image) : ''} alt="${alt ?? ''}" width="${width}" height="${height}"${isFirst ? '' : raw(' loading="lazy"')} decoding="async">`
}

/** An item of the list: its image, name and price, and the fields that put it into the cart. */
export function itemRow(offer: Offer, drawing: Drawing): Html {
  const [image] = offer.images
  return html`<li class="item" data-item data-name="${offer.name}">
<div class="picture">${image ? imageTag(image, false, drawing) : ''}</div>
<h2><a href="${itemPath(drawing.path, offer, drawing.locale)}">${foreign(offer.name)}</a></h2>
${buying(offer, drawing)}
</li>
`
}

/** Why nothing of an item can be taken: the first that holds of one of its choices. */
const whys = ['sold_out', 'at_counter'] as const

/** Price, variant and quantity of an item; `typed`: how many stand in the field at first. */
export function buying(offer: Offer, drawing: Drawing, typed = ''): Html {
  const words = textOf[drawing.locale]
  const [first] = offer.choices
  const sold = offer.choices.filter(({ state }) => state === 'for_sale')
  if (sold.length === 0) {
    const why = whys.find((each) => offer.choices.some(({ state }) => state === each)) ?? 'unavailable'
    return html`${first && offer.choices.length === 1 ? priceOf(first, drawing) : ''}
<p class="out">${words.out[why]}</p>`
  }
  const isOne = offer.choices.length === 1
  return html`${isOne ? priceOf(first!, drawing) : rangeOf(sold, drawing)}
${isOne ? html`<input type="hidden" name="choice.${offer.id}" value="${chosenOf(first!)}"${dataOf(first!)}>` : variants(offer, drawing)}
${quantityField({ id: offer.id, name: offer.name, typed, most: Math.max(...sold.map(({ most }) => most)) }, words)}`
}

/** What a form sends of a choice: the item and the price that the buyer saw. */
const chosenOf = ({ id, unitMinor }: Choice) => `${id}:${unitMinor}`

/** For the script: the price as it was set, and the percentage of IVA on top of a line. */
const dataOf = ({ amountMinor, addedPercent }: Choice) =>
  html` data-amount="${amountMinor}" data-percent="${addedPercent}"`

export function priceOf(
  { unitMinor, formerMinor }: Choice,
  { locale, currency }: Pick<Drawing, 'locale' | 'currency'>,
): Html {
  const words = textOf[locale]
  if (unitMinor === null) return raw('')
  const money = (minor: bigint) => formatShort(minor, currency, locale)
  return html`<p class="price">${
    formerMinor === null
      ? ''
      : html`<s><span class="sr-only">${words.formerly} </span>${money(formerMinor)}</s> <span class="sr-only">${words.now} </span>`
  }<b>${money(unitMinor)}</b></p>`
}

function rangeOf(sold: readonly Choice[], { locale, currency }: Drawing): Html {
  const prices = sold.map(({ unitMinor }) => unitMinor!).sort((a, b) => (a < b ? -1 : 1))
  const [least, most] = [prices[0]!, prices.at(-1)!]
  const money = (minor: bigint) => formatShort(minor, currency, locale)
  return html`<p class="price"><b>${money(least)}${least === most ? '' : ` – ${money(most)}`}</b></p>`
}

function variants({ id, name, choices }: Offer, { locale, currency }: Drawing): Html {
  const words = textOf[locale]
  const first = choices.find(({ state }) => state === 'for_sale')
  return html`<div class="field"><label for="choice-${id}">${words.variantShort}<span class="sr-only">: ${name}</span></label>
<select id="choice-${id}" name="choice.${id}">
${choices.map((each) =>
  each.state === 'for_sale'
    ? html`<option value="${chosenOf(each)}" data-label="${each.label}"${dataOf(each)}${each === first ? raw(' selected') : ''}>${each.label}: ${formatShort(each.unitMinor!, currency, locale)}</option>
`
    : html`<option disabled>${each.label}: ${words.out[each.state]}</option>
`,
)}</select></div>`
}

interface Field {
  readonly id: string
  readonly name: string
  readonly typed: string
  readonly most: number
  readonly error?: string
}

export function quantityField({ id, name, typed, most, error }: Field, words: ShopText): Html {
  return html`<div class="field quantity"><label for="quantity-${id}">${words.quantityShort}<span class="sr-only">: ${name}</span></label>
<span class="stepper"><button type="button" class="small" data-step="-1" aria-label="${words.less(name)}" hidden>−</button>
<input id="quantity-${id}" name="quantity.${id}" type="number" inputmode="numeric" min="0" max="${most}" step="1" value="${typed}" placeholder="0" autocomplete="off"${error ? html` aria-invalid="true" aria-describedby="error-${id}"` : ''}>
<button type="button" class="small" data-step="1" aria-label="${words.more(name)}" hidden>+</button></span></div>
${error ? html`<p class="field-error" id="error-${id}">${error}</p>` : ''}`
}
