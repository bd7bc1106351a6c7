import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkout, newSession, onSale, payByCard } from '../support/checkout.ts'
import { newMerchant } from '../support/merchant.ts'
import { stack } from '../support/stack.ts'
import { chromiumPath, expectSound, launchChromium, openTab } from './support.ts'

const name = 'Taza azul de barro, pintada a mano en Dolores Hidalgo, Guanajuato'

describe.skipIf(!chromiumPath)('a checkout, in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  test.each([
    {
      look: { locale: 'es-MX', colorScheme: 'light', viewport: { width: 360, height: 740 } },
      words: { back: 'Volver a Cerámica Azul', soldOut: 'Se agotó', over: 'El tiempo para pagar terminó' },
    },
    {
      look: { locale: 'en', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
      words: { back: 'Back to Cerámica Azul', soldOut: 'Sold out', over: 'The time to pay is over' },
    },
  ] as const)(
    'lines, the way back, the receipt, sold out and over: $look.locale',
    async ({ look, words }) => {
      const merchant = await newMerchant({ name: 'Cerámica Azul' })
      await checkout(merchant, 'PUT', '/settings', { return_origins: ['https://tienda.example'] })
      const session = await newSession(merchant, {
        line_items: [
          { name, unit_amount: '58000', quantity: 2 },
          { name: 'Envío', unit_amount: '9900' },
        ],
        payment_method_types: ['card', 'oxxo', 'spei'],
        success_url: 'https://tienda.example/gracias',
        cancel_url: 'https://tienda.example/carrito',
      })
      const { page, problems, close } = await openTab(browser, look)
      const show = (path: string) => page.goto(`${stack.sandbox.directUrl}${path}`)

      await show(`/${session.public_id}`)
      expect(await page.locator('.lines:not(.sum) li').allTextContents()).toMatchObject([
        expect.stringMatching(/2 ×[\s\S]*\$1,160\.00/),
        expect.stringMatching(/Envío[\s\S]*\$99\.00/),
      ])
      expect(await page.getByText(words.back).getAttribute('href')).toBe('https://tienda.example/carrito')
      await expectSound(page, `form-${look.locale}`)

      const { location } = await payByCard(session)
      await show(location!.replace(/lang=\w+/, `lang=${look.locale.slice(0, 2)}`))
      expect(await page.getByText(words.back).getAttribute('href')).toBe('https://tienda.example/gracias')
      expect(await page.locator('.lines:not(.sum) li').count()).toBe(2)
      await expectSound(page, `receipt-${look.locale}`)

      const [item] = await onSale(merchant, 0)
      const cancel_url = 'https://tienda.example/carrito'
      const gone = await newSession(merchant, { line_items: [{ item_id: item }], cancel_url })
      await show(`/${gone.public_id}`)
      expect(await page.locator('h1').textContent()).toBe(words.soldOut)
      expect(await page.getByText(words.back).getAttribute('href')).toBe(cancel_url)
      await expectSound(page, `sold-out-${look.locale}`)

      await checkout(merchant, 'POST', `/sessions/${gone.id}/expire`)
      await show(`/${gone.public_id}`)
      expect(await page.locator('h1').textContent()).toBe(words.over)
      await expectSound(page, `over-${look.locale}`)
      // The browser reports the closed states' HTTP status.
      expect(problems.filter((problem) => !/status of 4(09|10)/.test(problem))).toEqual([])
      await close()
    },
  )
})
