import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { text } from '../../functions/page/hosted-payment/pages/text.ts'
import { brokenRules, chargesOf } from '../support/books.ts'
import { call, openLink, pay } from '../support/merchant.ts'
import { newBill } from '../support/origins/bill.ts'
import { pageOf, sendForm } from '../support/pages.ts'
import { adminSql } from '../support/stack.ts'
import { asBuyer, press, sendCard } from './buyer.ts'
import { chromiumPath, launchChromium } from './support.ts'

type Listed = {
  data: {
    status: string
    amount: string
    order: { line_items: { id: string; name: string; amount_total: string }[] } | null
    taxes: { iva: string }[]
  }[]
}

const paymentsOf = async ({ merchant, id }: Awaited<ReturnType<typeof newBill>>) =>
  (
    await call<Listed>('GET', `/v1/payment-operations/payments?table_bill_id=${id}`, {
      bearer: merchant.apiKey,
    })
  ).body.data

test('the page offers the lines that nobody pays, equal shares and an amount', async () => {
  const bill = await newBill(12_000, 8_050)
  const { status, html } = await pageOf(`/${bill.address}?lang=en`)
  expect(status).toBe(200)
  for (const line of bill.lines) expect(html).toContain(`name="line" value="${line}"`)
  expect(html).toContain('$120.00')
  expect(html).toContain('name="shares"')
  expect(html).toContain('$200.50')
})

test('a guest pays one line: its receipt and its payment show that line and its IVA alone', async () => {
  const bill = await newBill(11_600, 5_800)
  const paid = await pay(bill.address, await bill.form(`line=${bill.lines[1]}`), 'tok_sbx_approve')
  expect(paid.status).toBe(303)
  expect(await paymentsOf(bill)).toMatchObject([
    {
      status: 'succeeded',
      amount: '5800',
      order: { line_items: [{ id: bill.lines[1], name: 'Plato 2', amount_total: '5800' }] },
      taxes: [{ iva: '800' }],
    },
  ])
  expect([await bill.sums(), await bill.taken()]).toEqual([{ total: '17400', held: '0', paid: '5800' }, [1]])
  const { html } = await pageOf(`/${bill.address}?lang=en`)
  expect([html.includes('Plato 1'), html.includes('Plato 2')]).toEqual([true, false])
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test('three equal shares of 100.00 are 33.34, 33.34 and what is left', async () => {
  const bill = await newBill(10_000)
  for (const _ of [1, 2, 3]) await pay(bill.address, await bill.form('shares=3'), 'tok_sbx_approve')
  expect((await paymentsOf(bill)).map(({ amount }) => amount).sort()).toEqual(['3332', '3334', '3334'])
  const { status, title } = await pageOf(`/${bill.address}?lang=en`)
  expect([status, title]).toEqual([410, expect.stringContaining('The bill is paid')])
})

test('a line is added while a guest pays: the form of before is taken', async () => {
  const bill = await newBill(10_000)
  const form = await bill.form(`line=${bill.lines[0]}`)
  await bill.add(4_000)
  expect((await pay(bill.address, form, 'tok_sbx_approve')).status).toBe(303)
  expect(await bill.sums()).toEqual({ total: '14000', held: '0', paid: '10000' })
})

test.each([
  ['the same line', (bill: Awaited<ReturnType<typeof newBill>>) => `line=${bill.lines[0]}`, 1],
  ['the rest', () => 'amount=500', 1],
  ['an equal share', () => 'shares=5', 5],
] as const)('50 guests at once for %s: what is there is paid once', async (_, part, payable) => {
  const bill = await newBill(50_000)
  const forms = await Promise.all(Array.from({ length: 50 }, () => bill.form(part(bill))))
  const answers = await Promise.all(forms.map((form) => pay(bill.address, form, 'tok_sbx_approve')))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(payable)
  for (const { status } of answers.filter((answer) => answer.status !== 303))
    expect([409, 410]).toContain(status)
  expect((await chargesOf(bill.address)).map(({ state }) => state)).toEqual(Array(payable).fill('captured'))
  expect(await bill.sums()).toEqual({ total: '50000', held: '0', paid: '50000' })
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test('50 guests each pay a line of their own at once', async () => {
  const bill = await newBill(...Array.from({ length: 50 }, (_, at) => 1_000 + at))
  const forms = await Promise.all(bill.lines.map((line) => bill.form(`line=${line}`)))
  const answers = await Promise.all(forms.map((form) => pay(bill.address, form, 'tok_sbx_approve')))
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(303))
  const { total, held, paid } = await bill.sums()
  expect([held, paid]).toEqual(['0', total])
  expect(await bill.taken()).toHaveLength(50)
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test('a declined card and an unpaid voucher free their lines', async () => {
  const bill = await newBill(30_000, 20_000)
  await pay(bill.address, await bill.form(`line=${bill.lines[0]}`), 'tok_sbx_decline_funds')
  expect([await bill.sums(), await bill.taken()]).toEqual([{ total: '50000', held: '0', paid: '0' }, []])
  const link = { public_id: bill.address } as Parameters<typeof sendForm>[0]
  const buyer = { name: 'Ana Prueba', email: 'ana@example.com' }
  const query = `?method=oxxo&line=${bill.lines[1]}`
  expect((await sendForm(link, { method: 'oxxo', ...buyer }, { query })).status).toBe(303)
  expect([await bill.sums(), await bill.taken()]).toEqual([{ total: '50000', held: '20000', paid: '0' }, [1]])
  const { html } = await pageOf(`/${bill.address}?lang=en&line=${bill.lines[1]}`)
  expect(html).toContain('Somebody else is paying for that')
  const [{ reference }] = (await adminSql('sandbox')<{ reference: string }>(
    `select method_details->>'reference' as reference from payments where tenant_id = $1 and method = 'oxxo'`,
    [bill.merchant.tenantId],
  )) as [{ reference: string }]
  const ended = `/v1/sandbox/oxxo/${reference}/expire`
  expect((await call('POST', ended, { bearer: bill.merchant.apiKey })).status).toBe(200)
  expect([await bill.sums(), await bill.taken()]).toEqual([{ total: '50000', held: '0', paid: '0' }, []])
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test('a card that was declined is tried again for the same lines', async () => {
  const bill = await newBill(30_000, 20_000)
  const declined = await pay(bill.address, await bill.form(`line=${bill.lines[1]}`), 'tok_sbx_decline_funds')
  const reference = /spcs_[a-z0-9]{32}/.exec(declined.location ?? '')![0]
  const again = await openLink(bill.address, `?retry=${reference}`)
  expect((await pay(bill.address, again, 'tok_sbx_approve')).status).toBe(303)
  expect(await bill.taken()).toEqual([1])
  expect(await paymentsOf(bill)).toMatchObject([{ status: 'succeeded', amount: '20000' }])
})

describe.skipIf(!chromiumPath)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  test.each([
    ['es-MX', 'Paga lo tuyo'],
    ['en', 'Pay for what is yours'],
  ] as const)(
    '%s: a guest chooses lines, pays them by card and reads them on the receipt',
    async (lang, heading) => {
      const bill = await newBill(14_500, 5_200, 9_900)
      await asBuyer(browser, { lang }, async (buyer) => {
        const { page } = buyer
        await buyer.open(bill.address)
        expect(await page.textContent('h2')).toBe(heading)
        await buyer.looksRight()
        await page.check(`input[value="${bill.lines[0]}"]`)
        await page.check(`input[value="${bill.lines[2]}"]`)
        await press(page, 'form:has([name="line"]) button')
        expect(await page.textContent('.amount')).toBe('$244.00 MXN')
        await buyer.looksRight()
        await sendCard(page, 'tok_sbx_approve')
        expect(await buyer.heading()).toBe(text[lang].result.succeeded.title)
        const shown = await page.textContent('main')
        expect(['Plato 1', 'Plato 2', 'Plato 3'].map((name) => shown!.includes(name))).toEqual([
          true,
          false,
          true,
        ])
      })
      expect(await bill.taken()).toEqual([0, 2])
    },
  )
})
