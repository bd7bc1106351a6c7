import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { text } from '../../functions/page/hosted-payment/pages/text.ts'
import { newLink, newMerchant } from '../support/merchant.ts'
import { stack } from '../support/stack.ts'
import { liveLink, paymentOf, server, withStripe } from '../support/stripe-live.ts'
import { axeProblems, chromiumPath, launchChromium, openTab, overflowX } from './support.ts'

/** The part of Stripe.js that the page calls: one field in place of Stripe's frames. */
const stripeJs = `
window.asked = []
window.Stripe = (key, options) => {
  window.asked.push({ key, ...options })
  return {
    elements: (given) => {
      window.asked.push(given)
      if ('paymentMethodTypes' in given) throw new Error('endive has no paymentMethodTypes')
      return {
        create: () => {
          const listeners = {}
          return {
            on: (name, listener) => { listeners[name] = listener },
            mount: (place) => {
              place.innerHTML = '<label>Card <input data-fake-card></label>'
              listeners.ready()
            },
          }
        },
        submit: async () => document.querySelector('[data-fake-card]').value
          ? {} : { error: { message: 'Your card number is incomplete.' } },
      }
    },
    createPaymentMethod: async () => ({ paymentMethod: { id: document.querySelector('[data-fake-card]').value } }),
  }
}`

const { directUrl } = stack.live
const words = text.en

describe.skipIf(!chromiumPath)('a buyer in live', () => {
  withStripe({})
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  /** A tab where Stripe's address answers as given; every other foreign one is counted. */
  async function opened(publicId: string, answer: 'script' | 'nothing', javaScriptEnabled = true) {
    const tab = await openTab(browser, { javaScriptEnabled })
    await tab.page.route('https://js.stripe.com/**', (route) =>
      answer === 'nothing'
        ? route.abort()
        : route.fulfill({ contentType: 'text/javascript', body: stripeJs }),
    )
    await tab.page.goto(`${directUrl}/${publicId}?lang=en`)
    return tab
  }
  const foreign = (requests: readonly string[]) => requests.filter((url) => !url.startsWith(directUrl))
  const fill = (page: Page, token: string) => page.fill('[data-fake-card]', token)

  it("pays by Stripe's own fields: a mistake is shown, and we receive only the card's id", async () => {
    const { merchant, link } = await liveLink()
    const tab = await opened(link.public_id, 'script')
    const { page } = tab
    const pay = page.locator('[data-stripe-card] button.primary')
    await pay.click()
    await page.getByText('Your card number is incomplete.').waitFor()
    expect(await axeProblems(page)).toEqual([])
    expect(await overflowX(page)).toBe(0)
    await fill(page, 'pm_approve')
    await Promise.all([page.waitForURL(/spcs_/), pay.click()])
    expect(await page.textContent('h1')).toBe(words.result.succeeded.title)
    expect((await paymentOf(merchant)).status).toBe('succeeded')
    expect(foreign(tab.requests)).toEqual(['https://js.stripe.com/endive/stripe.js'])
    expect(tab.problems).toEqual([])
    await tab.close()
  })

  it('asks Stripe for a card of this amount, by the public key', async () => {
    const { link } = await liveLink()
    const { page, close } = await opened(link.public_id, 'script')
    await page.locator('[data-stripe-card] button:enabled').waitFor()
    expect(await page.evaluate('window.asked')).toEqual([
      { key: 'pk_live_stand-in', locale: 'en' },
      {
        mode: 'payment',
        amount: 120_000,
        currency: 'mxn',
        paymentMethodCreation: 'manual',
        allowedPaymentMethodTypes: ['card'],
      },
    ])
    await close()
  })

  it('says that Stripe cannot be reached', async () => {
    const { link } = await liveLink()
    const { page, close } = await opened(link.public_id, 'nothing')
    await page.getByText(words.pay.stripe.unreachable).waitFor()
    expect(await page.locator('[data-stripe-card] button.primary').isDisabled()).toBe(true)
    await close()
  })

  it('says that a card needs JavaScript; other methods do not', async () => {
    const merchant = await newMerchant({ environment: 'live' })
    const link = await newLink(merchant, { payment_method_types: ['card', 'oxxo'] })
    const { page, close } = await opened(link.public_id, 'nothing', false)
    expect(await page.textContent('main')).toContain(words.pay.stripe.needsScript)
    expect(await page.locator('[data-stripe-card]').isVisible()).toBe(false)
    await page.click('#by-oxxo summary')
    expect(await page.locator('#buyer-email').isVisible()).toBe(true)
    await close()
    expect(server.seen).toEqual([])
  })
})
