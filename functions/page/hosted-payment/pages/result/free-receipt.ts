import { html } from 'hono/html'
import { formatDateTime, formatMoney } from '../../../../../src/kernel/format.ts'
import type { RateTax } from '../../../../../src/kernel/iva.ts'
import type { Locale } from '../../../../../src/kernel/locale.ts'
import { type Delivered, deliveredOf } from '../../../../goods/entitlements/api.ts'
import { type FreeOnPage, findFree } from '../../checkout-flow.ts'
import type { HostedOrigins } from '../../hosted-origin.ts'
import { partsIn } from '../../sealed-quote.ts'
import { baseOf, type Ctx, page, statePageOf as state } from '../frame/frame.ts'
import { icon, layout, sentence } from '../frame/layout.ts'
import { lookAs } from '../frame/look.ts'
import { reach } from '../frame/payee.ts'
import type { Html } from '../frame/view.ts'
import { partsOf } from '../pay/order.ts'
import { linesOf } from '../pay/pay.ts'
import { forgetTyped } from '../pay/typed.ts'
import { text } from '../text.ts'
import { deliveredHead, deliveredPart, deliveredScripts } from './delivered.ts'
import { factRows, folioRow, invoiceFacts, paperTools } from './facts.ts'
import { isPayerHere } from './payment-cookie.ts'
import { type Paper, type Row, taxRows } from './receipt-rows.ts'
import { freeText } from './text-free.ts'

/** A receipt of an order that cost nothing; it has no payment. */
export interface FreeView extends Paper {
  readonly completedAt: Date
  readonly delivered: readonly Delivered[]
  readonly successUrl?: string | null | undefined
}

/** The receipt of an order that cost nothing, by its public reference. */
export async function showFree(c: Ctx, origins: HostedOrigins, locale: Locale) {
  const found = await foundAt(c, origins)
  if (!found) return state(c, { state: 'not_found' }, locale)
  forgetTyped(c, found.onSale.sale.publicId)
  const delivered = await deliveredOf(c.get('services').settings, found.granted, new Date())
  const { sale } = found.onSale
  const more = { completedAt: found.completedAt, delivered, successUrl: sale.successUrl }
  return page(c, freeReceipt({ ...(await paperOf(c, found, locale)), ...more }))
}

/** The same on paper; null where there is none. */
export async function freePaperAt(c: Ctx, origins: HostedOrigins, locale: Locale): Promise<Paper | null> {
  const found = await foundAt(c, origins)
  return found && paperOf(c, found, locale)
}

async function foundAt(c: Ctx, origins: HostedOrigins): Promise<FreeOnPage | null> {
  const [publicId, reference] = [c.req.param('publicId')!, c.req.param('reference')!]
  const found = await findFree(c.get('services'), origins, publicId, reference)
  if (found) await lookAs(c, found.onSale)
  return found
}

async function paperOf(c: Ctx, found: FreeOnPage, locale: Locale): Promise<Paper> {
  const { onSale, completedAt } = found
  const { sale, merchantName } = onSale
  const reference = c.req.param('reference')!
  const { currency, description, order, taxes } = sale
  const goods = { lines: order?.lines, parts: partsIn(sale), taxes }
  const facts = { merchantName, currency, description, ...goods, completedAt }
  return {
    ...baseOf(c, locale),
    ...facts,
    title: freeText[locale].receipt,
    reference,
    taxData: (await isPayerHere(c, reference)) ? found.taxData : null,
    rows: freeRows({ ...facts, locale }),
  }
}

interface Free extends Pick<Paper, 'merchantName' | 'currency' | 'locale' | 'parts'> {
  readonly description: string | null
  readonly taxes?: readonly RateTax[] | undefined
  readonly completedAt: Date
}

/** What it would have cost, what was taken off, and what remained: nothing. Then whom, for what and when. */
export function freeRows(free: Free): Row[] {
  const { parts = [], currency, locale, merchantName, description, completedAt } = free
  const [{ common, result }, words] = [text[locale], freeText[locale]]
  const money = (amountMinor: bigint) => formatMoney(amountMinor, currency, locale)
  const offMinor = parts.reduce((sum, { amount }) => sum - BigInt(amount), 0n)
  return [
    { term: result.price, value: money(offMinor) },
    ...(offMinor === 0n ? [] : [{ term: words.discount, value: money(-offMinor) }]),
    { term: common.total, value: money(0n), as: 'strong' },
    ...taxRows(free),
    { term: common.merchant, value: merchantName, as: 'foreign' },
    ...(description ? [{ term: common.description, value: description, as: 'foreign' } as const] : []),
    { term: common.date, value: formatDateTime(completedAt, locale), small: common.mexicoCity },
  ]
}

export function freeReceipt(view: FreeView): Html {
  const { locale, reference, merchantName, successUrl } = view
  const [words, { receipt, pay }] = [freeText[locale], text[locale]]
  const shown = { ...view, paidAt: view.completedAt }
  return layout(view, {
    title: `${words.title} · ${merchantName}`,
    state: 'succeeded',
    ...deliveredHead(shown),
    scripts: deliveredScripts(shown),
    main: html`<section class="panel outcome" aria-labelledby="outcome">
${icon('check', 'good')}
<h1 id="outcome">${words.title}</h1>
<p>${sentence(words.detail, merchantName)}</p>
${deliveredPart(shown)}${linesOf(view)}${partsOf(view)}<dl class="facts">
${factRows(view.rows)}${folioRow(receipt.folio, reference, words.folioFor)}</dl>${invoiceFacts(view)}
${successUrl ? html`<a class="button primary" href="${successUrl}" rel="noreferrer">${sentence(pay.backTo, merchantName)}</a>` : ''}
${paperTools(view)}
${reach(view, 'questions')}
</section>`,
  })
}
