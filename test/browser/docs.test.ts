import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCodes } from '../../local/declarations.ts'
import { stack } from '../support/stack.ts'
import { axeProblems, chromiumPath, foreignRequests, launchChromium, openTab, overflowX } from './support.ts'

const origin = stack.sandbox.directUrl

describe('documentation', () => {
  test('every error has its section, where doc_url points', async () => {
    const html = await (await fetch(`${origin}/docs/errors`)).text()
    expect(errorCodes.filter((code) => !html.includes(`<article id="${code}">`))).toEqual([])
  })

  test.each(['/', '/docs', '/docs/errors', '/docs/guides', '/openapi.json', '/assets/pay.css'])(
    '%s: served by us, in both environments',
    async (path) => {
      for (const { directUrl } of [stack.sandbox, stack.live]) {
        const response = await fetch(directUrl + path)
        expect(response.status).toBe(200)
        expect(response.headers.get('x-request-id')).toMatch(/^req_/)
        await response.arrayBuffer()
      }
    },
  )

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

  test.each([360, 1280])('the API reference at %i px loads only from our own origin', async (width) => {
    const tab = await openTab(browser, { viewport: { width, height: 900 } })
    await tab.page.goto(`${origin}/docs`)
    await tab.page.getByRole('heading', { name: 'Getting started' }).waitFor({ timeout: 150_000 })
    // It begins with the areas alone; the filter finds operations by their words.
    const shown = tab.page.locator('.opblock-tag-section .opblock')
    expect(await shown.count()).toBe(0)
    expect(await tab.page.locator('.opblock-tag').count()).toBeGreaterThan(20)
    await tab.page.fill('.operation-filter-input', 'create payment link')
    const operation = tab.page.locator('.opblock-summary-control', { hasText: 'Create a payment link' })
    await operation.first().waitFor({ timeout: 150_000 })
    expect(await tab.page.locator('.opblock-tag').count()).toBeLessThan(8)
    await operation.first().click()
    await tab.page.getByText('payment_links:write').first().waitFor({ timeout: 150_000 })
    expect(foreignRequests(tab, origin)).toEqual([])
    expect(tab.problems).toEqual([])
    expect(await overflowX(tab.page)).toBe(0)
    await tab.close()
  })

  test.each([360, 1280])('a link to an operation opens it at %i px', async (width) => {
    const tab = await openTab(browser, { viewport: { width, height: 900 } })
    for (const [area, id, scope] of [
      ['Hosted%20checkout', 'checkout_sessions.create', 'Create a checkout session'],
      ['Refunds', 'refunds.create', 'refunds:write'],
    ] as const) {
      await tab.page.goto(`${origin}/docs#/${area}/${id}`)
      const opened = tab.page.locator('.opblock.is-open', { hasText: scope })
      await opened.waitFor({ timeout: 150_000 })
      expect(await tab.page.locator('.opblock.is-open').count()).toBe(1)
      await expect.poll(async () => (await opened.boundingBox())!.y).toBeLessThan(450)
    }
    await tab.close()
  })

  test.each([360, 1280])('a guide at %i px', async (width) => {
    const tab = await openTab(browser, { viewport: { width, height: 900 } })
    await tab.page.goto(`${origin}/docs/guides/glossary`)
    expect(foreignRequests(tab, origin)).toEqual([])
    expect(tab.problems).toEqual([])
    expect(await axeProblems(tab.page)).toEqual([])
    expect(await overflowX(tab.page)).toBe(0)
    await tab.close()
  })

  test.each([360, 1280])('the errors at %i px', async (width) => {
    const tab = await openTab(browser, { viewport: { width, height: 900 } })
    await tab.page.goto(`${origin}/docs/errors#payment_link_paid`)
    expect(await tab.page.locator('article:target').textContent()).toContain('payment_link_paid')
    expect(foreignRequests(tab, origin)).toEqual([])
    expect(tab.problems).toEqual([])
    expect(await axeProblems(tab.page)).toEqual([])
    expect(await overflowX(tab.page)).toBe(0)
    await tab.close()
  })
})
