import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveriesPage, eventsPage, followingPage } from '../../../functions/developer/webhooks/store.ts'
import type { BoundQuery } from '../../../src/platform/query.ts'
import { call, type Merchant, newApiKey, newMerchant, smallWorkspaces } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { newEndpoint } from '../../support/receiver.ts'
import { adminSql, pin, stack } from '../../support/stack.ts'
import type { Delivery } from './story.ts'

const rows = 40_000
const sql = adminSql('sandbox')
let merchant: Merchant
let worker: pg.Client
let rare: { endpoint: string; event: string; resource: string; createdAt: Date }
const kids: Record<'full' | 'payouts' | 'none', string> = { full: '', payouts: '', none: '' }

/** A month of a merchant with two endpoints: nearly all succeeded, of one type. A few exceptions lie far back. */
beforeAll(async () => {
  merchant = await newMerchant()
  const common = await newEndpoint(merchant, 'http://127.0.0.1:9/common', ['payout.paid'])
  const other = await newEndpoint(merchant, 'http://127.0.0.1:9/rare', ['payout.paid'])
  await sql(
    `insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
     select tenant_id, gen_random_uuid(), 'payment.succeeded', 'payment', gen_random_uuid(), 1, '{}', '{}', 'r', now()
     from unnest($1::uuid[]) tenant_id, generate_series(1, 2)`,
    [await smallWorkspaces(3_000)],
  )
  const seed = (from: number, to: number) =>
    sql<{ event_id: string; resource_id: string; created_at: Date }>(
      `with made as (
       insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
       select $1, gen_random_uuid(), case when n % 10000 = 0 then 'payout.failed' else 'payment.succeeded' end, 'payment',
         gen_random_uuid(), 1, '{}', '{}', 'r', now() - n * interval '60 seconds' from generate_series($2::int, $5::int, -1) n
       returning id, type, resource_id, created_at),
     sent as (
       insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, origin, status, attempts_count,
         finished_at, created_at, updated_at)
       select $1, gen_random_uuid(), (case when m.type = 'payout.failed' then $4 else $3 end)::uuid, m.id, m.type, 'event',
         case when m.type = 'payout.failed' then 'exhausted' else 'succeeded' end, 1, m.created_at, m.created_at, m.created_at
       from made m returning event_id, event_type)
     select event_id, m.resource_id, m.created_at from sent join made m on m.id = event_id
     where event_type = 'payout.failed' order by m.created_at limit 1`,
      [merchant.tenantId, from, common.id, other.id, to],
    )
  const [last] = await seed(rows, 101)
  await seed(100, 1)
  rare = {
    endpoint: other.id,
    event: last!.event_id,
    resource: last!.resource_id,
    createdAt: new Date(last!.created_at),
  }
  await sql('analyze webhook_deliveries, events')
  const limited = { payouts: ['reporting:read'], none: ['webhooks:read'] }
  for (const [name, scopes] of Object.entries({ full: undefined, ...limited })) {
    const { keyId } = await newApiKey(merchant, scopes ? { scopes } : {})
    const [key] = await sql<{ kid: string }>('select kid from api_keys where id = $1', [keyId])
    kids[name as 'full'] = key!.kid
  }
  worker = new Client(stack.databases.sandbox.workerUrl)
  await worker.connect()
})

afterAll(() => worker?.end())

type Node = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }

/** Pages of memory or disk that a page of a list touches, as the Workers' role reads it. */
async function buffersOf({ text, values }: BoundQuery<unknown>): Promise<number> {
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
  expect(await buffersOf(deliveriesPage({ rows: 21, ...filters() }))).toBeLessThan(60)
})

const everyKey = ['full', 'payouts', 'none'] as const
const lists = { 'newest first': eventsPage, followed: followingPage }

/* A key's list probes the index for each type that there is, and reads no row that the key may not read. */
test.each([
  ['all', () => ({})],
  ['a common type', () => ({ type: 'payment.succeeded' })],
  ['a rare type', () => ({ type: 'payout.failed' })],
  ['a type that never came', () => ({ type: 'refund.failed' })],
  ['one resource', () => ({ resourceId: rare.resource })],
  ['of a month', month],
  ['since long ago', () => ({ createdFrom: rare.createdAt })],
  ['since half an hour ago', () => ({ createdFrom: new Date(Date.now() - 1_800_000) })],
])('events, %s: a page touches little, whatever the key may read', async (_, filters) => {
  const touched: Record<string, number> = {}
  for (const [name, page] of Object.entries(lists))
    for (const key of everyKey) {
      const query = page({ rows: 21, kid: kids[key], ...filters() })
      await buffersOf(query) // the first one on a connection reads the catalog too
      touched[`${name}, ${key}`] = await buffersOf(query)
    }
  for (const [what, buffers] of Object.entries(touched))
    expect([what, buffers < 300, buffers]).toEqual([what, true, buffers])
})

test('a follower deep in its list does not walk there', async () => {
  const [deep] = await sql<{ commit_order: string; position: string }>(
    `select commit_order, position from events where tenant_id = $1 and type = 'payment.succeeded'
     order by position offset 30000 limit 1`,
    [merchant.tenantId],
  )
  const kid = kids.full
  const after = { afterOrder: deep!.commit_order, afterPosition: deep!.position }
  expect(await buffersOf(followingPage({ rows: 21, kid, ...after }))).toBeLessThan(600)
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
