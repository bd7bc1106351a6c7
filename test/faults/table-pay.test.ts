import { afterEach, expect, test } from 'vitest'
import { brokenRules, chargesOf, settleAttempts, survivors } from '../support/books.ts'
import { asks } from '../support/devices.ts'
import { beforeAndAfter, dies, inTurn } from '../support/drills.ts'
import { call, newMerchant, pay } from '../support/merchant.ts'
import { control, faults } from '../support/stack.ts'
import { billOf, newBill, newWaiter } from '../support/table-pay.ts'
import { ask, asksTip, eventsOf, newCounter, process, read } from '../support/terminal.ts'

afterEach(() => faults.clear())

const boundaries = [
  { contains: 'door.publish' },
  { contains: 'simulator.charge' },
  { contains: 'door.publish', skip: 1 },
]

test('the Worker is killed while a guest pays their lines: they are paid once, or are free', async () => {
  await survivors('paying a share of a bill', inTurn(boundaries, beforeAndAfter, 2), async (strike) => {
    const merchant = await newMerchant()
    const waiter = await newWaiter(merchant)
    const tips = { presets_bps: [1_000] }
    const bill = await billOf(merchant, [30_000, 20_000], { tips, waiter_id: waiter.id })
    const part = `line=${bill.lines[0]}&tip=1000`
    const form = await bill.form(part)
    await dies(strike, () => pay(bill.address, form, 'tok_sbx_approve'))
    const between = await bill.now()
    expect(['0', '30000']).toContain(between.amount_held)
    await settleAttempts(merchant.tenantId)
    // The guest sends the same form again.
    await pay(bill.address, form, 'tok_sbx_approve')
    await settleAttempts(merchant.tenantId)
    if ((await bill.now()).amount_paid === '0') expect((await bill.pay(part)).status).toBe(303)
    expect(await bill.now()).toMatchObject({
      amount_held: '0',
      amount_paid: '30000',
      amount_due: '20000',
      amount_tips: '3000',
    })
    expect((await chargesOf(bill.address)).filter(({ state }) => state === 'captured')).toHaveLength(1)
    expect((await bill.pay(`line=${bill.lines[1]}`)).status).toBe(303)
    expect((await bill.ask('POST', '/close')).body.status).toBe('closed')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('the Worker is killed while cash is recorded or a line is added: it is there once for its key', async () => {
  const cases = inTurn([{ contains: 'door.publish' }], beforeAndAfter, 2).flatMap((strike) => [
    { ...strike, at: 'external-payments', body: { method: 'cash', amount: '10000' } },
    { ...strike, at: 'lines', body: { line_items: [{ name: 'Café', unit_amount: '4000' }] } },
  ])
  await survivors('recording at a bill', cases, async ({ at, body, ...strike }) => {
    const bill = await newBill(30_000)
    const send = () =>
      call('POST', `/v1/table-pay/sessions/${bill.id}/${at}`, {
        bearer: bill.merchant.apiKey,
        headers: { 'idempotency-key': 'once-at-a-bill' },
        body,
      })
    await dies(strike, send)
    expect((await send()).status).toBeLessThan(300)
    const { amount, amount_paid } = await bill.now()
    expect([amount, amount_paid]).toEqual(at === 'lines' ? ['34000', '0'] : ['30000', '10000'])
    expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
  })
})

test('the Worker is killed while a reader asks what to do: what its time has ended frees it once', async () => {
  const cases = inTurn([{ contains: 'door.publish' }], beforeAndAfter, 2)
  await survivors('asking for the next action', cases, async (strike) => {
    const counter = await newCounter()
    const { body: tip } = await asksTip(counter)
    await ask(counter.merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT2M' })
    const next = () =>
      asks<{ action: { id: string } | null }>(counter.reader.credential, 'GET', '/v1/device/next-action')
    // What frees the reader runs after the reply.
    await dies(strike, next)
    await expect.poll(async () => (await next()).body.action).toBeNull()
    await control.trigger('sandbox')
    await expect.poll(async () => (await read(counter, tip)).status).toBe('timed_out')
    expect(await eventsOf(counter.merchant, 'reader_action')).toEqual(['created', 'timed_out'])
    const { body: action } = await process(counter)
    expect((await next()).body.action?.id).toBe(action.id)
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  })
})
