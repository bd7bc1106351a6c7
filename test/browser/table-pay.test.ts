import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
