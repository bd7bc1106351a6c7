import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { kinds } from '../../functions/in-person/devices/kinds.ts'
import { brokenRules } from '../support/books.ts'
import { newMerchant } from '../support/merchant.ts'
import { control, faults } from '../support/stack.ts'
import { deliver, server, sql, until, withStripe } from '../support/stripe-live.ts'
import {
  actionIs,
  asksLive,
  booksAt,
  charges,
  newCode,
  newLiveDevice,
  newStripeCounter,
  readsAction,
  registers,
  type StripeCounter,
  settles,
} from '../support/stripe-readers.ts'

// The Worker is killed at each boundary of a payment at a reader of Stripe.

withStripe({ PROCESSOR_TIMEOUT_MS: '20000' })
afterEach(() => faults.clear())

const seen = (path: RegExp) => () =>
  until(async () => server.seen.some((each) => path.test(`${each.method} ${each.path}`)))

/** Breaks the call at which the Worker is killed; the answer says when it is there. */
const atPublish = (mode: 'hang' | 'late-commit', skip: number) => async () => {
  const fault = await faults.neon({ mode, match: { database: 'live', contains: 'door.publish' }, skip })
  return () => fault.hit()
}
const atStripe = (path: RegExp, fault: 'time_out' | 'time_out_after') => async () => {
  server.failNext(path, fault)
  return seen(path)
}
/** On a busy machine a look may come before the notification, or while calls to Stripe pause. */
const endsAs = (counter: StripeCounter, action: Parameters<typeof readsAction>[1], status: string) =>
  expect
    .poll(async () => {
      await settles(counter)
      return (await readsAction(counter, action)).status
    })
    .toBe(status)

const create = /POST \/v1\/payment_intents$/
const process = /POST .*process_payment_intent$/

test.each([
  ['before it is recorded', atPublish('hang', 0), 'none'],
  ['once it is recorded', atPublish('late-commit', 0), 'canceled'],
  ['before the PaymentIntent is made', atStripe(create, 'time_out'), 'canceled'],
  ['once the PaymentIntent is made', atStripe(create, 'time_out_after'), 'canceled'],
  ['before the reader has it', atStripe(process, 'time_out'), 'canceled'],
  ['once the reader has it', atStripe(process, 'time_out_after'), 'in_progress'],
  ['before the answer is recorded', atPublish('hang', 1), 'in_progress'],
  ['once the answer is recorded', atPublish('late-commit', 1), 'in_progress'],
] as const)('killed %s: the action ends, and a card pays once or not at all', async (_, breaks, expected) => {
  const counter = await newStripeCounter()
  const key = randomUUID()
  const isThere = await breaks()
  const asked = charges(counter, {}, key).catch((error: unknown) => error)
  await isThere()
  await control.crash('live')
  expect(await asked).toBeInstanceOf(Error)
  await faults.clear()
  server.forgetFaults()
  const recorded = async () =>
    (await sql('select 1 from reader_actions where tenant_id = $1', [counter.merchant.tenantId])).length
  await expect.poll(recorded).toBe(expected === 'none' ? 0 : 1)
  await settles(counter)
  const { status, body: action } = await charges(counter, {}, key)
  expect(status).toBe(201)
  const before = await readsAction(counter, action)
  expect(before.status).toBe(expected === 'none' ? 'in_progress' : expected)
  expect(server.presentCard(counter.reader)).toBe(before.status === 'in_progress')
  await deliver()
  const after = before.status === 'canceled' ? 'canceled' : 'succeeded'
  await endsAs(counter, action, after)
  const paid = after === 'succeeded' ? { captured: '120000', journals: 1 } : { captured: '0', journals: 0 }
  expect(await booksAt(counter)).toEqual([{ status: after, ...paid }])
  for (const each of server.intents.values()) expect(['succeeded', 'canceled']).toContain(each.status)
  expect(server.complaints).toEqual([])
  expect(await brokenRules(counter.merchant.tenantId, 'live')).toEqual([])
})

test.each(['hang', 'late-commit'] as const)(
  'killed while a result is recorded (%s): it is recorded once',
  async (mode) => {
    const counter = await newStripeCounter()
    const { body: action } = await charges(counter)
    server.presentCard(counter.reader)
    const fault = await faults.neon({ mode, match: { database: 'live', contains: 'door.publish' }, skip: 0 })
    await deliver(['terminal.reader.action_succeeded'])
    await fault.hit()
    await control.crash('live')
    await faults.clear()
    for (const each of server.events.all) each.delivered = false
    await deliver()
    await endsAs(counter, action, 'succeeded')
    expect(await booksAt(counter)).toEqual([{ status: 'succeeded', captured: '120000', journals: 1 }])
    expect(await brokenRules(counter.merchant.tenantId, 'live')).toEqual([])
  },
)

test.each(['hang', 'late-commit'] as const)(
  'killed while a registration is recorded (%s): the same request registers nothing else',
  async (mode) => {
    const merchant = await newMerchant({ environment: 'live' })
    const [device, code, key] = [await newLiveDevice(merchant), newCode(), randomUUID()]
    const fault = await faults.neon({ mode, match: { database: 'live', contains: 'door.publish' }, skip: 0 })
    const asked = registers(merchant, device, code, key).catch((error: unknown) => error)
    await fault.hit()
    await control.crash('live')
    expect(await asked).toBeInstanceOf(Error)
    await faults.clear()
    expect((await registers(merchant, device, code, key)).body).toMatchObject({ status: 'paired' })
    expect([server.places.size, server.readers.size]).toEqual([1, 1])
  },
)

test('killed before a registration is recorded: the code finds it, under another name and another key', async () => {
  const merchant = await newMerchant({ environment: 'live' })
  const [device, code] = [await newLiveDevice(merchant), newCode()]
  const fault = await faults.neon({
    mode: 'hang',
    match: { database: 'live', contains: 'door.publish' },
    skip: 0,
  })
  const asked = registers(merchant, device, code).catch((error: unknown) => error)
  await fault.hit()
  await control.crash('live')
  expect(await asked).toBeInstanceOf(Error)
  await faults.clear()
  const at = `${kinds.reader.path}/${device.id}`
  expect((await asksLive(merchant, 'PATCH', at, { name: 'Barra' })).status).toBe(200)
  expect((await registers(merchant, device, code)).body).toMatchObject({ status: 'paired', name: 'Barra' })
  expect(server.readers.size).toBe(1)
})

test.each([
  ['before the reader has them', 'time_out', null],
  ['once the reader has them', 'time_out_after', ['1 Café 5800', 'mxn 5800']],
] as const)(
  'killed while lines are shown (%s): the action runs out of time, and the reader is free',
  async (_, fault, shown) => {
    const counter = await newStripeCounter()
    const { merchant, device, reader } = counter
    const isThere = await atStripe(/set_reader_display$/, fault)()
    const line_items = [{ name: 'Café', unit_amount: '5800', quantity: 1 }]
    const [at, key] = [`${kinds.reader.path}/${device.id}/display`, randomUUID()]
    const asked = asksLive(merchant, 'POST', at, { line_items }, key).catch((error: unknown) => error)
    await isThere()
    await control.crash('live')
    expect(await asked).toBeInstanceOf(Error)
    const { body: action } = await asksLive(merchant, 'POST', at, { line_items }, key)
    expect((await readsAction(counter, action)).status).toBe('in_progress')
    expect(server.shown(reader)).toEqual(shown)
    await settles(counter, true)
    expect((await readsAction(counter, action)).status).toBe('timed_out')
    const { body: paid } = await charges(counter)
    expect(server.presentCard(reader)).toBe(true)
    await settles(counter)
    expect((await readsAction(counter, paid)).status).toBe('succeeded')
  },
)

const asksTip = ({ merchant, device }: StripeCounter, key: string = randomUUID()) =>
  asksLive(
    merchant,
    'POST',
    `${kinds.reader.path}/${device.id}/collect-tip`,
    { amount: '45000', currency: 'mxn', presets: [{ bps: 1000 }] },
    key,
  )

test.each([
  ['before the reader has it', 'time_out', 'timed_out'],
  ['once the reader has it', 'time_out_after', 'succeeded'],
] as const)('killed while a tip is asked for (%s): it has one end', async (_, fault, end) => {
  const counter = await newStripeCounter()
  const isThere = await atStripe(/collect_inputs$/, fault)()
  const key = randomUUID()
  const asked = asksTip(counter, key).catch((error: unknown) => error)
  await isThere()
  await control.crash('live')
  expect(await asked).toBeInstanceOf(Error)
  const { body: action } = await asksTip(counter, key)
  expect((await readsAction(counter, action)).status).toBe('in_progress')
  expect(server.fill(counter.reader, '0')).toBe(end === 'succeeded')
  await deliver()
  if (end === 'succeeded') await until(actionIs(counter, action, end))
  await settles(counter, true)
  expect((await readsAction(counter, action)).status).toBe(end)
  expect((await asksTip(counter)).status).toBe(201)
  expect(server.asked(counter.reader)).toBeDefined()
})

test.each(['hang', 'late-commit'] as const)(
  'killed while a tip that was chosen is recorded (%s): it is recorded once',
  async (mode) => {
    const counter = await newStripeCounter()
    const { body: action } = await asksTip(counter)
    server.fill(counter.reader, '0')
    const fault = await faults.neon({ mode, match: { database: 'live', contains: 'door.publish' }, skip: 0 })
    await deliver(['terminal.reader.action_succeeded'])
    await fault.hit()
    await control.crash('live')
    await faults.clear()
    await sql('update processor_notifications set next_try_at = now() where reference = $1', [action.id])
    await settles(counter)
    await until(actionIs(counter, action, 'succeeded'))
    const ends = `select 1 from events where tenant_id = $1 and type = 'reader_action.succeeded'`
    expect(await sql(ends, [counter.merchant.tenantId])).toHaveLength(1)
  },
)
