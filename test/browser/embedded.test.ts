import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minified } from '../../local/assets.ts'
import { checkout, newSession, sessionNow } from '../support/checkout.ts'
import { newMerchant } from '../support/merchant.ts'
import { stack } from '../support/stack.ts'
import { typeCard } from './buyer.ts'
import { chromiumPath, launchChromium, openTab } from './support.ts'

const scripts = [
  'functions/selling/hosted-checkout/pages/assets/embed.js',
  'functions/page/hosted-payment/pages/assets/framed.js',
]

test('the script of an embedding page is at most 6 KB, with what runs in the frame', () => {
  const sizes = scripts.map((file) => Buffer.byteLength(minified(file)))
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(6 * 1024)
  expect(readFileSync(scripts[0]!, 'utf8')).not.toContain("postMessage({ spindle: 'hello' }, '*')")
})

/** A merchant's page that frames a checkout, and keeps the messages that it gets. */
const shopPage = (url: string) => `<!doctype html><html lang="es"><title>Tienda</title><h1>Tienda</h1>
<div id="checkout"></div>
<script src="${stack.sandbox.baseUrl}/assets/embed.js"></script>
<script>
window.told = []
window.checkout = Spindle.embed('#checkout', {
  url: '${url}',
  onState: (state) => told.push(state),
  onComplete: (done) => told.push('complete', done.session),
})
</script></html>`

describe.skipIf(!chromiumPath)('an embedded checkout, in Chromium', () => {
  let browser: Browser
  let shop: Server
  let origin: string
  let page = ''
  beforeAll(async () => {
    browser = await launchChromium()
    shop = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      response.end(page)
    })
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    origin = `http://localhost:${(shop.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await browser?.close()
    shop?.close()
  })

  async function open(fields: object, returnOrigins: readonly string[]) {
    const merchant = await newMerchant({ name: 'Cerámica Azul' })
    await checkout(merchant, 'PUT', '/settings', { return_origins: ['https://tienda.example'] })
    const session = await newSession(merchant, { amount: '58000', ...fields })
    await checkout(merchant, 'PUT', '/settings', { return_origins: returnOrigins })
    page = shopPage(`${stack.sandbox.baseUrl}/${session.public_id}`)
    const tab = await openTab(browser)
    await tab.page.goto(origin)
    return { merchant, session, tab, frame: tab.page.frameLocator('iframe') }
  }

  test('is paid within the merchant’s page, which learns its height and its end', async () => {
    const { merchant, session, tab, frame } = await open(
      { ui_mode: 'embedded', success_url: 'https://tienda.example/gracias' },
      ['https://tienda.example', origin],
    )
    await expect.poll(() => tab.page.evaluate('told')).toEqual(['open'])
    const inner = tab.page.frames().find((each) => each !== tab.page.mainFrame())!
    const heights = async () => [
      await inner.evaluate<number>('document.documentElement.getBoundingClientRect().height'),
      (await tab.page.locator('iframe').boundingBox())!.height,
    ]
    await expect
      .poll(async () => {
        const [content, shown] = await heights()
        return Math.abs(content! - shown!)
      })
      .toBeLessThanOrEqual(1)
    await typeCard(inner as never, 'tok_sbx_approve')
    await frame.locator('button.primary').click()
    await expect.poll(() => tab.page.evaluate('told')).toContain('complete')
    expect(await tab.page.evaluate('told')).toContain(session.public_id)
    expect((await sessionNow(merchant, session)).status).toBe('complete')
    // The way back takes the whole window.
    expect(await frame.locator('a[href^="https://tienda.example"]').getAttribute('target')).toBe('_top')
    // Its cookie is kept for this page's site alone.
    const cookies = await tab.page.context().cookies(`${stack.sandbox.baseUrl}/${session.public_id}`)
    expect(cookies.map(({ name, sameSite }) => `${name} ${sameSite}`)).toContain('spindle_payment None')
    await tab.page.evaluate('checkout.remove()')
    expect(await tab.page.locator('iframe').count()).toBe(0)
    expect(tab.problems).toEqual([])
    await tab.close()
  })

  test.each([
    ['a hosted checkout', {}, 'own'],
    ['an embedded checkout on a page whose origin is not named', { ui_mode: 'embedded' }, 'another'],
  ])('%s is not shown in a frame', async (_what, fields, whose) => {
    const origins = whose === 'own' ? [origin] : ['https://tienda.example']
    const { tab } = await open(fields, origins)
    await expect.poll(() => tab.problems.join('\n')).toMatch(/frame-ancestors/)
    expect(await tab.page.evaluate('told')).toEqual([])
    await tab.close()
  })

  test('needs an origin in the settings', async () => {
    const merchant = await newMerchant()
    const { status, body } = await checkout(merchant, 'POST', '/sessions', {
      amount: '58000',
      ui_mode: 'embedded',
    })
    expect([status, body.error]).toMatchObject([422, { code: 'embedding_origin_missing', param: 'ui_mode' }])
  })
})
