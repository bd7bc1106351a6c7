import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { display, noOrder } from '../../functions/in-person/physical-checkout/words.ts'
import { text } from '../../functions/page/hosted-payment/pages/text.ts'
import {
  atRegisters,
  coffee,
  newCode,
  newCounter,
  newOrder,
  orderNow,
  payOrder,
} from '../support/registers.ts'
import { asBuyer, desktop, phone, sendCard } from './buyer.ts'
import { chromiumPath, launchChromium, picture } from './support.ts'

const pathOf = ({ url }: { url: string }) => new URL(url).pathname.slice(1)

describe.skipIf(!chromiumPath)('a register in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  test.each([
    ['es-MX', desktop],
    ['es-MX', phone],
    ['en', desktop],
    ['en', phone],
  ] as const)('%s, %o: a display follows its register by itself', async (lang, viewport) => {
    const counter = await newCounter()
    const code = await newCode(counter, 'display')
    const words = display[lang]
    await asBuyer(browser, { lang, viewport }, async (buyer) => {
      const { page } = buyer
      const shot = (name: string) => picture(page, `display-${lang}-${viewport.width}-${name}`)
      await buyer.open(pathOf(code))
      await page.evaluate('window.isSame = true')
      await page.waitForSelector(`text=${words.idle}`)
      await buyer.looksRight()
      await shot('idle')
      const order = await newOrder(counter, {
        line_items: [
          coffee('5800', { quantity: 2 }),
          { name: 'Pan de muerto con relleno de nata y chocolate', unit_amount: '1234500' },
        ],
        mode: 'dynamic',
      })
      await page.waitForSelector(`text=${words.scan}`)
      expect(await page.textContent('.total')).toContain('$12,461.00')
      expect(await page.locator('.scan .qr').count()).toBe(1)
      await buyer.looksRight()
      await shot('open')
      await payOrder(order, 'tok_sbx_3ds_challenge')
      await page.waitForSelector(`text=${words.paying}`)
      expect(await page.locator('.qr').count()).toBe(0)
      await buyer.looksRight()
      await shot('paying')
      await atRegisters(counter.merchant, 'POST', `/orders/${order.id}/detach`)
      await page.waitForSelector(`text=${words.idle}`)
      const next = await newOrder(counter, { mode: 'static' })
      await page.waitForSelector('text=Café americano')
      await payOrder(next)
      await page.waitForSelector(`text=${words.thanks}`)
      expect(await page.textContent('[role="status"]')).toBe(words.changed)
      await buyer.looksRight()
      await shot('paid')
      expect(await page.evaluate('window.isSame')).toBe(true)
    })
  })

  test.each(['es-MX', 'en'] as const)(
    '%s: a buyer scans the printed code, pays, and the order is paid',
    async (lang) => {
      const counter = await newCounter()
      const code = await newCode(counter)
      await asBuyer(browser, { lang }, async (buyer) => {
        const { page } = buyer
        await buyer.open(pathOf(code))
        expect(await buyer.heading()).toBe(noOrder[lang].title)
        await buyer.looksRight()
        await picture(page, `code-${lang}-nothing`)
        const order = await newOrder(counter, { tips: { presets_bps: [1000, 1500] } })
        await page.reload()
        expect(await page.textContent('main')).toContain('Café americano')
        await buyer.looksRight()
        await picture(page, `code-${lang}-order`)
        await sendCard(page, 'tok_sbx_approve')
        expect(await buyer.heading()).toBe(text[lang].result.succeeded.title)
        await picture(page, `code-${lang}-paid`)
        expect((await orderNow(counter, order)).status).toBe('paid')
      })
    },
  )
})
