import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderOfStripe, type StripeStandIn, startStripe } from '../../../local/stripe-stand-in.ts'
import { readCustomers, readEvents } from '../../../src/processors/stripe/index.ts'

let server: StripeStandIn
let accounts = 0
beforeAll(async () => {
  server = await startStripe()
})
afterAll(() => server.close())

async function account(customersCount = 0) {
  const secretKey = `rk_test_${'abcdefgh'[accounts++ % 8]}${'x'.repeat(accounts)}`
  const reached = { name: secretKey, secretKey, apiBase: server.url }
  const order = (asked: object) => orderOfStripe<string[]>(server.url, { key: secretKey, ...asked } as never)
  const customers = Array.from({ length: customersCount }, (_, index) => ({ name: `Customer ${index}` }))
  const ids = await order({ order: 'save', customers })
  return { reached, order, ids }
}

test('customers are read in pages, the newest first', async () => {
  const { reached, ids } = await account(250)
  const read: string[] = []
  for (let after: string | null = null, pages = 0; pages < 4; pages++) {
    const page = await readCustomers(reached, after)
    if (page.state !== 'read') throw new Error(page.state)
    read.push(...page.customers.map(({ id }) => id))
    after = read.at(-1)!
    if (!page.hasMore) break
  }
  expect(read).toEqual(ids.toReversed())
})

test('events are read from one on, the oldest first', async () => {
  const { reached, order, ids } = await account(3)
  const since = await readEvents(reached, null)
  if (since.state !== 'read') throw new Error(since.state)
  expect(since.events.map(({ customer }) => customer.id)).toEqual([ids[2]])
  const [id] = ids
  await order({ order: 'save', customers: [{ id, name: 'Ana', email: 'ana@example.com' }] })
  for (let more = 0; more < 110; more++) await order({ order: 'save', customers: [{ id, phone: `${more}` }] })
  await order({ order: 'remove', id })
  const first = await readEvents(reached, since.events[0]!.id)
  if (first.state !== 'read') throw new Error(first.state)
  expect(first.hasMore).toBe(true)
  expect(first.events[0]).toMatchObject({
    type: 'customer.updated',
    changed: ['name', 'email'],
    customer: { id, name: 'Ana' },
  })
  const second = await readEvents(reached, first.events.at(-1)!.id)
  if (second.state !== 'read') throw new Error(second.state)
  expect(first.events.length + second.events.length).toBe(112)
  expect(second.events.at(-1)!.type).toBe('customer.deleted')
})

test.each([
  ['a key that was revoked', { order: 'open', revoked: true }, { state: 'refused', reason: 'key' }],
  ['a key without the right', { order: 'open', rights: ['events'] }, { state: 'refused', reason: 'right' }],
  ['too many requests', fault('429', 7), { state: 'silent', retryAfterMs: 7000 }],
  ['too many requests, without a time', fault('429'), { state: 'silent', retryAfterMs: 0 }],
  ['a failure of Stripe’s own', fault('500'), { state: 'silent', retryAfterMs: 0 }],
  ['a connection that is cut', fault('cut'), { state: 'silent', retryAfterMs: 0 }],
])('%s', async (_what, ordered, answer) => {
  const { reached, order } = await account(1)
  await order(ordered)
  expect(await readCustomers(reached, null)).toEqual(answer)
})

test('no answer at all ends by our own time limit', async () => {
  const { reached, order } = await account(1)
  await order(fault('time_out'))
  expect(await readCustomers({ ...reached, timeoutMs: 300 }, null)).toEqual({
    state: 'silent',
    retryAfterMs: 0,
  })
})

test('a key of no account, and a place that Stripe does not know', async () => {
  const { reached } = await account(1)
  expect(await readCustomers({ ...reached, secretKey: 'rk_test_unknown' }, null)).toMatchObject({
    reason: 'key',
  })
  expect(await readCustomers(reached, 'cus_gone')).toEqual({ state: 'gone' })
  expect(await readEvents(reached, 'evt_gone')).toEqual({ state: 'gone' })
})

function fault(mode: string, retryAfter?: number) {
  return { order: 'fail', fault: { mode, times: 1, ...(retryAfter ? { retryAfter } : {}) } }
}
