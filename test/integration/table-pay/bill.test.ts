import { expect, test } from 'vitest'
import { drawnQr, scanQr } from '../../support/barcode.ts'
import { brokenRules } from '../../support/books.ts'
import { asked, newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { call, newMerchant, pay } from '../../support/merchant.ts'
import { pageOf } from '../../support/pages.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { dish, newBill, newTable, tablePay } from '../../support/table-pay.ts'

type Bill = Awaited<ReturnType<typeof newBill>>

const sumsOf = ({
  amount,
  amount_held,
  amount_paid,
  amount_due,
}: Awaited<ReturnType<Awaited<ReturnType<typeof newBill>>['now']>>) =>
  [amount, amount_held, amount_paid, amount_due].map(Number)

test('a table is opened with its lines, and has one open bill', async () => {
  const { merchant, table, opened, id } = await newBill(14_500, 5_200)
  expect(opened.body).toMatchObject({
    object: 'table_session',
    status: 'open',
    payment_status: 'unpaid',
    name: table.name,
    table_id: table.id,
    amount_subtotal: '19700',
    amount: '19700',
    amount_due: '19700',
  })
  expect(opened.headers.get('location')).toBe(`/v1/table-pay/sessions/${id}`)
  const again = await tablePay(merchant, 'POST', `/tables/${table.id}/sessions`, {})
  expect([again.status, again.body.error?.code]).toEqual([409, 'dining_table_occupied'])
})

test('50 waiters open one table at once: one bill', async () => {
  const merchant = await newMerchant()
  const table = await newTable(merchant)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => tablePay(merchant, 'POST', `/tables/${table.id}/sessions`, {})),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.error?.code))).toEqual(
    new Set(['dining_table_occupied']),
  )
})

test.each([
  ['a price with its IVA', dish(11_600), '11600'],
  [
    'a price without it: rounded half up once for the line',
    dish(2_525, { quantity: 3, price_includes_tax: false }),
    '8787',
  ],
  ['8 % of it', dish(10_000, { iva_rate: '8', price_includes_tax: false }), '10800'],
  ['exempt', dish(10_000, { iva_rate: 'exempt', price_includes_tax: false }), '10000'],
])('%s', async (_, line, total) => {
  const bill = await newBill()
  const { body } = await bill.ask('POST', '/lines', { line_items: [line] })
  expect([body.line_items[0]?.amount_total, body.amount]).toEqual([total, total])
})

test('a line of the catalog has its name and price; what has stock is not served', async () => {
  const bill = await newBill()
  const catalog = await newCatalog(bill.merchant)
  const coffee = await newItem(bill.merchant, catalog.id, {
    kind: 'service',
    name: 'Café de olla',
    price: { amount: '4500' },
  })
  const cup = await newItem(bill.merchant, catalog.id, {
    kind: 'physical_count',
    name: 'Taza',
    price: { amount: '100' },
  })
  await asked(bill.merchant, 'POST', `/${catalog.id}/publish`)
  const { body } = await bill.ask('POST', '/lines', { line_items: [{ item_id: coffee.id, quantity: 2 }] })
  expect(body.line_items).toMatchObject([{ name: 'Café de olla', amount_total: '9000', item_id: coffee.id }])
  const refused = await bill.ask('POST', '/lines', { line_items: [{ item_id: cup.id }] })
  expect([refused.status, refused.body.error]).toMatchObject([
    422,
    { code: 'table_line_not_served', param: 'line_items.0.item_id' },
  ])
})

test('the code of a table leads to the bill that is open, and says so while none is', async () => {
  const { table, address, ask } = await newBill(10_000)
  const at = new URL(table.url).pathname
  const opened = await fetch(stack.sandbox.directUrl + at, { redirect: 'manual' })
  expect([opened.status, opened.headers.get('location')]).toEqual([302, `/${address}?lang=es`])
  await ask('POST', '/void')
  const { status, html } = await pageOf(`${at}?lang=en`)
  expect([status, html.includes('No bill is open yet')]).toEqual([404, true])
  expect((await pageOf(`/m/stable_${'a'.repeat(32)}`)).status).toBe(404)
})

test('a guest pays lines, another an equal share, a third the rest; then the bill closes', async () => {
  const bill = await newBill(12_000, 8_000, 10_000)
  expect((await bill.pay(`line=${bill.lines[0]}`)).status).toBe(303)
  expect((await bill.pay('shares=3')).status).toBe(303)
  expect(sumsOf(await bill.now())).toEqual([30_000, 0, 22_000, 8_000])
  const early = await bill.ask('POST', '/close')
  expect([early.status, early.body.error?.code]).toEqual([409, 'table_session_unpaid'])
  expect((await bill.pay('amount=80')).status).toBe(303)
  expect(await bill.now()).toMatchObject({ payment_status: 'paid', amount_due: '0' })
  const closed = await bill.ask('POST', '/close')
  expect([closed.status, closed.body.status]).toEqual([200, 'closed'])
  expect((await pageOf(`/${bill.address}?lang=en`)).status).toBe(410)
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test.each([
  [8, '8'],
  [1, '2'],
  [null, '2'],
])('the page of a bill of %s guests proposes a share among %s', async (guests_count, proposed) => {
  const bill = await newBill()
  await bill.ask('POST', '/void')
  const asked = { guests_count, line_items: [dish(10_000)] }
  const { body } = await tablePay(bill.merchant, 'POST', `/tables/${bill.table.id}/sessions`, asked)
  const { html } = await pageOf(`/${body.public_id}?lang=en`)
  expect(/<input id="shares"[^>]* value="(\d+)"/.exec(html)?.[1]).toBe(proposed)
})

test('lines that cost more than what is left are paid by what is left', async () => {
  const bill = await newBill(10_000, 10_000)
  await bill.pay('amount=150')
  await bill.pay(`line=${bill.lines[0]}`)
  expect(sumsOf(await bill.now())).toEqual([20_000, 0, 20_000, 0])
})

test('a shared dish is split: its parts sum to it, and each is paid by itself', async () => {
  const bill = await newBill(10_000)
  const split = await bill.ask('POST', `/lines/${bill.lines[0]}/split`, { parts_count: 3 })
  const parts = split.body.line_items.filter(({ status }) => status === 'ordered')
  expect(parts.map(({ name, amount_total }) => [name, amount_total])).toEqual([
    ['Plato 1 (1/3)', '3334'],
    ['Plato 1 (2/3)', '3333'],
    ['Plato 1 (3/3)', '3333'],
  ])
  expect(split.body.amount).toBe('10000')
  expect((await bill.pay(`line=${parts[1]!.id}`)).status).toBe(303)
  const paid = (await bill.now()).line_items.filter(({ payment_id }) => payment_id !== null)
  expect(paid.map(({ id }) => id)).toEqual([parts[1]!.id])
  const again = await bill.ask('POST', `/lines/${parts[1]!.id}/split`, { parts_count: 2 })
  expect([again.status, again.body.error?.code]).toEqual([409, 'table_line_claimed'])
})

test.each([
  ['another guest paid it', (bill: Bill) => bill.pay(`line=${bill.lines[0]}`)],
  [
    'the waiter took cash for it',
    (bill: Bill) =>
      bill.ask('POST', '/external-payments', { method: 'cash', amount: '10000', line_ids: [bill.lines[0]] }),
  ],
  ['the waiter voided it', (bill: Bill) => bill.ask('POST', `/lines/${bill.lines[0]}/void`)],
  ['a discount left less than it', (bill: Bill) => bill.ask('PUT', '/discount', { amount: '14500' })],
])('a guest whose line is gone, since %s, is told that the bill has changed', async (_, goes) => {
  const bill = await newBill(10_000, 5_000)
  const form = await bill.form(`line=${bill.lines[0]}`)
  await goes(bill)
  const { amount_paid } = await bill.now()
  const late = await pay(bill.address, form, 'tok_sbx_approve')
  expect([late.status, late.html]).toEqual([409, expect.stringContaining('The bill has changed')])
  expect((await bill.now()).amount_paid).toBe(amount_paid)
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test('a line that is paid is not voided, and the bill comes to no less than what is paid', async () => {
  const bill = await newBill(10_000, 5_000)
  await bill.pay(`line=${bill.lines[0]}`)
  const paid = await bill.ask('POST', `/lines/${bill.lines[0]}/void`)
  expect([paid.status, paid.body.error?.code]).toEqual([409, 'table_line_claimed'])
  const unseen = adminSql('sandbox')(`update table_lines set status = 'void' where id = $1`, [bill.lines[0]])
  await expect(unseen).rejects.toMatchObject({ constraint: 'table_lines_claimed' })
  await bill.pay('amount=20')
  const needed = await bill.ask('POST', `/lines/${bill.lines[1]}/void`)
  expect([needed.status, needed.body.error?.code]).toEqual([409, 'table_session_amount_taken'])
  const tooMuch = await bill.ask('PUT', '/discount', { amount: '3001' })
  expect([tooMuch.status, tooMuch.body.error]).toMatchObject([
    409,
    { code: 'table_session_amount_taken', param: 'amount' },
  ])
  expect((await bill.ask('PUT', '/discount', { amount: '3000' })).body).toMatchObject({
    amount_discount: '3000',
    amount: '12000',
    payment_status: 'paid',
  })
})

test('cash is recorded as what it is: it pays lines or an amount, and touches no balance', async () => {
  const bill = await newBill(10_000, 5_000)
  const wrong = { method: 'cash', amount: '9999', line_ids: [bill.lines[0]] }
  const short = await bill.ask('POST', '/external-payments', wrong)
  expect([short.status, short.body.error]).toMatchObject([422, { param: 'amount' }])
  const cash = { method: 'cash', amount: '10000', amount_tip: '1000', line_ids: [bill.lines[0]] }
  const recorded = await bill.ask<{ id: string }>('POST', '/external-payments', cash)
  expect([recorded.status, recorded.body]).toMatchObject([201, { amount_tip: '1000', status: 'recorded' }])
  expect(await bill.now()).toMatchObject({ amount_paid: '10000', payment_status: 'partly_paid' })
  const over = await bill.ask('POST', '/external-payments', { method: 'other_terminal', amount: '5001' })
  expect([over.status, over.body.error]).toMatchObject([
    409,
    {
      code: 'table_session_amount_taken',
      param: 'amount',
      message: '5000 minor units of the bill are left; the rest is paid, or is being paid.',
    },
  ])
  const at = `/external-payments/${recorded.body.id}`
  expect((await tablePay(bill.merchant, 'POST', `${at}/cancel`)).body).toMatchObject({ status: 'canceled' })
  expect((await bill.now()).line_items[0]).toMatchObject({ external_payment_id: null })
  expect(sumsOf(await bill.now())).toEqual([15_000, 0, 0, 15_000])
  const balance = await call<{ data?: unknown[] }>('GET', '/v1/payment-operations/balance-activity', {
    bearer: bill.merchant.apiKey,
  })
  expect(balance.body.data).toEqual([])
})

test('a bill moves to another table, and its table is free', async () => {
  const bill = await newBill(10_000)
  const other = await newTable(bill.merchant, { name: 'Terraza 1' })
  expect((await bill.ask('POST', '/transfer', { table_id: other.id })).body).toMatchObject({
    table_id: other.id,
    name: 'Terraza 1',
  })
  expect((await tablePay(bill.merchant, 'POST', `/tables/${bill.table.id}/sessions`, {})).status).toBe(201)
  const back = await bill.ask('POST', '/transfer', { table_id: bill.table.id })
  expect([back.status, back.body.error?.code]).toEqual([409, 'dining_table_occupied'])
})

test('a table with an open bill is not archived', async () => {
  const bill = await newBill(10_000)
  const refused = await tablePay(bill.merchant, 'POST', `/tables/${bill.table.id}/archive`)
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'dining_table_occupied'])
  await bill.ask('POST', '/void')
  expect((await tablePay(bill.merchant, 'POST', `/tables/${bill.table.id}/archive`)).status).toBe(200)
  const opened = await tablePay(bill.merchant, 'POST', `/tables/${bill.table.id}/sessions`, {})
  expect([opened.status, opened.body.error?.code]).toEqual([409, 'dining_table_archived'])
})

test('a bill of which something is paid is not voided; a void one is reopened', async () => {
  const bill = await newBill(10_000)
  await bill.pay('amount=50')
  const refused = await bill.ask('POST', '/void')
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'table_session_being_paid'])
  const empty = await newBill(5_000)
  expect((await empty.ask('POST', '/void')).body.status).toBe('void')
  expect((await pageOf(`/${empty.address}?lang=en`)).status).toBe(410)
  expect((await empty.ask('POST', '/reopen')).body).toMatchObject({ status: 'open', amount_due: '5000' })
})

test('another merchant finds neither table nor bill', async () => {
  const bill = await newBill(10_000)
  const stranger = await newMerchant()
  for (const [method, at] of [
    ['GET', `/tables/${bill.table.id}`],
    ['POST', `/tables/${bill.table.id}/sessions`],
    ['GET', `/sessions/${bill.id}`],
    ['POST', `/sessions/${bill.id}/close`],
    ['POST', `/sessions/${bill.id}/lines/${bill.lines[0]}/void`],
  ] as const)
    expect((await tablePay(stranger, method, at, method === 'GET' ? undefined : {})).status).toBe(404)
})

test('the printed code of a table scans as its address, and stays the same under each bill', async () => {
  const bill = await newBill(10_000)
  const printed = () => tablePay(bill.merchant, 'GET', `/tables/${bill.table.id}/qr.svg`)
  const { status, headers, text } = await printed()
  expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(scanQr(drawnQr(text, 3))).toBe(bill.table.url)
  await bill.ask('POST', '/void')
  await tablePay(bill.merchant, 'POST', `/tables/${bill.table.id}/sessions`, {})
  expect((await printed()).text).toBe(text)
})
