import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { text } from '../../functions/page/hosted-payment/pages/text.ts'
import { newMerchant } from '../support/merchant.ts'
import { control } from '../support/stack.ts'
import { attemptsOf, inTurn, newPlace, pass } from '../support/stolen-cards.ts'
import { startTurnstile, type Turnstile } from '../support/turnstile.ts'
import { asBuyer, desktop, phone, press, sendCard } from './buyer.ts'
import { chromiumPath, launchChromium, picture } from './support.ts'

describe.skipIf(!chromiumPath)('a buyer where stolen cards are tried out', () => {
  let browser: Browser
  let turnstile: Turnstile
  beforeAll(async () => {
    browser = await launchChromium()
    turnstile = await startTurnstile()
    await control.reconfigure('sandbox', { vars: turnstile.vars })
  })
  afterAll(async () => {
    await browser?.close()
    await control.reconfigure('sandbox')
    await turnstile.close()
  })

  test.each([
    ['es-MX', desktop],
    ['es-MX', phone],
    ['en', desktop],
    ['en', phone],
  ] as const)(
    '%s, %o: is asked once, and goes on to the bank without pressing anything',
    async (lang, viewport) => {
      const merchant = await newMerchant()
      // A browser of the tests has no address of a network.
      const place = { ...(await newPlace(merchant)), network: 'local' }
      await inTurn(place, 40)
      await pass(merchant, '1 minute')
      const words = text[lang].person
      await asBuyer(browser, { lang, viewport, partner: turnstile.url }, async (buyer) => {
        const { page } = buyer
        turnstile.hold(true)
        await buyer.open(place.link.public_id)
        await sendCard(page, 'tok_sbx_approve')
        expect(await buyer.heading()).toBe(words.title)
        await buyer.looksRight()
        await picture(page, `person-${lang}-${viewport.width}`)
        // Pressed before the widget is content: asked again, and nothing is charged.
        const before = (await attemptsOf(merchant)).length
        await press(page, 'button.primary')
        expect(await buyer.heading()).toBe(words.title)
        expect(await attemptsOf(merchant)).toHaveLength(before)
        turnstile.hold(false)
        await page.waitForURL(/simulator\/3ds/)
        await press(page, 'button.primary')
        await page.waitForSelector(`text=${text[lang].result.succeeded.title}`)
        expect((await attemptsOf(merchant)).slice(before)).toEqual(['captured'])
      })
    },
  )

  test('where something blocks the check, the page says so, and the other ways to pay are there', async () => {
    const merchant = await newMerchant()
    const place = { ...(await newPlace(merchant)), network: 'local' }
    await inTurn(place, 40)
    await pass(merchant, '1 minute')
    const words = text['es-MX'].person
    await asBuyer(browser, { partner: turnstile.url }, async (buyer) => {
      const { page } = buyer
      await page.route('**/turnstile/v0/api.js', (route) => route.abort())
      await buyer.open(place.link.public_id)
      await sendCard(page, 'tok_sbx_approve')
      await page.waitForSelector(`text=${words.unreachable}`)
      await press(page, 'button.primary')
      expect(await page.textContent('main')).toContain(words.again)
      await press(page, `text=${words.otherWay}`)
      expect(await page.textContent('main')).toContain('OXXO')
    })
  })

  test('without a script the other ways to pay are there', async () => {
    const merchant = await newMerchant()
    const place = { ...(await newPlace(merchant)), network: 'local' }
    await inTurn(place, 40)
    await pass(merchant, '1 minute')
    await asBuyer(browser, { javaScriptEnabled: false, partner: turnstile.url }, async (buyer) => {
      const { page } = buyer
      await buyer.open(place.link.public_id)
      await page.selectOption('[name="card_token"]', 'tok_sbx_approve')
      await press(page, 'button.primary')
      expect(await page.textContent('main')).toContain(text['es-MX'].person.needsScript)
      await press(page, `text=${text['es-MX'].person.otherWay}`)
      expect(await page.textContent('main')).toContain('OXXO')
    })
  })
})
