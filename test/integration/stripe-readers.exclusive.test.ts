import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../functions/in-person/devices/kinds.ts'
import { brokenRules } from '../support/books.ts'
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
  type StripeCounter,
  settles,
} from '../support/stripe-readers.ts'
import { answerOf, refusal, times } from '../support/terminal.ts'

withStripe({ PROCESSOR_TIMEOUT_MS: '2500' })

async function isSound({ merchant }: StripeCounter): Promise<void> {
  expect(server.complaints).toEqual([])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
}

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

describe('a screen of a reader of Stripe', () => {
  const shows = ({ merchant, device }: StripeCounter, body: object = {}, key?: string) =>
    asksLive(
      merchant,
      'POST',
      `${kinds.reader.path}/${device.id}/display`,
      { line_items: [{ name: 'Café', unit_amount: '5800', quantity: 2 }], ...body },
      key,
    )
  const events = ({ merchant: { tenantId } }: StripeCounter) =>
    sql<{ type: string }>('select type from events where tenant_id = $1 order by created_at, id', [tenantId])

  test('shows lines with their sum and the tip, and is cleared; a repeated request shows it once', async () => {
    const counter = await newStripeCounter()
    const key = randomUUID()
    const { status, body: action } = await shows(counter, { amount_tip: '1000' }, key)
    expect([status, action.type, action.status]).toEqual([201, 'display', 'in_progress'])
    expect((await shows(counter, { amount_tip: '1000' }, key)).body).toEqual(action)
    expect((await readsAction(counter, action)).status).toBe('succeeded')
    expect(server.shown(counter.reader)).toEqual(['2 Café 11600', '1 Propina 1000', 'mxn 12600'])
    const { body: cleared } = await shows(counter, { line_items: null })
    expect((await readsAction(counter, cleared)).status).toBe('succeeded')
    expect(server.shown(counter.reader)).toBeNull()
    expect((await events(counter)).filter(({ type }) => type === 'reader_action.succeeded')).toHaveLength(2)
    const { body: paid } = await charges(counter)
    server.presentCard(counter.reader)
    await settles(counter)
    expect((await readsAction(counter, paid)).status).toBe('succeeded')
    await isSound(counter)
  })

  test('fails with the reason, and is out of time where the reader did not answer', async () => {
    const counter = await newStripeCounter()
    server.next = 'offline'
    const { body: offline } = await shows(counter)
    expect(await readsAction(counter, offline)).toMatchObject({
      status: 'failed',
      failure_code: 'reader_offline',
    })
    server.next = 'late'
    const { body: late } = await shows(counter)
    expect((await readsAction(counter, late)).status).toBe('in_progress')
    expect(answerOf(await charges(counter))).toBe('409 reader_busy')
    await settles(counter, true)
    expect((await readsAction(counter, late)).status).toBe('timed_out')
    expect(answerOf(await charges(counter))).toBe('201 in_progress')
    await isSound(counter)
  })

  test('is one of fifty that are asked at once', async () => {
    const counter = await newStripeCounter()
    const answers = (await times(() => shows(counter))).map(answerOf)
    expect(new Set([...answers, '409 reader_busy'])).toEqual(new Set(['201 in_progress', '409 reader_busy']))
    const asked = server.seen.filter(({ path }) => path.endsWith('set_reader_display'))
    expect(asked).toHaveLength(answers.filter((answer) => answer === '201 in_progress').length)
    await isSound(counter)
  })
})
