import fc from 'fast-check'
import { expect, test } from 'vitest'
import { barcode } from '../../../functions/page/hosted-payment/pages/waiting/barcode.ts'
import { voucherPage } from '../../../functions/page/hosted-payment/pages/waiting/voucher.ts'
import { drawn, scan } from '../../support/barcode.ts'
import { voucherView } from './samples.ts'

const svgOf = (html: string) => /<svg class="barcode".*?<\/svg>/s.exec(html)![0]

test('what the voucher page draws scans as its number', async () => {
  const page = String(await voucherPage(voucherView()))
  expect(scan(drawn(svgOf(page), 3))).toBe('98012345678904')
})

test('every number of 14 to 20 digits scans as itself', () => {
  const digits = fc.stringMatching(/^[0-9]{14,20}$/)
  fc.assert(
    fc.property(digits, fc.integer({ min: 1, max: 4 }), (number, scale) => {
      expect(scan(drawn(String(barcode(number, 'x')), scale))).toBe(number)
    }),
    { numRuns: 200 },
  )
})

test('the decoder proves something: with one bar moved it reads nothing', () => {
  const svg = String(barcode('98012345678904', 'x'))
  const broken = svg.replace(/M(\d{2}) 0h1v/, (_, x) => `M${Number(x) + 1} 0h1v`)
  expect(broken).not.toBe(svg)
  expect(() => scan(drawn(broken, 3))).toThrow()
})

test.each(['', '12a4', '1'.repeat(41), '"><script>'])('no barcode of %j', (number) => {
  expect(() => barcode(number, 'x')).toThrow(RangeError)
})
