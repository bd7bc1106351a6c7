import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { pageHeaders } from '../../functions/page/hosted-payment/pages/frame/headers.ts'
import { text } from '../../functions/page/hosted-payment/pages/text.ts'
import { control, faults, stack, trigger } from '../support/stack.ts'
import { asBuyer, books, dueNow, press, sale, sendCard, typeCard } from './buyer.ts'
import { chromiumPath, launchChromium } from './support.ts'

let browser: Browser
const { state, result } = text['es-MX']
/** Asks until it is refused, at most two minutes' worth: a new minute between two requests starts the count again. */
async function untilRefused<T extends { status: number }>(ask: () => Promise<T>, before: number): Promise<T> {
  for (let at = 0; at < 6; at++) {
    const answer = await ask()
    if (answer.status === 429) return answer
    expect(answer.status).toBe(before)
  }
  throw new Error('never refused')
}

const publishing = { database: 'sandbox', contains: 'door.publish' }

describe.skipIf(!chromiumPath)('a buyer while something fails', () => {
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterEach(() => faults.clear())
  afterAll(() => browser?.close())

  it('when the form never arrived, sending it again pays once', async () => {
    const { tenantId, publicId } = await sale({ installment_options: [{ months: 3 }] })
    await asBuyer(browser, {}, async (buyer) => {
      await buyer.open(publicId)
      await typeCard(buyer.page, 'tok_sbx_msi_3_6_9_12')
      await buyer.page.waitForSelector('.term')
      await buyer.page.check('[name="months"][value="3"]')
      await faults.neon({ mode: 'refuse', match: publishing, times: 2 })
      await press(buyer.page, 'button.primary')
      expect(await buyer.heading()).toBe(state.error.title)
      expect(await buyer.page.textContent('main')).toContain(state.error.resend)
      await buyer.looksRight()
      await press(buyer.page, 'button.primary')
      expect(await buyer.heading()).toBe(result.succeeded.title)
      expect(await buyer.page.textContent('main')).toContain('3 meses de')
    })
    expect(await books(tenantId)).toEqual({
      payments: [{ amount: '120000', status: 'succeeded', attempts: 'captured' }],
      journals: ['0'],
    })
  })

  it('when our database committed but its answer was lost, sending the form again is the same payment', async () => {
    const { tenantId, publicId } = await sale()
    await asBuyer(browser, {}, async (buyer) => {
      await buyer.open(publicId)
      await faults.neon({ mode: 'reset-after-commit', match: publishing, times: 2 })
      await sendCard(buyer.page, 'tok_sbx_approve')
      expect(await buyer.heading()).toBe(state.error.title)
      await press(buyer.page, 'button.primary')
      expect(await buyer.heading()).toBe(result.processing.titles.card)
      const { pathname } = new URL(buyer.page.url())
      // The processor was never asked: the reconciler closes the attempt there first, and the buyer tries again.
      await dueNow(tenantId)
      await trigger('sandbox')
      await buyer.page.reload()
      expect(await buyer.page.textContent('main')).toContain(result.reasons.processing_error)
      await sendCard(buyer.page, 'tok_sbx_approve')
      expect(await buyer.heading()).toBe(result.succeeded.title)
      expect(new URL(buyer.page.url()).pathname).toBe(pathname)
    })
    expect(await books(tenantId)).toEqual({
      payments: [{ amount: '120000', status: 'succeeded', attempts: 'canceled captured' }],
      journals: ['0'],
    })
  })

  it('when the bank charged but our database refused the outcome, the page waits and the reconciler books it once', async () => {
    const { tenantId, publicId } = await sale()
    await asBuyer(browser, {}, async (buyer) => {
      await buyer.open(publicId)
      await faults.neon({ mode: 'refuse', match: publishing, skip: 1, times: 2 })
      await sendCard(buyer.page, 'tok_sbx_approve')
      if ((await buyer.heading()) === state.error.title) await press(buyer.page, 'button.primary')
      expect(await buyer.heading()).toBe(result.processing.titles.card)
      await dueNow(tenantId)
      await trigger('sandbox')
      await buyer.page.reload()
      expect(await buyer.heading()).toBe(result.succeeded.title)
    })
    expect(await books(tenantId)).toEqual({
      payments: [{ amount: '120000', status: 'succeeded', attempts: 'captured' }],
      journals: ['0'],
    })
  })

  it('while the database is down the page says so, names the request and offers no way to pay twice', async () => {
    const { tenantId, publicId } = await sale()
    await asBuyer(browser, {}, async (buyer) => {
      await faults.neon({ mode: 'refuse', match: { database: 'sandbox' }, always: true })
      await buyer.open(publicId)
      expect(await buyer.heading()).toBe(state.error.title)
      expect(await buyer.page.textContent('main code')).toMatch(/^req_[0-9a-f]{32}$/)
      await buyer.looksRight()
      await faults.clear()
      await press(buyer.page, 'a.primary')
      expect(await buyer.page.textContent('.amount')).toBe('$1,200.00 MXN')
    })
    expect((await books(tenantId)).payments).toEqual([])
  })

  it('too many requests get a page that says so, and when to retry', async () => {
    const { publicId } = await sale()
    const few = { limit: 2, period: 60 }
    await control.reconfigure('sandbox', { rateLimits: { RATE_READ: few, RATE_PUBLIC: few } })
    try {
      const refused = await untilRefused(() => fetch(`${stack.sandbox.directUrl}/${publicId}?lang=en`), 200)
      expect(refused.headers.get('retry-after')).toBe('60')
      for (const [name, value] of Object.entries(pageHeaders)) expect(refused.headers.get(name)).toBe(value)
      expect(await refused.text()).toContain(text.en.state.too_many_requests.title)
      // A challenge belongs to no sale that is known here: it counts against its address.
      const challenge = await untilRefused(() => fetch(`${stack.sandbox.directUrl}/simulator/3ds/x`), 404)
      expect(challenge.headers.get('content-type')).toBe('text/html; charset=UTF-8')
      await asBuyer(browser, {}, async (buyer) => {
        await untilRefused(async () => {
          await buyer.open(publicId)
          const isRefused = (await buyer.heading()) === state.too_many_requests.title
          return { status: isRefused ? 429 : 200 }
        }, 200)
        await buyer.looksRight()
      })
    } finally {
      await control.reconfigure('sandbox')
    }
  })
})
