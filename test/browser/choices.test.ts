import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSession, sessionNow } from '../support/checkout.ts'
import { call, newLink, newMerchant } from '../support/merchant.ts'
import { stack } from '../support/stack.ts'
import { typeCard } from './buyer.ts'
import { chromiumPath, expectSound, launchChromium, openTab } from './support.ts'

/** What the screen shows as chosen is what is charged, with and without a script. */

const ordered = {
  line_items: [{ name: 'Taza', unit_amount: '10000', quantity_min: 1, quantity_max: 5 }],
  shipping_options: [
    { name: 'Paquetería', amount: '9900' },
    { name: 'Recoger en tienda', amount: '0' },
  ],
  tips: { presets_bps: [1_500], allows_own_amount: true },
  payment_method_types: ['card', 'oxxo'],
}
const asked = {
  collects: {
    shipping_countries: ['MX'],
    tax_data: 'required',
    custom_fields: [
      {
        key: 'size',
        label: 'Talla',
        type: 'dropdown',
        required: true,
        options: [{ value: 'm', label: 'Mediana' }],
      },
    ],
    consents: [{ key: 'terms', text: 'Acepto los términos', version: '1', required: true }],
  },
}
const chosen = { amount: '34500', amount_shipping: '0', amount_tip: '4500', line_items: [{ quantity: 3 }] }
const total = 'Cambiaste tu pedido: el total es ahora $345.00 MXN.'

describe.skipIf(!chromiumPath)('what a buyer chooses, in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  const at = (publicId: string, query = '') => `${stack.sandbox.directUrl}/${publicId}?lang=es${query}`
  const pay = (page: Page) => page.locator('button.primary >> visible=true').click()

  async function choose(page: Page) {
    await page.fill('[name="quantity.0"]', '3')
    await page.check('[name="shipping"][value="1"]')
    await page.check('[name="tip"][value="1500"]')
  }

  test('with a script: at once, in place, with the card and all else as typed; what is shown is paid', async () => {
    const merchant = await newMerchant({ name: 'Cerámica Azul' })
    const session = await newSession(merchant, ordered)
    const { page, problems, close } = await openTab(browser)
    await page.goto(at(session.public_id))
    await page.fill('#buyer-email', 'ana@example.com')
    await typeCard(page, 'tok_sbx_approve')
    await choose(page)
    await expect.poll(() => page.textContent('.summary .amount')).toBe('$345.00 MXN')
    expect(await sessionNow(merchant, session)).toMatchObject({ status: 'open', ...chosen })
    expect(await page.textContent('#by-card button.primary')).toContain('$345.00')
    expect([await page.inputValue('#card-cvc'), await page.inputValue('#buyer-email')]).toEqual([
      '123',
      'ana@example.com',
    ])
    await expectSound(page, 'order-chosen')
    // An own amount is awaited: the page that comes back meanwhile does not choose another tip.
    await page.evaluate("document.querySelector('.summary').setAttribute('data-former', '')")
    await page.check('[name="tip"][value="own"]')
    await page.locator('.summary:not([data-former])').waitFor()
    expect(await page.isChecked('[name="tip"][value="own"]')).toBe(true)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('tip_own')
    expect(await page.textContent('.summary .amount')).toBe('$345.00 MXN')
    // An own amount is typed and the payment is pressed at once: the new total is seen first.
    await page.fill('#tip_own', '20')
    await page.locator('#by-card button.primary').dispatchEvent('click')
    await page.locator('.renewed').waitFor()
    expect(await page.textContent('.renewed')).toContain('el total es ahora $320.00 MXN')
    expect(await sessionNow(merchant, session)).toMatchObject({ status: 'open', amount_tip: '2000' })
    await Promise.all([page.waitForURL(/\/spcs_[a-z0-9]{32}\/spcs_/), pay(page)])
    expect(await sessionNow(merchant, session)).toMatchObject({
      ...chosen,
      status: 'complete',
      amount: '32000',
      amount_tip: '2000',
    })
    expect(problems).toEqual([])
    await close()
  })

  test('without a script: the button that pays applies it first, says the new total, and charges nothing', async () => {
    const merchant = await newMerchant()
    const session = await newSession(merchant, ordered)
    const { page, close } = await openTab(browser, { javaScriptEnabled: false })
    await page.goto(at(session.public_id))
    await choose(page)
    await page.fill('#buyer-email', 'ana@example.com')
    await page.selectOption('#card-token', 'tok_sbx_approve')
    await pay(page)
    expect(await page.textContent('#pay .alert')).toContain(total)
    expect(await sessionNow(merchant, session)).toMatchObject({ status: 'open', payment_id: null, ...chosen })
    expect(await page.inputValue('#buyer-email')).toBe('ana@example.com')
    await page.selectOption('#card-token', 'tok_sbx_approve')
    await pay(page)
    expect(await sessionNow(merchant, session)).toMatchObject({ status: 'complete', ...chosen })
    await close()
  })

  test('without a script: the button that applies keeps what was typed', async () => {
    const session = await newSession(await newMerchant(), { ...ordered, ...asked })
    const { page, close } = await openTab(browser, { javaScriptEnabled: false })
    await page.goto(at(session.public_id))
    await page.fill('#ship\\.name', 'Ana Ruiz')
    await page.fill('#buyer-name', 'Ana Ruiz')
    await choose(page)
    await page.getByRole('button', { name: 'Actualizar' }).click()
    expect(await page.textContent('.summary .amount')).toBe('$345.00 MXN')
    expect([await page.inputValue('#ship\\.name'), await page.inputValue('#buyer-name')]).toEqual([
      'Ana Ruiz',
      'Ana Ruiz',
    ])
    await close()
  })

  test.each([true, false])(
    'a link of several: what is typed is paid; script: %s',
    async (javaScriptEnabled) => {
      const merchant = await newMerchant()
      const link = await newLink(merchant, {
        usage: 'multi_use',
        adjustable_quantity: { min: 1, max: 5 },
        manual_amount: 10_000,
      })
      const { page, close } = await openTab(browser, { javaScriptEnabled })
      await page.goto(at(link.public_id))
      await page.fill('#quantity', '3')
      if (javaScriptEnabled) {
        await typeCard(page, 'tok_sbx_approve')
        await expect.poll(() => page.textContent('.summary .amount')).toBe('$300.00 MXN')
        expect(new URL(page.url()).searchParams.get('quantity')).toBe('3')
      } else {
        await page.selectOption('#card-token', 'tok_sbx_approve')
        await pay(page)
        expect(await page.textContent('#pay .alert')).toContain('el total es ahora $300.00 MXN')
        await page.selectOption('#card-token', 'tok_sbx_approve')
      }
      await Promise.all([page.waitForURL(/\/spcs_/), pay(page)])
      const { body } = await call<{ data: { amount: string }[] }>('GET', '/v1/payment-operations/payments', {
        bearer: merchant.apiKey,
      })
      expect(body.data.map(({ amount }) => amount)).toEqual(['30000'])
      await close()
    },
  )

  test.each(['0', '6', '-1', '1.5'])('a quantity of %s stands beside no form that pays', async (typed) => {
    const link = await newLink(await newMerchant(), {
      usage: 'multi_use',
      adjustable_quantity: { min: 1, max: 5 },
      manual_amount: 10_000,
    })
    const session = await newSession(await newMerchant(), ordered)
    const { page, close } = await openTab(browser)
    await page.goto(at(link.public_id, `&quantity=${typed}`))
    expect(await page.inputValue('#quantity')).toBe(typed)
    expect(await page.locator('button.primary').count()).toBe(0)
    await page.goto(at(session.public_id))
    await page.fill('#buyer-email', 'ana@example.com')
    await page.fill('[name="quantity.0"]', typed)
    await page.press('[name="quantity.0"]', 'Tab')
    await page.locator('[data-blocked]').waitFor()
    expect(await page.locator('button.primary >> visible=true').count()).toBe(0)
    expect(await page.inputValue('[name="quantity.0"]')).toBe(typed)
    await page.fill('[name="quantity.0"]', '2')
    await page.press('[name="quantity.0"]', 'Tab')
    await page.locator('button.primary >> visible=true').waitFor()
    expect(await page.inputValue('#buyer-email')).toBe('ana@example.com')
    await close()
  })

  test('all mistakes are listed before a card is used: the card stays', async () => {
    const merchant = await newMerchant()
    const session = await newSession(merchant, { ...ordered, ...asked })
    const { page, requests, close } = await openTab(browser)
    await page.goto(at(session.public_id))
    await page.fill('#tax\\.rfc', 'GODE561231GR7')
    await typeCard(page, 'tok_sbx_approve')
    await page.fill('#card-cvc', '')
    const before = requests.length
    await pay(page)
    const shown = await page.locator('#pay > .alert li').allTextContents()
    expect(shown).toContain('RFC: Ese RFC no es válido. Revísalo letra por letra.')
    expect(shown).toContain('Talla: Falta este dato.')
    expect(shown).toContain('Para pagar hace falta tu acuerdo.')
    expect(shown).toContain('Escribe los 3 o 4 dígitos.')
    expect(await page.locator('#tax\\.rfc').getAttribute('aria-invalid')).toBe('true')
    expect(requests.length).toBe(before)
    expect(await page.inputValue('#card-number')).not.toBe('')
    await expectSound(page, 'order-wrong')
    await close()
  })
})
