import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSession, sessionNow } from '../support/checkout.ts'
import { newDiscount } from '../support/discounts.ts'
import { newMerchant } from '../support/merchant.ts'
import { share } from '../support/share.ts'
import { stack } from '../support/stack.ts'
import { chromiumPath, expectSound, launchChromium, openTab } from './support.ts'

describe.skipIf(!chromiumPath)('an order that the buyer changes, in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  const looks = [
    {
      look: { locale: 'es-MX', colorScheme: 'light', viewport: { width: 360, height: 740 } },
      words: {
        update: 'Actualizar',
        code: '¿Tienes un código de descuento?',
        apply: 'Aplicar',
        later: '¿No puedes terminar ahora?',
      },
    },
    {
      look: { locale: 'en', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
      words: {
        update: 'Update',
        code: 'Do you have a discount code?',
        apply: 'Apply',
        later: 'Cannot finish now?',
      },
    },
  ] as const
  test.each(share(looks, 2, 1))(
    'quantity, shipping, tip, code and details: $look.locale',
    async ({ look, words }) => {
      const merchant = await newMerchant({ name: 'Cerámica Azul' })
      await newDiscount(merchant)
      const session = await newSession(merchant, {
        line_items: [{ name: 'Taza', unit_amount: '10000', quantity_min: 1, quantity_max: 5 }],
        shipping_options: [
          { name: 'Paquetería', amount: '9900' },
          { name: 'Recoger en tienda', amount: '0' },
        ],
        tips: { presets_bps: [1_000], allows_own_amount: true },
        allows_discount_codes: true,
        payment_method_types: ['card', 'oxxo'],
        recovery: { delay_minutes: 60 },
        collects: {
          phone: 'required',
          shipping_countries: ['MX', 'GT'],
          tax_data: 'optional',
          custom_fields: [{ key: 'size', label: 'Talla', type: 'text', required: true }],
          consents: [{ key: 'terms', text: 'Acepto los términos', version: '1', required: true }],
        },
      })
      const { page, problems, close } = await openTab(browser, look)
      const press = (name: string) => page.getByRole('button', { name }).click()
      const amount = () => sessionNow(merchant, session).then((now) => now.amount)
      await page.goto(`${stack.sandbox.directUrl}/${session.public_id}`)
      await expectSound(page)
      if (await page.isVisible('#order:not([open]) #order-line')) await page.click('#order-line')
      await page.fill('[name="quantity.0"]', '2')
      await page.check('[name="shipping"][value="1"]')
      await page.check('[name="tip"][value="1000"]')
      await expect.poll(amount).toBe('22000')
      expect(await page.getByRole('button', { name: words.update }).count()).toBe(0)
      await page.getByText(words.code).click()
      await page.fill('[name="code"]', 'nada')
      await press(words.apply)
      await page.locator('#code-error').waitFor()
      expect(await page.locator('[name="code"]').inputValue()).toBe('nada')
      await expectSound(page)
      await page.fill('[name="code"]', 'buenfin')
      await press(words.apply)
      await expect.poll(amount).toBe('19800')
      await page.locator('[name="code"][value=""]').waitFor()
      await expectSound(page)
      expect(await sessionNow(merchant, session)).toMatchObject({
        amount_discount: '2000',
        amount_shipping: '0',
        amount_tip: '1800',
        amount: '19800',
      })

      await page.getByText(words.later).click()
      await page.fill('#recovery_email', 'ana@example.com')
      await page.check('[name="consent"]')
      await expectSound(page, 'recovery')
      await page.locator('.recovery button').click()
      await page.locator('.recovery .muted').waitFor()

      await page.locator('#by-oxxo > summary').click()
      await page.fill('#ship\\.name', 'Ana Ruiz')
      await page.fill('#buyer-name', 'Ana Ruiz')
      await page.fill('#buyer-email', 'ana@example.com')
      await page.locator('#by-oxxo button.primary').click()
      await page.locator('#ship\\.line1-error').waitFor()
      expect(await page.locator('#ship\\.name').inputValue()).toBe('Ana Ruiz')
      await expectSound(page)
      // Chromium reports the status of the form that comes back.
      expect(problems.filter((problem) => !problem.includes('422'))).toEqual([])
      await close()
    },
  )
})
