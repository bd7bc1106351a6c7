import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { words } from '../../functions/developer/simulator/pages/text-device.ts'
import { newCode, newDevice } from '../support/devices.ts'
import { call, type Merchant, newMerchant } from '../support/merchant.ts'
import { adminSql } from '../support/stack.ts'
import { asksTip, cancel, type Paired, process } from '../support/terminal.ts'
import { asBuyer, desktop, phone } from './buyer.ts'
import { chromiumPath, launchChromium, picture } from './support.ts'

/** What the pages of the buyer's screen say where the part that is shown begins. */
const headingOf = (page: Page) => page.locator('[data-part]:not([hidden]) h1').textContent()
const shows = (page: Page, heading: string) =>
  page.locator('[data-part]:not([hidden]) h1').filter({ hasText: heading }).waitFor()

async function pairs(page: Page, code: string): Promise<void> {
  await page.fill('#code', code)
  await page.click('[data-part="pair"] button')
}

/** The backend's token for the phone whose ids the page shows. */
async function opens(page: Page, merchant: Merchant): Promise<void> {
  const [device_id, location_id] = await page.locator('.ids dd').allTextContents()
  const { body } = await call<{ secret: string }>('POST', '/v1/tap-to-pay/connection_tokens', {
    bearer: merchant.apiKey,
    body: { device_id: device_id!, location_id: location_id! },
  })
  await page.fill('#secret', body.secret)
  await page.click('[data-part="open"] button')
}

const statusOf = async (id: string) =>
  (await adminSql('sandbox')<{ status: string }>('select status from reader_actions where id = $1', [id]))[0]!
    .status

describe.skipIf(!chromiumPath)('a reader or a phone in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  test.each([
    ['es-MX', phone],
    ['en', desktop],
  ] as const)('%s: a phone is paired, opens its session, takes cards and tips', async (lang, viewport) => {
    const merchant = await newMerchant()
    const device = await newDevice(merchant, 'phone')
    const said = words[lang]
    await asBuyer(browser, { lang, viewport }, async (buyer) => {
      const { page } = buyer
      const shot = (name: string) => picture(page, `device-${lang}-${viewport.width}-${name}`)
      await buyer.open('simulator/device')
      await shows(page, said.pair.heading)
      await buyer.looksRight()
      await shot('pair')
      await pairs(page, 'WRONG123')
      await page.waitForSelector(`text=${said.pair.wrong}`)
      await pairs(page, await newCode(merchant, device))
      await shows(page, said.open.heading)
      await buyer.looksRight()
      await shot('open')
      await opens(page, merchant)
      await shows(page, said.wait.heading)
      await buyer.looksRight()
      const counter = { merchant, reader: device as Paired }
      const { body: sale } = await process(counter, { amount: '123450', description: 'Silla' })
      await shows(page, said.take.heading)
      expect(await page.textContent('[data-part="take"] .amount')).toContain('1,234.50')
      await buyer.looksRight()
      await shot('card')
      await page.click('[data-part="take"] button')
      await shows(page, said.done.succeeded)
      await shot('done')
      expect(await statusOf(sale.id)).toBe('succeeded')
      await page.click('[data-next]')
      const { body: tip } = await asksTip(counter)
      await shows(page, said.tip.heading)
      await buyer.looksRight()
      await shot('tip')
      await page.click('[data-slot="presets"] button >> nth=1')
      await shows(page, said.wait.heading)
      expect(await statusOf(tip.id)).toBe('succeeded')
      const { body: given } = await asksTip(counter)
      await shows(page, said.tip.heading)
      await cancel(counter, given)
      await shows(page, said.wait.heading)
      // A page that is opened again is the same phone.
      await page.reload()
      await shows(page, said.wait.heading)
      const { body: declined } = await process(counter, { amount: '5000' })
      await shows(page, said.take.heading)
      await page.selectOption('#card-kind', 'tok_sbx_decline_funds')
      await page.click('[data-part="take"] button')
      await shows(page, said.done.failed)
      expect(await statusOf(declined.id)).toBe('failed')
      const { body: stopped } = await process(counter, { amount: '5000' })
      await shows(page, said.take.heading)
      await cancel(counter, stopped)
      await shows(page, said.done.canceled)
      await page.click('[data-next]')
      await page.click('[data-off]')
      await shows(page, said.pair.heading)
      expect(await headingOf(page)).toBe(said.pair.heading)
    })
  })
})
