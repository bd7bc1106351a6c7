import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import type { ReaderScreen, RegisteredReader } from '../../../src/processors/in-person.ts'
import { presentedCharge, processorAt, readerOrder } from '../../support/stripe-orders.ts'
import { StripeServer } from '../../support/stripe-server.ts'

// What a reader of Stripe's shows beside payments.

const server = new StripeServer()
let apiBase = ''
beforeAll(async () => {
  apiBase = await server.start()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

const coffee = { name: 'Café', quantity: 2, amount_total: '11600' }
const cart = { line_items: [coffee], amount: '12600', amount_tip: '1000', currency: 'mxn' }

async function counter() {
  const { inPerson } = processorAt(apiBase)
  const { readerRef } = (await inPerson!.register(readerOrder(server))) as RegisteredReader
  const shows = (more: Partial<ReaderScreen> = {}) =>
    inPerson!.show!({ reference: uuidv7(Date.now()), readerRef, cart, accountId: null, ...more })
  return { inPerson: inPerson!, readerRef, shows }
}

const shown = { state: 'shown' }

test('a reader shows lines with their sum and the tip, to the centavo, and is cleared', async () => {
  const { readerRef, shows } = await counter()
  expect(await shows()).toEqual(shown)
  expect(server.shown(readerRef)).toEqual(['2 Café 11600', '1 Propina 1000', 'mxn 12600'])
  expect(await shows({ cart: { ...cart, amount: '11600', amount_tip: '0' } })).toEqual(shown)
  expect(server.shown(readerRef)).toEqual(['2 Café 11600', 'mxn 11600'])
  for (const _ of [1, 2]) expect(await shows({ cart: null })).toEqual(shown)
  expect(server.shown(readerRef)).toBeNull()
  expect(server.complaints).toEqual([])
})

test.each([
  ['offline', 'reader_offline'],
  ['busy', 'reader_busy'],
] as const)('a reader that is %s shows nothing', async (next, deviceFailure) => {
  const { readerRef, shows } = await counter()
  server.next = next
  expect(await shows()).toEqual({ state: 'failed', deviceFailure })
  expect(server.shown(readerRef)).toBeNull()
})

test.each(['late', 'cut_after'] as const)(
  'what is not answered (%s) is unknown, and no failure',
  async (how) => {
    const { shows } = await counter()
    if (how === 'late') server.next = how
    else server.failNext(/set_reader_display/, how)
    expect(await shows()).toEqual({ state: 'unknown' })
  },
)

test('a reader that Stripe no longer has shows nothing, and neither does a line without a price', async () => {
  const { readerRef, shows } = await counter()
  const free = { ...coffee, amount_total: '0' }
  expect(await shows({ cart: { ...cart, line_items: [free] } })).toEqual({
    state: 'failed',
    deviceFailure: 'reader_failed',
  })
  server.readers.delete(readerRef)
  for (const each of [cart, null])
    expect(await shows({ cart: each })).toEqual({ state: 'failed', deviceFailure: 'reader_not_registered' })
})

test('a payment that waits is not cleared off the screen', async () => {
  const { inPerson, readerRef, shows } = await counter()
  await inPerson.present(presentedCharge(readerRef))
  expect(await shows({ cart: null })).toEqual({ state: 'failed', deviceFailure: 'reader_busy' })
  expect(server.presentCard(readerRef)).toBe(true)
})

test('a payment that waits is asked for no cart: Stripe is not told to show one in its place', async () => {
  const { inPerson, readerRef, shows } = await counter()
  await inPerson.present(presentedCharge(readerRef))
  expect(await shows()).toEqual({ state: 'failed', deviceFailure: 'reader_busy' })
  expect(server.seen.filter(({ path }) => path.endsWith('set_reader_display'))).toEqual([])
  expect(server.presentCard(readerRef)).toBe(true)
})
