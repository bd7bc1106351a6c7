import { afterEach, expect, test } from 'vitest'
import { brokenRules, settleAttempts } from '../support/books.ts'
import { newPaired } from '../support/devices.ts'
import { beforeAndAfter, dies } from '../support/drills.ts'
import { call, newMerchant, openLink, pay } from '../support/merchant.ts'
import { forwards, newOfflineCounter, offlineBooks, outcomes, stores } from '../support/offline.ts'
import {
  atRegisters,
  inCash,
  newCounter,
  newOrder,
  openShift,
  orderNow,
  payOrder,
  type RegisterOrder,
  type Shift,
} from '../support/registers.ts'
import { getReport, over, started } from '../support/reporting.ts'
import { adminSql, faults } from '../support/stack.ts'
import { billOf, newWaiter, tablePay } from '../support/table-pay.ts'
import { ask, opensSession, present, process } from '../support/terminal.ts'

afterEach(() => faults.clear())

test('a café’s day: the counter, a reader, a phone, a table of eight, a network that goes away, a reader without it, the drawer at night', async () => {
  const merchant = await newMerchant()
  const counter = await newCounter(merchant)
  const reader = { merchant, reader: await newPaired(merchant) }
  const shift = await openShift(counter, '100000')

  // In the morning buyers scan the code, pay in cash, and hold a card to the reader.
  for (let at = 0; at < 5; at++) await payOrder(await newOrder(counter, { amount: '5800' }))
  for (let at = 0; at < 3; at++) await inCash(counter, await newOrder(counter, { amount: '4500' }), '5000')
  for (const card of ['tok_sbx_approve', 'tok_sbx_decline_funds', 'tok_sbx_approve']) {
    expect((await process(reader, { amount: '12000' })).status).toBe(201)
    expect((await present(reader, { card })).status).toBe(200)
  }

  // A waiter has a phone, on which buyers tap their cards.
  const phone = { merchant, reader: await newPaired(merchant, 'phone') }
  await opensSession(merchant, phone.reader)
  for (const card of ['tok_sbx_approve', 'tok_sbx_approve']) {
    expect((await process(phone, { amount: '9000' })).status).toBe(201)
    expect((await present(phone, { card })).status).toBe(200)
  }

  // The network goes away: the till asks again by its own names, and each sale is one.
  const sale = (folio: string) => () =>
    call<RegisterOrder>('POST', '/v1/physical-checkout/orders', {
      bearer: merchant.apiKey,
      body: { register_id: counter.registerId, amount: '7000', client_reference_id: folio },
    })
  for (const [at, way] of beforeAndAfter.entries()) {
    const send = sale(`corte-${at}`)
    await dies({ contains: 'door.publish', ...way }, send)
    const order = (await send()).body
    expect((await send()).body.id).toBe(order.id)
    const form = await openLink(order.public_id)
    await dies({ contains: 'simulator.charge', ...way }, () => pay(order.public_id, form, 'tok_sbx_approve'))
    await settleAttempts(merchant.tenantId)
    await pay(order.public_id, form, 'tok_sbx_approve')
    if ((await orderNow(counter, order)).status !== 'paid') await payOrder(order)
    expect(await orderNow(counter, order)).toMatchObject({ status: 'paid', paid_by: 'payment' })
  }

  // For ten minutes nothing goes through: a reader stores what buyers pay, and forwards it when the network is back.
  const storing = await newOfflineCounter(merchant)
  const cards = [
    'tok_sbx_approve',
    'tok_sbx_approve',
    'tok_sbx_decline_funds',
    'tok_sbx_approve',
    'tok_sbx_approve',
  ]
  const stored = await Promise.all(
    cards.map((token, at) => {
      const taken_at = new Date(Date.now() + at * 2 * 60_000).toISOString()
      return stores(storing, { token, amount: '8000', taken_at })
    }),
  )
  expect((await ask(merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT10M' })).status).toBe(200)
  for (const way of beforeAndAfter)
    await dies({ contains: 'door.publish', ...way }, () => forwards(storing, stored))
  await forwards(storing, stored.slice(2))
  await settleAttempts(merchant.tenantId)
  expect(outcomes(await forwards(storing, stored))).toEqual(
    cards.map((token) => (token === 'tok_sbx_approve' ? 'succeeded' : 'declined')),
  )
  expect(await offlineBooks(merchant)).toMatchObject({ losses: 1, lost: '8000' })

  // Eight people split one bill with tips; one of them pays the waiter in cash.
  const waiter = await newWaiter(merchant)
  const bill = await billOf(merchant, Array<number>(8).fill(10_000), {
    waiter_id: waiter.id,
    tips: { presets_bps: [1000] },
  })
  for (const line of bill.lines.slice(1)) expect((await bill.pay(`line=${line}&tip=1000`)).status).toBe(303)
  await bill.ask('POST', '/external-payments', { method: 'cash', amount: '10000', amount_tip: '500' })
  expect((await bill.ask('POST', '/close')).status).toBe(200)

  // At night the drawer is counted: 1,000.00 + 3 × 45.00, less what was bought.
  await atRegisters(merchant, 'POST', `/shifts/${shift.id}/cash-movements`, {
    kind: 'paid_out',
    amount: '20000',
    note: 'Hielo',
  })
  const closed = await atRegisters<Shift>(merchant, 'POST', `/shifts/${shift.id}/close`, {
    amount_counted: '93500',
  })
  expect(closed.body).toMatchObject({ amount_expected: '93500', amount_difference: '0', unsettled_count: 0 })

  // Every peso is in the books once: by method, by waiter, and in total.
  const captured = 5 * 5_800 + 2 * 12_000 + 2 * 9_000 + beforeAndAfter.length * 7_000 + 4 * 8_000 + 7 * 11_000
  const [books] = await adminSql('sandbox')<{ captured: string; charged: string }>(
    `select (select sum(amount_captured_minor) from payments where tenant_id = $1)::text as captured,
       (select sum(c.amount_minor) from simulator.charges c join payment_attempts a on a.id = c.reference
         where a.tenant_id = $1 and c.state = 'captured')::text as charged`,
    [merchant.tenantId],
  )
  expect(books).toEqual({ captured: String(captured), charged: String(captured) })
  const { body: tips } = await tablePay<{ amount_owed: string }>(
    merchant,
    'GET',
    `/waiters/${waiter.id}/tip-report`,
  )
  expect(tips.amount_owed).toBe(String(7 * 1_000 + 500))
  const mix = await over(merchant, await started(merchant, 'method_mix'))
  const { body: rows } = await getReport<{ data: { cells: { gross: string } }[] }>(
    merchant,
    `/runs/${mix.id}/rows`,
  )
  expect(rows.data.reduce((sum, { cells }) => sum + Number(cells.gross), 0)).toBe(captured)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
