import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { text } from '../../functions/page/hosted-payment/pages/text.ts'
import { words } from '../../functions/selling/payment-links/words.ts'
import { attemptsOf } from '../support/books.ts'
import { answeredUnheard } from '../support/challenge.ts'
import { share } from '../support/share.ts'
import { adminSql } from '../support/stack.ts'
import { asBuyer, books, desktop, origin, payAtBank, phone, press, sale, sendCard } from './buyer.ts'
import { chromiumPath, launchChromium } from './support.ts'

let browser: Browser
const bank = 'a.primary'
const other = 'main form button'
const sizes = [
  ['es-MX', phone],
  ['en', desktop],
] as const

const pathOf = (page: Page) => new URL(page.url()).pathname

describe.skipIf(!chromiumPath)("a buyer who left the bank's challenge", () => {
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  it.each(share(sizes, 2))(
    '%s: opens the link again in another tab, continues at the bank, and has paid',
    async (lang, viewport) => {
      const words = text[lang]
      const { tenantId, publicId } = await sale()
      await asBuyer(browser, { lang, viewport }, async (buyer) => {
        const { page } = buyer
        await buyer.open(publicId)
        await payAtBank(page)
        await page.goto('about:blank')

        const tab = await page.context().newPage()
        await tab.goto(`${origin}/${publicId}?lang=${lang === 'en' ? 'en' : 'es'}`)
        const payment = pathOf(tab)
        expect([payment, await tab.textContent('h1')]).toEqual([
          expect.stringMatching(`^/${publicId}/spcs_`),
          words.result.requires_action.title,
        ])
        const [cookie] = (await page.context().cookies(tab.url())).filter(
          ({ name }) => name === 'spindle_payment',
        )
        expect(cookie).toMatchObject({ path: `/${publicId}`, httpOnly: true, secure: true, sameSite: 'Lax' })
        await press(tab, bank)
        await press(tab, 'button[value="approve"]')
        expect([pathOf(tab), await tab.textContent('h1')]).toEqual([payment, words.result.succeeded.title])
        // What the buyer typed is forgotten; where the receipt is, is not.
        expect((await page.context().cookies(tab.url())).map(({ name }) => name)).toEqual(['spindle_payment'])
        await tab.close()

        await buyer.open(publicId)
        expect([pathOf(page), await buyer.heading()]).toEqual([payment, words.result.succeeded.title])
      })
      expect((await books(tenantId)).payments).toEqual([
        { status: 'succeeded', amount: '120000', attempts: 'captured' },
      ])
    },
  )

  it.each(share(sizes, 2, 1))(
    '%s: goes back from the bank and pays with another card',
    async (lang, viewport) => {
      const words = text[lang]
      const { tenantId, publicId } = await sale()
      await asBuyer(browser, { lang, viewport }, async (buyer) => {
        const { page } = buyer
        await buyer.open(publicId)
        await payAtBank(page)
        await page.goBack()
        const payment = pathOf(page)
        expect(await buyer.heading()).toBe(words.result.requires_action.title)
        await buyer.looksRight()
        // It stays here: the bank's page follows a payment once.
        await page.reload()
        expect(await buyer.heading()).toBe(words.result.requires_action.title)
        await press(page, bank)
        await page.goBack()
        expect(await buyer.heading()).toBe(words.result.requires_action.title)
        await press(page, other)
        expect(pathOf(page)).toBe(`/${publicId}`)
        // The bank was not asked, so the notice must also be true of a buyer who gave up.
        expect(await page.textContent('.alert')).toMatch(
          /no quedó confirmado con tu banco|was not confirmed with your bank/,
        )
        await buyer.looksRight()
        await sendCard(page, 'tok_sbx_approve')
        expect([pathOf(page), await buyer.heading()]).toEqual([payment, words.result.succeeded.title])
      })
      expect((await books(tenantId)).payments).toEqual([
        { status: 'succeeded', amount: '120000', attempts: 'expired captured' },
      ])
    },
  )

  it('works without JavaScript and with the keyboard alone', async () => {
    const { tenantId, publicId } = await sale()
    const words = text.en
    await asBuyer(browser, { lang: 'en', javaScriptEnabled: false }, async ({ page, open, heading }) => {
      await open(publicId)
      await page.selectOption('#card-token', 'tok_sbx_3ds_challenge')
      await press(page, 'button.primary')
      expect(await heading()).toBe(words.result.requires_action.title)
      await open(publicId)
      expect(await heading()).toBe(words.result.requires_action.title)
      // Skip link, language, the bank; then the other way.
      for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Tab')
      expect(await page.textContent(':focus')).toBe(words.result.requires_action.other)
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
      await page.selectOption('#card-token', 'tok_sbx_approve')
      await press(page, 'button.primary')
      expect(await heading()).toBe(words.result.succeeded.title)
    })
    expect((await books(tenantId)).payments).toMatchObject([{ status: 'succeeded' }])
  })

  it('gets the receipt when asking for another way after the bank approved', async () => {
    const { tenantId, publicId } = await sale()
    await asBuyer(browser, {}, async (buyer) => {
      await buyer.open(publicId)
      await payAtBank(buyer.page)
      await buyer.page.goBack()
      await answeredUnheard((await attemptsOf(tenantId))[0]!.id)
      await press(buyer.page, other)
      expect(await buyer.heading()).toBe(text['es-MX'].result.succeeded.title)
    })
  })

  it('another browser finds the link busy', async () => {
    const { publicId } = await sale()
    await asBuyer(browser, {}, async ({ page, open }) => {
      await open(publicId)
      await payAtBank(page)
    })
    await asBuyer(browser, { colorScheme: 'dark' }, async (stranger) => {
      await stranger.open(publicId)
      expect(await stranger.heading()).toBe(words['es-MX'].busy.title)
    })
  })

  it('past its time is offered only another way to pay', async () => {
    const { tenantId, publicId } = await sale()
    await asBuyer(browser, {}, async (buyer) => {
      const { page } = buyer
      await buyer.open(publicId)
      await payAtBank(page)
      await page.goBack()
      await adminSql('sandbox')(
        `update payment_attempts set expires_at = now() - interval '1 second' where tenant_id = $1`,
        [tenantId],
      )
      await page.reload()
      expect(await buyer.heading()).toBe(text['es-MX'].result.requires_action.over.title)
      await buyer.looksRight()
      await press(page, 'button.primary')
      expect(pathOf(page)).toBe(`/${publicId}`)
    })
  })

  it('on a multi-use link sees the payment begun beside the form, and pays again', async () => {
    const { tenantId, publicId } = await sale({ usage: 'multi_use' })
    await asBuyer(browser, {}, async (buyer) => {
      const { page } = buyer
      await buyer.open(publicId)
      await payAtBank(page)
      await buyer.open(publicId)
      const payment = (await page.getAttribute('.notice a', 'href'))!
      expect(await page.textContent('.notice')).toContain(text['es-MX'].pay.pending.under_way.detail)
      await buyer.looksRight()
      await sendCard(page, 'tok_sbx_approve')
      expect(await buyer.heading()).toBe(text['es-MX'].result.succeeded.title)
      await page.goto(origin + payment)
      await press(page, bank)
      await press(page, 'button[value="approve"]')
      expect(pathOf(page)).toBe(payment.split('?')[0])
    })
    const paid = { status: 'succeeded', amount: '120000', attempts: 'captured' }
    expect((await books(tenantId)).payments).toEqual([paid, paid])
  })
})
