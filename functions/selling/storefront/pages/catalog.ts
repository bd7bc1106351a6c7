import { html, raw } from 'hono/html'
import { withLocale } from '../../../../src/kernel/locale.ts'
import { foreign, type Html, type PageBase } from '../../../page/hosted-payment/api.ts'
import type { Choice, Offer } from '../offer.ts'
import type { Asked, Position, Shelf, Shown } from '../shop.ts'
import { backLink, merchantOf, orderForm, shopPage } from './frame.ts'
import { previewTags } from './preview.ts'
import { buying, imageTag, itemRow, textOf } from './rows.ts'

export interface Drawn {
  readonly base: PageBase
  /** The path of the catalog's page. */
  readonly path: string
  /** Scheme and host of our pages. */
  readonly origin: string
  readonly attemptKey: string
  /** Whether the platform resizes images. */
  readonly resizes: boolean
}

/** As an address has it: `7.m2k7x1.0190a6d2-…`. */
export const positionText = ({ position, createdAt, id }: Position) =>
  `${position}.${createdAt.getTime().toString(36)}.${id}`

/** The path of a list, without its language. */
export function listPath(path: string, { words, categoryId }: Omit<Asked, 'after'>, after: Position | null) {
  const query = new URLSearchParams([
    ...(words ? [['q', words]] : []),
    ...(categoryId ? [['category', categoryId]] : []),
    ...(after ? [['after', positionText(after)]] : []),
  ] as string[][]).toString()
  return query ? `${path}?${query}` : path
}

export function catalogPage(shelf: Shelf, asked: Asked, drawn: Drawn): Html {
  const { base, path, origin, attemptKey, resizes } = drawn
  const { shop, offers } = shelf
  const words = textOf[base.locale]
  const drawing = { locale: base.locale, currency: shop.currency, path, resizes }
  const image = offers.flatMap(({ images }) => images.slice(0, 1))[0]
  return shopPage({
    base,
    shop,
    title: `${shop.name} · ${merchantOf(shop)}`,
    head: previewTags({
      type: 'website',
      title: shop.name,
      description: shop.description,
      site: merchantOf(shop),
      url: `${origin}${path}`,
      image: image ? { ...image, url: `${origin}/catalog-images/${image.address}` } : null,
      price: null,
    }),
    main: html`<h1>${foreign(shop.name)}</h1>
${shop.description && !asked.after ? html`<p class="about">${foreign(shop.description)}</p>` : ''}
${finder(shelf, asked, { base, path })}
${asked.words ? html`<p class="muted">${words.found(asked.words)}</p>` : ''}
${
  offers.length === 0
    ? html`<p>${words.nothing} <a href="${withLocale(path, base.locale)}">${words.showAll}</a></p>`
    : html`<p class="muted">${words.prices(shop.currency.toUpperCase())}</p>
${orderForm({ shop, path, base }, attemptKey, html`<ul class="items">${offers.map((offer) => itemRow(offer, drawing))}</ul>${pager(shelf, asked, { base, path })}`)}`
}`,
  })
}

type Place = Pick<Drawn, 'base' | 'path'>

function finder({ categories }: Shelf, asked: Asked, { base, path }: Place): Html {
  const words = textOf[base.locale]
  return html`<form class="finder" role="search" method="get" action="${path}">
<input type="hidden" name="lang" value="${base.locale === 'en' ? 'en' : 'es'}">
<div class="field"><label for="q">${words.searchLabel}</label>
<input id="q" name="q" type="search" maxlength="100" value="${asked.words}"></div>
${
  categories.length === 0
    ? ''
    : html`<div class="field"><label for="category">${words.category}</label>
<select id="category" name="category"><option value="">${words.everything}</option>
${categories.map(
  ({
    id,
    name,
  }) => html`<option value="${id}"${id === asked.categoryId ? raw(' selected') : ''}>${name}</option>
`,
)}</select></div>`
}
<button class="secondary">${words.search}</button>
</form>`
}

function pager({ next }: Shelf, asked: Asked, { base, path }: Place): Html {
  const words = textOf[base.locale]
  if (!next && !asked.after) return raw('')
  const link = (after: Position | null, label: string) =>
    html`<a class="button secondary" href="${withLocale(listPath(path, asked, after), base.locale)}">${label}</a>`
  return html`<nav class="pages" aria-label="${words.pages}">
${asked.after ? link(null, words.first) : ''}
${next ? link(next, words.next) : ''}
</nav>`
}

const leastOf = ({ choices }: Offer): Choice | null =>
  choices
    .filter(({ unitMinor }) => unitMinor !== null)
    .reduce<Choice | null>(
      (least, each) => (least && least.unitMinor! <= each.unitMinor! ? least : each),
      null,
    )

/** One item, with all its images: what a link to it shows. */
export function itemPage({ shop, offer }: Shown, { base, path, origin, attemptKey, resizes }: Drawn): Html {
  const { images, name, description } = offer
  const [image] = images
  const least = leastOf(offer)
  const drawing = { locale: base.locale, currency: shop.currency, path, resizes }
  return shopPage({
    base,
    shop,
    title: `${name} · ${merchantOf(shop)}`,
    head: previewTags({
      type: 'product',
      title: name,
      description: description ?? shop.name,
      site: merchantOf(shop),
      url: `${origin}${path}/${offer.id}`,
      image: image ? { ...image, url: `${origin}/catalog-images/${image.address}` } : null,
      price: least && { amountMinor: least.unitMinor!, currency: shop.currency },
    }),
    main: html`${backLink(path, base)}
<h1>${foreign(name)}</h1>
<div class="images">${images.map((each, at) => imageTag(each, at === 0, drawing))}</div>
${description ? html`<p class="about">${foreign(description)}</p>` : ''}
<p class="muted">${textOf[base.locale].prices(shop.currency.toUpperCase())}</p>
${orderForm(
  { shop, path, base },
  attemptKey,
  html`<div class="item alone" data-item data-name="${name}">${buying(offer, drawing, '1')}
${offer.choices.some(({ state }) => state === 'for_sale') ? html`<a class="button secondary" href="${withLocale(path, base.locale)}" data-add hidden>${textOf[base.locale].addAndGoOn}</a>` : ''}</div>`,
)}`,
  })
}
