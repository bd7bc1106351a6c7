import type { Locale } from '../../../src/kernel/locale.ts'
import { text } from '../../page/hosted-payment/api.ts'
import { EscPos } from './escpos.ts'
import type { Receipt } from './present-receipt.ts'
import { receiptRows, titleOf, toSign } from './receipt-paper.ts'
import { receiptWords } from './receipt-words.ts'

/** The receipt as the bytes of an ESC/POS printer whose lines hold so many letters. Loaded with the first request for one. */
export function printed(receipt: Receipt, locale: Locale, columns: number): Uint8Array<ArrayBuffer> {
  const { layout, receipt: words, result } = text[locale]
  const { merchant } = receipt
  const paper = new EscPos(columns)
  paper.line(merchant.name, { bold: true, align: 'center' })
  for (const way of [merchant.legal_name, merchant.email, merchant.phone, merchant.website_url])
    if (way !== null && way !== merchant.name) paper.line(way, { align: 'center' })
  paper.rule()
  paper.line(titleOf(receipt, locale), { bold: true, align: 'center' })
  paper.line(`${words.folio} ${receipt.folio}`, { align: 'center' })
  if (receipt.environment === 'sandbox') paper.line(result.testReceipt, { bold: true, align: 'center' })
  paper.rule()
  for (const { term, value, small, as } of receiptRows(receipt, locale))
    paper.row(term, small ? `${value} (${small})` : value, as === 'strong')
  if (toSign(receipt)) paper.signature(receiptWords[locale].signature)
  paper.rule()
  paper.line(words.notFiscal, { align: 'center' })
  paper.line(layout.poweredBy, { align: 'center' })
  return paper.done()
}
