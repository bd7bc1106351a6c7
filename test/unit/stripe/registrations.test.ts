import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import type { RegisteredReader } from '../../../src/processors/in-person.ts'
import { processorAt, readerOrder } from '../../support/stripe-orders.ts'
import { StripeServer } from '../../support/stripe-server.ts'

const server = new StripeServer()
let apiBase = ''
beforeAll(async () => {
  apiBase = await server.start()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

const sentTo = (path: RegExp) => server.seen.filter((each) => path.test(`${each.method} ${each.path}`))

describe('a reader is registered', () => {
  test('at its place, which is made once: asked twice, it is one registration', async () => {
    const { inPerson } = processorAt(apiBase)
    const order = readerOrder(server)
    const registered = await inPerson!.register(order)
    expect(registered).toEqual({
      state: 'registered',
      readerRef: expect.stringMatching(/^tmr_/),
      placeRef: expect.stringMatching(/^tml_/),
      model: 'stripe_s700',
      serialNumber: 'WSC51310500',
      softwareVersion: '2.42.0.0',
    })
    expect(await inPerson!.register(order)).toEqual(registered)
    const { placeRef } = registered as RegisteredReader
    await inPerson!.register(readerOrder(server, { place: { ...order.place, placeRef } }))
    expect([server.places.size, server.readers.size]).toEqual([1, 2])
    expect(server.complaints).toEqual([])
  })

  test('not by a code that is none, and a second code is another request', async () => {
    const { inPerson } = processorAt(apiBase)
    const order = readerOrder(server)
    expect(await inPerson!.register({ ...order, code: 'none' })).toEqual({ state: 'code_refused' })
    expect(await inPerson!.register(order)).toMatchObject({ state: 'registered' })
  })

  test('by a code that was sent before though nobody recorded it: under another name, and after Stripe forgot the request', async () => {
    const { inPerson } = processorAt(apiBase)
    const order = readerOrder(server)
    const registered = await inPerson!.register(order)
    expect(await inPerson!.register({ ...order, name: 'Barra' })).toEqual(registered)
    server.forgetKeys()
    const { placeRef } = registered as RegisteredReader
    const placed = { ...order, place: { ...order.place, placeRef } }
    expect(await inPerson!.register(placed)).toEqual(registered)
    const later = order.reference.replace(/:1$/, ':2')
    expect(await inPerson!.register({ ...placed, reference: later })).toEqual({ state: 'code_refused' })
    server.failNext(/GET \/v1\/terminal\/readers$/, '500')
    expect(await inPerson!.register(placed)).toEqual({ state: 'unknown' })
    expect([server.readers.size, server.complaints]).toEqual([1, []])
  })

  test('at a place that was deleted at Stripe, which is made again, once', async () => {
    const { inPerson } = processorAt(apiBase)
    const order = readerOrder(server)
    const { placeRef } = (await inPerson!.register(order)) as RegisteredReader
    server.deletePlace(placeRef)
    const place = { ...order.place, placeRef }
    const again = readerOrder(server, { place })
    const registered = await inPerson!.register(again)
    const made = [...server.places.keys()]
    expect(registered).toMatchObject({ state: 'registered', placeRef: made[0] })
    expect(await inPerson!.register(again)).toEqual(registered)
    const connection = { reference: uuidv7(Date.now()), place, accountId: null }
    expect(await inPerson!.connect!(connection)).toMatchObject({ state: 'connected', placeRef: made[0] })
    expect([server.places.size, server.complaints]).toEqual([1, []])
  })

  test.each([
    ['without an address', null],
    ['without a state', { state: null }],
    ['in another country', { country: 'US' }],
  ])('not %s', async (_, change) => {
    const { inPerson } = processorAt(apiBase)
    const order = readerOrder(server)
    const address = change && { ...order.place.address!, ...change }
    const place = { ...order.place, address }
    expect(await inPerson!.register({ ...order, place })).toEqual({ state: 'place_unfit' })
    expect(sentTo(/terminal/)).toEqual([])
  })

  test.each([
    ['time_out_after', 'unknown'],
    ['500', 'unknown'],
    ['403', 'refused'],
  ] as const)('and after %s it is %s; the code is good until then', async (fault, state) => {
    const { inPerson } = processorAt(apiBase, 300)
    const order = readerOrder(server)
    server.failNext(/POST \/v1\/terminal\/readers$/, fault)
    expect(await inPerson!.register(order)).toEqual({ state })
    expect(await inPerson!.register(order)).toMatchObject({ state: 'registered' })
    expect(server.readers.size).toBe(1)
  })
})
