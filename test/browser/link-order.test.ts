import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onSale } from '../support/checkout.ts'
import { linkOfLines } from '../support/link-lines.ts'
import { call, newMerchant } from '../support/merchant.ts'
import { share } from '../support/share.ts'
import { stack } from '../support/stack.ts'
import { sendCard } from './buyer.ts'
import { chromiumPath, expectSound, launchChromium, openTab } from './support.ts'

describe.skipIf(!chromiumPath)('a link of several lines, in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  const looks = [
    { locale: 'es-MX', colorScheme: 'light', viewport: { width: 360, height: 740 } },
    { locale: 'en', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  ] as const
  test.each(share(looks, 2, 1))(
    'each buyer chooses shipping and tip, and pays what is shown: $locale',
    async (look) => {
      const merchant = await newMerchant({ name: 'Cerámica Azul' })
      const [plate, cup] = (await onSale(merchant, 9, 9)) as [string, string]
      const { id, public_id } = await linkOfLines(
        merchant,
        [{ item_id: plate, quantity: 2 }, { item_id: cup }],
        {
          usage: 'multi_use',
          shipping_options: [
            { name: 'Paquetería', amount: '9900' },
            { name: 'Recoger en tienda', amount: '0' },
          ],
          tips: { presets_bps: [1_000], allows_own_amount: true },
        },
      )
      const { page, problems, close } = await openTab(browser, look)
      const shows = (amount: string) => page.locator('.summary .amount', { hasText: amount }).waitFor()
      const unfold = async () => {
        if (await page.isVisible('#order:not([open]) #order-line')) await page.click('#order-line')
      }
      await page.goto(`${stack.sandbox.baseUrl}/${public_id}`)
      await shows('$399.00')
      await expectSound(page)
      await unfold()
      for (const line of ['Plato a', 'Plato b'])
        await page.locator('.lines', { hasText: line }).first().waitFor()
      await page.check('[name="shipping"][value="1"]')
      await page.check('[name="tip"][value="1000"]')
      await shows('$330.00')
      await expectSound(page)

      await page.check('[name="tip"][value="own"]')
      await page.fill('#tip_own', 'mucho')
      await page.locator('#tip_own').blur()
      await page.locator('[data-blocked]').waitFor()
      await expectSound(page, 'blocked')
      await page.fill('#tip_own', '7.50')
      await page.locator('#tip_own').blur()
      await shows('$307.50')

      await page.reload()
      await shows('$307.50')
      expect(await page.isChecked('[name="shipping"][value="1"]')).toBe(true)
      await sendCard(page, 'tok_sbx_approve')
      await page.locator('main', { hasText: 'Plato b' }).waitFor()
      await expectSound(page, 'receipt')
      const { body } = await call('GET', `/v1/payment-operations/payments?origin_id=${id}`, {
        bearer: merchant.apiKey,
      })
      expect(body.data).toMatchObject([
        { amount: '30750', amount_tip: '750', order: { shipping: { name: 'Recoger en tienda' } } },
      ])
      expect(problems).toEqual([])
      await close()
    },
  )
})
