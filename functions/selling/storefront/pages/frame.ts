import { html } from 'hono/html'
import { digitsOf } from '../../../../src/kernel/format.ts'
import { withLocale } from '../../../../src/kernel/locale.ts'
import { foreign, type Html, hiddenFields, layout, type PageBase } from '../../../page/hosted-payment/api.ts'
import type { Shop } from '../store.ts'
import { textOf } from './rows.ts'

export interface ShopPage {
  readonly base: PageBase
  readonly shop: Shop
  readonly title: string
  readonly head?: Html
  readonly main: Html
}

export const merchantOf = ({ branding, workspaceName }: Shop) => branding?.brand_name ?? workspaceName

/** The frame of a catalog's pages: that of every buyer page, with who sells below. */
export const shopPage = ({ base, shop, title, head, main }: ShopPage): Html =>
  layout(base, {
    title,
    scripts: ['pay.js', 'storefront.js'],
    head: html`<link rel="stylesheet" href="/assets/storefront.css">
${head ?? ''}`,
    main: html`<div class="shop">
${main}
${sellerOf(shop, base)}
</div>`,
  })

function sellerOf(shop: Shop, { locale }: PageBase): Html {
  const words = textOf[locale]
  const { fiscalProfile, supportEmail, supportPhone } = shop
  const name = fiscalProfile?.legal_name ?? merchantOf(shop)
  return html`<section class="seller" aria-label="${words.contact}">
<p>${words.seller}: ${foreign(name)}</p>
${supportEmail ? html`<p><a href="mailto:${supportEmail}">${supportEmail}</a></p>` : ''}
${supportPhone ? html`<p><a href="tel:${supportPhone}">${supportPhone}</a></p>` : ''}
</section>`
}

/**
 * The order's form around its rows, and a bar that stays in sight: what is in the cart, and the way on. The script keeps
 * the cart of this catalog in the browser and shows it; without it the quantities of this page are what is ordered.
 */
export function orderForm(
  { shop, path, base }: { readonly shop: Shop; readonly path: string; readonly base: PageBase },
  attemptKey: string,
  rows: Html,
): Html {
  const words = textOf[base.locale]
  const labels = JSON.stringify({
    total: words.total,
    remove: words.remove,
    counted: words.counted,
  })
  return html`<form method="post" action="${path}/checkout" class="order" data-once data-shop="${shop.publicId}" data-currency="${shop.currency.toUpperCase()}" data-digits="${digitsOf(shop.currency)}" data-words="${labels}">
${hiddenFields({ attempt_key: attemptKey, locale: base.locale })}
${rows}
<div class="basket">
<section class="panel" data-cart aria-labelledby="cart-heading" hidden><h2 id="cart-heading">${words.order}</h2>
<ul class="lines"></ul></section>
</div>
<div class="way-on">
<p class="muted" data-hint>${words.hint}</p>
<p role="status" data-said></p>
<button class="primary" data-busy="${words.busy}">${words.pay}</button>
</div>
</form>`
}

export const backLink = (path: string, { locale }: PageBase): Html =>
  html`<p><a href="${withLocale(path, locale)}">${textOf[locale].back}</a></p>`
