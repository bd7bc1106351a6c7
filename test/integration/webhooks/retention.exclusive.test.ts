import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeAtMs, uuidv7 } from '../../../src/kernel/ids.ts'
import { vacuumed } from '../../support/explain.ts'
import { call, type Merchant, newLink, newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { newEndpoint, type Receiver, startReceiver, verify } from '../../support/receiver.ts'
import { adminSql, stack, trigger, workerCall } from '../../support/stack.ts'
import { act, arrived, deliveriesOf, deliveryIn, newPath } from './story.ts'

const sql = adminSql('sandbox')
const days = 24 * 3_600_000
const forget = 'door.forget_deliveries(int,int)'
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

type Past = {
  endpointId: string
  daysAgo: number
  eventId?: string
  status?: string
  attempts?: number
}

/** A delivery of long ago with its event and its attempts, as it would be stored now. */
async function past({ tenantId }: Merchant, wanted: Past) {
  const { endpointId, daysAgo, status = 'succeeded', attempts = 1 } = wanted
  const at = new Date(Date.now() - daysAgo * days)
  const [id, eventId] = [uuidv7(at.getTime()), wanted.eventId ?? uuidv7(at.getTime())]
  if (!wanted.eventId) {
    await sql(
      `insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
       select tenant_id, $2, 'payment_link.updated', 'payment_link', $3, 1, '{}', '{}', 'r', $4 from tenants where tenant_id = $1`,
      [tenantId, eventId, randomUUID(), at],
    )
  }
  const waits = status === 'pending' || status === 'retrying'
  await sql(
    `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, origin, status, attempts_count,
       next_attempt_at, finished_at, created_at, updated_at)
     values ($1, $2, $3, $4, 'payment_link.updated', 'recovery', $5, $6, $7, $8, $9, $9)`,
    [
      tenantId,
      id,
      endpointId,
      eventId,
      status,
      attempts,
      waits ? new Date(Date.now() + days) : null,
      waits ? null : at,
      at,
    ],
  )
  for (let number = 1; number <= attempts; number++)
    await sql(
      `insert into webhook_attempts (tenant_id, id, delivery_id, number, response_status, response_body, duration_ms, created_at)
       values ($1, $2, $3, $4, 200, 'ok', 1, $5)`,
      [tenantId, randomUUID(), id, number, at],
    )
  return { id, eventId }
}

/** An endpoint that gets none of the events that the tests cause. */
const quiet = async (merchant: Merchant) =>
  (await newEndpoint(merchant, receiver.url + newPath(), ['payout.paid'])).id

const keptOf = async ({ tenantId }: Merchant) => {
  const [row] = await sql<Record<'deliveries' | 'attempts' | 'events', number>>(
    `select (select count(*)::int from webhook_deliveries where tenant_id = $1) as deliveries,
       (select count(*)::int from webhook_attempts where tenant_id = $1) as attempts,
       (select count(*)::int from events where tenant_id = $1 and type = 'payment_link.updated') as events`,
    [tenantId],
  )
  return row
}

describe('what is over is not kept for ever', () => {
  test('the old is deleted, with its attempts; the young, the unfinished and every event stay', async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()]
    const [first, second, others] = [await quiet(merchant), await quiet(merchant), await quiet(other)]
    const old = await past(merchant, { endpointId: first, daysAgo: 91, attempts: 3 })
    const exhausted = await past(merchant, { endpointId: first, daysAgo: 400, status: 'exhausted' })
    const young = await past(merchant, { endpointId: first, daysAgo: 89 })
    const waiting = await past(merchant, { endpointId: second, daysAgo: 200, status: 'retrying' })
    // Another endpoint got the same event later.
    const shared = await past(merchant, { endpointId: first, daysAgo: 95 })
    const later = await past(merchant, { endpointId: second, daysAgo: 10, eventId: shared.eventId })
    const elsewhere = await past(other, { endpointId: others, daysAgo: 60 })
    await trigger('sandbox')
    expect(await keptOf(merchant)).toEqual({ deliveries: 3, attempts: 3, events: 5 })
    expect(await keptOf(other)).toEqual({ deliveries: 1, attempts: 1, events: 1 })

    const bearer = merchant.apiKey
    const read = (id: string) => call('GET', `/v1/webhooks/deliveries/${id}`, { bearer })
    for (const { id } of [young, waiting, later]) expect((await read(id)).status).toBe(200)
    for (const { id } of [old, exhausted, shared]) {
      const redelivered = await act(merchant, `deliveries/${id}/redeliver`)
      for (const reply of [await read(id), redelivered])
        expect([reply.status, reply.body]).toMatchObject([
          410,
          { error: { code: 'webhook_delivery_no_longer_kept' } },
        ])
    }
    // An unknown id is not "no longer kept", nor is another merchant's delivery.
    for (const id of [randomUUID(), uuidv7(Date.now()), elsewhere.id])
      expect((await read(id)).status).toBe(404)
    const event = await call('GET', `/v1/webhooks/events/${old.eventId}`, { bearer })
    expect([event.status, event.body]).toMatchObject([200, { sequence: 1 }])
    // What is left can be sent again, byte for byte.
    expect((await act(merchant, `deliveries/${later.id}/redeliver`)).status).toBe(201)
  })

  test('the sequence of a resource continues, and what is recovered again has the same bytes', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const { id, secret } = await newEndpoint(merchant, receiver.url + path, ['payment_link.*'])
    const link = await newLink(merchant)
    const sent = await deliveryIn(merchant, id, 'succeeded')
    expect(madeAtMs(sent.id)! - Date.now()).toBeLessThan(60_000)
    await sql(
      `with old as (update webhook_deliveries set finished_at = now() - interval '91 days' where id = $1 returning id)
       select * from old`,
      [sent.id],
    )
    // Its attempt is of today: a young delivery is never deleted, however wrong the rest of the row.
    await expect(workerCall(forget, [31, 1_000])).rejects.toMatchObject({
      code: 'SP460',
    })
    await sql(`update webhook_deliveries set finished_at = now() where id = $1`, [sent.id])
    const bytes = receiver.at(path)[0]!.body
    await call('POST', `/v1/payment-links/${link.id}/archive`, { bearer: merchant.apiKey })
    await arrived(receiver, path, 2)
    expect(verify(secret, receiver.at(path)[1]!).sequence).toBe(2)
    expect((await act(merchant, `deliveries/${sent.id}/redeliver`)).status).toBe(201)
    await arrived(receiver, path, 3)
    expect(receiver.at(path).at(-1)!.body).toBe(bytes)
  })

  test('a recovery from further back than deliveries are kept is refused', async () => {
    const merchant = await newMerchant()
    const { id } = await newEndpoint(merchant, receiver.url + newPath())
    const since = new Date(Date.now() - 31 * days).toISOString()
    const reply = await act(merchant, `endpoints/${id}/recover`, { since })
    expect([reply.status, reply.body]).toMatchObject([
      422,
      { error: { code: 'webhook_recovery_window_invalid', param: 'since' } },
    ])
  })

  test('secrets that are over are deleted after a day, those of a deleted endpoint too', async () => {
    const merchant = await newMerchant()
    const [kept, deleted] = [
      await newEndpoint(merchant, receiver.url + newPath()),
      await newEndpoint(merchant, receiver.url + newPath()),
    ]
    await act(merchant, `endpoints/${kept.id}/rotate-secret`, {})
    await call('DELETE', `/v1/webhooks/endpoints/${deleted.id}`, { bearer: merchant.apiKey })
    const secrets = () =>
      sql<{ endpoint_id: string; over: boolean }>(
        `select endpoint_id, expires_at is not null as over from webhook_secrets where tenant_id = $1
         order by endpoint_id = $2, expires_at nulls first`,
        [merchant.tenantId, deleted.id],
      )
    await trigger('sandbox')
    expect(await secrets()).toEqual([
      { endpoint_id: kept.id, over: false },
      { endpoint_id: kept.id, over: true },
      { endpoint_id: deleted.id, over: true },
    ])
    await sql(
      `update webhook_secrets set expires_at = now() - interval '25 hours' where tenant_id = $1 and expires_at is not null`,
      [merchant.tenantId],
    )
    await trigger('sandbox')
    expect(await secrets()).toEqual([{ endpoint_id: kept.id, over: false }])
  })
})

describe('the sweep', () => {
  const manyOld = (merchant: Merchant, endpointId: string, count: number, daysAgo: number) =>
    sql(
      `with made as (
         insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
         select $1, gen_random_uuid(), 'payment_link.updated', 'payment_link', gen_random_uuid(), 1, '{}', '{}', 'r',
           now() - $4 * interval '1 day' from generate_series(1, $3::int) returning id, created_at)
       insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, origin, status, attempts_count,
         finished_at, created_at, updated_at)
       select $1, gen_random_uuid(), $2, id, 'payment_link.updated', 'recovery', 'succeeded', 1, created_at, created_at, created_at
       from made`,
      [merchant.tenantId, endpointId, count, daysAgo],
    )

  test('takes one batch at a time, the oldest first, by an index; a run takes all batches', async () => {
    const merchant = await newMerchant()
    const endpointId = await quiet(merchant)
    await manyOld(merchant, endpointId, 4_000, 20)
    await manyOld(merchant, endpointId, 700, 300)
    await manyOld(merchant, endpointId, 500, 200)
    for (const table of ['events', 'webhook_deliveries', 'webhook_attempts']) await vacuumed(table)
    const worker = new Client(stack.databases.sandbox.adminUrl)
    await worker.connect()
    try {
      await worker.query('begin; set local enable_seqscan = off')
      const { rows } = await worker.query('select door.forget_deliveries(90, 20) as n')
      expect(rows).toEqual([{ n: 20 }])
      const { rows: reads } = await worker.query<{ relname: string; seq_tup_read: string; idx: string }>(
        `select relname, seq_tup_read, idx_tup_fetch as idx from pg_stat_xact_user_tables where relname like 'webhook\\_%'`,
      )
      for (const { relname, seq_tup_read, idx } of reads)
        expect([relname, Number(seq_tup_read), Number(idx) <= 200]).toEqual([relname, 0, true])
      await worker.query('rollback')
    } finally {
      await worker.end()
    }
    await workerCall(forget, [90, 700])
    const ages = await sql<{ days: number; n: number }>(
      `select round(extract(epoch from now() - finished_at) / 86400)::int as days, count(*)::int n
       from webhook_deliveries where tenant_id = $1 group by 1 order by 1`,
      [merchant.tenantId],
    )
    expect(ages).toEqual([
      { days: 20, n: 4_000 },
      { days: 200, n: 500 },
    ])
    await manyOld(merchant, endpointId, 1_300, 150)
    await trigger('sandbox')
    expect(await keptOf(merchant)).toMatchObject({ deliveries: 4_000, events: 6_500 })
  })

  test('deletes nothing younger than a month, whatever the argument', async () => {
    for (const days of [0, 1, 30, -5])
      await expect(workerCall(forget, [days, 100])).rejects.toMatchObject({ code: 'SP460' })
  })

  test('a redelivery while the old delivery is being deleted is sent: the event is kept', async () => {
    const merchant = await newMerchant()
    const endpointId = await quiet(merchant)
    const { id } = await past(merchant, { endpointId, daysAgo: 120 })
    const sweeping = new Client(stack.databases.sandbox.adminUrl)
    await sweeping.connect()
    try {
      await sweeping.query('begin')
      await sweeping.query('select door.forget_deliveries(90, 1000)')
      expect((await act(merchant, `deliveries/${id}/redeliver`)).status).toBe(201)
      await sweeping.query('commit')
    } finally {
      await sweeping.end()
    }
    const [sent, ...more] = await deliveriesOf(merchant, `endpoint_id=${endpointId}`)
    expect([sent!.id === id, more]).toEqual([false, []])
  })
})

/* A restored database counts its transactions again, or repeats the same numbers. */
test('a follower continues after a restore, once the offset is raised as the decision record says', async () => {
  const merchant = await newMerchant()
  type Page = { data: { data: { object: { id: string } } }[]; next_cursor: string }
  const follow = async (cursor: string) => {
    const query = new URLSearchParams({ order: 'asc', ...(cursor && { cursor }) })
    const { body } = await call<Page>('GET', `/v1/webhooks/events?${query}`, { bearer: merchant.apiKey })
    return { ids: body.data.map(({ data }) => data.object.id), cursor: body.next_cursor }
  }
  const before = await newLink(merchant)
  const first = await follow('')
  expect(first.ids).toEqual([before.id])
  const record = readFileSync('docs/decisions/webhooks.md', 'utf8')
  await sql(/`(update door_settings set commit_order_offset[^`]*)`/.exec(record)![1]!)
  const after = await newLink(merchant)
  const second = await follow(first.cursor)
  expect(second.ids).toEqual([after.id])
  expect((await follow(second.cursor)).ids).toEqual([])
  expect((await follow('')).ids).toEqual([before.id, after.id])
})
