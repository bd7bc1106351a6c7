import { afterEach, expect, test } from 'vitest'
import { brokenRules, chargesOf, settleAttempts, survivors } from '../support/books.ts'
import { beforeAndAfter, dies, inTurn } from '../support/drills.ts'
import { call, openLink, pay } from '../support/merchant.ts'
import {
  byCard,
  currentOrder,
  newCounter,
  newOrder,
  openShift,
  orderNow,
  type Shift,
} from '../support/registers.ts'
import { faults } from '../support/stack.ts'

afterEach(() => faults.clear())

const publishes = [{ contains: 'door.publish' }]

test('the Worker is killed while an order takes the place of another: one of them is shown', async () => {
  await survivors('replacing an order', inTurn(publishes, beforeAndAfter, 2), async (strike) => {
    const counter = await newCounter()
    const first = await newOrder(counter)
    const send = () =>
      call<{ id: string }>('POST', '/v1/physical-checkout/orders', {
        bearer: counter.merchant.apiKey,
        headers: { 'idempotency-key': 'replaces' },
        body: { register_id: counter.registerId, amount: '9900', replaces_id: first.id },
      })
    await dies(strike, send)
    const shown = (await currentOrder(counter)).body
    const now = await orderNow(counter, first)
    expect([now.status, now.replaced_by]).toEqual(
      shown.id === first.id ? ['open', null] : ['canceled', shown.id],
    )
    const again = await send()
    expect([again.status, (await currentOrder(counter)).body.id]).toEqual([201, again.body.id])
    expect(await orderNow(counter, first)).toMatchObject({ status: 'canceled', replaced_by: again.body.id })
  })
})

test('the Worker is killed while an order is paid by card: it is paid once', async () => {
  const boundaries = [
    { contains: 'door.publish' },
    { contains: 'simulator.charge' },
    { contains: 'door.publish', skip: 1 },
  ]
  await survivors('paying an order', inTurn(boundaries, beforeAndAfter, 2), async (strike) => {
    const counter = await newCounter()
    const order = await newOrder(counter)
    const form = await openLink(order.public_id)
    await dies(strike, () => pay(order.public_id, form, 'tok_sbx_approve'))
    expect(['unpaid', 'pending', 'paid']).toContain((await orderNow(counter, order)).payment_status)
    await settleAttempts(counter.merchant.tenantId)
    await pay(order.public_id, form, 'tok_sbx_approve')
    await settleAttempts(counter.merchant.tenantId)
    if ((await orderNow(counter, order)).status !== 'paid')
      await pay(order.public_id, await openLink(order.public_id), 'tok_sbx_approve')
    expect(await orderNow(counter, order)).toMatchObject({ status: 'paid', paid_by: 'payment' })
    const charges = await chargesOf(order.public_id)
    expect(charges.filter(({ state }) => state === 'captured')).toHaveLength(1)
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  })
})

test('the Worker is killed while a server pays an order: the same key finds what became of it, and it is paid once', async () => {
  const boundaries = [
    { contains: 'door.begun_under' },
    { contains: 'door.publish' },
    { contains: 'simulator.charge' },
    { contains: 'door.publish', skip: 1 },
  ]
  await survivors('paying an order by a server', inTurn(boundaries, beforeAndAfter, 2), async (strike) => {
    const counter = await newCounter()
    const order = await newOrder(counter)
    const send = (key: string) => byCard(counter, order, 'tok_sbx_approve', {}, key)
    await dies(strike, () => send('a key of one try'))
    await send('a key of one try')
    await settleAttempts(counter.merchant.tenantId)
    const again = await send('a key of one try')
    expect([again.status, ['succeeded', 'requires_payment_method']]).toEqual([
      200,
      expect.arrayContaining([again.body.status]),
    ])
    expect((await send('a key of one try')).text).toBe(again.text)
    if (again.body.status !== 'succeeded')
      expect((await send('a key of the next')).body).toMatchObject({ id: again.body.id, status: 'succeeded' })
    expect(await orderNow(counter, order)).toMatchObject({ status: 'paid', payment_id: again.body.id })
    const charges = await chargesOf(order.public_id)
    expect(charges.filter(({ state }) => state === 'captured')).toHaveLength(1)
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  })
})

test('the Worker is killed while cash is recorded: it is counted once', async () => {
  await survivors('paying in cash', inTurn(publishes, beforeAndAfter, 2), async (strike) => {
    const counter = await newCounter()
    const shift = await openShift(counter)
    const order = await newOrder(counter)
    const bearer = counter.merchant.apiKey
    const send = () =>
      call('POST', `/v1/physical-checkout/orders/${order.id}/cash-payment`, {
        bearer,
        headers: { 'idempotency-key': 'paid-in-cash' },
        body: { amount_tendered: '10000' },
      })
    await dies(strike, send)
    expect((await send()).status).toBe(200)
    const { body } = await call<Shift>('GET', `/v1/physical-checkout/shifts/${shift.id}`, { bearer })
    expect(body.amount_expected).toBe('55800')
    expect(await orderNow(counter, order)).toMatchObject({ status: 'paid', paid_by: 'cash' })
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  })
})
