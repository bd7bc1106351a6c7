import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveriesPage } from '../../../functions/webhooks/store.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { newEndpoint } from '../../support/receiver.ts'
import { adminSql, pin, stack } from '../../support/stack.ts'
import type { Delivery } from './story.ts'

const rows = 40_000
const sql = adminSql('sandbox')
let merchant: Merchant
let worker: pg.Client
let rare: { endpoint: string; event: string }

/** A month of a merchant with two endpoints: nearly everything succeeded, of one type. A few exceptions lie far back. */
beforeAll(async () => {
  merchant = await newMerchant()
  const common = await newEndpoint(merchant, 'http://127.0.0.1:9/common', ['payout.paid'])
  const other = await newEndpoint(merchant, 'http://127.0.0.1:9/rare', ['payout.paid'])
  const [last] = await sql<{ event_id: string }>(
    `with made as (
       insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
       select $1, gen_random_uuid(), case when n % 10000 = 0 then 'payout.failed' else 'payment.succeeded' end, 'payment',
         gen_random_uuid(), 1, '{}', '{}', 'r', now() - n * interval '60 seconds' from generate_series(1, $2::int) n
       returning id, type, created_at),
     frozen as (insert into webhook_payloads (tenant_id, id, body) select $1, id, '{}' from made),
     sent as (
       insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, origin, status, attempts_count,
         finished_at, created_at, updated_at)
       select $1, gen_random_uuid(), (case when m.type = 'payout.failed' then $4 else $3 end)::uuid, m.id, m.type, 'event',
         case when m.type = 'payout.failed' then 'exhausted' else 'succeeded' end, 1, m.created_at, m.created_at, m.created_at
       from made m returning event_id, event_type, created_at)
     select event_id from sent where event_type = 'payout.failed' order by created_at limit 1`,
    [merchant.tenantId, rows, common.id, other.id],
  )
  rare = { endpoint: other.id, event: last!.event_id }
  await sql('analyze webhook_deliveries')
  worker = new pg.Client(stack.databases.sandbox.workerUrl)
  await worker.connect()
}, 120_000)

afterAll(() => worker?.end())

type Node = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }

/** Pages of memory or disk that the first page of the list touches, as the Workers' role reads it. */
async function buffersOf(filters: Record<string, unknown>): Promise<number> {
  const { text, values } = deliveriesPage({ rows: 21, ...filters })
  await worker.query('begin read only')
  try {
    await pin(worker, merchant.tenantId)
    const { rows: plan } = await worker.query(
      `explain (analyze, buffers, format json) ${text}`,
      values as unknown[],
    )
    const top = (plan[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan
    return top['Shared Hit Blocks'] + top['Shared Read Blocks']
  } finally {
    await worker.query('rollback')
  }
}

const month = () => ({ createdFrom: new Date(Date.now() - 30 * 86_400_000) })

test.each([
  ['all', () => ({})],
  ['succeeded', () => ({ status: 'succeeded' })],
  ['exhausted', () => ({ status: 'exhausted' })],
  ['exhausted, of a month', () => ({ status: 'exhausted', ...month() })],
  ['pending, of which there are none', () => ({ status: 'pending' })],
  ['a rare type', () => ({ eventType: 'payout.failed' })],
  ['a type that never came', () => ({ eventType: 'refund.failed' })],
  ['a rare endpoint', () => ({ endpointId: rare.endpoint })],
  ['one event', () => ({ eventId: rare.event })],
  ['a rare endpoint and status', () => ({ endpointId: rare.endpoint, status: 'exhausted' })],
  ['a rare type and status', () => ({ eventType: 'payout.failed', status: 'exhausted' })],
])('%s: a page touches little, however many there are', async (_, filters) => {
  expect(await buffersOf(filters())).toBeLessThan(60)
})

test('the filters narrow, together', async () => {
  const list = async (query: Record<string, string>) =>
    (
      await call<{ data: Delivery[] }>(
        'GET',
        `/v1/webhooks/deliveries?${new URLSearchParams({ limit: '100', ...query })}`,
        { bearer: merchant.apiKey },
      )
    ).body.data
  expect(await list({ status: 'exhausted' })).toHaveLength(4)
  expect(await list({ event_type: 'payout.failed', endpoint_id: rare.endpoint })).toHaveLength(4)
  expect(await list({ event_type: 'payout.failed', status: 'succeeded' })).toEqual([])
  expect((await list({ event_id: rare.event })).map(({ event_id }) => event_id)).toEqual([rare.event])
  const lately = new Date(Date.now() - 15 * 86_400_000).toISOString()
  expect(await list({ status: 'exhausted', 'created_at.gte': lately })).toHaveLength(2)
})
