import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkout, newSession, onSale, payByCard, sessionNow } from '../support/checkout.ts'
import { newMerchant } from '../support/merchant.ts'
import { stack } from '../support/stack.ts'
import { adjust } from '../support/stock.ts'
import { typeCard } from './buyer.ts'
import { axeProblems, chromiumPath, launchChromium, openTab } from './support.ts'

describe.skipIf(!chromiumPath)('a page that stays open', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  async function open(publicId: string, lang = 'es') {
    const tab = await openTab(browser)
    await tab.page.clock.install()
    await tab.page.goto(`${stack.sandbox.baseUrl}/${publicId}?lang=${lang}`)
    return tab
  }

  /** Lets the page's own time pass until it shows what is expected of it. */
  const shows = (page: Page, what: () => Promise<unknown>) =>
    expect.poll(async () => {
      await page.clock.runFor(16_000)
      return what()
    })

  test('a new price appears in place, and what was typed stays: the new price is paid', async () => {
    const merchant = await newMerchant({ name: 'Cerámica Azul' })
    const session = await newSession(merchant, { line_items: [{ name: 'Taza', unit_amount: '58000' }] })
    const { page, close } = await open(session.public_id)
    await typeCard(page, 'tok_sbx_approve')
    const fields = { line_items: [{ name: 'Taza grande', unit_amount: '61000' }] }
    await checkout(merchant, 'PATCH', `/sessions/${session.id}`, fields)
    await shows(page, () => page.locator('.renewed').allTextContents()).toEqual([
      'Cerámica Azul hizo un cambio en este momento. Cuesta $610.00 MXN.',
    ])
    expect(await page.evaluate('document.activeElement.className')).toContain('renewed')
    expect(await page.locator('.summary .amount').textContent()).toContain('$610.00')
    expect(await page.locator('.lines:not(.sum)').textContent()).toContain('Taza grande')
    expect(await page.locator('button.primary').textContent()).toContain('$610.00')
    expect(await page.inputValue('#card-cvc')).toBe('123')
    expect(await axeProblems(page)).toEqual([])
    await Promise.all([page.waitForEvent('load'), page.click('button.primary')])
    expect(await sessionNow(merchant, session)).toMatchObject({ status: 'complete', amount: '61000' })
    await close()
  })

  test.each([
    ['es', 'El tiempo para pagar terminó'],
    ['en', 'The time to pay is over'],
  ])('an end shows without a reload: %s', async (lang, words) => {
    const merchant = await newMerchant({ name: 'Cerámica Azul' })
    const session = await newSession(merchant)
    const { page, close } = await open(session.public_id, lang)
    await checkout(merchant, 'POST', `/sessions/${session.id}/expire`)
    await shows(page, () => page.locator('h1').textContent()).toBe(words)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
    expect(await page.locator('form[data-once]').count()).toBe(0)
    expect(await axeProblems(page)).toEqual([])
    await close()
  })

  test('the last unit that another buyer takes shows as sold out, and its return as for sale', async () => {
    const merchant = await newMerchant()
    const [item] = await onSale(merchant, 1)
    const line_items = [{ item_id: item }]
    const mine = await newSession(merchant, { line_items })
    const { page, close } = await open(mine.public_id)
    await payByCard(await newSession(merchant, { line_items }))
    await shows(page, () => page.locator('h1').textContent()).toBe('Se agotó')
    await adjust(merchant, item!, 1)
    await page.reload()
    expect(await page.locator('form[data-once]').count()).toBe(1)
    await close()
  })

  test('its own payment in another tab leads to that payment', async () => {
    const merchant = await newMerchant()
    const session = await newSession(merchant)
    const { page, close } = await open(session.public_id)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await typeCard(other, 'tok_sbx_approve')
    await Promise.all([other.waitForEvent('load'), other.click('button.primary')])
    await shows(page, async () => page.url()).toContain(new URL(other.url()).pathname)
    await close()
  })

  test('nothing is asked while it is hidden, offline it asks again', async () => {
    const merchant = await newMerchant()
    const session = await newSession(merchant)
    const { page, requests, close } = await open(session.public_id)
    const asked = () => requests.filter((url) => url.includes('/status?')).length
    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    await page.clock.runFor(120_000)
    expect(asked()).toBe(0)
    await page.context().setOffline(true)
    await page.evaluate(
      "Object.defineProperty(document, 'hidden', { value: false }); document.dispatchEvent(new Event('visibilitychange'))",
    )
    await expect.poll(asked).toBe(1)
    await page.context().setOffline(false)
    await checkout(merchant, 'POST', `/sessions/${session.id}/expire`)
    await shows(page, () => page.locator('h1').textContent()).toBe('El tiempo para pagar terminó')
    await close()
  })
})

test('the status names nothing of the sale, and of no sale there is none', async () => {
  const merchant = await newMerchant({ name: 'Cerámica Azul' })
  const session = await newSession(merchant)
  const ask = (id: string) => fetch(`${stack.sandbox.directUrl}/${id}/status`)
  const reply = await ask(session.public_id)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  expect(await reply.json()).toEqual({ state: 'open', terms: '1.1.1' })
  await checkout(merchant, 'POST', `/sessions/${session.id}/expire`)
  expect(await (await ask(session.public_id)).json()).toEqual({ state: 'closed', terms: '1.1.1' })
  const missing = await ask(`spcs_${'0'.repeat(32)}`)
  expect([missing.status, await missing.json()]).toEqual([404, { state: 'not_found' }])
})
