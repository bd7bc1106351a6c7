import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, type Merchant, newLink, newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { type Issued, newEndpoint, type Receiver, startReceiver, verify } from '../../support/receiver.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import { act, aMinuteLater, arrived, deliveriesOf, newPath, recoveryOf, whenDue } from './story.ts'

const sql = adminSql('sandbox')
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

/** An endpoint that has missed `count` events while it was disabled; paused then, so that nothing is sent yet. */
async function missed(count: number): Promise<{ merchant: Merchant; id: string; since: string }> {
  const merchant = await newMerchant()
  const since = new Date(Date.now() - 1_000).toISOString()
  const { id } = await newEndpoint(merchant, receiver.url + newPath(), ['payment_link.created'])
  await act(merchant, `endpoints/${id}/disable`)
  for (let n = 0; n < count; n++) await newLink(merchant)
  await act(merchant, `endpoints/${id}/enable`)
  return { merchant, id, since }
}

test('recoveries of one endpoint at once make one delivery of each event, not one each', async () => {
  const { merchant, id, since } = await missed(20)
  // The address does not answer: what is made stays to be counted.
  await sql(`update webhook_endpoints set url = 'http://127.0.0.1:9/' where id = $1`, [id])
  const first = new Client(stack.databases.sandbox.adminUrl)
  await first.connect()
  try {
    await first.query('begin')
    await first.query(
      `insert into webhook_recoveries (tenant_id, id, endpoint_id, since, until, status, deliveries_count, steps_count, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, $3, now() + interval '1 minute', 'running', 0, 1, now(), now())`,
      [merchant.tenantId, id, since],
    )
    const others = Array.from({ length: 5 }, () =>
      act<{ deliveries_count: number }>(merchant, `endpoints/${id}/recover`, { since }),
    )
    await expect
      .poll(
        async () =>
          (
            await sql(
              `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%door.publish%'`,
            )
          ).length,
        { timeout: 60_000 },
      )
      .toBeGreaterThanOrEqual(2)
    await first.query('commit')
    const asked = await Promise.all(others)
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 201))
  } finally {
    await first.end()
  }
  const [row] = await sql<{ n: number; events: number }>(
    'select count(*)::int n, count(distinct event_id)::int events from webhook_deliveries where endpoint_id = $1',
    [id],
  )
  expect(row).toEqual({ n: 20, events: 20 })
})

/** A delivery in flight under a lease that has ended: its Worker was killed before it recorded the outcome. */
async function abandoned(attempts: number) {
  const { merchant, id } = await missed(0)
  await act(merchant, `endpoints/${id}/pause`)
  await newLink(merchant)
  await sql(
    `update webhook_deliveries set status = 'in_flight', attempts_count = $2, next_attempt_at = now() - interval '1 second'
     where endpoint_id = $1`,
    [id, attempts],
  )
  await act(merchant, `endpoints/${id}/enable`)
  const now = async () => (await deliveriesOf(merchant, `endpoint_id=${id}`))[0]!
  await trigger('sandbox')
  await expect.poll(async () => (await now()).status).not.toBe('in_flight')
  return { id, delivery: await now(), now }
}

test('a message that kills the Worker is sent again, then at growing intervals, not for ever', async () => {
  expect((await abandoned(7)).delivery).toMatchObject({ status: 'succeeded', attempts_count: 8 })
  // Beyond the schedule other deliveries go first.
  for (const [attempts, seconds] of [
    [8, 45],
    [10, 720],
    [13, 36_000],
    [15, 36_000],
  ] as const) {
    const { id, delivery, now } = await abandoned(attempts)
    expect(delivery).toMatchObject({ status: 'retrying', attempts_count: attempts })
    const afterMs = Date.parse((delivery as { next_attempt_at?: string }).next_attempt_at!) - Date.now()
    expect(Math.abs(afterMs - seconds * 1_000)).toBeLessThan(20_000)
    await whenDue(id)
    await expect.poll(now).toMatchObject({ status: 'succeeded', attempts_count: attempts + 1 })
  }
  const { delivery } = await abandoned(16)
  expect(delivery).toMatchObject({ status: 'exhausted', attempts_count: 16, next_attempt_at: null })
})

test('a secret that can no longer be opened does not keep the other from signing', async () => {
  const merchant = await newMerchant()
  const path = newPath()
  const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
  const { body } = await act<Issued>(merchant, `endpoints/${id}/rotate-secret`, {})
  await sql(
    `update webhook_secrets set ciphertext = '1.AAAA' where endpoint_id = $1 and expires_at is not null`,
    [id],
  )
  await newLink(merchant)
  await arrived(receiver, path)
  const [received] = receiver.at(path)
  expect(String(received!.headers['webhook-signature']).split(' ')).toHaveLength(1)
  verify(body.one_time_value!, received!)
})

test('a delivery made for an endpoint during its deletion does not wait for ever', async () => {
  const { merchant, id } = await missed(1)
  await call('DELETE', `/v1/webhooks/endpoints/${id}`, { bearer: merchant.apiKey })
  // The transaction that published its event still saw the endpoint.
  const [event] = await sql<{ id: string }>(
    `select id from events where tenant_id = $1 and type = 'payment_link.created'`,
    [merchant.tenantId],
  )
  await sql(
    `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, origin, status, attempts_count,
       next_attempt_at, created_at, updated_at)
     values ($1, $2, $3, $4, 'payment_link.created', 'event', 'pending', 0, now(), now(), now())`,
    [merchant.tenantId, randomUUID(), id, event!.id],
  )
  await trigger('sandbox')
  expect(await deliveriesOf(merchant, `endpoint_id=${id}`)).toMatchObject([
    { status: 'canceled', next_attempt_at: null },
  ])
})

test('a recovery finds an event that was being committed during its search', async () => {
  const { merchant, id, since } = await missed(1)
  await sql(
    `update webhook_endpoints set url = 'http://127.0.0.1:9/', status = 'disabled', disabled_reason = 'by_hand' where id = $1`,
    [id],
  )
  const slow = new Client(stack.databases.sandbox.adminUrl)
  await slow.connect()
  try {
    // Published while the endpoint was disabled, committed after the recovery was asked for.
    await slow.query('begin')
    await slow.query(
      `insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
       values ($1, gen_random_uuid(), 'payment_link.created', 'payment_link', gen_random_uuid(), 1, '{}', '{}', 'slow', now())`,
      [merchant.tenantId],
    )
    await act(merchant, `endpoints/${id}/enable`)
    const asked = await act<{ id: string }>(merchant, `endpoints/${id}/recover`, { since })
    expect(asked.body).toMatchObject({ status: 'running' })
    await slow.query('commit')
    const recovery = () => recoveryOf(merchant, asked.body.id)
    expect(await recovery()).toMatchObject({ status: 'running', deliveries_count: 1 })
    await aMinuteLater(asked.body.id)
    expect(await recovery()).toMatchObject({ status: 'completed', deliveries_count: 2 })
  } finally {
    await slow.end()
  }
})
