import { brandName, formatDate, formatDateTime, formatMoney } from '../../../src/kernel/format.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import { drawPaper, type Row, taxRows, text } from '../../page/hosted-payment/api.ts'
import { isOnItsWay, type Receipt } from './present-receipt.ts'
import { receiptWords } from './receipt-words.ts'

type Said = readonly (readonly [term: string, value: string | null, as?: 'strong'])[]

/** What there is to say of it. */
const rows = (said: Said): Row[] =>
  said.flatMap(([term, value, as]) => (value === null ? [] : [{ term, value, ...(as ? { as } : {}) }]))

const moneyIn =
  ({ currency }: Receipt, locale: Locale) =>
  (minor: string | bigint) =>
    formatMoney(BigInt(minor), currency, locale)

/** What a receipt says below the merchant's name, in order: as the buyer’s own has it, money first. */
export const receiptRows = (receipt: Receipt, locale: Locale): Row[] => [
  ...moneyRows(receipt, locale),
  ...saleRows(receipt, locale),
  ...cardRows(receipt, locale),
]

function moneyRows(receipt: Receipt, locale: Locale): Row[] {
  const { common, receipt: words, result } = text[locale]
  const own = receiptWords[locale]
  const money = moneyIn(receipt, locale)
  const { amount, amount_tip: tip, amount_captured: captured, amount_refunded: refunded } = receipt
  const isPart = captured !== '0' && captured !== amount
  const isWhole = receipt.mark === null && !isPart
  return [
    ...receipt.line_items.map(({ name, quantity, amount_total }) => ({
      term: quantity > 1 ? `${quantity} × ${name}` : name,
      value: money(amount_total),
    })),
    ...rows([
      [common.amount, tip === '0' ? null : money(BigInt(amount) - BigInt(tip))],
      [own.tip, tip === '0' ? null : money(tip)],
      [isPart || captured === '0' ? own.authorized : common.total, money(amount), 'strong'],
      [own.captured, isPart ? money(captured) : null, 'strong'],
    ]),
    ...(isWhole ? taxRows({ ...receipt, locale }) : []),
    ...receipt.refunds.map((refund) => ({
      term: own.refund(formatDate(new Date(refund.created_at), locale, receipt.location?.time_zone)),
      value: money(refund.amount),
      ...(isOnItsWay(refund) ? { small: own.underWay } : {}),
    })),
    ...rows([
      [result.refund, refunded === '0' ? null : money(refunded), 'strong'],
      [words.remains, refunded === '0' ? null : money(BigInt(captured) - BigInt(refunded))],
      [own.term, receipt.installments && own.months(receipt.installments.months)],
    ]),
  ]
}

function saleRows({ location, merchant, ...receipt }: Receipt, locale: Locale): Row[] {
  const { common } = text[locale]
  const own = receiptWords[locale]
  return rows([
    [common.date, formatDateTime(new Date(receipt.approved_at), locale, location?.time_zone)],
    ['RFC', merchant.rfc],
    [own.location, location && location.name],
    [own.address, location?.address ? addressOf(location.address) : null],
    [common.description, receipt.description],
    [own.reference, receipt.client_reference_id],
  ])
}

type Address = NonNullable<NonNullable<Receipt['location']>['address']>

const addressOf = ({ line1, line2, neighborhood, postal_code, city, state }: Address) =>
  [line1, line2, neighborhood, [postal_code, city].filter(Boolean).join(' '), state]
    .filter(Boolean)
    .join(', ')

function cardRows({ card }: Receipt, locale: Locale): Row[] {
  const { common } = text[locale]
  const own = receiptWords[locale]
  const { entry_mode: entry, cardholder_verification: verification, receipt } = card.reading
  return rows([
    [common.card, common.cardEnding(brandName(card.brand), card.last4)],
    [own.kind, own.funding[card.funding] ?? card.funding],
    [own.read, own.entry[entry]],
    [own.verified, own.verification[verification]],
    [own.authorization, receipt.authorization_code, 'strong'],
    [own.application, receipt.application_preferred_name],
    ['AID', receipt.dedicated_file_name],
    ['ARQC', receipt.application_cryptogram],
    ['TVR', receipt.terminal_verification_results],
    ['TSI', receipt.transaction_status_information],
  ])
}

/** Who pays signs where their signature is what the card was read with, and the sale stands. */
export const toSign = ({ signature_needed, mark }: Receipt): boolean =>
  signature_needed && (mark === null || mark === 'authorized')

/** `Comprobante de pago: CANCELADO`. */
export function titleOf({ mark }: Receipt, locale: Locale): string {
  const { title } = text[locale].receipt
  return mark ? `${title}: ${receiptWords[locale].marks[mark]}` : title
}

/** As a PDF. */
export const drawn = (receipt: Receipt, locale: Locale): Promise<Uint8Array> =>
  drawPaper({
    locale,
    testMode: receipt.environment === 'sandbox',
    path: '',
    payee: {
      name: receipt.merchant.name,
      legalName: receipt.merchant.legal_name,
      email: receipt.merchant.email,
      phone: receipt.merchant.phone,
      website: receipt.merchant.website_url,
    },
    title: titleOf(receipt, locale),
    merchantName: receipt.merchant.name,
    reference: receipt.payment_public_id,
    currency: receipt.currency,
    rows: [
      ...receiptRows(receipt, locale),
      ...(toSign(receipt) ? [{ term: receiptWords[locale].signature, value: '_'.repeat(36) }] : []),
    ],
  })
