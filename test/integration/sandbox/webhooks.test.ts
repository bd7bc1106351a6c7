import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, type Merchant, newLink, newMerchant } from '../../support/merchant.ts'
import { newEndpoint, type Receiver, startReceiver, verify } from '../../support/receiver.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { act, arrived, deliveriesOf, deliveryIn, newPath, whenDue } from '../webhooks/story.ts'

type Shown = { id: string; event_id: string; origin: string; status: string; next_attempt_at: string }
type Sent = { object: string; endpoint_id: string; deliveries: Shown[] }

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const pull = ({ apiKey }: Merchant, control: string, body: unknown, key: string = randomUUID()) =>
  call<Sent>('POST', `/v1/sandbox/webhooks/${control}`, {
    bearer: apiKey,
    headers: { 'idempotency-key': key },
    body,
  })

const idsAt = (path: string) => receiver.at(path).map(({ headers }) => String(headers['webhook-id']))

/** An endpoint that received events made one after the other: the ids of its messages, oldest first. */
async function took(count: number) {
  const merchant = await newMerchant()
  const path = newPath()
  const endpoint = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
  for (let at = 1; at <= count; at++) {
    await newLink(merchant)
    await arrived(receiver, path, at)
  }
  const settled = () => deliveriesOf(merchant, `endpoint_id=${endpoint.id}&status=succeeded`)
  await expect.poll(async () => (await settled()).length).toBe(count)
  return { merchant, path, ...endpoint, messages: receiver.at(path).slice(0, count) }
}

describe('duplicate', () => {
  test('the newest are sent once more: the same webhook-id, the same bytes, signed', async () => {
    const { merchant, path, id, secret, messages } = await took(3)
    const key = randomUUID()
    const sent = await pull(merchant, 'duplicate', { endpoint_id: id, count: 2 }, key)
    expect(sent.status, sent.text).toBe(201)
    expect(sent.body).toMatchObject({ object: 'sandbox_webhook_deliveries', endpoint_id: id })
    const newest = idsAt(path).slice(1, 3).reverse()
    expect(sent.body.deliveries.map(({ event_id }) => event_id)).toEqual(newest)
    for (const each of sent.body.deliveries)
      expect(each).toMatchObject({ origin: 'redelivery', status: 'pending' })
    await arrived(receiver, path, 5)
    const again = receiver.at(path).slice(3)
    for (const each of again) {
      expect(verify(secret, each).id).toBe(each.headers['webhook-id'])
      const before = messages.find(({ headers }) => headers['webhook-id'] === each.headers['webhook-id'])
      expect(each.body).toBe(before!.body)
    }
    expect(idsAt(path).slice(3).sort()).toEqual([...newest].sort())
    const replayed = await pull(merchant, 'duplicate', { endpoint_id: id, count: 2 }, key)
    expect([replayed.headers.get('idempotent-replayed'), replayed.body]).toEqual(['true', sent.body])
    const all = await deliveriesOf(merchant, `endpoint_id=${id}`)
    expect(all.map(({ origin }) => origin).sort()).toEqual([
      ...Array<string>(3).fill('event'),
      ...Array<string>(2).fill('redelivery'),
    ])
    await expect
      .poll(async () => (await deliveriesOf(merchant, `endpoint_id=${id}&status=succeeded`)).length)
      .toBe(5)
    expect((await deliveriesOf(merchant, `endpoint_id=${id}`)).map((each) => each.attempts_count)).toEqual([
      1, 1, 1, 1, 1,
    ])
  })

  test('an event counts as one, however often it was sent', async () => {
    const { merchant, path, id } = await took(2)
    await pull(merchant, 'duplicate', { endpoint_id: id })
    await arrived(receiver, path, 4)
    const sent = await pull(merchant, 'duplicate', { endpoint_id: id })
    expect(sent.body.deliveries.map(({ event_id }) => event_id)).toEqual(idsAt(path).slice(0, 2).reverse())
  })

  test('does nothing for an endpoint that has received nothing; what it refused is retried anyway', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    receiver.answer(path, 500)
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newLink(merchant)
    await deliveryIn(merchant, id, 'retrying')
    const sent = await pull(merchant, 'duplicate', { endpoint_id: id })
    expect([sent.status, sent.body.deliveries]).toEqual([201, []])
  })
})

describe('reorder', () => {
  test('the newest comes first, each three seconds after the one before', async () => {
    const { merchant, path, id, secret, messages } = await took(3)
    const sent = await pull(merchant, 'reorder', { endpoint_id: id })
    expect(sent.status, sent.text).toBe(201)
    const dueAt = sent.body.deliveries.map((each) => Date.parse(each.next_attempt_at))
    expect(dueAt.map((at) => at - dueAt[0]!)).toEqual([0, 3_000, 6_000])
    await expect.poll(() => receiver.at(path).length).toBe(6)
    const before = idsAt(path).slice(0, 3)
    expect(idsAt(path).slice(3)).toEqual([...before].reverse())
    const times = receiver.at(path).map((each) => verify(secret, each).created_at)
    expect(times.slice(3)).toEqual(times.slice(0, 3).reverse())
    const bodies = receiver.at(path).map(({ body }) => body)
    expect(bodies.slice(3)).toEqual(messages.map(({ body }) => body).reverse())
  })
})

describe('delay', () => {
  const rowOf = async (deliveryId: string) => {
    const [row] = await adminSql('sandbox')<{ status: string; attempts_count: number; due: string }>(
      `select status, attempts_count,
         to_char(next_attempt_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as due
       from webhook_deliveries where id = $1`,
      [deliveryId],
    )
    return row!
  }

  test('what waits is held, and later events overtake it', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const { id, secret } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await act(merchant, `endpoints/${id}/pause`)
    const held = await newLink(merchant)
    const before = Date.now()
    const sent = await pull(merchant, 'delay', { endpoint_id: id, delay: 'PT2H' })
    expect(sent.status, sent.text).toBe(200)
    const [shown] = sent.body.deliveries
    expect(sent.body.deliveries).toHaveLength(1)
    expect(Date.parse(shown!.next_attempt_at)).toBeGreaterThanOrEqual(before + 7_200_000 - 1_000)
    await act(merchant, `endpoints/${id}/enable`)
    const overtaking = await newLink(merchant)
    await arrived(receiver, path)
    await trigger('sandbox')
    expect(receiver.at(path).map((each) => verify(secret, each).data.object.id)).toEqual([overtaking.id])
    expect(await rowOf(shown!.id)).toEqual({
      status: 'pending',
      attempts_count: 0,
      due: shown!.next_attempt_at,
    })
    await adminSql('sandbox')(
      `update webhook_deliveries set next_attempt_at = next_attempt_at - interval '121 minutes' where id = $1`,
      [shown!.id],
    )
    await trigger('sandbox')
    await arrived(receiver, path, 2)
    expect(verify(secret, receiver.at(path)[1]!).data.object.id).toBe(held.id)
    await deliveryIn(merchant, id, 'succeeded')
    await expect.poll(() => rowOf(shown!.id)).toMatchObject({ status: 'succeeded', attempts_count: 1 })
  })

  test('nothing is sent earlier than it would have been, attempts keep counting, and a send under way is left alone', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    receiver.answer(path, 500)
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newLink(merchant)
    const failed = await deliveryIn(merchant, id, 'retrying')
    const dueIn = (status: string, interval: string) =>
      adminSql('sandbox')(
        `update webhook_deliveries set status = $2, next_attempt_at = now() + $3::interval where id = $1`,
        [failed.id, status, interval],
      )
    await dueIn('retrying', '5 hours')
    const later = await rowOf(failed.id)
    const none = await pull(merchant, 'delay', { endpoint_id: id, delay: 'PT2H' })
    expect([none.status, none.body.deliveries, await rowOf(failed.id)]).toEqual([200, [], later])
    await dueIn('in_flight', '45 seconds')
    const leased = await rowOf(failed.id)
    const untouched = await pull(merchant, 'delay', { endpoint_id: id, delay: 'PT2H' })
    expect([untouched.body.deliveries, await rowOf(failed.id)]).toEqual([[], leased])
    await dueIn('retrying', '5 minutes')
    const sent = await pull(merchant, 'delay', { endpoint_id: id, delay: 'P1D' })
    expect(sent.body.deliveries).toMatchObject([{ id: failed.id, status: 'retrying' }])
    const { next_attempt_at: due } = sent.body.deliveries[0]!
    expect(await rowOf(failed.id)).toEqual({ status: 'retrying', attempts_count: 1, due })
    receiver.answer(path, 200)
    await whenDue(id)
    expect((await deliveryIn(merchant, id, 'succeeded')).attempts.map(({ number }) => number)).toEqual([1, 2])
  })

  test('50 at once: each is applied or gets a conflict, and nothing is lost', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await act(merchant, `endpoints/${id}/pause`)
    await newLink(merchant)
    const bodies = Array.from({ length: 50 }, (_, at) => ({ endpoint_id: id, delay: `PT${at + 1}M` }))
    const replies = await Promise.all(bodies.map((body) => pull(merchant, 'delay', body)))
    expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    const waiting = await deliveriesOf(merchant, `endpoint_id=${id}`)
    expect(waiting).toMatchObject([{ status: 'pending', attempts_count: 0 }])
    const longest = replies.flatMap(({ body }) => body.deliveries ?? []).map((each) => each.next_attempt_at)
    expect((await rowOf(waiting[0]!.id)).due).toBe(longest.sort().at(-1))
  })
})

describe('refused', () => {
  const controls = ['duplicate', 'reorder', 'delay'] as const
  const bodyOf = (control: string, endpoint_id: string) =>
    control === 'delay' ? { endpoint_id, delay: 'PT5M' } : { endpoint_id }

  test.each(controls)("%s: another merchant's endpoint is not found", async (control) => {
    const [merchant, other] = [await newMerchant(), await newMerchant()]
    const { id } = await newEndpoint(other, receiver.url + newPath())
    for (const endpointId of [id, randomUUID()]) {
      const { status, body } = await pull(merchant, control, bodyOf(control, endpointId))
      const error = { code: 'webhook_endpoint_not_found', param: 'endpoint_id' }
      expect([status, body]).toMatchObject([404, { error }])
    }
  })

  test.each([
    ['duplicate', 'pause', 409],
    ['reorder', 'pause', 409],
    ['delay', 'pause', 200],
    ['duplicate', 'disable', 409],
    ['reorder', 'disable', 409],
    ['delay', 'disable', 409],
  ] as const)('%s after %s: %s', async (control, step, expected) => {
    const merchant = await newMerchant()
    const { id } = await newEndpoint(merchant, receiver.url + newPath(), ['payment_link.created'])
    await act(merchant, `endpoints/${id}/${step}`)
    const { status, body } = await pull(merchant, control, bodyOf(control, id))
    expect(status).toBe(expected)
    if (expected === 409) expect(body).toMatchObject({ error: { code: 'webhook_endpoint_not_receiving' } })
  })

  test.each([
    ['duplicate', { count: 0 }, 'count'],
    ['duplicate', { count: 21 }, 'count'],
    ['reorder', { count: 1.5 }, 'count'],
    ['delay', { delay: 'PT0M' }, 'delay'],
    ['delay', { delay: 'P1DT1M' }, 'delay'],
    ['delay', { delay: '-PT5M' }, 'delay'],
    ['delay', { delay: 'PT5S' }, 'delay'],
    ['delay', { delay: 300 }, 'delay'],
  ] as const)('%s %o, naming the field', async (control, spoilt, param) => {
    const merchant = await newMerchant()
    const { id } = await newEndpoint(merchant, receiver.url + newPath(), ['payment_link.created'])
    const { status, body } = await pull(merchant, control, { ...bodyOf(control, id), ...spoilt })
    expect([status, body]).toMatchObject([422, { error: { code: 'parameter_invalid', param } }])
  })

  test.each(controls)('%s: in live this address does not exist', async (control) => {
    const { apiKey } = await newMerchant({ environment: 'live' })
    const { status, body } = await call('POST', `/v1/sandbox/webhooks/${control}`, {
      bearer: apiKey,
      environment: 'live',
      headers: { 'idempotency-key': randomUUID() },
      body: bodyOf(control, randomUUID()),
    })
    expect([status, body]).toMatchObject([404, { error: { code: 'route_not_found' } }])
  })
})
