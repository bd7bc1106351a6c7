import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, newLink, newMerchant } from '../../support/merchant.ts'
import { newEndpoint, type Receiver, startReceiver, verify } from '../../support/receiver.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import {
  act,
  aMinuteLater,
  arrived,
  type Delivery,
  deliveriesOf,
  deliveryIn,
  newPath,
  recoveryOf,
} from './story.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

describe('nothing is lost', () => {
  test('events during a pause wait', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await act(merchant, `endpoints/${id}/pause`)
    await newLink(merchant)
    await trigger('sandbox')
    expect(receiver.at(path)).toEqual([])
    expect(await deliveriesOf(merchant, `endpoint_id=${id}&status=pending`)).toHaveLength(1)
    await act(merchant, `endpoints/${id}/enable`)
    await arrived(receiver, path)
  })

  test('events missed while it was disabled, and exhausted deliveries, are recovered', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const since = new Date(Date.now() - 1_000).toISOString()
    const { id, secret } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newLink(merchant)
    await deliveryIn(merchant, id, 'succeeded')
    await act(merchant, `endpoints/${id}/disable`)
    const missed = [await newLink(merchant), await newLink(merchant)]
    await act(merchant, `endpoints/${id}/enable`)
    expect(receiver.at(path)).toHaveLength(1)
    const asked = await act<{ id: string }>(merchant, `endpoints/${id}/recover`, { since })
    expect(asked.status).toBe(201)
    await arrived(receiver, path, 3)
    const objects = receiver.at(path).map((each) => verify(secret, each).data.object.id)
    expect(objects.slice(1).sort()).toEqual(missed.map((link) => link.id).sort())
    await aMinuteLater(asked.body.id)
    expect(await recoveryOf(merchant, asked.body.id)).toMatchObject({
      status: 'completed',
      deliveries_count: 2,
    })
    // A second recovery: nothing is missing.
    const again = await act<{ id: string }>(merchant, `endpoints/${id}/recover`, { since })
    await aMinuteLater(again.body.id)
    expect(await recoveryOf(merchant, again.body.id)).toMatchObject({
      status: 'completed',
      deliveries_count: 0,
    })
    // A window that ended a while ago is searched at once.
    const past = await act<{ id: string }>(merchant, `endpoints/${id}/recover`, {
      since: new Date(Date.now() - 600_000).toISOString(),
      until: new Date(Date.now() - 120_000).toISOString(),
    })
    expect(await recoveryOf(merchant, past.body.id)).toMatchObject({ status: 'completed' })
  })

  test('an event that was committed late is found even past the end of the window', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    const [since, until] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())
    const { body } = await act<{ id: string }>(merchant, `endpoints/${id}/recover`, { since, until })
    // Begun before the recovery, while the endpoint took nothing, and committed after it.
    await adminSql('sandbox')(
      `with link as (select gen_random_uuid() as id)
       insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes,
         request_id, created_at)
       select $1, gen_random_uuid(), 'payment_link.created', 'payment_link', id, 1, jsonb_build_object('id', id), '{}',
         'late', now() - interval '1 second' from link`,
      [merchant.tenantId],
    )
    await adminSql('sandbox')(`delete from webhook_deliveries where tenant_id = $1`, [merchant.tenantId])
    await aMinuteLater(body.id)
    expect(await recoveryOf(merchant, body.id)).toMatchObject({ status: 'completed', deliveries_count: 1 })
    await trigger('sandbox')
    await arrived(receiver, path)
  })

  test('a recovery of thousands goes on step by step', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    await adminSql('sandbox')(
      `insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
       select $1, gen_random_uuid(), 'payment_link.created', 'payment_link', gen_random_uuid(), 1, '{}', '{}', 'r',
         now() - n * interval '1 second' from generate_series(1, 2100) n`,
      [merchant.tenantId],
    )
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await act(merchant, `endpoints/${id}/pause`)
    await adminSql('sandbox')(`update webhook_endpoints set status = 'enabled' where id = $1`, [id])
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const { body } = await act<{ id: string }>(merchant, `endpoints/${id}/recover`, { since })
    await expect
      .poll(
        async () => {
          await trigger('sandbox')
          await aMinuteLater(body.id)
          return recoveryOf(merchant, body.id)
        },
        { timeout: 60_000 },
      )
      .toMatchObject({ status: 'completed', deliveries_count: 2100 })
    // The moved clock may have started the last step without waking a drain: the sweep finds it.
    const arrivedAfterSweep = async () => {
      await trigger('sandbox')
      return receiver.at(path).length
    }
    await expect.poll(arrivedAfterSweep).toBe(2100)
  })

  test('a step looks at five thousand events, however few of them are missing', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const [sql, events] = [adminSql('sandbox'), 7_000]
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await act(merchant, `endpoints/${id}/disable`)
    await sql(
      `with event as (
         insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
         select $1, gen_random_uuid(), 'payment_link.created', 'payment_link', gen_random_uuid(), 1, '{}', '{}', 'r',
           now() - interval '1 hour' - n * interval '1 second' from generate_series(1, $3::int) n
         returning id, type, created_at)
       insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, origin, status, attempts_count,
         created_at, updated_at, finished_at)
       select $1, gen_random_uuid(), $2, id, type, 'event', 'succeeded', 1, created_at, now(), now() from event
       order by created_at limit $3::int - 1`,
      [merchant.tenantId, id, events],
    )
    await act(merchant, `endpoints/${id}/enable`)
    const [since, until] = [-4, -1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())
    const { body } = await act<{ id: string }>(merchant, `endpoints/${id}/recover`, { since, until })
    const behind = async () => {
      const [row] = await sql<{ left: number }>(
        `select count(e.id)::int as left from webhook_recoveries r left join events e on e.tenant_id = r.tenant_id
           and e.created_at >= r.since and e.created_at < r.until and (e.created_at, e.id) > (r.cursor_created_at, r.cursor_id)
         where r.id = $1`,
        [body.id],
      )
      return row!.left
    }
    expect(await recoveryOf(merchant, body.id)).toMatchObject({ status: 'running', deliveries_count: 0 })
    expect(await behind()).toBe(events - 5_000)
    await trigger('sandbox')
    expect(await recoveryOf(merchant, body.id)).toMatchObject({ status: 'completed', deliveries_count: 1 })
    expect(await behind()).toBe(0)
    await trigger('sandbox')
    await arrived(receiver, path)
  })

  test('a delivery is sent once more, unchanged', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newLink(merchant)
    const first = await deliveryIn(merchant, id, 'succeeded')
    const again = await act<Delivery>(merchant, `deliveries/${first.id}/redeliver`)
    expect(again.body).toMatchObject({ origin: 'redelivery', event_id: first.event_id })
    expect(again.body.id).not.toBe(first.id)
    await arrived(receiver, path, 2)
    const [one, two] = receiver.at(path)
    expect([two!.body, two!.headers['webhook-id']]).toEqual([one!.body, one!.headers['webhook-id']])
  })

  test('deleted: what waits is canceled, and its past stays readable', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    receiver.answer(path, 500)
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newLink(merchant)
    await deliveryIn(merchant, id, 'retrying')
    const bearer = merchant.apiKey
    expect((await call('DELETE', `/v1/webhooks/endpoints/${id}`, { bearer })).body).toEqual({
      id,
      object: 'webhook_endpoint',
      deleted: true,
    })
    expect((await call('GET', `/v1/webhooks/endpoints/${id}`, { bearer })).status).toBe(404)
    expect((await call('DELETE', `/v1/webhooks/endpoints/${id}`, { bearer })).status).toBe(404)
    expect(await deliveriesOf(merchant, `endpoint_id=${id}`)).toMatchObject([{ status: 'canceled' }])
    const [delivery] = await deliveriesOf(merchant, `endpoint_id=${id}`)
    expect((await act(merchant, `deliveries/${delivery!.id}/redeliver`)).status).toBe(409)
  })
})

test('fifty drains of one endpoint at once send nothing twice', async () => {
  const merchant = await newMerchant()
  const path = newPath()
  const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
  await act(merchant, `endpoints/${id}/pause`)
  for (let at = 0; at < 30; at++) await newLink(merchant)
  await adminSql('sandbox')(`update webhook_endpoints set status = 'enabled' where id = $1`, [id])
  const claims = Array.from({ length: 50 }, () =>
    adminSql('sandbox')<{ c: { deliveries: { id: string }[] } | null }>(
      'select door.claim_deliveries(door.workspace_id($1), $2, 5) as c',
      [merchant.tenantId, id],
    ),
  )
  const claimed = (await Promise.all(claims)).flatMap(([row]) => row!.c?.deliveries ?? [])
  // Twenty at a time, each by one drain.
  expect(claimed).toHaveLength(20)
  expect(new Set(claimed.map((each) => each.id)).size).toBe(20)
})
