import { describe, expect, it, vi } from 'vitest'
import { freeReceipt } from '../../../functions/page/hosted-payment/pages/result/free-receipt.ts'
import { receiptPdf } from '../../../functions/page/hosted-payment/pages/result/receipt-pdf.ts'
import { paidPaper } from '../../../functions/page/hosted-payment/pages/result/receipt-rows.ts'
import { resultPage } from '../../../functions/page/hosted-payment/pages/result/result.ts'
import { text } from '../../../functions/page/hosted-payment/pages/text.ts'
import { folioOf } from '../../../src/kernel/folio.ts'
import { png } from '../../support/images.ts'
import { wordsIn } from '../../support/pdf.ts'
import { freeView } from './sample-links.ts'
import { authorizedView, everyPage, succeededView } from './samples.ts'

const paid = {
  ...succeededView(),
  instrument: { method: 'spei', number: '085904123456789012' } as const,
  lines: [{ name: 'Taza de cerámica', quantity: 2, total: '116000' }],
  unapplied: { receivedMinor: 30_000n, heldMinor: 30_000n },
  refundedMinor: 50_000n,
}
const folio = folioOf(paid.reference)

describe('a receipt', () => {
  it('tells all the money: charged, received, too much, refunded, what remains; and its folio', async () => {
    const page = String(await resultPage(paid))
    const rows = [...page.matchAll(/<dt>([^<]+)<\/dt><dd>(?:<strong[^>]*>)?([^<]+)/g)].map((row) =>
      row.slice(1, 3),
    )
    expect(rows.slice(0, 5)).toEqual([
      ['Importe', '$1,200.00 MXN'],
      ['Recibido en total', '$1,500.00 MXN'],
      ['Recibido de más', '$300.00 MXN'],
      ['Reembolso', '$500.00 MXN'],
      ['Queda pagado', '$700.00 MXN'],
    ])
    expect(rows).toContainEqual(['Folio', folio])
    expect(page).toContain('/receipt.pdf?lang=es')
    expect(String(await everyPage['result-canceled']!({}))).not.toMatch(/receipt\.pdf|<dt>Folio</)
    expect(String(await resultPage(authorizedView()))).toContain('/receipt.pdf')
  })

  it.each(['es-MX', 'en'] as const)('%s: the PDF says the same', async (locale) => {
    const file = await receiptPdf(paidPaper({ ...paid, locale }))
    expect(Buffer.from(file.subarray(0, 5)).toString()).toBe('%PDF-')
    const words = wordsIn(file)
    const { receipt, result } = text[locale]
    for (const said of [
      'Café Azul de Coyoacán',
      'hola@cafeazul.example',
      receipt.title,
      `${receipt.folio} ${folio}`,
      '2 × Taza de cerámica',
      '$1,160.00 MXN',
      '$1,200.00 MXN',
      '$1,500.00 MXN',
      '$300.00 MXN',
      '$500.00 MXN',
      '$700.00 MXN',
      '085904123456789012',
      result.testReceipt,
    ])
      expect(words).toContain(said)
  })

  it('has the same bytes whenever its PDF is asked for', async () => {
    const drawn = []
    for (const day of ['2026-06-13', '2026-06-14']) {
      vi.setSystemTime(new Date(day))
      drawn.push(await receiptPdf(paidPaper(paid)))
    }
    vi.useRealTimers()
    expect(drawn[0]).toEqual(drawn[1])
  })

  it.each([
    ['es-MX', 'Comprobante de pedido', 'Precio', 'Descuento'],
    ['en', 'Order receipt', 'Price', 'Discount'],
  ] as const)(
    '%s: of an order that cost nothing tells price, discount and total, on page and paper',
    async (locale, ...said) => {
      const view = freeView({ locale })
      const money = ['$1,160.00 MXN', '−$1,160.00 MXN', '$0.00 MXN']
      const [page, paper] = [String(await freeReceipt(view)), wordsIn(await receiptPdf(view))]
      for (const each of [...said.slice(1), ...money, 'Total', '2 × Taza de cerámica'.slice(4)]) {
        expect(page).toContain(each)
        // The paper's encoding has a dash for the minus.
        expect(paper.some((words) => words.includes(each.replace('−', '\u0096')))).toBe(true)
      }
      expect(paper).toContain(said[0])
      expect(page).toContain('/receipt.pdf?lang=')
      expect(page).not.toContain(text[locale].common.card)
    },
  )

  it('with a logo the PDF tells the same', async () => {
    const paper = paidPaper(paid)
    const file = await receiptPdf(paper, { bytes: png(300, 100), contentType: 'image/png' })
    expect(Buffer.from(file).includes('/Subtype /Image')).toBe(true)
    expect(wordsIn(file)).toEqual(wordsIn(await receiptPdf(paper)))
  })

  it('any name fits, onto as many pages as it takes; letters that paper has not become a question mark', async () => {
    const lines = Array.from({ length: 90 }, (_, at) => ({
      name: `👩‍🍳 ${'ñ'.repeat(200)}`,
      quantity: at + 1,
      total: '1',
    }))
    const words = wordsIn(
      await receiptPdf(
        paidPaper({ ...paid, lines, merchantName: '店 بيت 👩‍🍳', description: 'x'.repeat(300) }),
      ),
    )
    expect(words.length).toBeGreaterThan(200)
    expect(words.filter((said) => said.includes('ñ')).length).toBeGreaterThan(90)
    expect(words[0]).toMatch(/^[? ]+$/)
  })
})
