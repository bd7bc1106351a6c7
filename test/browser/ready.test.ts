import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { text } from '../../functions/page/hosted-payment/pages/text.ts'
import type { Method } from '../../src/kernel/payment-methods.ts'
import { call, newLink, newMerchant } from '../support/merchant.ts'
import { asBuyer, books, choose, desktop, origin, phone, press, sale, sendCard, typeCard } from './buyer.ts'
import { chromiumPath, launchChromium, openTab } from './support.ts'

/** What a page costs before its buyer can pay, and that each method is paid without a mouse. */

const all = { payment_method_types: ['card', 'oxxo', 'spei'] }
const months = [3, 6, 9, 12].map((each) => ({ months: each }))
const logo =
  'iVBORw0KGgoAAAANSUhEUgAAASwAAABQCAIAAAAsiN8sAAAAwElEQVR42u3TQQ0AAAjEsNOADxwiHhk8aFIFS5bpAg5FAjAhmBAwIZgQMCGYEDAhmBAwIZgQMCGYEDAhmBAwIZgQMCGYEDAhmBAwIZgQMCGYEDAhmBAwIZgQMCGYEDAhmBAwIZgQMCGYEDAhmBAwIZgQMCGYEDAhmBAwIZgQMCGYEDAhmBAwIZgQMCGYEDAhmBAwIZgQMCGYEDAhmBAwIZgQTKgCmBBMCJgQTAiYEEwImBBMCJgQTAiYEEwImBA+WD4Mfz3VqL3CAAAAAElFTkSuQmCC'
let browser: Browser

describe.skipIf(!chromiumPath)('a page where a buyer can pay', () => {
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  it('is transferred in at most 20 KB and 4 requests, logo and every method included', async () => {
    const merchant = await newMerchant({ name: 'Papelería Ñandú' })
    const branding = '/v1/workspace/branding'
    const put = await call('PUT', `${branding}/logo`, { bearer: merchant.apiKey, body: { content: logo } })
    expect(put.status).toBe(200)
    const body = { primary_color: '#7c2d12' }
    expect((await call('PATCH', branding, { bearer: merchant.apiKey, body })).status).toBe(200)
    const link = await newLink(merchant, { ...all, installment_options: months })
    const tab = await openTab(browser, { viewport: phone })
    const bodies: Buffer[] = []
    tab.page.on('response', async (response) => {
      bodies.push(await response.body())
    })
    await tab.page.goto(`${origin}/${link.public_id}?lang=es`, { waitUntil: 'networkidle' })
    await tab.page.locator('#card-number').waitFor()
    expect(tab.requests.length).toBeLessThanOrEqual(4)
    expect(bodies).toHaveLength(tab.requests.length)
    const weigh = (of: (body: Buffer) => number) => bodies.reduce((sum, body) => sum + of(body), 0)
    // Transferred as the edge compresses it; and what a phone must read.
    expect(weigh((body) => gzipSync(body).byteLength)).toBeLessThanOrEqual(20 * 1024)
    expect(weigh((body) => body.byteLength)).toBeLessThanOrEqual(52 * 1024)
    expect(tab.problems).toEqual([])
    await tab.close()
  })

  it('shows of itself in a message: whom, what and how much', async () => {
    const { publicId } = await sale(all)
    const html = await (await fetch(`${origin}/${publicId}?lang=es`)).text()
    const shown = (name: string) =>
      new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1]
    expect(shown('og:title')).toBe('Pagar a Papelería Ñandú')
    expect(shown('og:description')).toBe('$1,200.00 MXN · Silla de jardín')
    expect(shown('robots')).toBe('noindex, nofollow')
  })

  const focused = (page: Page) =>
    page.evaluate<string>(`(() => {
      const one = document.activeElement
      return one.tagName === 'SUMMARY' ? one.parentElement.id : one.id || one.className
    })()`)

  async function tabTo(page: Page, name: string) {
    for (let presses = 0; presses < 25 && (await focused(page)) !== name; presses++)
      await page.keyboard.press('Tab')
    expect(await focused(page)).toBe(name)
  }

  const onward = (page: Page) => Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])

  it.each([
    ['oxxo', phone],
    ['spei', desktop],
  ] as const)('%s: with the keyboard alone', async (method, viewport) => {
    const { publicId } = await sale({ ...all, installment_options: months })
    await asBuyer(browser, { viewport }, async ({ page, open, heading }) => {
      await open(publicId)
      await tabTo(page, 'buyer-name')
      await page.keyboard.type('Ana López')
      await page.keyboard.press('Tab')
      await page.keyboard.type('ana@example.com')
      await tabTo(page, `by-${method}`)
      await page.keyboard.press('Enter')
      await tabTo(page, 'primary')
      await onward(page)
      const { spei, voucher } = text['es-MX']
      expect(await heading()).toBe(method === 'spei' ? spei.title : voucher.networks[method].title)
    })
  })

  it('card: with the keyboard alone, after a refusal that stands on the form', async () => {
    const { tenantId, publicId } = await sale(all)
    await asBuyer(browser, { lang: 'en' }, async ({ page, open, heading }) => {
      const type = async (number: string) => {
        await tabTo(page, 'card-number')
        for (const typed of [number, '1234', '123', 'Ana Prueba']) {
          await page.keyboard.type(typed)
          if (typed !== 'Ana Prueba') await page.keyboard.press('Tab')
        }
        await onward(page)
      }
      await open(publicId)
      await type('4000000000009995')
      expect(await heading()).toBe(text.en.result.declined.titles.card)
      expect(await page.evaluate('document.activeElement.className')).toBe('alert declined')
      // The other ways stand in the message itself.
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await focused(page)).toBe('by-oxxo')
      expect(await page.locator('#buyer-name').isVisible()).toBe(true)
      await page.keyboard.press('Shift+Tab')
      await tabTo(page, 'by-card')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Shift+Tab')
      await type('4242424242424242')
      expect(await heading()).toBe('Payment approved')
    })
    expect((await books(tenantId)).payments).toMatchObject([{ attempts: 'declined captured' }])
  })

  it('what was typed and chosen stays over a reload and over going back; a card does not', async () => {
    const { publicId } = await sale({ ...all, installment_options: months })
    await asBuyer(browser, { viewport: desktop }, async ({ page, open }) => {
      await open(publicId)
      await typeCard(page, 'tok_sbx_approve')
      await choose(page, 'spei' satisfies Method)
      await page.fill('#buyer-name', 'Ana López')
      await page.fill('#buyer-email', 'ana@')
      await expect.poll(() => page.evaluate('JSON.stringify(history.state)')).toContain('ana@')
      expect(await page.evaluate('JSON.stringify(history.state)')).not.toMatch(/4242|1234/)
      await page.reload()
      expect(await page.inputValue('#buyer-name')).toBe('Ana López')
      expect(await page.locator('details.method[open]').getAttribute('id')).toBe('by-spei')
      expect(await page.inputValue('#card-number')).toBe('')
      expect(await page.inputValue('#buyer-email')).toBe('ana@')
      await page.click('button.primary >> visible=true')
      expect(await page.textContent('#buyer-email-error')).toBe(text['es-MX'].pay.wrong.email)
      await press(page, 'a.language')
      await page.goBack()
      expect(await page.inputValue('#buyer-email')).toBe('ana@')
    })
  })

  it('a voucher is copied and shared where the browser can, and its picture is saved', async () => {
    const { publicId } = await sale({ payment_method_types: ['oxxo'] })
    const options = { viewport: desktop, permissions: ['clipboard-read', 'clipboard-write'] }
    await asBuyer(browser, options, async ({ page, open }) => {
      await open(publicId)
      await page.fill('#buyer-name', 'Ana López')
      await page.fill('#buyer-email', 'ana@example.com')
      await press(page, 'button.primary')
      const digits = (await page.textContent('.digits'))!.replaceAll(' ', '')
      const words = text['es-MX'].awaiting
      await page.click(`button:has-text("${words.copyNumber}")`)
      await expect.poll(() => page.textContent('[data-copy-status]')).toBe(words.numberCopied)
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(digits)
      expect(await page.locator('.qr').isVisible()).toBe(true)
      const [picture] = await Promise.all([
        page.waitForEvent('download'),
        page.click(`button:has-text("${words.save}")`),
      ])
      expect(picture.suggestedFilename()).toBe('spindle.png')
    })
  })

  it('a receipt is downloaded as a PDF', async () => {
    const { publicId } = await sale()
    await asBuyer(browser, {}, async ({ page, open }) => {
      await open(publicId)
      await sendCard(page, 'tok_sbx_approve')
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.click(`a:has-text("${text['es-MX'].receipt.pdf}")`),
      ])
      expect(file.suggestedFilename()).toMatch(/^[0-9A-Z]{3}-[0-9A-Z]{3}-[0-9A-Z]{3}\.pdf$/)
    })
  })
})
