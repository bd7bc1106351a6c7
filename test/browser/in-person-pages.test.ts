import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newMerchant } from '../support/merchant.ts'
import { atRegisters, coffee, newCode, newCounter, newOrder, payOrder } from '../support/registers.ts'
import { billOf, dish, type newBill, newTable, tablePay } from '../support/table-pay.ts'
import { asBuyer, type Buyer, desktop, origin, phone } from './buyer.ts'
import { axeProblems, chromiumPath, launchChromium, openTab, overflowX, picture } from './support.ts'

type Bill = Awaited<ReturnType<typeof newBill>>

const looks = [
  ['es-MX', phone],
  ['es-MX', desktop],
  ['en', phone],
  ['en', desktop],
] as const

const tips = { presets_bps: [1000, 1500] }

/** A bill of dishes with short and long names, whose guests may pay in any way and leave a tip. */
async function dinner(more: object = {}) {
  const merchant = await newMerchant({ name: 'Fonda Ñandú' })
  const bill = await billOf(merchant, [14_500], {
    tips,
    payment_method_types: ['card', 'oxxo', 'spei'],
    ...more,
  })
  const line_items = [
    dish(24_000, { name: 'Pizza de flor de calabaza con queso de Oaxaca y chile serrano' }),
    dish(4_500, { name: 'Agua de jamaica', quantity: 4 }),
    dish(1_234_500, { name: 'Banquete' }),
  ]
  await bill.ask('POST', '/lines', { line_items })
  return bill
}

/** What is left of it once 200.00 are paid. */
const rest = '12710'

/** What a guest's page shows in turn: each is reached from the bill by these steps, at this query. */
const shown: readonly [
  name: string,
  reach: (bill: Bill) => Promise<unknown>,
  query: (bill: Bill) => string,
][] = [
  ['parts', async () => {}, () => ''],
  ['chosen', async () => {}, ({ lines }) => `line=${lines[0]}`],
  ['wrong', async () => {}, () => 'amount=0.01'],
  ['paid-in-part', (bill) => bill.pay('amount=200'), () => ''],
  ['taken', (bill) => bill.pay(`amount=${rest}`, 'tok_sbx_timeout_then_paid'), () => ''],
]

describe.skipIf(!chromiumPath)('pages of what is sold in person', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  /** Axe finds nothing in either language, nothing scrolls sideways, and a picture is kept where one was asked for. */
  async function isSound({ page, lang }: Buyer, name: string): Promise<void> {
    expect(await axeProblems(page), `${name} in ${lang}`).toEqual([])
    expect(await overflowX(page), `${name} in ${lang}`).toBe(0)
    expect(await page.evaluate('document.documentElement.lang')).toBe(lang)
    await picture(page, `${name}-${lang}-${page.viewportSize()!.width}`)
  }

  test.each(looks)('%s, %o: the bill of a table, from an empty one to a paid one', async (lang, viewport) => {
    const short = lang === 'en' ? 'en' : 'es'
    const merchant = await newMerchant({ name: 'Fonda Ñandú' })
    const empty = await billOf(merchant, [])
    const table = await newTable(merchant)
    const guarded = await dinner({ pin: '481516' })
    const bill = await dinner()
    await asBuyer(browser, { lang, viewport }, async (buyer) => {
      const { page } = buyer
      const at = (path: string, query = '') => page.goto(`${origin}/${path}?${query}&lang=${short}`)
      await at(new URL(table.url).pathname.slice(1))
      await isSound(buyer, 'bill-none')
      await at(empty.address)
      await isSound(buyer, 'bill-empty')
      await at(guarded.address)
      await isSound(buyer, 'bill-pin')
      for (const [name, reach, query] of shown) {
        await reach(bill)
        await at(bill.address, query(bill))
        await isSound(buyer, `bill-${name}`)
      }
      await tablePay(empty.merchant, 'POST', `/sessions/${empty.id}/void`)
      await at(empty.address)
      await isSound(buyer, 'bill-void')
    })
  })

  test.each(looks)('%s, %o: the display of a register, in each of its states', async (lang, viewport) => {
    const counter = await newCounter()
    const code = new URL((await newCode(counter, 'display')).url).pathname.slice(1)
    await asBuyer(browser, { lang, viewport }, async (buyer) => {
      const { page } = buyer
      await buyer.open(code)
      await isSound(buyer, 'display-idle')
      const line_items = [
        coffee('5800', { quantity: 2 }),
        { name: 'Pan de muerto con relleno de nata y chocolate', unit_amount: '1234500' },
      ]
      const order = await newOrder(counter, { line_items, description: 'Para llevar' })
      await page.waitForSelector('.scan .qr')
      await isSound(buyer, 'display-open')
      await payOrder(order, 'tok_sbx_3ds_challenge')
      await page.waitForSelector('.scan:not(:has(.qr))')
      await isSound(buyer, 'display-paying')
      await atRegisters(counter.merchant, 'POST', `/orders/${order.id}/detach`)
      await payOrder(await newOrder(counter, { mode: 'static' }))
      await page.waitForSelector('.outcome .amount')
      await isSound(buyer, 'display-paid')
    })
  })

  const shareOf = async (more: object) => {
    const bill = await dinner(more)
    return `${bill.address}?line=${bill.lines[0]}`
  }

  // A choice that is applied at once has a script of its own.
  test.each<
    [page: string, pathOf: () => Promise<string>, ready: string, requests: number, kilobytes: number]
  >([
    ['the bill of a table', async () => (await dinner()).address, '#amount', 4, 52],
    ['the form of a share', () => shareOf({ tips: null }), '#card-number', 4, 52],
    ['the form of a share with a tip', () => shareOf({}), '#card-number', 4, 54],
    [
      'an order at a register',
      async () => (await newOrder(await newCounter(), { tips })).public_id,
      '#card-number',
      4,
      52,
    ],
    [
      'the display of a register',
      async () => {
        const counter = await newCounter()
        await newOrder(counter)
        return new URL((await newCode(counter, 'display')).url).pathname.slice(1)
      },
      '.qr',
      5,
      52,
    ],
  ])('%s is transferred in at most 20 KB and few requests', async (_, pathOf, ready, requests, kilobytes) => {
    const path = await pathOf()
    const tab = await openTab(browser, { viewport: phone })
    const bodies: Promise<Buffer>[] = []
    tab.page.on('response', (response) => {
      // What an open page asks for again and again is no part of what it takes to show it.
      if (!/\/stat(e|us)/.test(response.url())) bodies.push(response.body())
    })
    await tab.page.goto(`${origin}/${path}${path.includes('?') ? '&' : '?'}lang=es`)
    await tab.page.locator(ready).first().waitFor()
    const read = await Promise.all(bodies)
    expect(read.length).toBeLessThanOrEqual(requests)
    const weigh = (of: (body: Buffer) => number) => read.reduce((sum, body) => sum + of(body), 0)
    expect(weigh((body) => gzipSync(body).byteLength)).toBeLessThanOrEqual(20 * 1024)
    expect(weigh((body) => body.byteLength)).toBeLessThanOrEqual(kilobytes * 1024)
    expect(tab.problems).toEqual([])
    await tab.close()
  })
})
