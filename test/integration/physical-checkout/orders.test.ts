import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { asks } from '../../support/devices.ts'
import { newCatalog, newItem, asked as ofCatalogs } from '../../support/digital-catalogs.ts'
import { call, openLink, pay } from '../../support/merchant.ts'
import { open, pageOf, sendForm } from '../../support/pages.ts'
import {
  answerOf,
  atRegisters,
  coffee,
  currentOrder,
  inCash,
  newCounter,
  newOrder,
  openShift,
  orderNow,
  payOrder,
  ringUp,
} from '../../support/registers.ts'
import { deposit, fundsOf } from '../../support/spei.ts'
import { adminSql, trigger } from '../../support/stack.ts'

/** The buyer takes a CLABE for an order, and has paid nothing yet. */
async function bySpei({ id, public_id }: { id: string; public_id: string }) {
  const buyer = { method: 'spei', name: 'Ana Luna', email: 'ana@example.com' }
  const { status } = await sendForm({ id, public_id } as never, buyer, { query: '?method=spei' })
  expect(status).toBe(303)
}

test('an order is what its lines cost, and its buyer pays it once', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter, {
    line_items: [coffee('5800', { quantity: 2 }), { name: 'Concha', unit_amount: '2500', iva_rate: '0' }],
  })
  expect(order).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    mode: 'hybrid',
    current: true,
    amount: '14100',
    amount_tax: '1600',
    taxes: [
      { iva_rate: '16', base: '10000', iva: '1600' },
      { iva_rate: '0', base: '2500', iva: '0' },
    ],
  })
  await payOrder(order)
  const paid = await orderNow(counter, order)
  expect(paid).toMatchObject({ status: 'paid', payment_status: 'paid', paid_by: 'payment', current: false })
  expect(answerOf(await currentOrder(counter))).toBe('404 register_has_no_order')
  const again = await pageOf(`/${order.public_id}?lang=en`)
  expect([again.status, again.html]).toEqual([410, expect.stringContaining('It is paid')])
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('an order of an amount alone has no lines', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter, { amount: '12345', description: 'Consumo' })
  expect(order).toMatchObject({ amount: '12345', amount_tax: null, line_items: [], taxes: [] })
  await payOrder(order)
  expect((await orderNow(counter, order)).status).toBe('paid')
})

test('a register shows one order at a time', async () => {
  const counter = await newCounter()
  const first = await newOrder(counter)
  expect(answerOf(await ringUp(counter))).toBe('409 register_occupied')
  expect((await currentOrder(counter)).body.id).toBe(first.id)
})

test('an order that is replaced is canceled, and its page leads to the new one', async () => {
  const counter = await newCounter()
  const first = await newOrder(counter)
  const second = await newOrder(counter, { amount: '9900', replaces_id: first.id })
  expect(await orderNow(counter, first)).toMatchObject({
    status: 'canceled',
    current: false,
    replaced_by: second.id,
  })
  expect((await currentOrder(counter)).body.id).toBe(second.id)
  const page = await open(`/${first.public_id}`)
  expect([page.status, page.headers.get('location')]).toEqual([
    302,
    expect.stringContaining(second.public_id),
  ])
})

test('a form of an order that was replaced since takes no money, and leads to the new one', async () => {
  const counter = await newCounter()
  const first = await newOrder(counter)
  const form = await openLink(first.public_id)
  const second = await newOrder(counter, { amount: '9900', replaces_id: first.id })
  const late = await pay(first.public_id, form, 'tok_sbx_approve')
  expect([late.status, late.location]).toEqual([303, `/${second.public_id}?lang=en`])
  expect((await orderNow(counter, first)).status).toBe('canceled')
})

test.each([
  ['an order that the register never showed', () => crypto.randomUUID()],
  ['the order before the current one', ({ before }: { before: string }) => before],
] as const)('%s is not replaced', async (_, idOf) => {
  const counter = await newCounter()
  const before = await newOrder(counter)
  await newOrder(counter, { replaces_id: before.id })
  const { status, body } = await ringUp(counter, { replaces_id: idOf({ before: before.id }) })
  expect([status, body.error]).toMatchObject([
    409,
    { code: 'register_order_not_replaced', param: 'replaces_id' },
  ])
})

test('an order whose buyer is paying is neither canceled nor replaced, and detached frees the register', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter, { payment_method_types: ['card', 'spei'] })
  await bySpei(order)
  expect(await orderNow(counter, order)).toMatchObject({ status: 'open', payment_status: 'pending' })
  const { merchant } = counter
  expect(answerOf(await atRegisters(merchant, 'POST', `/orders/${order.id}/cancel`))).toBe(
    '409 register_order_being_paid',
  )
  expect(answerOf(await ringUp(counter, { replaces_id: order.id }))).toBe('409 register_order_being_paid')
  const detached = await atRegisters(merchant, 'POST', `/orders/${order.id}/detach`)
  expect(detached.body).toMatchObject({ status: 'open', current: false, payment_status: 'pending' })
  const next = await newOrder(counter)
  expect((await currentOrder(counter)).body.id).toBe(next.id)
  expect(answerOf(await atRegisters(merchant, 'POST', `/orders/${order.id}/detach`))).toBe(
    '409 register_order_detached',
  )
})

test.each(['cancel', 'detach', 'cash-payment'])('a canceled order is not open to %s', async (step) => {
  const counter = await newCounter()
  const { id } = await newOrder(counter)
  await atRegisters(counter.merchant, 'POST', `/orders/${id}/cancel`)
  const body = step === 'cash-payment' ? { amount_tendered: '10000' } : undefined
  expect(answerOf(await atRegisters(counter.merchant, 'POST', `/orders/${id}/${step}`, body))).toBe(
    '409 register_order_not_open',
  )
})

test('an order ends at its time, and the register is free', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter, { expires_in_seconds: 60 })
  await call('POST', '/v1/sandbox/clock', { bearer: counter.merchant.apiKey, body: { advance: 'PT1M' } })
  expect((await pageOf(`/${order.public_id}?lang=en`)).html).toContain('The time to pay is over')
  await trigger('sandbox')
  expect(await orderNow(counter, order)).toMatchObject({ status: 'expired', current: false })
  expect(answerOf(await ringUp(counter))).toBe('201')
})

test('money that comes late and is applied pays an order that is over', async () => {
  const counter = await newCounter()
  const { merchant } = counter
  const { apiKey: bearer } = merchant
  const order = await newOrder(counter, { payment_method_types: ['card', 'spei'] })
  await bySpei(order)
  const { payment_id } = await orderNow(counter, order)
  const { body } = await call<{ method_details: { clabe: string } }>(
    'GET',
    `/v1/payment-operations/payments/${payment_id}`,
    { bearer },
  )
  await call('POST', '/v1/sandbox/clock', { bearer, body: { advance: 'P12D' } })
  await trigger('sandbox')
  await trigger('sandbox')
  expect(await orderNow(counter, order)).toMatchObject({ status: 'expired', current: false })
  await deposit(merchant, body.method_details.clabe, 5_800)
  const [funds] = await fundsOf(merchant)
  const applied = await call('POST', `/v1/payment-operations/unapplied-funds/${funds!.id}/apply`, {
    bearer,
    body: { payment_id },
  })
  expect(applied.status, applied.text).toBe(200)
  expect(await orderNow(counter, order)).toMatchObject({ status: 'paid', paid_by: 'payment', payment_id })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test.each([
  ['the same', {}, '201'],
  ['another price', { line_items: [coffee('5900')] }, '409 register_order_reference_used'],
  ['another mode', { mode: 'static' }, '409 register_order_reference_used'],
  ['a tip', { tips: { presets_bps: [1000] } }, '409 register_order_reference_used'],
  ['another method', { payment_method_types: ['spei'] }, '409 register_order_reference_used'],
  ['another description', { description: 'Para llevar' }, '409 register_order_reference_used'],
  ['a zero before the price', { line_items: [coffee('05800')] }, '201'],
])('asked again by its own name with %s', async (_, more, answer) => {
  const counter = await newCounter()
  const named = { client_reference_id: 'ticket-7' }
  const first = await newOrder(counter, named)
  const again = await ringUp(counter, { ...named, ...more })
  expect(answerOf(again)).toBe(answer)
  if (answer === '201') expect(again.body.id).toBe(first.id)
})

test('the name of an order gets it also when its item costs something else by then', async () => {
  const counter = await newCounter()
  const { merchant } = counter
  const catalog = await newCatalog(merchant)
  const item = await newItem(merchant, catalog.id, {
    kind: 'service',
    name: 'Café de olla',
    price: { amount: '4500' },
  })
  await ofCatalogs(merchant, 'POST', `/${catalog.id}/publish`)
  const named = { client_reference_id: 'ticket-9', line_items: [{ item_id: item.id, quantity: 2 }] }
  const first = await newOrder(counter, named)
  await ofCatalogs(merchant, 'POST', `/${catalog.id}/unpublish`)
  expect((await ringUp(counter, named)).body).toMatchObject({ id: first.id, amount: '9000' })
  const more = { ...named, line_items: [{ item_id: item.id, quantity: 3 }] }
  expect(answerOf(await ringUp(counter, more))).toBe('409 register_order_reference_used')
  const instead = await ringUp(counter, { ...named, replaces_id: first.id })
  expect(answerOf(instead)).toBe('409 register_order_reference_used')
})

test.each([
  ['amount_minor', '1'],
  ['fee_allocation', "'pass_to_buyer'"],
  ['description', "'Otra cosa'"],
])('the database keeps the %s of an order', async (column, value) => {
  const { id } = await newOrder(await newCounter())
  const changed = adminSql('sandbox')(`update register_orders set ${column} = ${value} where id = $1`, [id])
  await expect(changed).rejects.toThrow('keeps what it costs')
})

test('an order whose time is over gives way to the next one', async () => {
  const counter = await newCounter()
  const first = await newOrder(counter)
  await adminSql('sandbox')(`update register_orders set expires_at = now() - interval '1 s' where id = $1`, [
    first.id,
  ])
  expect(answerOf(await ringUp(counter))).toBe('201')
  expect(await orderNow(counter, first)).toMatchObject({
    status: 'expired',
    current: false,
    replaced_by: null,
  })
})

test('an order that was paid in cash is not paid again by money that comes late', async () => {
  const counter = await newCounter()
  const { merchant } = counter
  const { apiKey: bearer } = merchant
  await openShift(counter)
  const order = await newOrder(counter, { payment_method_types: ['card', 'spei'] })
  await bySpei(order)
  const { payment_id } = await orderNow(counter, order)
  const { body } = await call<{ method_details: { clabe: string } }>(
    'GET',
    `/v1/payment-operations/payments/${payment_id}`,
    { bearer },
  )
  expect((await call('POST', `/v1/payments/${payment_id}/cancel`, { bearer })).status).toBe(200)
  expect((await inCash(counter, order)).body).toMatchObject({ status: 'paid', paid_by: 'cash' })
  await deposit(merchant, body.method_details.clabe, 5_800)
  const [funds] = await fundsOf(merchant)
  await call('POST', `/v1/payment-operations/unapplied-funds/${funds!.id}/apply`, {
    bearer,
    body: { payment_id },
  })
  expect(await orderNow(counter, order)).toMatchObject({ status: 'paid', paid_by: 'cash', payment_id: null })
  expect((await fundsOf(merchant))[0]).toMatchObject({ remaining_minor: '5800' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('money that comes late for a payment that is over pays no order that cash has paid', async () => {
  const counter = await newCounter()
  const { merchant } = counter
  const { apiKey: bearer } = merchant
  const order = await newOrder(counter, { payment_method_types: ['spei'] })
  await bySpei(order)
  const { payment_id } = await orderNow(counter, order)
  const { body } = await call<{ method_details: { clabe: string } }>(
    'GET',
    `/v1/payment-operations/payments/${payment_id}`,
    { bearer },
  )
  // The order outlives its payment, as where a processor ends that by itself.
  await adminSql('sandbox')(`update register_orders set expires_at = now() + interval '90 d' where id = $1`, [
    order.id,
  ])
  await call('POST', '/v1/sandbox/clock', { bearer, body: { advance: 'P12D' } })
  await trigger('sandbox')
  await openShift(counter)
  expect((await inCash(counter, order)).body).toMatchObject({ status: 'paid', paid_by: 'cash' })
  await deposit(merchant, body.method_details.clabe, 5_800)
  const [funds] = await fundsOf(merchant)
  const applied = await call<{ error: { code: string } }>(
    'POST',
    `/v1/payment-operations/unapplied-funds/${funds!.id}/apply`,
    { bearer, body: { payment_id } },
  )
  expect(answerOf(applied)).toBe('409 origin_no_longer_available')
  expect(await orderNow(counter, order)).toMatchObject({ status: 'paid', paid_by: 'cash', payment_id: null })
  expect((await fundsOf(merchant))[0]).toMatchObject({ remaining_minor: '5800' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a register at an archived location sells nothing', async () => {
  const counter = await newCounter()
  const { registerId: register_id, merchant } = counter
  const { body } = await atRegisters<{ location_id: string }>(merchant, 'GET', `/registers/${register_id}`)
  await asks(merchant.apiKey, 'POST', `/v1/workspace/locations/${body.location_id}/archive`)
  const opened = await atRegisters(merchant, 'POST', '/shifts', { register_id, amount_opening: '0' })
  const code = await atRegisters(merchant, 'POST', '/codes', { register_id, purpose: 'printed' })
  expect(
    [await ringUp(counter), opened, code].map((reply) => [answerOf(reply), reply.body.error!.param]),
  ).toEqual(Array(3).fill(['409 location_archived', 'register_id']))
})

test('a line takes no bounds of a quantity, which no buyer chooses', async () => {
  const { status, body } = await ringUp(await newCounter(), {
    line_items: [coffee('5800', { quantity_max: 3 })],
  })
  expect([status, body.error!.param]).toEqual([422, 'line_items.0.quantity_max'])
})

test('the name of an order gets it also when it is paid', async () => {
  const counter = await newCounter()
  const named = { client_reference_id: 'ticket-8' }
  const first = await newOrder(counter, named)
  await payOrder(first)
  expect((await ringUp(counter, named)).body).toMatchObject({ id: first.id, status: 'paid' })
})

test('the buyer adds a tip that the order offers', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter, { tips: { presets_bps: [1000], allows_own_amount: false } })
  expect((await pageOf(`/${order.public_id}?lang=en`)).html).toMatch(/name="tip"[^>]* value="1000"/)
  const chosen = { card_token: 'tok_sbx_approve', tip: '1000' }
  expect((await sendForm(order as never, chosen, { query: '?tip=1000' })).status).toBe(303)
  const { payment_id } = await orderNow(counter, order)
  const { body } = await asks<{ amount: string; amount_tip: string }>(
    counter.merchant.apiKey,
    'GET',
    `/v1/payment-operations/payments/${payment_id}`,
  )
  expect(body).toMatchObject({ amount: '6380', amount_tip: '580' })
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('a buyer whose card is declined tries again with the tip that they chose', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter, { amount: '5800', tips: { presets_bps: [1000] } })
  const declined = await sendForm(
    order as never,
    { card_token: 'tok_sbx_decline_funds', tip: '1000' },
    { query: '?tip=1000' },
  )
  const [reference] = /spcs_[a-z0-9]{32}/.exec(declined.headers.get('location') ?? '') ?? []
  const form = await pageOf(`/${order.public_id}?retry=${reference}&lang=en`)
  expect(form.html).toMatch(/name="tip"[^>]* value="1000" checked/)
  expect(form.html).toContain('63.80')
})

test('a foreign register and a disabled one take no order', async () => {
  const [counter, other] = [await newCounter(), await newCounter()]
  const foreign = await ringUp({ ...counter, registerId: other.registerId })
  expect([answerOf(foreign), foreign.body.error!.param]).toEqual(['404 device_not_found', 'register_id'])
  await atRegisters(counter.merchant, 'POST', `/registers/${counter.registerId}/disable`)
  expect(answerOf(await ringUp(counter))).toBe('409 device_disabled')
})
