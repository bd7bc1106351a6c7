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

  test.each(['/', '/docs', '/docs/errors', '/openapi.json', '/assets/pay.css'])(
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
    // Swagger UI renders only the operations in view.
    const operation = tab.page.locator('.opblock-summary-control', { hasText: 'Create a payment link' })
    const scrolled = async () => {
      await tab.page.mouse.wheel(0, 600)
      return operation.count()
    }
    await expect.poll(scrolled).toBe(1)
    await operation.click()
    await tab.page.getByText('payment_links:write').first().waitFor({ timeout: 150_000 })
    expect(foreignRequests(tab, origin)).toEqual([])
    expect(tab.problems).toEqual([])
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
