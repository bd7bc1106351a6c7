import { expect, test } from 'vitest'
import { brokenRules, chargesOf } from '../../support/books.ts'
import { asks, newLocation } from '../../support/devices.ts'
import { overtaking } from '../../support/gate.ts'
import { openLink, pay } from '../../support/merchant.ts'
import {
  answerOf,
  atRegisters,
  type Counter,
  currentOrder,
  inCash,
  newCode,
  newCounter,
  newOrder,
  openShift,
  orderNow,
  type RegisterOrder,
  ringUp,
  type Shift,
} from '../../support/registers.ts'
import { stack } from '../../support/stack.ts'

/** How many of each answer there were. */
const counted = (answers: readonly string[]) =>
  Object.fromEntries(
    [...new Set(answers)].sort().map((each) => [each, answers.filter((one) => one === each).length]),
  )

const fifty = <T>(each: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 50 }, (_, at) => each(at)))

test('50 orders at once at a register: it shows one', async () => {
  const counter = await newCounter()
  const answers = await fifty(() => ringUp(counter))
  expect(counted(answers.map(answerOf))).toEqual({ '201': 1, '409 register_occupied': 49 })
})

test('50 tills ask by the same name at once: there is one order', async () => {
  const counter = await newCounter()
  const answers = await fifty(() => ringUp(counter, { client_reference_id: 'ticket-1' }))
  expect(counted(answers.map(answerOf))).toEqual({ '201': 50 })
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
})

test('50 orders take the place of one at once: one of them does', async () => {
  const counter = await newCounter()
  const first = await newOrder(counter)
  const answers = await fifty(() => ringUp(counter, { replaces_id: first.id }))
  expect(counted(answers.map(answerOf))).toEqual({ '201': 1, '409 register_order_not_replaced': 49 })
  const [won] = answers.filter(({ status }) => status === 201)
  expect(await orderNow(counter, first)).toMatchObject({ status: 'canceled', replaced_by: won!.body.id })
  expect((await currentOrder(counter)).body.id).toBe(won!.body.id)
})

test('50 buyers pay one order at once, half by its own code and half by the printed one: it is paid once', async () => {
  const counter = await newCounter()
  const printed = new URL((await newCode(counter)).url).pathname
  const order = await newOrder(counter)
  // A phone that scans the printed code is led to what the register shows.
  const scanned = async () => {
    const { headers } = await fetch(stack.sandbox.directUrl + printed, { redirect: 'manual' })
    return new URL(headers.get('location')!, stack.sandbox.directUrl).pathname.slice(1)
  }
  const forms = await fifty(async (at) => {
    const publicId = at % 2 === 0 ? order.public_id : await scanned()
    return { publicId, form: await openLink(publicId) }
  })
  const answers = await Promise.all(forms.map(({ publicId, form }) => pay(publicId, form, 'tok_sbx_approve')))
  expect(answers.filter(({ status }) => status === 303).length).toBeGreaterThan(0)
  const charges = await chargesOf(order.public_id)
  expect(charges.filter(({ state }) => state === 'captured')).toHaveLength(1)
  expect(await orderNow(counter, order)).toMatchObject({ status: 'paid', paid_by: 'payment' })
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test.each([
  [
    'cancel it',
    ({ merchant }: Counter, { id }: RegisterOrder) => atRegisters(merchant, 'POST', `/orders/${id}/cancel`),
    ['canceled', null],
  ],
  [
    'take cash for it',
    ({ merchant }: Counter, { id }: RegisterOrder) =>
      atRegisters(merchant, 'POST', `/orders/${id}/cash-payment`, { amount_tendered: '5800' }),
    ['paid', 'cash'],
  ],
  [
    'put another in its place',
    (counter: Counter, { id }: RegisterOrder) => ringUp(counter, { replaces_id: id }),
    ['canceled', null],
  ],
] as const)('25 buyers pay an order while 25 cashiers %s: one of them wins', async (_, wish, ends) => {
  const counter = await newCounter()
  await openShift(counter)
  const order = await newOrder(counter)
  const forms = await Promise.all(Array.from({ length: 25 }, () => openLink(order.public_id)))
  const [, ended] = await Promise.all([
    Promise.all(forms.map((form) => pay(order.public_id, form, 'tok_sbx_approve'))),
    Promise.all(forms.map(() => wish(counter, order))),
  ])
  const paid = (await chargesOf(order.public_id)).filter(({ state }) => state === 'captured').length
  expect(paid + ended.filter(({ status }) => status === 200 || status === 201).length).toBe(1)
  const now = await orderNow(counter, order)
  expect([now.status, now.paid_by]).toEqual(paid === 1 ? ['paid', 'payment'] : ends)
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('a cashier who cancels while a buyer begins to pay learns that it is being paid', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const form = await openLink(order.public_id)
  const [paid, canceled] = await overtaking(
    counter.merchant,
    () => pay(order.public_id, form, 'tok_sbx_approve'),
    () => atRegisters(counter.merchant, 'POST', `/orders/${order.id}/cancel`),
  )
  expect([paid.status, answerOf(canceled)]).toEqual([303, expect.stringMatching(/^409 register_order_/)])
  expect((await orderNow(counter, order)).status).toBe('paid')
})

test('a buyer who begins to pay while the cashier cancels pays nothing', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const form = await openLink(order.public_id)
  const [canceled, tried] = await overtaking(
    counter.merchant,
    () => atRegisters(counter.merchant, 'POST', `/orders/${order.id}/cancel`),
    () => pay(order.public_id, form, 'tok_sbx_approve'),
  )
  expect([canceled.status, tried.status, await chargesOf(order.public_id)]).toEqual([200, 410, []])
  expect((await orderNow(counter, order)).status).toBe('canceled')
})

test('cash that comes while the drawer is counted is refused once the shift is closed', async () => {
  const counter = await newCounter()
  const shift = await openShift(counter)
  const [closed, moved] = await overtaking(
    counter.merchant,
    () =>
      atRegisters<Shift>(counter.merchant, 'POST', `/shifts/${shift.id}/close`, { amount_counted: '50000' }),
    () =>
      atRegisters<Shift>(counter.merchant, 'POST', `/shifts/${shift.id}/cash-movements`, {
        kind: 'paid_in',
        amount: '100',
      }),
  )
  expect([closed.body.amount_expected, answerOf(moved)]).toEqual(['50000', '409 register_shift_closed'])
})

test('50 cashiers record one order as paid in cash at once: it is counted once', async () => {
  const counter = await newCounter()
  const shift = await openShift(counter)
  const order = await newOrder(counter)
  const answers = await fifty(() => inCash(counter, order))
  expect(counted(answers.map(answerOf))).toEqual({ '200': 1, '409 register_order_not_open': 49 })
  const { body } = await atRegisters<Shift>(counter.merchant, 'GET', `/shifts/${shift.id}`)
  expect(body.amount_expected).toBe('55800')
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('50 returns of 5.00 at once of an order of 58.00: eleven are given back', async () => {
  const counter = await newCounter()
  await openShift(counter)
  const order = await newOrder(counter)
  await inCash(counter, order)
  const answers = await fifty(() =>
    atRegisters(counter.merchant, 'POST', `/orders/${order.id}/cash-returns`, { amount: '500' }),
  )
  expect(counted(answers.map(answerOf))).toEqual({ '200': 11, '409 cash_return_above_paid': 39 })
  expect((await orderNow(counter, order)).amount_cash_returned).toBe('5500')
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('50 shifts of a register at once: one is opened', async () => {
  const { merchant, registerId } = await newCounter()
  const answers = await fifty(() =>
    atRegisters<Shift>(merchant, 'POST', '/shifts', { register_id: registerId, amount_opening: '0' }),
  )
  expect(counted(answers.map(answerOf))).toEqual({ '201': 1, '409 register_shift_open': 49 })
})

test('50 times 10.00 taken at once out of a drawer of 205.00: twenty are', async () => {
  const counter = await newCounter()
  const shift = await openShift(counter, '20500')
  const answers = await fifty(() =>
    atRegisters<Shift>(counter.merchant, 'POST', `/shifts/${shift.id}/cash-movements`, {
      kind: 'paid_out',
      amount: '1000',
    }),
  )
  expect(counted(answers.map(answerOf))).toEqual({ '201': 20, '409 register_cash_short': 30 })
})

test('a shift that is closed while cash comes in counts it, or the cash is refused', async () => {
  const counter = await newCounter()
  const shift = await openShift(counter)
  const [closed, ...moved] = await Promise.all([
    atRegisters<Shift>(counter.merchant, 'POST', `/shifts/${shift.id}/close`, { amount_counted: '50000' }),
    ...Array.from({ length: 24 }, () =>
      atRegisters<Shift>(counter.merchant, 'POST', `/shifts/${shift.id}/cash-movements`, {
        kind: 'paid_in',
        amount: '100',
      }),
    ),
  ])
  const came = BigInt(moved.filter(({ status }) => status === 201).length)
  expect([closed!.status, closed!.body.amount_expected, closed!.body.amount_difference]).toEqual([
    200,
    (50_000n + 100n * came).toString(),
    (-100n * came).toString(),
  ])
  const { body } = await atRegisters<Shift>(counter.merchant, 'GET', `/shifts/${shift.id}`)
  expect(body).toEqual(closed!.body)
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('a shift that is closed while an order of it is paid says so, and its report has the payment later', async () => {
  const counter = await newCounter()
  const shift = await openShift(counter)
  const order = await newOrder(counter)
  await pay(order.public_id, await openLink(order.public_id), 'tok_sbx_3ds_challenge')
  expect((await orderNow(counter, order)).payment_status).toBe('pending')
  const { body } = await atRegisters<Shift>(counter.merchant, 'POST', `/shifts/${shift.id}/close`, {
    amount_counted: '50000',
  })
  expect(body).toMatchObject({ status: 'closed', unsettled_count: 1, amount_difference: '0' })
})

test('25 times a shift is closed while 25 buyers pay an order of it: it is closed once, and no payment is lost', async () => {
  const counter = await newCounter()
  const shift = await openShift(counter)
  const order = await newOrder(counter)
  const forms = await Promise.all(Array.from({ length: 25 }, () => openLink(order.public_id)))
  const [closed] = await Promise.all([
    Promise.all(
      forms.map(() =>
        atRegisters<Shift>(counter.merchant, 'POST', `/shifts/${shift.id}/close`, {
          amount_counted: '50000',
        }),
      ),
    ),
    Promise.all(forms.map((form) => pay(order.public_id, form, 'tok_sbx_approve'))),
  ])
  expect(closed.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await orderNow(counter, order)).toMatchObject({ status: 'paid', paid_by: 'payment' })
  const { body } = await atRegisters<Shift>(counter.merchant, 'GET', `/shifts/${shift.id}`)
  expect(body).toMatchObject({ status: 'closed', amount_expected: '50000', amount_difference: '0' })
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('an order that is rung up while its register moves is at the new location', async () => {
  const counter = await newCounter()
  const { registerId, merchant } = counter
  const location_id = await newLocation(merchant, 'Condesa')
  const at = `/v1/physical-checkout/registers/${registerId}`
  const [moved, order] = await overtaking(
    merchant,
    () => asks(merchant.apiKey, 'PATCH', at, { location_id }),
    () => ringUp(counter),
  )
  expect([answerOf(moved), answerOf(order)]).toEqual(['200', '201'])
  expect(order.body).toMatchObject({ location_id })
})
