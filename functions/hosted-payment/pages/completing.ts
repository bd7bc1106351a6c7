import { html } from 'hono/html'
import { folioOf } from '../../../src/kernel/folio.ts'
import { formatDateTime, formatMoney } from '../../../src/kernel/format.ts'
import { type Locale, withLocale } from '../../../src/kernel/locale.ts'
import { cardMethod } from '../../../src/kernel/payment-methods.ts'
import { type Delivered, deliveredOf } from '../../entitlements/api.ts'
import { type FreeOnPage, findFree, originAt } from '../checkout-flow.ts'
import type { HostedOrigins } from '../hosted-origin.ts'
import { openQuote } from '../signed-quote.ts'
import { deliveredHead, deliveredPart, deliveredScripts } from './delivered.ts'
import { again } from './form.ts'
import { baseOf, type Ctx, page, statePageOf as state } from './frame.ts'
import { foreign, icon, layout, sentence } from './layout.ts'
import { lookAs } from './look.ts'
import { partsOf } from './order.ts'
import { linesOf } from './pay.ts'
import { reach } from './payee.ts'
import { rememberPayment } from './payment-cookie.ts'
import { detailsIn, formAgain, formOf, notPaid } from './submitting.ts'
import { text } from './text.ts'
import { freeText } from './text-free.ts'
import type { Html, PageBase } from './view.ts'

/** The buyer completes an order that costs nothing. A repeated form leads to the same receipt. */
export async function completeOrder(c: Ctx, origins: HostedOrigins) {
  const form = await formOf(c)
  const { locale, attemptKey } = form
  const services = c.get('services')
  const now = new Date()
  if (!/^[a-z0-9]{32}$/.test(attemptKey)) return state(c, { state: 'bad_request' }, locale)
  const quote = await openQuote(services.settings, form.sealedQuote, c.req.param('publicId')!, now)
  if (!quote) return again(c, locale, 'quote_expired', { quote, method: cardMethod })
  await lookAs(c, quote)
  const { completeFree } = originAt(origins, quote.publicId)!
  if (!completeFree || quote.amountMinor !== 0n) return again(c, locale, null)
  const read = detailsIn(form, quote, now)
  if ('wrong' in read) return formAgain(c, form, quote, [])
  const request = { requestId: c.get('requestId'), now, attemptKey, details: read.details }
  const work = completeFree(services, quote, request)
  // Finish even if the buyer leaves the page.
  c.executionCtx.waitUntil(work.catch(() => {}))
  try {
    const reference = await work
    rememberPayment(c, quote.publicId, reference)
    return c.redirect(withLocale(`/${quote.publicId}/${reference}`, locale), 303)
  } catch (error) {
    return notPaid(c, origins, error, locale, quote)
  }
}

/** The receipt of an order that cost nothing, by its public reference. */
export async function showFree(c: Ctx, origins: HostedOrigins, locale: Locale) {
  const reference = c.req.param('reference')!
  const found = await findFree(c.get('services'), origins, c.req.param('publicId')!, reference)
  if (!found) return state(c, { state: 'not_found' }, locale)
  await lookAs(c, found.onSale)
  const delivered = await deliveredOf(c.get('services').settings, found.granted, new Date())
  return page(c, freeReceipt({ ...baseOf(c, locale), reference, delivered }, found))
}

function freeReceipt(
  view: PageBase & { readonly reference: string; readonly delivered: readonly Delivered[] },
  { onSale: { sale, merchantName }, completedAt }: FreeOnPage,
): Html {
  const { locale, reference } = view
  const [words, { common, receipt, pay }] = [freeText[locale], text[locale]]
  const { currency, lines, parts, successUrl } = sale
  const shown = { ...view, merchantName, paidAt: completedAt }
  return layout(view, {
    title: `${words.title} · ${merchantName}`,
    state: 'succeeded',
    ...deliveredHead(shown),
    scripts: deliveredScripts(shown),
    main: html`<section class="panel outcome" aria-labelledby="outcome">
${icon('check', 'good')}
<h1 id="outcome">${words.title}</h1>
<p>${sentence(words.detail, merchantName)}</p>
${deliveredPart(shown)}${linesOf({ lines, currency, locale })}${partsOf({ parts, currency, locale })}<dl class="facts">
<div><dt>${common.total}</dt><dd><strong>${formatMoney(0n, currency, locale)}</strong></dd></div>
<div><dt>${common.merchant}</dt><dd>${foreign(merchantName)}</dd></div>
<div><dt>${words.completed}</dt><dd>${formatDateTime(completedAt, locale)} <small>${common.mexicoCity}</small></dd></div>
<div class="long folio"><dt>${receipt.folio}</dt><dd><strong translate="no">${folioOf(reference)}</strong> <small>${receipt.folioFor}</small></dd></div>
<div class="long"><dt>${receipt.id}</dt><dd><code>${reference}</code></dd></div>
</dl>
${successUrl ? html`<a class="button primary" href="${successUrl}" rel="noreferrer">${sentence(pay.backTo, merchantName)}</a>` : ''}
${reach(view, 'questions')}
</section>`,
  })
}
