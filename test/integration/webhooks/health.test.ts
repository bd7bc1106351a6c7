import { afterAll, beforeAll, expect, test } from 'vitest'
import { noticesOf } from '../../support/mails.ts'
import { newLink, newMerchant } from '../../support/merchant.ts'
import { type Event, newEndpoint, type Receiver, startReceiver, verify } from '../../support/receiver.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { act, arrived, deliveriesOf, deliveryIn, endpointNow, newPath, whenDue } from './story.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

/** As if it had begun to fail that long ago. */
const failingFor = (endpointId: string, interval: string) =>
  adminSql('sandbox')(`update webhook_endpoints set failing_since = now() - $2::interval where id = $1`, [
    endpointId,
    interval,
  ])

/** An endpoint whose receiver answers 500 and has failed once; another endpoint gets the events about it. */
async function failing() {
  const merchant = await newMerchant()
  const [path, watching] = [newPath(), newPath()]
  receiver.answer(path, 500)
  const { id, secret } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
  const watcher = await newEndpoint(merchant, receiver.url + watching, [
    'webhook_endpoint.degraded',
    'webhook_endpoint.disabled',
    'webhook_endpoint.enabled',
  ])
  const link = await newLink(merchant)
  await deliveryIn(merchant, id, 'retrying')
  const heard = (): Event[] => receiver.at(watching).map((each) => verify(watcher.secret, each))
  return { merchant, path, id, secret, link, heard }
}

test('twelve hours of failures make it degraded, not a minute less; one success heals it', async () => {
  const { merchant, path, id, heard } = await failing()
  await failingFor(id, '11 hours 59 minutes')
  await whenDue(id)
  await arrived(receiver, path, 2)
  await deliveryIn(merchant, id, 'retrying')
  expect((await endpointNow(merchant, id)).status).toBe('enabled')
  await failingFor(id, '12 hours 1 minute')
  await whenDue(id)
  await expect.poll(async () => (await endpointNow(merchant, id)).status).toBe('degraded')
  await expect.poll(() => heard().map(({ type }) => type)).toEqual(['webhook_endpoint.degraded'])
  receiver.answer(path, 200)
  await deliveryIn(merchant, id, 'retrying')
  await whenDue(id)
  await deliveryIn(merchant, id, 'succeeded')
  expect(await endpointNow(merchant, id)).toMatchObject({ status: 'enabled', failing_since: null })
  await expect.poll(() => heard().length).toBe(2)
  expect(heard()[1]).toMatchObject({
    type: 'webhook_endpoint.enabled',
    data: { object: { id, failing_since: null }, previous_attributes: { status: 'degraded' } },
  })
})

test('five days of failures disable it: the others get the reason, nothing more is sent, enabling starts afresh', async () => {
  const { merchant, path, id, secret, link, heard } = await failing()
  await failingFor(id, '4 days 23 hours 59 minutes')
  await whenDue(id)
  await arrived(receiver, path, 2)
  await expect.poll(async () => (await endpointNow(merchant, id)).status).toBe('degraded')
  await deliveryIn(merchant, id, 'retrying')
  await failingFor(id, '5 days')
  await whenDue(id)
  await expect.poll(async () => (await endpointNow(merchant, id)).status).toBe('disabled')
  expect(await endpointNow(merchant, id)).toMatchObject({ disabled_reason: 'failing' })
  expect(await noticesOf(merchant.tenantId)).toEqual(['webhook_endpoint_disabled'])
  await expect.poll(() => heard().length).toBe(2)
  expect(heard()[1]).toMatchObject({
    type: 'webhook_endpoint.disabled',
    data: {
      object: { id, status: 'disabled', disabled_reason: 'failing' },
      previous_attributes: { status: 'degraded' },
    },
  })

  const since = new Date(Date.now() - 1_000).toISOString()
  const sentBefore = receiver.at(path).length
  expect(sentBefore).toBe(3)
  const missed = await newLink(merchant)
  await whenDue(id)
  await whenDue(id)
  expect((await act(merchant, `endpoints/${id}/test`)).status).toBe(409)
  expect(receiver.at(path)).toHaveLength(sentBefore)
  expect(await deliveriesOf(merchant, `endpoint_id=${id}`)).toMatchObject([
    { status: 'retrying', attempts_count: 3 },
  ])

  receiver.answer(path, 200)
  expect((await act(merchant, `endpoints/${id}/enable`)).status).toBe(200)
  expect(await endpointNow(merchant, id)).toMatchObject({
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
  })
  const fresh = await newLink(merchant)
  await trigger('sandbox')
  await arrived(receiver, path, sentBefore + 2)
  await act(merchant, `endpoints/${id}/recover`, { since })
  await arrived(receiver, path, sentBefore + 3)
  const taken = receiver.at(path).slice(sentBefore)
  expect(taken.map((each) => verify(secret, each).data.object.id).sort()).toEqual(
    [link.id, missed.id, fresh.id].sort(),
  )
  await expect
    .poll(async () => (await deliveriesOf(merchant, `endpoint_id=${id}`)).map(({ status }) => status))
    .toEqual(['succeeded', 'succeeded', 'succeeded'])
})

test('a failure after a success starts the count, however old the one before', async () => {
  const { merchant, path, id } = await failing()
  await failingFor(id, '5 days')
  receiver.answer(path, 200)
  await whenDue(id)
  await deliveryIn(merchant, id, 'succeeded')
  receiver.answer(path, 500)
  const before = Date.now()
  await newLink(merchant)
  await deliveryIn(merchant, id, 'retrying')
  const { status, failing_since } = await endpointNow(merchant, id)
  expect(status).toBe('enabled')
  expect(Date.parse(failing_since!)).toBeGreaterThanOrEqual(before - 1_000)
})
