import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, newLink, newMerchant } from '../../support/merchant.ts'
import { type Event, newEndpoint, type Receiver, startReceiver, verify } from '../../support/receiver.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const arrived = (path: string, count = 1) =>
  expect.poll(() => receiver.at(path).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count)

describe('a change reaches the merchant', () => {
  test('signed, within a second, and as the interface shows it', async () => {
    const merchant = await newMerchant()
    const { secret } = await newEndpoint(merchant, `${receiver.url}/first`, ['payment_link.*'])
    const startedAt = Date.now()
    const link = await newLink(merchant)
    await arrived('/first')
    const [received] = receiver.at('/first')
    expect(received!.atMs - startedAt).toBeLessThan(1_000)
    const event = verify(secret, received!)
    expect(event).toMatchObject({ object: 'event', type: 'payment_link.created', sequence: 1 })
    expect(event.data.object.id).toBe(link.id)
    const shown = await call<Event>('GET', `/v1/webhooks/events/${event.id}`, { bearer: merchant.apiKey })
    expect(shown.body).toEqual(event)
    expect(received!.headers['webhook-id']).toBe(event.id)
  })
})
