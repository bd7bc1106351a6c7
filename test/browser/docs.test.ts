import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCodes } from '../../local/declarations.ts'
import { share } from '../support/share.ts'
import { stack } from '../support/stack.ts'
import { chromiumPath, expectSound, foreignRequests, launchChromium, openTab } from './support.ts'

const origin = stack.sandbox.directUrl

describe('documentation', () => {
  test('every error has its section, where doc_url points', async () => {
    const html = await (await fetch(`${origin}/docs/errors`)).text()
    expect(errorCodes.filter((code) => !html.includes(`<article id="${code}">`))).toEqual([])
  })

  test.each([
    '/',
    '/docs',
    '/docs/basics',
    '/docs/operations.json',
    '/docs/areas/payment-links',
    '/docs/operations/payment_links.create',
    '/docs/events',
    '/docs/events/payment.succeeded',
    '/docs/errors',
    '/docs/guides',
    '/openapi.json',
    '/assets/pay.css',
  ])('%s: served by us, in both environments', async (path) => {
    for (const { directUrl } of [stack.sandbox, stack.live]) {
      const response = await fetch(directUrl + path)
      expect(response.status).toBe(200)
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
      await response.arrayBuffer()
    }
  })

  test.each(['setting-up', 'webhooks', 'glossary', 'typed-clients'])(
    'the guide %s is served as a page of its own, with links that lead somewhere',
    async (guide) => {
      const reply = await fetch(`${origin}/docs/guides/${guide}`)
      const html = await reply.text()
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(html).toContain('<h1 id="')
      const paths = [...html.matchAll(/href="(\/docs[^"#]*)/g)].map(([, path]) => path!)
      for (const path of new Set(paths)) expect((await fetch(origin + path)).status, path).toBe(200)
      for (const [, anchor] of html.matchAll(/href="#([^"]*)/g)) expect(html).toContain(`id="${anchor}"`)
    },
  )

  test.each([
    '',
    '/basics',
    '/events',
    '/areas/refunds',
    '/operations/checkout_sessions.create',
    '/events/refund.failed',
  ])('/docs%s is a page of our own without style or script in it', async (path) => {
    const reply = await fetch(`${origin}/docs${path}`)
    const html = await reply.text()
    expect(reply.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';/,
    )
    expect(html).not.toMatch(/<style|style="|<script>|src="(?!\/docs\/)|<link [^>]*href="(?!\/)/)
  })

  test('crawlers are kept from every page but the documentation; the icon is ours', async () => {
    const robots = await (await fetch(`${origin}/robots.txt`)).text()
    expect(robots).toMatch(/User-agent: \*\n(?:Allow: \S+\n)+Disallow: \/\n/)
    const icon = await fetch(`${origin}/favicon.ico`)
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(await icon.text()).toContain('<title>Spindle</title>')
  })

  test('a missing page is refused like any unknown address', async () => {
    const response = await fetch(`${origin}/docs/nothing`)
    expect(response.status).toBe(404)
    expect((await response.json()) as object).toMatchObject({ error: { code: 'route_not_found' } })
  })
})

describe.skipIf(!chromiumPath)('documentation in Chromium', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  test('the field finds the operations that have its words', async () => {
    const tab = await openTab(browser)
    await tab.page.goto(`${origin}/docs`)
    const field = tab.page.getByLabel('Find an operation')
    const found = tab.page.locator('#found li:visible')
    const areas = tab.page.locator('#unasked li:visible')
    const said = tab.page.locator('output')
    const areasCount = await areas.count()
    expect(areasCount).toBeGreaterThan(20)
    await field.fill('create PAYMENT link')
    await said.filter({ hasText: /^[1-9] found$/ }).waitFor()
    expect(await said.textContent()).toBe(`${await found.count()} found`)
    expect(await areas.count()).toBe(0)
    await field.fill('/v1/')
    await said.filter({ hasText: /^\d{3} found$/ }).waitFor()
    expect(await found.count()).toBeGreaterThan(250)
    await field.fill('no such words')
    await said.filter({ hasText: /^0 found$/ }).waitFor()
    await field.fill('')
    await expect.poll(() => areas.count()).toBe(areasCount)
    expect(await found.count()).toBe(0)
    await field.fill('refunds.create')
    await found.getByRole('link').click()
    await tab.page.getByText('refunds:write', { exact: true }).first().waitFor()
    expect(tab.problems).toEqual([])
    await tab.close()
  })

  test('a list that cannot be read is said, and read with the next letter', async () => {
    const tab = await openTab(browser)
    await tab.page.goto(`${origin}/docs`)
    await tab.page.route('**/docs/operations.json', (route) => route.abort(), { times: 1 })
    const field = tab.page.getByLabel('Find an operation')
    await field.fill('refunds.create')
    await tab.page.getByText('The list could not be read.').waitFor()
    await field.fill('refunds.creat')
    await tab.page.getByText('1 found').waitFor()
    await tab.close()
  })

  test('the field leaves the events that have its words', async () => {
    const tab = await openTab(browser)
    await tab.page.goto(`${origin}/docs/events`)
    const shown = tab.page.locator('.area li:visible')
    expect(await shown.count()).toBeGreaterThan(150)
    await tab.page.getByLabel('Find an event').fill('refund FAILED')
    await tab.page.getByText(/^[1-9] found$/).waitFor()
    expect(await tab.page.locator('output').textContent()).toBe(`${await shown.count()} found`)
    await tab.page.getByLabel('Find an event').fill('')
    await expect.poll(() => shown.count()).toBeGreaterThan(150)
    await tab.close()
  })

  test('without a script everything is there, and no field that does nothing', async () => {
    const tab = await openTab(browser, { javaScriptEnabled: false })
    await tab.page.goto(`${origin}/docs`)
    expect(await tab.page.locator('input:visible').count()).toBe(0)
    await tab.page.getByRole('link', { name: 'Hosted checkout', exact: true }).click()
    await tab.page.getByRole('link', { name: 'Create a checkout session', exact: true }).click()
    await tab.page.getByText('hosted_checkout:write', { exact: true }).waitFor()
    await tab.close()
  })

  test.each([
    ['#/Hosted%20checkout/checkout_sessions.create', '/docs/operations/checkout_sessions.create'],
    ['#/Accounts/auth.passkey.sign_in', '/docs/operations/auth.passkey.sign_in'],
    ['#/Webhooks/event.payment_link.paid', '/docs/events/payment_link.paid'],
  ])('the link %s of the former reference leads to %s', async (hash, path) => {
    const tab = await openTab(browser)
    await tab.page.goto(`${origin}/docs${hash}`)
    await tab.page.waitForURL(origin + path)
    expect(await tab.page.locator('main').textContent()).toContain(path.split('/').at(-1))
    await tab.close()
  })

  const screens = [
    { viewport: { width: 360, height: 740 }, colorScheme: 'light' },
    { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  ] as const
  const paths = [
    '',
    '/areas/payment-links',
    '/operations/payment_links.get',
    '/operations/checkout_sessions.create',
    '/events/payment.succeeded',
    '/guides/glossary',
    '/errors#payment_link_paid',
  ]
  // Each page on one of the screens in turn; with TESTS=all on both.
  const shown = paths.flatMap((path, nth) => share(screens, 2, nth).map((screen) => ({ path, screen })))
  test.each(shown)(
    '/docs$path, $screen.viewport.width wide, $screen.colorScheme: accessible, and only from our own origin',
    async ({ path, screen }) => {
      const tab = await openTab(browser, screen)
      await tab.page.goto(`${origin}/docs${path}`)
      if (path.includes('#'))
        expect(await tab.page.locator('article:target').textContent()).toContain(path.split('#')[1])
      expect(foreignRequests(tab, origin)).toEqual([])
      expect(tab.problems).toEqual([])
      await expectSound(tab.page)
      await tab.close()
    },
  )
})
