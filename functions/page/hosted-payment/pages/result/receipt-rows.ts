import type { TaxData } from '../../../../../drizzle/schema/buyer-details.ts'
import { brandName, formatDateTime, formatMoney, formatShort } from '../../../../../src/kernel/format.ts'
import type { RateTax } from '../../../../../src/kernel/iva.ts'
import type { AmountPart, ShownLine } from '../../../../../src/kernel/order.ts'
import { isPush } from '../../../../../src/kernel/payment-methods.ts'
import type { PageBase, ResultView } from '../frame/view.ts'
import { cfdiUseNames, regimeNames } from '../pay/text-cfdi.ts'
import { detailsText } from '../pay/text-details.ts'
import { text } from '../text.ts'
import { taxText } from './text-receipt.ts'

/** A fact of a payment as the page, the paper and the PDF show it. */
export interface Row {
  readonly term: string
  readonly value: string
  readonly as?: 'strong' | 'code' | 'foreign'
  readonly small?: string
}

export type Paid = Extract<ResultView, { instrument: unknown }>

export const isReceipt = (view: ResultView): view is Paid => 'instrument' in view

const isPaid = ({ state }: ResultView) => state === 'succeeded' || state === 'partially_captured'

/** All the money of a payment, then whom, for what, when and how. */
export function rowsOf(view: ResultView): Row[] {
  const { common } = text[view.locale]
  const merchant: Row = { term: common.merchant, value: view.merchantName, as: 'foreign' }
  return isReceipt(view)
    ? [...moneyOf(view), ...ofGoods(view), merchant, ...factsOf(view)]
    : [...amountOf(view), ...unappliedOf(view), merchant]
}

const moneyIn =
  ({ currency, locale }: ResultView) =>
  (amountMinor: bigint) =>
    formatMoney(amountMinor, currency, locale)

/** The IVA in what was paid; not of what was charged or given back in part. */
const ofGoods = (view: Paid): Row[] =>
  view.state === 'succeeded' && view.refundedMinor === 0n ? taxRows(view) : []

/** The IVA in what was paid for the lines, a row for each rate. */
export function taxRows({ taxes = [], currency, locale }: Taxed): Row[] {
  const words = taxText[locale]
  const money = (minor: string) => formatMoney(BigInt(minor), currency, locale)
  const taxed = taxes.filter(({ base }) => base !== '0')
  return taxed.map(({ iva_rate: rate, base, iva }) =>
    rate === 'exempt'
      ? { term: words.exempt, value: money(base) }
      : { term: words.iva(rate), value: money(iva), small: words.base(money(base)) },
  )
}

interface Taxed extends Pick<PageBase, 'locale'> {
  readonly taxes?: readonly RateTax[] | undefined
  readonly currency: string
}

/** The amount; with its parts where paying in installments has a cost. */
function amountOf(view: ResultView): Row[] {
  const { common, result } = text[view.locale]
  const money = moneyIn(view)
  const amount = { value: money(view.amountMinor), as: 'strong' } as const
  if (view.surchargeMinor === 0n) return [{ term: common.amount, ...amount }]
  return [
    { term: result.price, value: money(view.amountMinor - view.surchargeMinor) },
    { term: result.surcharge, value: money(view.surchargeMinor) },
    { term: common.total, ...amount },
  ]
}

/** What was charged or received, what arrived beside it, what went back, and what remains paid. */
function moneyOf(view: Paid): Row[] {
  const { receipt, result } = text[view.locale]
  const money = moneyIn(view)
  const rows = view.state === 'partially_captured' ? capturedOf(view) : amountOf(view)
  const excessMinor = isPaid(view) ? (view.unapplied?.receivedMinor ?? 0n) : 0n
  if (isPush(view.instrument) && excessMinor > 0n)
    rows.push({ term: receipt.received, value: money(view.amountMinor + excessMinor) })
  rows.push(...unappliedOf(view))
  if (view.refundedMinor > 0n) {
    const chargedMinor = view.state === 'partially_captured' ? view.capturedMinor : view.amountMinor
    rows.push(
      { term: result.refund, value: money(view.refundedMinor), as: 'strong' },
      { term: receipt.remains, value: money(chargedMinor - view.refundedMinor) },
    )
  }
  return rows
}

function capturedOf(view: Extract<Paid, { state: 'partially_captured' }>): Row[] {
  const { partially_captured: words } = text[view.locale].result
  const money = moneyIn(view)
  return [
    { term: words.charged, value: money(view.capturedMinor), as: 'strong' },
    {
      term: words.authorized,
      value: money(view.amountMinor),
      ...(view.surchargeMinor > 0n ? { small: words.surcharge(money(view.surchargeMinor)) } : {}),
    },
  ]
}

function unappliedOf(view: ResultView): Row[] {
  if (!view.unapplied) return []
  const term = text[view.locale].unapplied[isPaid(view) ? 'overRow' : 'apartRow']
  return [{ term, value: moneyIn(view)(view.unapplied.receivedMinor), as: 'strong' }]
}

function factsOf(view: Paid): Row[] {
  const { common } = text[view.locale]
  return [
    ...(view.description
      ? [{ term: common.description, value: view.description, as: 'foreign' } as const]
      : []),
    ...('paidAt' in view
      ? [
          {
            term: common.date,
            value: formatDateTime(view.paidAt, view.locale),
            small: common.mexicoCity,
          },
        ]
      : []),
    instrumentOf(view),
    ...planOf(view),
  ]
}

function instrumentOf({ instrument, locale }: Paid): Row {
  const { common, pay, result } = text[locale]
  if (!isPush(instrument))
    return { term: common.card, value: common.cardEnding(brandName(instrument.brand), instrument.last4) }
  return instrument.number === ''
    ? { term: pay.methods, value: pay.methodNames[instrument.method] }
    : { term: result.numbers[instrument.method], value: instrument.number, as: 'code' }
}

function planOf({ installments: plan, currency, locale }: Paid): Row[] {
  if (!plan) return []
  const { result } = text[locale]
  const of = result.installmentsOf(plan.months, formatShort(plan.monthlyMinor, currency, locale))
  const term = { term: result.installments, value: plan.interestFree ? `${of}, ${result.interestFree}` : of }
  return plan.firstMinor === plan.monthlyMinor
    ? [term]
    : [term, { term: result.firstPayment, value: formatMoney(plan.firstMinor, currency, locale) }]
}

/** What the buyer gave for a CFDI, as they gave it. */
export function invoiceRows({ taxData, locale }: Invoiced): Row[] {
  if (!taxData) return []
  const { labels } = detailsText[locale]
  const { rfc, legal_name, tax_regime, cfdi_use, postal_code } = taxData
  return [
    { term: labels['tax.rfc']!, value: rfc, as: 'foreign' },
    { term: labels['tax.legal_name']!, value: legal_name, as: 'foreign' },
    { term: labels['tax.regime']!, value: `${tax_regime} ${regimeNames[tax_regime] ?? ''}`.trim() },
    { term: labels['tax.cfdi_use']!, value: `${cfdi_use} ${cfdiUseNames[cfdi_use] ?? ''}`.trim() },
    { term: labels['tax.postal_code']!, value: postal_code },
  ]
}

interface Invoiced extends Pick<PageBase, 'locale'> {
  readonly taxData?: TaxData | null | undefined
}

/** A receipt as it is written on paper. */
export interface Paper extends PageBase, Invoiced {
  readonly title: string
  readonly merchantName: string
  readonly reference: string
  readonly currency: string
  readonly lines?: readonly ShownLine[] | undefined
  readonly parts?: readonly AmountPart[] | undefined
  readonly rows: readonly Row[]
}

/** The receipt of a payment. */
export const paidPaper = (view: Paid): Paper => ({
  ...view,
  title: text[view.locale].receipt.title,
  rows: rowsOf(view),
})
