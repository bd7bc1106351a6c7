import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedWords } from '../../functions/page/hosted-payment/pages/frame/shared.ts'
import { text } from '../../functions/page/hosted-payment/pages/text.ts'
import { dish, newBill } from '../support/table-pay.ts'
import { asBuyer, desktop, origin, press, sendCard } from './buyer.ts'
import { chromiumPath, launchChromium } from './support.ts'

const said = {
  'es-MX': { lines: 'Paga lo tuyo', busy: 'Alguien más ya paga eso', settled: 'La cuenta está pagada' },
  en: { lines: 'Pay for what is yours', busy: 'Somebody else is paying', settled: 'The bill is paid' },
} as const

describe.skipIf(!chromiumPath)('the bill of a table in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  test.each(['es-MX', 'en'] as const)(
    '%s: an open page shows what was added and paid meanwhile, and keeps what is chosen and typed',
    async (lang) => {
      const bill = await newBill(14_500, 5_200, 9_900)
      await asBuyer(browser, { lang }, async (buyer) => {
        const { page } = buyer
        await buyer.open(bill.address)
        await page.evaluate('window.isSame = true')
        await page.check(`input[value="${bill.lines[0]}"]`)
        await page.check(`input[value="${bill.lines[1]}"]`)
        await page.fill('#amount', '77.50')
        await bill.ask('POST', '/lines', { line_items: [dish(4_000, { name: 'Café' })] })
        await bill.pay(`line=${bill.lines[1]}`)
        await page.waitForSelector('text=Café')
        expect(await page.isChecked(`input[value="${bill.lines[0]}"]`)).toBe(true)
        expect(await page.locator(`input[value="${bill.lines[1]}"]`).count()).toBe(0)
        expect(await page.inputValue('#amount')).toBe('77.50')
        expect(await page.evaluate('document.activeElement.id')).toBe('amount')
        expect(await page.textContent('[role="status"]')).toBe(sharedWords[lang].changed)
        expect(await page.evaluate('window.isSame')).toBe(true)
        await buyer.looksRight()
        await press(page, 'form:has([name="line"]) button')
        expect(await page.textContent('.amount')).toBe('$145.00 MXN')
      })
    },
  )

  test.each(['es-MX', 'en'] as const)(
    '%s: a guest pays lines while another line is added, and the last one pays the rest',
    async (lang) => {
      const bill = await newBill(14_500, 5_200, 9_900)
      await asBuyer(browser, { lang }, async (buyer) => {
        const { page } = buyer
        await buyer.open(new URL(bill.table.url).pathname.slice(1))
        expect(await page.textContent('h2')).toBe(said[lang].lines)
        await buyer.looksRight()
        await page.check(`input[value="${bill.lines[0]}"]`)
        await page.check(`input[value="${bill.lines[2]}"]`)
        await press(page, 'form:has([name="line"]) button')
        await bill.ask('POST', '/lines', { line_items: [dish(4_000, { name: 'Café' })] })
        expect(await page.textContent('.amount')).toBe('$244.00 MXN')
        await sendCard(page, 'tok_sbx_approve')
        expect(await buyer.heading()).toBe(text[lang].result.succeeded.title)
        const shown = await page.textContent('main')
        expect(['Plato 1', 'Plato 2', 'Plato 3'].map((name) => shown!.includes(name))).toEqual([
          true,
          false,
          true,
        ])
      })
      await asBuyer(browser, { lang }, async (buyer) => {
        const { page } = buyer
        const query = `line=${bill.lines[0]}&lang=${lang === 'en' ? 'en' : 'es'}`
        await page.goto(`${origin}/${bill.address}?${query}`)
        expect(await page.textContent('main')).toContain(said[lang].busy)
        await buyer.looksRight()
        await page.click('.presets a')
        expect(await page.textContent('.amount')).toBe('$92.00 MXN')
        await sendCard(page, 'tok_sbx_approve')
        expect(await buyer.heading()).toBe(text[lang].result.succeeded.title)
      })
      await asBuyer(browser, { lang, viewport: desktop }, async (buyer) => {
        await buyer.open(bill.address)
        expect(await buyer.heading()).toBe(said[lang].settled)
        await buyer.looksRight()
      })
    },
  )
})
