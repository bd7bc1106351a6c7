import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { newCatalog, newItem, asked as ofCatalogs } from '../../support/digital-catalogs.ts'
import { call } from '../../support/merchant.ts'
import {
  answerOf,
  atRegisters,
  type Counter,
  inCash,
  newCounter,
  newOrder,
  openShift,
  orderNow,
  payOrder,
  ringUp,
  type Shift,
} from '../../support/registers.ts'
import { adjust } from '../../support/stock.ts'

const shiftNow = async ({ merchant }: Counter, { id }: Shift) =>
  (await atRegisters<Shift>(merchant, 'GET', `/shifts/${id}`)).body

const close = ({ merchant }: Counter, { id }: Shift, amount_counted: string) =>
  atRegisters<Shift>(merchant, 'POST', `/shifts/${id}/close`, { amount_counted })

const move = ({ merchant }: Counter, { id }: Shift, kind: string, amount: string) =>
  atRegisters<{ id: string; error?: { code: string } }>(merchant, 'POST', `/shifts/${id}/cash-movements`, {
    kind,
    amount,
  })

const giveBack = ({ merchant }: Counter, { id }: { id: string }, amount: string) =>
  atRegisters(merchant, 'POST', `/orders/${id}/cash-returns`, { amount })

test('cash pays an order at once, says the change and touches no balance', async () => {
  const counter = await newCounter()
  await openShift(counter)
  const order = await newOrder(counter)
  const { status, body } = await inCash(counter, order, '10000')
  expect([status, body]).toMatchObject([
    200,
    {
      status: 'paid',
      paid_by: 'cash',
      current: false,
      amount_tendered: '10000',
      amount_change: '4200',
      payment_id: null,
    },
  ])
  expect(answerOf(await inCash(counter, order))).toBe('409 register_order_not_open')
  expect(answerOf(await ringUp(counter))).toBe('201')
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('too little cash pays nothing', async () => {
  const counter = await newCounter()
  await openShift(counter)
  const order = await newOrder(counter)
  const { status, body } = await inCash(counter, order, '5799')
  expect([status, body.error]).toMatchObject([422, { code: 'parameter_invalid', param: 'amount_tendered' }])
  expect((await orderNow(counter, order)).status).toBe('open')
})

test('cash needs an open shift', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  expect(answerOf(await inCash(counter, order))).toBe('409 register_shift_closed')
  const shift = await openShift(counter)
  await inCash(counter, order)
  await close(counter, shift, '55800')
  expect(answerOf(await giveBack(counter, order, '100'))).toBe('409 register_shift_closed')
  expect(answerOf(await move(counter, shift, 'paid_in', '100'))).toBe('409 register_shift_closed')
})

test('a drawer of pesos takes no order in dollars', async () => {
  const counter = await newCounter()
  await openShift(counter)
  const order = await newOrder(counter, { amount: '5000', currency: 'usd' })
  expect(answerOf(await inCash(counter, order))).toBe('409 register_cash_currency')
})

test('a drawer is what was in it and what went in and out; counted, it is over or short', async () => {
  const counter = await newCounter()
  const shift = await openShift(counter, '50000')
  const order = await newOrder(counter, { amount: '20000' })
  await inCash(counter, order, '50000')
  await giveBack(counter, order, '5000')
  await move(counter, shift, 'paid_in', '1000')
  await move(counter, shift, 'paid_out', '16000')
  expect(await shiftNow(counter, shift)).toMatchObject({
    amount_opening: '50000',
    amount_cash_sales: '20000',
    amount_cash_returned: '5000',
    amount_paid_in: '1000',
    amount_paid_out: '16000',
    amount_expected: '50000',
    amount_counted: null,
  })
  const closed = await close(counter, shift, '49900')
  expect(closed.body).toMatchObject({ status: 'closed', amount_difference: '-100', unsettled_count: 0 })
  expect(await shiftNow(counter, shift)).toEqual(closed.body)
  expect(answerOf(await close(counter, shift, '49900'))).toBe('409 register_shift_closed')
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('an amount of too many digits is told the bound of its field', async () => {
  const { registerId: register_id, merchant } = await newCounter()
  const asked = { register_id, amount_opening: '9'.repeat(15) }
  const { status, body } = await atRegisters(merchant, 'POST', '/shifts', asked)
  expect([status, body.error]).toMatchObject([
    422,
    { code: 'amount_malformed', message: expect.stringContaining('from 0 to 999999999999') },
  ])
})

test('a drawer gives no more than is in it', async () => {
  const counter = await newCounter()
  const shift = await openShift(counter, '5000')
  const { status, body } = await move(counter, shift, 'paid_out', '5001')
  expect([status, body.error]).toMatchObject([409, { code: 'register_cash_short', param: 'amount' }])
  expect(answerOf(await move(counter, shift, 'paid_out', '5000'))).toBe('201')
})

test('no more is given back than was paid, in cash and of the same order', async () => {
  const counter = await newCounter()
  await openShift(counter)
  const cash = await newOrder(counter)
  await inCash(counter, cash)
  expect((await giveBack(counter, cash, '5000')).body.amount_cash_returned).toBe('5000')
  const { status, body } = await giveBack(counter, cash, '801')
  expect([status, body.error]).toMatchObject([
    409,
    { code: 'cash_return_above_paid', message: '800 minor units may be given back.' },
  ])
  expect((await giveBack(counter, cash, '800')).body.amount_cash_returned).toBe('5800')
  const byCard = await newOrder(counter)
  await payOrder(byCard)
  expect(answerOf(await giveBack(counter, byCard, '100'))).toBe('409 register_order_not_paid_in_cash')
})

test('a register has one open shift', async () => {
  const counter = await newCounter()
  const shift = await openShift(counter)
  const again = { register_id: counter.registerId, amount_opening: '0' }
  expect(answerOf(await atRegisters(counter.merchant, 'POST', '/shifts', again))).toBe(
    '409 register_shift_open',
  )
  await close(counter, shift, '50000')
  expect(answerOf(await atRegisters(counter.merchant, 'POST', '/shifts', again))).toBe('201')
})

test('the report of a shift has its orders by method, with their tips', async () => {
  const counter = await newCounter()
  const shift = await openShift(counter)
  await payOrder(await newOrder(counter))
  await payOrder(await newOrder(counter, { amount: '10000' }))
  const order = await newOrder(counter)
  await inCash(counter, order)
  await giveBack(counter, order, '800')
  await newOrder(counter)
  const { body } = await atRegisters<object>(counter.merchant, 'GET', `/shifts/${shift.id}/report`)
  expect(body).toMatchObject({
    object: 'register_shift_report',
    shift: { id: shift.id, amount_expected: '55000' },
    paid: [
      { method: 'card', currency: 'mxn', count: 2, amount: '15800', amount_tips: '0', amount_refunded: '0' },
      { method: 'cash', currency: 'mxn', count: 1, amount: '5800', amount_tips: '0', amount_refunded: '800' },
    ],
    open_count: 1,
    unsettled_count: 0,
  })
})

test('the report of a shift has what was captured of a payment, not what was authorized', async () => {
  const counter = await newCounter()
  const shift = await openShift(counter)
  const order = await newOrder(counter, { amount: '11600', capture_method: 'manual' })
  await payOrder(order)
  const { payment_id } = await orderNow(counter, order)
  const captured = await call('POST', `/v1/payments/${payment_id}/capture`, {
    bearer: counter.merchant.apiKey,
    body: { amount: '5000' },
  })
  expect(captured.status, captured.text).toBe(200)
  const { body } = await atRegisters<object>(counter.merchant, 'GET', `/shifts/${shift.id}/report`)
  expect(body).toMatchObject({ paid: [{ method: 'card', count: 1, amount: '5000', amount_tips: '0' }] })
})

test('a report sums no dollars with pesos, and its cash is what went through the drawer', async () => {
  const counter = await newCounter()
  const before = await newOrder(counter, { amount: '7000' })
  const shift = await openShift(counter)
  await inCash(counter, before)
  await payOrder(await newOrder(counter, { amount: '10000' }))
  await payOrder(await newOrder(counter, { amount: '5000', currency: 'usd' }))
  const { body } = await atRegisters<object>(counter.merchant, 'GET', `/shifts/${shift.id}/report`)
  expect(body).toMatchObject({
    shift: { amount_cash_sales: '7000' },
    paid: [
      { method: 'card', currency: 'mxn', count: 1, amount: '10000' },
      { method: 'card', currency: 'usd', count: 1, amount: '5000' },
      { method: 'cash', currency: 'mxn', count: 1, amount: '7000' },
    ],
  })
})

test('a drawer has a bound, and says that it is one', async () => {
  const counter = await newCounter()
  const shift = await openShift(counter, '999999999999')
  const { status, body } = await move(counter, shift, 'paid_in', '1')
  expect([status, body.error]).toMatchObject([422, { code: 'amount_above_maximum', param: 'amount' }])
  expect(answerOf(await inCash(counter, await newOrder(counter)))).toBe('422 amount_above_maximum')
})

test('stock is taken by cash as it is by a card', async () => {
  const counter = await newCounter()
  await openShift(counter)
  const { merchant } = counter
  const { body: register } = await atRegisters<{ location_id: string }>(
    merchant,
    'GET',
    `/registers/${counter.registerId}`,
  )
  const catalog = await newCatalog(merchant)
  const cup = await newItem(merchant, catalog.id, {
    kind: 'physical_count',
    name: 'Taza',
    price: { amount: '9900' },
  })
  await ofCatalogs(merchant, 'POST', `/${catalog.id}/publish`)
  await adjust(merchant, cup.id, 2, { location_id: register.location_id })
  const lines = { line_items: [{ item_id: cup.id }] }
  await inCash(counter, await newOrder(counter, lines))
  await payOrder(await newOrder(counter, lines))
  const last = await newOrder(counter, lines)
  expect(answerOf(await inCash(counter, last))).toBe('409 stock_insufficient')
  expect((await orderNow(counter, last)).status).toBe('open')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
