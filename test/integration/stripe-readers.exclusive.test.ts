import { describe, expect, test } from 'vitest'
import { kinds } from '../../functions/in-person/devices/kinds.ts'
import { newMerchant } from '../support/merchant.ts'
import { server, sql, withStripe } from '../support/stripe-live.ts'
import {
  asksLive,
  charges,
  newCode,
  newLiveDevice,
  newStripeCounter,
  readsAction,
  registers,
} from '../support/stripe-readers.ts'
import { refusal, times } from '../support/terminal.ts'

withStripe({ PROCESSOR_TIMEOUT_MS: '2500' })

describe('a machine of Stripe', () => {
  test('is one device of all workspaces with its account, of fifty that register it at once', async () => {
    const merchants = await Promise.all([1, 2].map(() => newMerchant({ environment: 'live' })))
    const devices = await Promise.all(merchants.map((each) => newLiveDevice(each)))
    let at = 0
    const answers = await times(() => {
      const turn = at++ % 2
      return registers(merchants[turn]!, devices[turn]!, newCode('WSC-one'))
    })
    const won = answers.find(({ status }) => status === 200)!.body
    const [first, second] = won.id === devices[0]!.id ? [0, 1] : [1, 0]
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(
      refusal((await registers(merchants[second]!, devices[second]!, newCode('WSC-one'))) as never),
    ).toBe('409 reader_registered_elsewhere registration_code')
    await asksLive(merchants[first]!, 'POST', `${kinds.reader.path}/${won.id}/unpair`)
    expect((await registers(merchants[second]!, devices[second]!, newCode('WSC-one'))).status).toBe(200)
    expect([server.readers.size, server.complaints]).toEqual([1, []])
  })

  test('is registered at a location that was deleted at Stripe: it is made there again, once', async () => {
    const counter = await newStripeCounter()
    const { merchant, device } = counter
    const [gone] = server.places.keys()
    server.deletePlace(gone!)
    const { body: taken } = await charges(counter)
    expect((await readsAction(counter, taken)).failure_code).toBe('reader_not_registered')
    const names = ['Barra', 'Terraza']
    const answers = await Promise.all(
      names.map(async (name) => {
        const place = { name, location_id: device.location_id }
        const { body } = await asksLive<typeof device>(merchant, 'POST', kinds.reader.path, place)
        return (await registers(merchant, body)).status
      }),
    )
    expect(answers).toEqual([200, 200])
    const kept = await sql('select processor_ref, version from device_places where tenant_id = $1', [
      merchant.tenantId,
    ])
    expect(kept).toEqual([{ processor_ref: [...server.places.keys()].at(-1), version: 2 }])
    expect([server.places.size, server.complaints]).toEqual([1, []])
  })
})
