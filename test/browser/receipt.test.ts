import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { text } from '../../functions/page/hosted-payment/pages/text.ts'
import type { Locale } from '../../src/kernel/locale.ts'
import { newEmail } from '../support/customer.ts'
import { received } from '../support/mails.ts'
import { trigger } from '../support/stack.ts'
import { asBuyer, phone, press, sale, typeCard } from './buyer.ts'
import { axeProblems, chromiumPath, launchChromium } from './support.ts'

describe.skipIf(!chromiumPath)('the field for a receipt', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  it.each<Locale>(['es-MX', 'en'])(
    '%s: an address with a mistake is explained, a right one is mailed',
    async (lang) => {
      const { publicId } = await sale()
      const [to, { pay, result }] = [newEmail(), text[lang]]
      await asBuyer(browser, { lang, viewport: phone }, async ({ page, open, heading, looksRight }) => {
        await open(publicId)
        await page.fill('#receipt_email', 'ana@example')
        await typeCard(page, 'tok_sbx_approve')
        await page.click('button.primary')
        expect(await page.textContent('#receipt_email-error')).toBe(pay.wrong.receipt_email)
        expect(await page.inputValue('#receipt_email')).toBe('ana@example')
        await looksRight()
        expect(await axeProblems(page)).toEqual([])
        await page.fill('#receipt_email', to)
        await press(page, 'button.primary')
        expect(await heading()).toBe(result.succeeded.title)
      })
      await trigger('sandbox')
      const [mail] = await received(to)
      expect(mail!.html).toContain(`<html lang="${lang}">`)
    },
  )
})
