import { PDFDocument, type PDFFont, type PDFImage, type PDFPage, rgb, StandardFonts } from 'pdf-lib'
import { folioOf } from '../../../../../src/kernel/folio.ts'
import { formatMoney } from '../../../../../src/kernel/format.ts'
import { namesOfParts } from '../pay/order.ts'
import { detailsText } from '../pay/text-details.ts'
import { text } from '../text.ts'
import type { PaperLogo } from './paper-logo.ts'
import { invoiceRows, type Paper } from './receipt-rows.ts'

/** A receipt on one or more pages of US Letter, which is Mexico's paper. Loaded with the first request for one. */
export async function receiptPdf(view: Paper, logo: PaperLogo | null = null): Promise<Uint8Array> {
  const { layout, receipt, result } = text[view.locale]
  // No time of its making: one receipt has the same bytes whenever it is asked for.
  const document = await PDFDocument.create({ updateMetadata: false })
  const fonts = {
    plain: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
  }
  const folio = folioOf(view.reference)
  document.setTitle(`${view.title} ${folio}`)
  document.setLanguage(view.locale)
  document.setProducer('Spindle')
  const sheet = new Sheet(document, fonts)
  if (logo) await sheet.logo(logo)
  sheet.line(view.merchantName, { size: 20, bold: true })
  for (const way of contactsOf(view)) sheet.line(way, { soft: true })
  sheet.space(18)
  sheet.line(view.title, { size: 14, bold: true })
  sheet.line(`${receipt.folio} ${folio}`, { size: 14 })
  if (view.testMode) sheet.line(result.testReceipt, { bold: true })
  sheet.space(12)
  const money = (amount: string) => formatMoney(BigInt(amount), view.currency, view.locale)
  const lines = [
    ...(view.lines ?? []).map(({ name, quantity, total }) => ({
      term: quantity > 1 ? `${quantity} × ${name}` : name,
      value: money(total),
    })),
    ...namesOfParts(view).map(({ name, amount }) => ({ term: name, value: money(amount) })),
  ]
  for (const { term, value } of lines) sheet.row(term, value, false)
  if (lines.length > 0) sheet.space(12)
  for (const { term, value, small, as } of view.rows)
    sheet.row(term, small ? `${value} (${small})` : value, as === 'strong')
  const invoice = invoiceRows(view)
  if (invoice.length > 0) {
    sheet.space(18)
    sheet.line(detailsText[view.locale].tax, { bold: true })
    for (const { term, value } of invoice) sheet.row(term, value, false)
  }
  sheet.space(18)
  sheet.line(receipt.notFiscal, { soft: true })
  sheet.line(layout.poweredBy, { soft: true })
  return document.save()
}

const contactsOf = ({ payee }: Paper): string[] =>
  payee
    ? ([payee.legalName, payee.email, payee.phone, payee.website].filter(
        (way) => way !== null && way !== payee.name,
      ) as string[])
    : []

const [width, height, margin] = [612, 792, 56]
const [ink, gray] = [rgb(0.09, 0.13, 0.12), rgb(0.34, 0.38, 0.37)]

interface Look {
  readonly size?: number
  readonly bold?: boolean
  readonly soft?: boolean
}

/** Writes from the top down, onto another page where one is full. */
class Sheet {
  readonly #document: PDFDocument
  readonly #fonts: { readonly plain: PDFFont; readonly bold: PDFFont }
  #page: PDFPage
  #y = height - margin

  constructor(document: PDFDocument, fonts: { readonly plain: PDFFont; readonly bold: PDFFont }) {
    this.#document = document
    this.#fonts = fonts
    this.#page = document.addPage([width, height])
  }

  space(points: number): void {
    this.#y -= points
  }

  /** At most 180 × 54 points, on the left. One that the library does not read is left out. */
  async logo({ bytes, contentType }: PaperLogo): Promise<void> {
    const embedded: Promise<PDFImage> =
      contentType === 'image/png' ? this.#document.embedPng(bytes) : this.#document.embedJpg(bytes)
    const image = await embedded.catch(() => null)
    if (!image) return
    const size = image.scaleToFit(180, 54)
    this.#room(size.height)
    this.#page.drawImage(image, { x: margin, y: this.#y, ...size })
    this.space(8)
  }

  line(words: string, { size = 10, bold = false, soft = false }: Look = {}): void {
    const font = bold ? this.#fonts.bold : this.#fonts.plain
    for (const part of wrapped(words, font, size, width - 2 * margin)) {
      this.#room(size * 1.5)
      this.#page.drawText(part, { x: margin, y: this.#y, size, font, color: soft ? gray : ink })
    }
  }

  /** A term on the left, its value on the right, a thin line below. */
  row(term: string, value: string, bold: boolean): void {
    const { plain } = this.#fonts
    const font = bold ? this.#fonts.bold : plain
    const half = (width - 2 * margin) / 2 - 8
    const left = wrapped(term, plain, 10, half)
    const right = wrapped(value, font, 10, half)
    const rows = Math.max(left.length, right.length)
    for (let at = 0; at < rows; at++) {
      this.#room(15)
      const [said, shown] = [left[at] ?? '', right[at] ?? '']
      this.#page.drawText(said, { x: margin, y: this.#y, size: 10, font: plain, color: gray })
      const x = width - margin - font.widthOfTextAtSize(shown, 10)
      this.#page.drawText(shown, { x, y: this.#y, size: 10, font, color: ink })
    }
    this.space(6)
    const [start, end] = [margin, width - margin].map((x) => ({ x, y: this.#y }))
    this.#page.drawLine({ start: start!, end: end!, thickness: 0.5, color: rgb(0.88, 0.89, 0.88) })
  }

  #room(points: number): void {
    this.#y -= points
    if (this.#y >= margin) return
    this.#page = this.#document.addPage([width, height])
    this.#y = height - margin - points
  }
}

/** In lines that fit. The paper's fonts have Western letters alone, and no minus: others become a question mark. */
function wrapped(words: string, font: PDFFont, size: number, widthMax: number): string[] {
  const known = new Set(font.getCharacterSet())
  const said = [...words.normalize('NFC').replace(/\s/gu, ' ').replaceAll('\u2212', '\u2013')]
    .map((each) => (known.has(each.codePointAt(0)!) ? each : '?'))
    .join('')
  const lines = ['']
  const fits = (line: string) => font.widthOfTextAtSize(line, size) <= widthMax
  for (const word of said.split(' ')) {
    const longer = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`
    if (fits(longer)) lines[lines.length - 1] = longer
    else lines.push(...brokenTo(word, fits))
  }
  return lines.filter((line, at) => line !== '' || at > 0)
}

function brokenTo(word: string, fits: (line: string) => boolean): string[] {
  const parts = ['']
  for (const letter of word) {
    if (fits(parts.at(-1)! + letter)) parts[parts.length - 1] += letter
    else parts.push(letter)
  }
  return parts
}
