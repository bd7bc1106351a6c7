import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { text } from '../../functions/page/hosted-payment/pages/text.ts'
import type { Locale } from '../../src/kernel/locale.ts'
import { type Picture, scan } from '../support/barcode.ts'
import { vouchersOf } from '../support/cash.ts'
import { call, type Merchant } from '../support/merchant.ts'
import { share } from '../support/share.ts'
import { adminSql } from '../support/stack.ts'
import { asBuyer, books, choose, desktop, phone, press, sale, sendCard } from './buyer.ts'
import { chromiumPath, launchChromium } from './support.ts'

let browser: Browser
const both: Locale[] = ['es-MX', 'en']
const selling = { payment_method_types: ['card', 'oxxo'] }

const till = (merchant: Merchant, reference: string) =>
  call('POST', `/v1/sandbox/oxxo/${reference}/pay`, { bearer: merchant.apiKey, body: {} })

async function fillBuyer(page: Page): Promise<void> {
  await page.fill('#buyer-name', 'Ana López')
  await page.fill('#buyer-email', 'ana@example.com')
}

/** What a scanner sees of an element on the screen. */
async function photographed(page: Page, selector: string): Promise<Picture> {
  const png = (await page.locator(selector).screenshot()).toString('base64')
  const eye = await browser.newPage()
  try {
    // It runs in the page, so it is text: here are no DOM types.
    const seen = await eye.evaluate<{ grey: number[]; width: number; height: number }>(`(async () => {
      const image = new Image()
      image.src = 'data:image/png;base64,${png}'
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, image.width, image.height)
      const grey = Array.from({ length: data.length / 4 }, (_, at) => data[at * 4])
      return { grey, width: image.width, height: image.height }
    })()`)
    return { pixels: Uint8ClampedArray.from(seen.grey), width: seen.width, height: seen.height }
  } finally {
    await eye.close()
  }
}

describe.skipIf(!chromiumPath)('a buyer pays at OXXO', () => {
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  it.each([
    ['es-MX', phone],
    ['en', desktop],
  ] as const)(
    '%s: chooses OXXO, gets a voucher that scans, pays it, sees that it is paid',
    async (lang, viewport) => {
      const words = text[lang]
      const { merchant, tenantId, publicId } = await sale(selling)
      await asBuyer(browser, { lang, viewport }, async (buyer) => {
        const { page } = buyer
        await buyer.open(publicId)
        await choose(page, 'oxxo')
        expect(await page.locator('details.method[open] .method-name').allTextContents()).toEqual(['OXXO'])
        expect(await page.textContent('#by-oxxo .promise')).toMatch(/(vence el|pay by) .*\d/)
        await buyer.looksRight()
        await fillBuyer(page)
        await press(page, 'button.primary')
        expect(await buyer.heading()).toBe(words.voucher.networks.oxxo.title)
        await buyer.looksRight()
        const [voucher] = await vouchersOf(tenantId)
        const digits = (await page.textContent('.digits'))!.replaceAll(' ', '')
        expect(digits).toBe(voucher!.reference)
        expect(scan(await photographed(page, '.barcode'))).toBe(voucher!.reference)
        expect(await page.textContent('main')).toContain(words.voucher.networks.oxxo.fee)
        expect(await page.textContent('main')).toContain('$1,200.00 MXN')

        // A buyer who opens the link again finds the voucher.
        await buyer.open(publicId)
        expect(await buyer.heading()).toBe(words.voucher.networks.oxxo.title)

        expect((await till(merchant, voucher!.reference)).status).toBe(200)
        await press(page, `a.secondary:has-text("${words.voucher.check}")`)
        expect(await buyer.heading()).toBe(words.result.succeeded.title)
        expect(await page.textContent('main')).toContain(voucher!.reference)
        await buyer.looksRight()
      })
      expect(await books(tenantId)).toEqual({
        payments: [{ status: 'succeeded', amount: '120000', attempts: 'captured' }],
        journals: ['0'],
      })
    },
  )

  it('the printed voucher has black bars and no button', async () => {
    const { tenantId, publicId } = await sale({ payment_method_types: ['oxxo'] })
    await asBuyer(browser, { colorScheme: 'dark' }, async ({ page, open }) => {
      await open(publicId)
      await fillBuyer(page)
      await press(page, 'button.primary')
      const [voucher] = await vouchersOf(tenantId)
      expect(scan(await photographed(page, '.barcode')), 'in dark mode').toBe(voucher!.reference)
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('button:visible, a.button:visible').count()).toBe(0)
      expect(await page.locator('.digits:visible').count()).toBe(1)
      expect(scan(await photographed(page, '.barcode')), 'on paper').toBe(voucher!.reference)
    })
  })

  it('the page learns by itself that the voucher was paid', async () => {
    const { merchant, tenantId, publicId } = await sale({ payment_method_types: ['oxxo'] })
    await asBuyer(browser, { lang: 'en' }, async ({ page, open, heading }) => {
      await page.clock.install()
      await open(publicId)
      await fillBuyer(page)
      await press(page, 'button.primary')
      const [voucher] = await vouchersOf(tenantId)
      await till(merchant, voucher!.reference)
      await page.clock.runFor(15_100)
      await expect.poll(heading).toBe('Payment approved')
    })
  })

  it.each(share(both, 2, 1))('%s: pays by card instead; the voucher is closed', async (lang) => {
    const words = text[lang]
    const { tenantId, publicId } = await sale(selling)
    await asBuyer(browser, { lang }, async (buyer) => {
      const { page } = buyer
      await buyer.open(publicId)
      await choose(page, 'oxxo')
      await fillBuyer(page)
      await press(page, 'button.primary')
      await press(page, `a.secondary:has-text("${words.voucher.other}")`)
      expect(await page.textContent('.notice')).toContain(words.pay.pending.oxxo.detail)
      await buyer.looksRight()
      await sendCard(page, 'tok_sbx_approve')
      expect(await buyer.heading()).toBe(words.result.succeeded.title)
    })
    expect((await vouchersOf(tenantId)).map(({ status }) => status)).toEqual(['canceled'])
    expect((await books(tenantId)).payments).toEqual([
      { status: 'canceled', amount: '120000', attempts: 'canceled' },
      { status: 'succeeded', amount: '120000', attempts: 'captured' },
    ])
  })

  it('past its expiry the voucher says so, and until when a payment made in time can still be reported', async () => {
    const { tenantId, publicId } = await sale({ payment_method_types: ['oxxo'] })
    await asBuyer(browser, {}, async (buyer) => {
      const { page } = buyer
      await buyer.open(publicId)
      await fillBuyer(page)
      await press(page, 'button.primary')
      await adminSql('sandbox')(
        `update payment_attempts set expires_at = now() - interval '1 minute' where tenant_id = $1`,
        [tenantId],
      )
      await page.reload()
      expect(await buyer.heading()).toBe(text['es-MX'].voucher.expired.title)
      expect(await page.locator('.barcode').count()).toBe(0)
      await buyer.looksRight()
    })
  })

  it('without JavaScript a form with a mistake keeps what was typed', async () => {
    const { publicId } = await sale(selling)
    await asBuyer(browser, { javaScriptEnabled: false, lang: 'en' }, async ({ page, open, heading }) => {
      await open(publicId)
      await choose(page, 'oxxo')
      await page.fill('#buyer-name', 'Ana López')
      await page.fill('#buyer-email', 'ana@example')
      await press(page, 'button.primary')
      expect(await page.textContent('[role="alert"] li')).toBe(text.en.pay.wrong.email)
      expect(await page.textContent('#buyer-email-error')).toBe(text.en.pay.wrong.email)
      expect(await page.inputValue('#buyer-name')).toBe('Ana López')
      await page.fill('#buyer-email', 'ana@example.com')
      await press(page, 'button.primary')
      expect(await heading()).toBe(text.en.voucher.networks.oxxo.title)
    })
  })
})
