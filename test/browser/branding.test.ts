import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shownLook } from '../../functions/page/hosted-payment/pages/frame/look.ts'
import type { Look } from '../../src/kernel/look.ts'
import { svg } from '../support/images.ts'
import { share } from '../support/share.ts'
import { everyPage } from '../unit/pages/samples.ts'
import {
  axeProblems,
  chromiumPath,
  foreignRequests,
  type LocalSite,
  launchChromium,
  openTab,
  overflowX,
  serveSite,
} from './support.ts'

const logo = { address: 'a'.repeat(32), content_type: 'image/svg+xml', width: 512, height: 102 } as const
const image = svg(
  '<path fill="#111827" d="M0 0h60v60H0zM80 10h220v40H80z"/>',
  'viewBox="0 0 300 60" width="512" height="102"',
).toString()

const none: Look = {
  primary_color: null,
  button_text_color: null,
  background_color: null,
  accent_color: null,
  logo: null,
}
const looks: Readonly<Record<string, Look>> = {
  black: { ...none, primary_color: '#000000', logo },
  yellow: { ...none, primary_color: '#facc15', background_color: '#fffbeb' },
  pink: { ...none, primary_color: '#be185d', button_text_color: '#ffffff', accent_color: '#4338ca', logo },
  blue: { ...none, primary_color: '#1d4ed8', background_color: '#eff6ff', logo },
}
const pages = [
  'pay-methods',
  'pay-error',
  'review',
  'voucher',
  'spei-partly',
  'result-succeeded',
  'state-expired',
]

let browser: Browser
let local: LocalSite

describe.skipIf(!chromiumPath)('branded pages in Chromium', () => {
  beforeAll(async () => {
    browser = await launchChromium()
    local = await serveSite(async (path) => {
      const { pathname, searchParams } = new URL(path, 'http://site')
      if (pathname.startsWith('/logos/')) return { body: image, headers: { 'Content-Type': 'image/svg+xml' } }
      const [, name = '', page = ''] = pathname.split('/')
      const shownAs = await shownLook('Ñandú & Compañía', looks[name]!)
      const locale = searchParams.get('lang') === 'en' ? 'en' : 'es-MX'
      const body = String(await everyPage[page]!({ locale, shownAs }))
      return { body, headers: { 'Content-Security-Policy': shownAs.policy } }
    })
  })

  afterAll(async () => {
    await browser.close()
    await local.close()
  })

  const schemes = ['light', 'dark'] as const
  const shown = Object.keys(looks).flatMap((name) => schemes.map((scheme) => [name, scheme] as const))
  test.each(shown.map(([name, scheme], nth) => [name, scheme, nth] as const))(
    '%s, %s: all text can be read, the logo is one request more and nothing is refused',
    async (name, colorScheme, nth) => {
      const tab = await openTab(browser, { colorScheme })
      for (const [at, page] of share([...pages.entries()], 3, nth)) {
        await tab.page.setViewportSize({ width: at % 2 ? 1_280 : 360, height: 800 })
        tab.requests.length = 0
        await tab.page.goto(`${local.origin}/${name}/${page}?lang=${at % 2 ? 'en' : 'es'}`)
        expect(await axeProblems(tab.page), page).toEqual([])
        expect(await overflowX(tab.page), page).toBe(0)
        const logos = tab.requests.filter((url) => url.includes('/logos/'))
        expect(logos).toHaveLength(looks[name]!.logo ? 1 : 0)
        if (looks[name]!.logo) expect(await tab.page.getByAltText('Ñandú & Compañía').isVisible()).toBe(true)
        const others = tab.requests.filter((url) => !/\/(?:assets|logos)\//.test(url))
        expect(others).toHaveLength(1)
      }
      expect(foreignRequests(tab, local.origin)).toEqual([])
      expect(tab.problems).toEqual([])
      await tab.close()
    },
  )

  test('the colors are the merchant’s; forced colors win, and leave the logo on white', async () => {
    const tab = await openTab(browser, { colorScheme: 'light' })
    const colorsOf = (selector: string) =>
      tab.page.$eval(selector, (element) => {
        const style = (
          globalThis as unknown as { getComputedStyle(e: unknown): Record<string, string> }
        ).getComputedStyle(element)
        return [style.backgroundColor, style.color]
      })
    await tab.page.goto(`${local.origin}/pink/pay-methods`)
    expect(await colorsOf('.primary')).toEqual(['rgb(190, 24, 93)', 'rgb(255, 255, 255)'])
    await tab.page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
    expect((await colorsOf('.primary'))[0]).not.toBe('rgb(190, 24, 93)')
    expect((await colorsOf('.brand'))[0]).toBe('rgb(255, 255, 255)')
    await tab.close()
  })
})
