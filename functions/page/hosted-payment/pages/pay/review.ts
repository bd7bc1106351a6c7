import { html } from 'hono/html'
import { brandName, formatMoney, formatShort } from '../../../../../src/kernel/format.ts'
import { withLocale } from '../../../../../src/kernel/locale.ts'
import { alertBox, hiddenFields, layout, otherLocale } from '../frame/layout.ts'
import type { Html, InstallmentOffer, ReviewView } from '../frame/view.ts'
import { text } from '../text.ts'
import { summary } from './pay.ts'
import { payLabel } from './pay-label.ts'

/**
 * Card summary, offered terms and the Pay button. Posts `card_token`, `months` (1 = a single payment), `quote`,
 * `attempt_key` and `locale` to `/{public_id}/attempts`.
 */
export function reviewPage(view: ReviewView): Html {
  const words = text[view.locale]
  const card = view.card && words.common.cardEnding(brandName(view.card.brand), view.card.last4)
  return layout(view, {
    title: `${words.review.title} · ${view.merchantName}`,
    wide: true,
    languageSwitch: languageForm(view),
    main: html`${summary({ ...view, varies: varies(view) }, 'p')}
<section class="panel" aria-labelledby="review-heading">
<h1 id="review-heading" class="h2">${words.review.title}</h1>
${view.error ? alertBox(words.review.errors[view.error]) : ''}
<form method="post" action="/${view.publicId}/attempts" data-once>
${hiddenFields(carried(view))}
<p class="chosen"><span class="muted">${words.common.card}</span>${card ? html`<strong>${card}</strong>` : ''} <a href="${withLocale(view.changePath, view.locale)}">${words.review.change}</a></p>
${view.noOffers ? html`<p class="muted no-offers">${words.review.noOffers[view.noOffers]}</p>` : ''}
${view.offers.length > 0 ? terms(view) : hiddenFields({ months: '1' })}
${total(view)}
<button class="primary" data-busy="${words.common.sending}">${payLabel({ ...view, varies: varies(view) })}</button>
</form>
</section>`,
  })
}

function carried(view: ReviewView): Readonly<Record<string, string>> {
  return {
    quote: view.sealedQuote,
    attempt_key: view.attemptKey,
    card_token: view.cardToken,
    ...(view.buyer.name === '' ? {} : { name: view.buyer.name }),
    ...(view.buyer.email === '' ? {} : { receipt_email: view.buyer.email }),
    ...view.typed,
    locale: view.locale,
  }
}

/** This page answers a POST and has no address of its own: the other language is the same POST again. */
function languageForm(view: ReviewView): Html {
  const other = otherLocale(view.locale)
  return html`<form method="post" action="/${view.publicId}/review">
${hiddenFields({ ...carried(view), locale: other })}
<button class="language" lang="${other}">${text[view.locale].layout.switchLanguage}</button>
</form>`
}

function terms(view: ReviewView): Html {
  const words = text[view.locale].review
  return html`<fieldset class="terms">
<legend>${view.single ? words.terms : words.onlyTerm}</legend>
${view.single ? single(view) : ''}${view.offers.map((offer, at) => term(offer, view, !view.single && at === 0))}</fieldset>`
}

function single(view: ReviewView): Html {
  const words = text[view.locale].review
  const amount = formatMoney(view.amountMinor, view.currency, view.locale)
  return html`<label class="term"><input type="radio" name="months" value="1" data-total="${amount}" checked>
<span class="term-name">${words.single}</span><span class="term-detail">${words.total(amount)}</span></label>
`
}

function term(offer: InstallmentOffer, view: ReviewView, checked: boolean): Html {
  const words = text[view.locale].review
  const total = formatMoney(offer.totalMinor, view.currency, view.locale)
  const short = (amountMinor: bigint) => formatShort(amountMinor, view.currency, view.locale)
  return html`<label class="term"><input type="radio" name="months" value="${offer.months}" data-total="${total}"${checked ? ' checked' : ''}>
<span class="term-name">${words.installments(offer.months, short(offer.monthlyMinor))}</span>
<span class="term-detail">${view.interestFree ? html`<span class="tag">${words.interestFree}</span>` : ''}
${offer.firstMinor === offer.monthlyMinor ? '' : html`<span>${words.first(short(offer.firstMinor))}</span>`}
${offer.totalMinor === view.priceMinor ? '' : html`<span>${words.surcharge(short(offer.totalMinor - view.priceMinor))}</span>`}
<span>${words.total(total)}</span></span></label>
`
}

/** Terms cost different totals. */
const varies = ({ offers, amountMinor }: ReviewView) =>
  offers.some(({ totalMinor }) => totalMinor !== amountMinor)

/** When terms cost different totals, only the script can show the chosen one; each term shows its own anyway. */
function total(view: ReviewView): Html {
  const { common, review } = text[view.locale]
  const amount = formatMoney(view.amountMinor, view.currency, view.locale)
  if (!varies(view)) return html`<p class="total"><span>${common.total}</span> <output>${amount}</output></p>`
  return html`<p class="total" hidden data-total-line><span>${common.total}</span> <output data-charged>${amount}</output></p>
<noscript><p class="muted">${review.eachTotal}</p></noscript>`
}
