import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payPage } from '../../functions/page/hosted-payment/pages/pay/pay.ts'
import { reviewPage } from '../../functions/page/hosted-payment/pages/pay/review.ts'
import { resultPage } from '../../functions/page/hosted-payment/pages/result/result.ts'
import { isWhole } from '../support/share.ts'
import { payView } from '../unit/pages/sample-states.ts'
import { everyPage, paymentFacts, reviewView, succeededView } from '../unit/pages/samples.ts'
import { sampleSite } from './sample-site.ts'
import { axeProblems, chromiumPath, foreignRequests, overflowX, type Tab } from './support.ts'

describe.skipIf(!chromiumPath)('buyer pages in Chromium', () => {
  const site = sampleSite()
  const { withTab } = site

  describe('axe finds nothing, nothing scrolls sideways or leaves the origin', () => {
    // Each state once, in turn in Spanish on a phone in the light and in English on a desk in the dark; with TESTS=all in
    // each combination of language, width and scheme.
    const [phone, desk] = [
      { width: 360, height: 740 },
      { width: 1280, height: 900 },
    ]
    const all = [phone, desk].flatMap((viewport) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme, langs: ['es', 'en'] })),
    )
    const looks = isWhole
      ? all
      : [
          { viewport: phone, colorScheme: 'light' as const, langs: ['es'] },
          { viewport: desk, colorScheme: 'dark' as const, langs: ['en'] },
        ]
    let tabs: Tab[]

    beforeAll(async () => {
      tabs = await Promise.all(
        looks.map(({ viewport, colorScheme }) => site.openTab({ viewport, colorScheme })),
      )
    })

    it.each(Object.keys(everyPage).map((name, nth) => [name, nth] as const))('%s', async (name, nth) => {
      for (const [at, { langs, ...look }] of looks.entries())
        for (const lang of isWhole || at === nth % looks.length ? langs : []) {
          const { page } = tabs[at]!
          await page.goto(`${site.origin}/${name}?lang=${lang}`)
          expect(await overflowX(page), JSON.stringify({ lang, look })).toBe(0)
          expect(await axeProblems(page), JSON.stringify({ lang, look })).toEqual([])
          const lineHigh = `document.querySelector('.language')?.offsetHeight ?? 0`
          expect(await page.evaluate<number>(lineHigh), 'the language is one line').toBeLessThan(60)
          expect(tabs[at]!.problems.splice(0), JSON.stringify({ lang, look })).toEqual([])
        }
    })

    afterAll(async () => {
      for (const tab of tabs) {
        expect(tab.requests.length).toBeGreaterThan(10)
        expect(foreignRequests(tab, site.origin)).toEqual([])
        expect(tab.problems).toEqual([])
        await tab.close()
      }
    })
  })

  it('with forced colors and at 200 % the main states are whole, and what is chosen is seen', async () => {
    const main = isWhole
      ? Object.keys(everyPage)
      : [
          'pay-methods',
          'pay-declined-card',
          'voucher',
          'spei',
          'result-succeeded',
          'result-free',
          'state-expired',
        ]
    for (const width of [640, 180])
      await withTab({ viewport: { width, height: 400 }, forcedColors: 'active' }, async ({ page }) => {
        for (const name of main) {
          await page.goto(`${site.origin}/${name}`)
          expect(await overflowX(page), `${name} at ${width}`).toBe(0)
          if (width === 640) expect(await axeProblems(page), name).toEqual([])
        }
        await page.goto(`${site.origin}/pay-methods`)
        const ringOf = (row: string) =>
          page.evaluate<string>(
            `getComputedStyle(document.querySelector('${row} summary'), '::before').borderTopWidth`,
          )
        expect(await ringOf('#by-card')).not.toBe(await ringOf('#by-oxxo'))
      })
  })

  it.each([320, 360, 768, 1280])('at %i px the longest words and amounts still fit', async (width) => {
    const long = { merchantName: 'M'.repeat(120), description: 'ñ'.repeat(300), amountMinor: 10n ** 18n - 1n }
    const offers = [
      { months: 24, firstMinor: 10n ** 17n, monthlyMinor: 10n ** 17n - 1n, totalMinor: 10n ** 18n },
    ]
    site.pages.set('/long-pay', () => payPage(payView({ ...long, installments: null })))
    site.pages.set('/long-review', () => reviewPage(reviewView({ ...long, offers })))
    site.pages.set('/long-receipt', () => resultPage({ ...succeededView(), ...long }))
    await withTab({ viewport: { width, height: 740 } }, async ({ page }) => {
      for (const path of ['/long-pay', '/long-review', '/long-receipt']) {
        await page.goto(site.origin + path)
        expect(await overflowX(page), path).toBe(0)
      }
    })
  })

  it('on a tall phone without JavaScript the short form stands right below what is paid', async () => {
    site.pages.set('/pay', () => payPage(payView({ installments: null })))
    const phone = { viewport: { width: 390, height: 1400 }, javaScriptEnabled: false }
    await withTab(phone, async ({ page }) => {
      const between = async (upper: string, lower: string) => {
        const [above, below] = await Promise.all([
          page.locator(upper).boundingBox(),
          page.locator(lower).boundingBox(),
        ])
        return below!.y - above!.y - above!.height
      }
      await page.goto(`${site.origin}/pay`)
      expect(await between('.summary > :last-child', '.panel')).toBe(28)
      await page.goto(`${site.origin}/review-markup`)
      expect(await between('noscript > .muted', '.panel .primary')).toBe(20)
    })
  })

  it('two clicks on Pay send one form; coming back enables it again', async () => {
    await withTab({}, async ({ page }) => {
      let sent = 0
      // 204: the browser stays on the page, so that the test can look at it after the form was sent.
      await page.route('**/attempts', (route) => {
        sent++
        return route.fulfill({ status: 204 })
      })
      await page.goto(`${site.origin}/review`)
      const pay = page.locator('button.primary')
      await pay.dblclick()
      await expect.poll(() => sent).toBe(1)
      expect(await pay.isDisabled()).toBe(true)
      expect(await pay.textContent()).toBe('Enviando…')
      await page.evaluate(`document.querySelector('form[data-once]').requestSubmit()`)
      await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
      expect(await pay.textContent()).toBe('Pagar $1,200.00 MXN')
      expect(sent).toBe(1)
      await pay.click()
      await expect.poll(() => sent).toBe(2)
    })
  })

  it('shows the total of the chosen term, in the headline too, by keyboard', async () => {
    await withTab({}, async ({ page }) => {
      await page.goto(`${site.origin}/review-markup`)
      const charged = () => page.locator('[data-charged]').allTextContents()
      expect(await charged()).toEqual(Array(3).fill('$1,000.00 MXN'))
      await page.focus('[name="months"]:checked')
      await page.keyboard.press('ArrowDown')
      expect(await charged()).toEqual(Array(3).fill('$1,095.30 MXN'))
    })
    // Without a script the button never names another total than what is charged.
    await withTab({ javaScriptEnabled: false }, async ({ page }) => {
      await page.goto(`${site.origin}/review-markup`)
      const named = page.locator('button.primary [data-preselected]')
      expect([await named.textContent(), await named.isVisible()]).toEqual(['$1,000.00 MXN', true])
      await page.check('[name="months"][value="6"]')
      expect(await named.isVisible()).toBe(false)
    })
  })

  it('changes the language of the review without losing it', async () => {
    await withTab({}, async ({ page }) => {
      site.posts.length = 0
      await page.goto(`${site.origin}/review`)
      await page.click('button.language')
      const form = await site.posted('/review')
      expect(form.get('locale')).toBe('en')
      expect(form.get('card_token')).toBe('tok_sbx_msi_3_6_9_12')
    })
  })

  it('the confirming page moves on by itself when there is news, and not before', async () => {
    let answered = 0
    site.pages.set('/waiting', () =>
      ++answered < 3
        ? resultPage({ ...paymentFacts, state: 'processing', method: 'card' })
        : resultPage(succeededView()),
    )
    await withTab({}, async (tab) => {
      await tab.page.clock.install()
      await tab.page.goto(`${site.origin}/waiting`)
      let loads = 0
      tab.page.on('load', () => loads++)
      await tab.page.clock.runFor(3100)
      await expect.poll(() => answered).toBe(2)
      expect(loads).toBe(0)
      await expect
        .poll(async () => {
          await tab.page.clock.runFor(3100)
          return tab.page.locator('h1').textContent()
        })
        .toBe('Pago aprobado')
      expect(tab.problems).toEqual([])
    })
  })

  it('on a phone at 200 % each fact and each field has room for its words', async () => {
    await withTab({ viewport: { width: 195, height: 422 } }, async ({ page }) => {
      for (const name of ['pay', 'spei', 'result-succeeded']) {
        await page.goto(`${site.origin}/${name}`)
        const all = `document.querySelectorAll('.facts dd, .card-fields input')`
        const widths = `[...${all}].map((one) => one.clientWidth)`
        expect(Math.min(...(await page.evaluate<number[]>(widths))), name).toBeGreaterThan(90)
      }
    })
  })

  it('without JavaScript the confirming page asks for a refresh', async () => {
    await withTab({ javaScriptEnabled: false }, async ({ page }) => {
      await page.goto(`${site.origin}/result-processing`)
      expect(await page.locator('meta[http-equiv="refresh"]').count()).toBe(1)
    })
  })

  it('stands still where reduced motion is preferred, and prints a receipt without buttons', async () => {
    await withTab({ reducedMotion: 'reduce' }, async ({ page }) => {
      await page.goto(`${site.origin}/result-processing`)
      const animation = `getComputedStyle(document.querySelector('.waiting')).animationName`
      expect(await page.evaluate(animation)).toBe('none')
      await page.goto(`${site.origin}/result-succeeded`)
      expect(await page.locator('[data-print]').isVisible()).toBe(true)
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('[data-print]').isVisible()).toBe(false)
      expect(await page.locator('.test-mode').isVisible()).toBe(true)
    })
  })
})
