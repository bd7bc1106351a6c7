import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { newEndpoint, type Receiver, startReceiver } from '../../support/receiver.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { act, arrived, newPath } from './story.ts'

/* A receiver is repaired: deliveries in back-off come soon. Until then, failed deliveries take no place of new ones. */

const sql = adminSql('sandbox')
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

type Waiting = { count: number; status: 'pending' | 'retrying'; origin?: 'event' | 'recovery'; due: string }

/** Deliveries that have waited for an endpoint for an hour, due as given, with their events and bytes. */
const wait = (
  { tenantId }: Merchant,
  endpointId: string,
  { count, status, origin = 'event', due }: Waiting,
) =>
  sql(
    `with made as (
       insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
       select $1, gen_random_uuid(), 'payout.paid', 'payout', gen_random_uuid(), 1, '{}', '{}', 'r', now() from generate_series(1, $3::int)
       returning id)
     insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, origin, status, attempts_count,
       next_attempt_at, created_at, updated_at)
     select $1, gen_random_uuid(), $2, id, 'payout.paid', $4, $5, case $5 when 'retrying' then 4 else 0 end,
       now() + $6::interval, now() - interval '1 hour', now() - interval '1 hour' from made`,
    [tenantId, endpointId, count, origin, status, due],
  )

const newQuiet = async (merchant: Merchant, path = newPath()) => {
  const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.archived'])
  return { id, path }
}

/** When what waits is due, in seconds from now, by status. */
const dueOf = (id: string) =>
  sql<{ status: string; least: number; most: number; count: number }>(
    `select status, min(extract(epoch from next_attempt_at - now()))::float as least,
       max(extract(epoch from next_attempt_at - now()))::float as most, count(*)::int as count
     from webhook_deliveries where endpoint_id = $1 and status in ('pending', 'retrying') group by status order by status`,
    [id],
  )

test.each<[what: string, hasten: (merchant: Merchant, id: string) => Promise<unknown>]>([
  [
    'enabled after a pause',
    async (merchant, id) => {
      expect((await act(merchant, `endpoints/${id}/pause`)).status).toBe(200)
      expect((await act(merchant, `endpoints/${id}/enable`)).status).toBe(200)
    },
  ],
  [
    'enabled after it was disabled',
    async (merchant, id) => {
      expect((await act(merchant, `endpoints/${id}/disable`)).status).toBe(200)
      expect((await act(merchant, `endpoints/${id}/enable`)).status).toBe(200)
    },
  ],
  [
    'recovered',
    async (merchant, id) => {
      const since = new Date(Date.now() - 600_000).toISOString()
      const until = new Date(Date.now() - 300_000).toISOString()
      expect((await act(merchant, `endpoints/${id}/recover`, { since, until })).status).toBe(201)
    },
  ],
])('%s: what is in back-off arrives, what is held back on purpose does not', async (_, hasten) => {
  const merchant = await newMerchant()
  const { id, path } = await newQuiet(merchant)
  await wait(merchant, id, { count: 150, status: 'retrying', due: '9 hours' })
  await wait(merchant, id, { count: 1, status: 'pending', due: '2 hours' })
  await hasten(merchant, id)
  await arrived(receiver, path, 150)
  await expect.poll(() => dueOf(id)).toMatchObject([{ status: 'pending', count: 1 }])
  expect(receiver.at(path)).toHaveLength(150)
})

const claim = async (merchant: Merchant, id: string, limit: number) => {
  const [row] = await sql<{ c: { deliveries?: { attemptsCount: number }[]; dueInSeconds?: number } | null }>(
    'select door.claim_deliveries(door.workspace_id($1), $2, $3) as c',
    [merchant.tenantId, id, limit],
  )
  return row!.c
}

const paused = async (merchant: Merchant) => {
  const { id } = await newQuiet(merchant)
  await act(merchant, `endpoints/${id}/pause`)
  return id
}
/** Makes the receiver healthy in the database alone: that wakes no drain. */
const enabled = (id: string, set = '') =>
  sql(`update webhook_endpoints set status = 'enabled' ${set} where id = $1`, [id])

test('they are spread, a hundred a second, and none comes later than it would have', async () => {
  const merchant = await newMerchant()
  const id = await paused(merchant)
  await wait(merchant, id, { count: 2_500, status: 'retrying', due: '9 hours' })
  await wait(merchant, id, { count: 1, status: 'retrying', due: '10 seconds' })
  await enabled(id)
  const last = async () => (await dueOf(id)).find(({ status }) => status === 'retrying')!
  for (let steps = 0; steps < 3; steps++) await claim(merchant, id, 0)
  const { most, count } = await last()
  expect(count).toBe(2_501)
  expect(most).toBeGreaterThan(20)
  expect(most).toBeLessThan(30)
  // A finished step leaves its rows alone: they have their times.
  await claim(merchant, id, 0)
  expect((await last()).most).toBeLessThan(most + 0.001)
})

test.each<[what: string, set: string, again: number, first: number]>([
  ['a sound endpoint', '', 15, 5],
  ['one that fails', `, failing_since = now() - interval '1 minute'`, 2, 8],
])('%s: failed deliveries leave room for new ones', async (_, set, again, first) => {
  const merchant = await newMerchant()
  const id = await paused(merchant)
  await wait(merchant, id, { count: 40, status: 'retrying', due: '-2 hours' })
  await wait(merchant, id, { count: 5, status: 'pending', origin: 'recovery', due: '-1 hour' })
  await wait(merchant, id, { count: 30, status: 'pending', due: '-1 second' })
  await enabled(id, set)
  const counts: number[] = []
  for (let claims = 0; claims < 8; claims++)
    counts.push(
      ...((await claim(merchant, id, 5))?.deliveries ?? []).map(({ attemptsCount }) => attemptsCount),
    )
  expect(counts.filter((count) => count > 1)).toHaveLength(again)
  expect(counts.filter((count) => count === 1)).toHaveLength(first)
})

test('a claim touches little, however much waits', async () => {
  const merchant = await newMerchant()
  const id = await paused(merchant)
  await wait(merchant, id, { count: 4_000, status: 'retrying', due: '-2 hours' })
  await wait(merchant, id, { count: 4_000, status: 'retrying', due: '9 hours' })
  await wait(merchant, id, { count: 5, status: 'pending', due: '-1 second' })
  await enabled(id, ', failing_since = now()')
  await sql('update webhook_endpoints set hastened_at = null where id = $1', [id])
  await sql('analyze webhook_deliveries')
  const client = new Client(stack.databases.sandbox.adminUrl)
  await client.connect()
  const buffers = async (text: string, values: unknown[]) => {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values)
    const top = rows[0]['QUERY PLAN'][0].Plan as Record<string, number>
    return top['Shared Hit Blocks']! + top['Shared Read Blocks']!
  }
  try {
    const touched: number[] = []
    for (let times = 0; times < 2; times++) {
      await client.query('begin')
      touched.push(
        await buffers('select door.claim_deliveries(door.workspace_id($1), $2, 5)', [merchant.tenantId, id]),
      )
      await client.query('rollback')
    }
    // The first claim reads the catalog too.
    expect(touched[1]).toBeLessThan(600)
  } finally {
    await client.end()
  }
})
