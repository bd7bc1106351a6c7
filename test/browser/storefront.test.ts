import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payByCard } from '../support/checkout.ts'
import { asked } from '../support/digital-catalogs.ts'
import { png } from '../support/images.ts'
import { share } from '../support/share.ts'
import { stack } from '../support/stack.ts'
import { newShop, put, type Shop } from '../support/storefront.ts'
import { chromiumPath, expectSound, launchChromium, openTab } from './support.ts'

const at = (path: string) => `${stack.sandbox.directUrl}${path}`
const quantityOf = (page: Page, id: string) => page.locator(`#quantity-${id}`)
const press = (page: Page, selector: string) => Promise.all([page.waitForEvent('load'), page.click(selector)])

/** A catalog with an image, variants, a former price and something sold out. */
async function stockedShop(): Promise<
  Shop & { readonly cup: string; readonly shirt: string; readonly medium: string }
> {
  const shop = await newShop({ description: 'Barro pintado a mano en Dolores Hidalgo, Guanajuato.' })
  await asked(shop.merchant, 'POST', `/${shop.catalog.id}/categories`, { name: 'Mesa' })
  await put(shop, 'Plato hondo agotado', { onHand: 0 })
  const shirt = await put(shop, 'Playera', { options: [{ name: 'Talla', values: ['S', 'M'] }], price: null })
  await put(shop, 'Playera', { variant_of: shirt.id, option_values: { Talla: 'S' }, amount: '15000' })
  const medium = await put(shop, 'Playera', {
    variant_of: shirt.id,
    option_values: { Talla: 'M' },
    amount: '17000',
  })
  const cup = await put(shop, 'Taza azul de barro, pintada a mano en Dolores Hidalgo', {
    onHand: 5,
    price: { amount: '25000', compare_at_amount: '32000' },
  })
  await asked(shop.merchant, 'POST', `/items/${cup.id}/images`, {
    content: png(640, 400).toString('base64'),
    alt: 'Una taza azul sobre una mesa',
  })
  return { ...shop, cup: cup.id, shirt: shirt.id, medium: medium.id }
}

describe.skipIf(!chromiumPath)('a catalog’s page, in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  const looks = [
    { locale: 'es-MX', colorScheme: 'light', viewport: { width: 360, height: 740 } },
    { locale: 'en', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
    { locale: 'es-MX', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    { locale: 'en', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  ] as const
  test.each(share(looks, 3))(
    'list, item, cart and a returned cart: $locale $colorScheme $viewport.width',
    async (look) => {
      const shop = await stockedShop()
      const { page, problems, close } = await openTab(browser, look)
      const shot = (name: string) => `shop-${name}-${look.viewport.width}-${look.colorScheme}`
      await page.goto(at(shop.path))
      await expectSound(page, shot('list'))
      await quantityOf(page, shop.cup).fill('2')
      await page.selectOption(`#choice-${shop.shirt}`, { label: await labelOf(page, shop.medium) })
      await quantityOf(page, shop.shirt).fill('1')
      expect(await page.locator('[data-cart] li').allInnerTexts()).toEqual([
        expect.stringMatching(/2 × Taza azul[\s\S]*\$500\.00/),
        expect.stringMatching(/1 × Playera: M[\s\S]*\$170\.00/),
        expect.stringMatching(/Total[\s\S]*\$670\.00/),
      ])
      await expectSound(page, shot('cart'))
      await quantityOf(page, shop.cup).fill('9')
      await press(page, 'button.primary')
      expect(await page.locator('.alert').innerText()).toMatch(/5/)
      await expectSound(page, shot('returned'))
      await page.goto(at(`${shop.path}/${shop.cup}`))
      await expectSound(page, shot('item'))
      await page.goto(at(`${shop.path}?q=nada`))
      await expectSound(page, shot('nothing'))
      expect(problems.filter((problem) => !/status of 409/.test(problem))).toEqual([])
      await close()
    },
  )

  test('the cart stays across searches and pages, and is empty after the purchase', async () => {
    const shop = await stockedShop()
    const { page, problems, close } = await openTab(browser)
    await page.goto(at(shop.path))
    await quantityOf(page, shop.cup).fill('2')
    await page.fill('#q', 'playera')
    await press(page, '.finder button')
    expect(await page.locator('[data-item]').count()).toBe(1)
    expect(await page.locator('[data-cart] li').first().textContent()).toContain('2 × Taza azul')
    await quantityOf(page, shop.shirt).fill('1')
    await press(page, '.order button.primary')
    expect(new URL(page.url()).pathname).toMatch(/^\/spcs_/)
    expect(await page.locator('.lines:not(.sum) li').count()).toBe(2)
    const publicId = new URL(page.url()).pathname.slice(1)
    await payByCard({ public_id: publicId } as Parameters<typeof payByCard>[0])
    await page.goto(at(`${shop.path}#bought`))
    await page.reload()
    expect(await page.locator('[data-cart]').isHidden()).toBe(true)
    expect(problems).toEqual([])
    await close()
  })

  test('the cart is in sight from the first item on; an item’s own page begins at one', async () => {
    const shop = await newShop()
    const names = Array.from({ length: 12 }, (_, at) => `Taza ${at}`)
    const items = []
    for (const name of names) items.push(await put(shop, name, { amount: '165000' }))
    const { page, problems, close } = await openTab(browser, { locale: 'es-MX' })
    await page.goto(at(shop.path))
    const bar = page.locator('.way-on')
    const isInSight = async () => {
      const box = (await bar.boundingBox())!
      return box.y >= 0 && box.y + box.height <= 740
    }
    expect(await isInSight()).toBe(true)
    expect(await bar.innerText()).toMatch(/Escribe cuántos[\s\S]*Continuar/)
    await quantityOf(page, items[11]!.id).fill('2')
    expect(await bar.innerText()).toMatch(/2 artículos · \$3,300\.00\s+Continuar$/)
    expect(await isInSight()).toBe(true)
    await expectSound(page, 'shop-in-sight')
    await bar.locator('a').click()
    expect(await page.locator('[data-cart]').isVisible()).toBe(true)

    await page.goto(at(`${shop.path}/${items[0]!.id}`))
    expect(await quantityOf(page, items[0]!.id).inputValue()).toBe('1')
    expect(await bar.innerText()).toMatch(/3 artículos · \$4,950\.00\s+Continuar$/)
    await expectSound(page, 'shop-item-in-sight')
    // Looking is not adding.
    await page.goto(at(shop.path))
    expect(await bar.innerText()).toMatch(/2 artículos/)
    await page.goto(at(`${shop.path}/${items[0]!.id}`))
    await press(page, '[data-add]')
    expect(new URL(page.url()).pathname).toBe(shop.path)
    expect(await bar.innerText()).toMatch(/3 artículos/)
    await page.goto(at(`${shop.path}/${items[1]!.id}`))
    await press(page, 'button.primary')
    expect(await page.locator('.lines:not(.sum) li').count()).toBe(3)
    expect(problems).toEqual([])
    await close()
  })

  test('what is removed from the cart leaves its field; focus stays in the cart', async () => {
    const shop = await stockedShop()
    const { page, close } = await openTab(browser)
    await page.goto(at(shop.path))
    await quantityOf(page, shop.cup).fill('2')
    await quantityOf(page, shop.shirt).fill('1')
    await page.click('[data-cart] button >> nth=0')
    expect(await quantityOf(page, shop.cup).inputValue()).toBe('')
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/Quitar|Remove/)
    await page.click('[data-cart] button >> nth=0')
    expect(await page.evaluate('document.activeElement.className')).toBe('primary')
    await close()
  })

  test('by keyboard alone', async () => {
    const shop = await newShop()
    const cup = await put(shop, 'Taza')
    const { page, close } = await openTab(browser)
    await page.goto(at(shop.path))
    const reach = async (selector: string) => {
      for (let presses = 0; presses < 30; presses++) {
        if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`${selector} is not reached by Tab`)
    }
    await reach('[data-step="1"]')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    expect(await quantityOf(page, cup.id).inputValue()).toBe('2')
    await reach('button.primary')
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    expect(new URL(page.url()).pathname).toMatch(/^\/spcs_/)
    await close()
  })

  test('without JavaScript: quantities, a variant, a correction, and the way back', async () => {
    const shop = await stockedShop()
    const { page, close } = await openTab(browser, { javaScriptEnabled: false, locale: 'es-MX' })
    await page.goto(at(shop.path))
    expect(await page.locator('[data-step]').first().isHidden()).toBe(true)
    await quantityOf(page, shop.cup).fill('9')
    await quantityOf(page, shop.shirt).fill('1')
    await press(page, 'button.primary')
    expect(await page.locator('.alert').innerText()).toContain('Solo quedan 5.')
    expect(await quantityOf(page, shop.cup).inputValue()).toBe('9')
    await quantityOf(page, shop.cup).fill('1')
    await press(page, 'button.primary')
    expect(await page.locator('.lines:not(.sum) li').count()).toBe(2)
    await press(page, 'a:has-text("Volver a Cerámica Azul")')
    expect(new URL(page.url()).pathname).toBe(shop.path)
    await page.goto(at(`${shop.path}/${shop.cup}`))
    await press(page, 'button.primary')
    expect(new URL(page.url()).pathname).toMatch(/^\/spcs_/)
    await close()
  })
})

const labelOf = async (page: Page, variant: string) =>
  (await page.locator(`option[value^="${variant}"]`).innerText()).trim()
