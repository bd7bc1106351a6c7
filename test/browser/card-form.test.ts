import { describe, expect, it } from 'vitest'
import type { PayView } from '../../functions/page/hosted-payment/pages/frame/view.ts'
import { payPage } from '../../functions/page/hosted-payment/pages/pay/pay.ts'
import { testCards } from '../../src/processors/simulator/cards.ts'
import { payView } from '../unit/pages/sample-states.ts'
import { sampleSite } from './sample-site.ts'
import { axeProblems, chromiumPath, type Tab } from './support.ts'

describe.skipIf(!chromiumPath)('the sandbox card form', () => {
  const site = sampleSite()

  async function open(page: Tab['page'], over: Partial<PayView>): Promise<void> {
    site.posts.length = 0
    site.pages.set('/card-form', () => payPage(payView(over)))
    await page.goto(`${site.origin}/card-form`)
  }

  function onPayPage(over: Partial<PayView>, use: (tab: Tab) => Promise<void>): Promise<void> {
    return site.withTab({}, async (tab) => {
      await open(tab.page, over)
      await use(tab)
    })
  }

  it('sends the token of a typed test card, with the keyboard alone, and never the number', async () => {
    await onPayPage({}, async ({ page }) => {
      await page.focus('#card-number')
      await page.keyboard.type('4242424242424242')
      expect(await page.inputValue('#card-number')).toBe('4242 4242 4242 4242')
      await page.keyboard.press('Tab')
      await page.keyboard.type('1290')
      expect(await page.inputValue('#card-expiry')).toBe('12/90')
      await page.keyboard.press('Tab')
      await page.keyboard.type('123')
      await page.keyboard.press('Tab')
      await page.keyboard.type('Alex Prueba')
      await page.keyboard.press('Enter')
      const form = await site.posted()
      expect(Object.fromEntries(form)).toEqual({
        quote: 'signed.quote',
        attempt_key: 'attempt-key-0001',
        locale: 'es-MX',
        card_token: 'tok_sbx_approve',
        card_name: 'Alex Prueba',
        method: 'card',
        months: '1',
        receipt_email: '',
        // Where a script runs the bank's page follows at once.
        to_bank: 'yes',
      })
      expect(page.url()).not.toMatch(/4242/)
    })
  })

  it('keeps the caret where a digit was corrected', async () => {
    await onPayPage({}, async ({ page }) => {
      await page.fill('#card-number', '4242 4242 4242 424')
      await page.evaluate(`document.getElementById('card-number').setSelectionRange(2, 2)`)
      await page.focus('#card-number')
      await page.keyboard.type('99')
      expect(await page.inputValue('#card-number')).toBe('4299 4242 4242 4242 4')
      expect(await page.evaluate(`document.getElementById('card-number').selectionStart`)).toBe(4)
    })
  })

  it('refuses a number that is no test card, says so, and the list of what is wrong has the focus', async () => {
    await onPayPage({}, async (tab) => {
      const { page } = tab
      await page.fill('#card-number', '4111 1111 1111 1111')
      await page.click('button.primary')
      const number = page.locator('#card-number')
      expect(await number.getAttribute('aria-invalid')).toBe('true')
      expect(await number.getAttribute('aria-describedby')).toBe('card-number-error')
      expect(await page.locator('#card-number-error').textContent()).toContain('No es una tarjeta de prueba')
      expect(await page.locator('[role="alert"]:visible').count()).toBe(5)
      expect(await page.evaluate('document.activeElement.className')).toBe('alert')
      expect(await page.locator('#pay > .alert a').count()).toBe(4)
      expect(await axeProblems(page)).toEqual([])
      expect(site.posts).toEqual([])

      await page.fill('#card-number', testCards[0]!.number)
      expect(await page.locator('#card-number-error').isVisible()).toBe(false)
      expect(await number.getAttribute('aria-invalid')).toBeNull()
    })
  })

  it.each([
    ['13/40', 'Escribe mes y año'],
    ['01/20', 'ya pasó'],
  ])('expiry %s: the error shows as soon as it is complete', async (typed, message) => {
    await onPayPage({}, async ({ page }) => {
      const error = page.locator('#card-expiry-error')
      await page.fill('#card-expiry', typed.slice(0, 4))
      expect(await error.isVisible()).toBe(false)
      await page.fill('#card-expiry', typed)
      expect(await error.textContent()).toContain(message)
    })
  })

  it.each(testCards.slice(0, 3).map((card) => [card.token, card] as const))(
    '"use" fills in and sends %s',
    async (token, card) => {
      await onPayPage({}, async ({ page }) => {
        await page.click('.cards summary')
        await page.click(`[data-token="${token}"] button`)
        expect((await page.inputValue('#card-number')).replaceAll(' ', '')).toBe(card.number)
        expect(await page.locator('[data-used]').textContent()).toContain(card.label['es-MX'])
        await page.keyboard.press('Enter')
        expect((await site.posted()).get('card_token')).toBe(token)
      })
    },
  )

  it.each([
    ['without JavaScript', { javaScriptEnabled: false }, false],
    ['when the script does not arrive', {}, true],
  ])('%s a test card is chosen from a list', async (_when, options, lost) => {
    await site.withTab(options, async ({ page }) => {
      if (lost) await page.route('**/sandbox-card.js', (route) => route.abort())
      await open(page, {})
      expect(await page.locator('#card-number').isVisible()).toBe(false)
      expect(await page.locator('.cards').isVisible()).toBe(false)
      await page.selectOption('#card-token', 'tok_sbx_fraud')
      await page.click('button.primary')
      expect((await site.posted()).getAll('card_token')).toEqual(['tok_sbx_fraud'])
    })
  })

  it('focuses the message of a form that came back, so that screen readers speak it', async () => {
    await onPayPage({ error: 'quote_expired' }, async ({ page }) => {
      expect(await page.evaluate(`document.activeElement.getAttribute('role')`)).toBe('alert')
    })
  })
})
