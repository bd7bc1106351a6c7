import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timelinePage } from '../../../functions/people/customers/store.ts'
import { asked, type Customer, newCustomer } from '../../support/customers.ts'
import { type Merchant, newMerchant, smallWorkspaces } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, pin, stack } from '../../support/stack.ts'

interface Entry {
  id: string
  customer_id: string
  type: string
  source: string
  occurred_at: string
  received_at: string
}
interface Page {
  data: Entry[]
  next_cursor: string
  has_more: boolean
}

const timeline = async (merchant: Merchant, { id }: { id: string }, query: Record<string, string> = {}) =>
  (await asked<Page>(merchant, 'GET', `/customers/${id}/timeline?${new URLSearchParams(query)}`)).body

const day = 86_400_000

/** Events of a source, each `days` ago. */
const backfill = ({ tenantId }: Merchant, { id }: Customer, ...days: readonly number[]) =>
  adminSql('sandbox')(
    `insert into customer_timeline (tenant_id, id, customer_id, source, event_key, resource_type, type, resource_id, summary, occurred_at)
     select $1, gen_random_uuid(), $2, 'sync:shop', 'order-' || d, 'order', 'order.placed', d::text, '{}', now() - d * interval '1 day'
     from unnest($3::float8[]) d`,
    [tenantId, id, days],
  )

test('what happens to a customer is in its timeline at once, with the event’s id and time', async () => {
  const merchant = await newMerchant()
  const ana = await newCustomer(merchant, { name: 'Ana' })
  await newCustomer(merchant, { name: 'Eva' })
  await asked(merchant, 'POST', `/customers/${ana.id}/notes`, { text: 'Prefers mornings' })
  await asked(merchant, 'POST', `/customers/${ana.id}/block`)
  const { data } = await timeline(merchant, ana)
  expect(data.map(({ type }) => type)).toEqual([
    'customer.blocked',
    'customer.note_added',
    'customer.created',
  ])
  expect(data[0]).toMatchObject({
    object: 'timeline_event',
    customer_id: ana.id,
    source: 'spindle',
    resource: { type: 'customer', id: ana.id },
    summary: { status: 'blocked' },
  })
  expect(JSON.stringify(data)).not.toMatch(/Ana|mornings/)
  const events = await adminSql('sandbox')<{ id: string; created_at: Date }>(
    'select id, created_at from events where tenant_id = $1 and resource_id = $2',
    [merchant.tenantId, ana.id],
  )
  expect(data.map(({ id, occurred_at }) => `${id} ${occurred_at}`).sort()).toEqual(
    events.map(({ id, created_at }) => `${id} ${new Date(created_at).toISOString()}`).sort(),
  )
  expect((await asked(await newMerchant(), 'GET', `/customers/${ana.id}/timeline`)).status).toBe(404)
})

test('a backfilled event appears where it belongs, and a walk skips and repeats nothing', async () => {
  const merchant = await newMerchant()
  const ana = await newCustomer(merchant)
  await backfill(merchant, ana, 1, 2, 3, 4)
  const first = await timeline(merchant, ana, { limit: '3' })
  await backfill(merchant, ana, 0.5, 1.5, 2.5, 3.5)
  const rest = await timeline(merchant, ana, { limit: '100', cursor: first.next_cursor })
  const keys = ({ data }: Page) =>
    data.map(({ occurred_at }) => Math.round((2 * (Date.now() - Date.parse(occurred_at))) / day) / 2)
  expect([keys(first), keys(rest)]).toEqual([
    [0, 1, 2],
    [2.5, 3, 3.5, 4],
  ])
  expect(keys(await timeline(merchant, ana))).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4])
  expect(keys(await timeline(merchant, ana, { resource_type: 'customer' }))).toEqual([0])
  const from = new Date(Date.now() - 2.2 * day).toISOString()
  const to = new Date(Date.now() - 1.2 * day).toISOString()
  expect(keys(await timeline(merchant, ana, { 'occurred_at.gte': from, 'occurred_at.lt': to }))).toEqual([
    1.5, 2,
  ])
  expect(rest.data.every(({ occurred_at, received_at }) => received_at > occurred_at)).toBe(true)
  await expect(backfill(merchant, ana, 2)).rejects.toMatchObject({
    constraint: 'customer_timeline_event_key',
  })
  await expect(
    adminSql('sandbox')(`update customer_timeline set resource_type = 'x' where customer_id = $1`, [ana.id]),
  ).rejects.toThrow('append-only')
})

test('all that became part of a customer is in its timeline, by either id', async () => {
  const merchant = await newMerchant()
  const [kept, gone, first] = [
    await newCustomer(merchant),
    await newCustomer(merchant),
    await newCustomer(merchant),
  ]
  await backfill(merchant, gone, 1, 3)
  await adminSql('sandbox')(`update customers set status = 'merged', merged_into = $2 where id = $1`, [
    first.id,
    gone.id,
  ])
  await adminSql('sandbox')(`update customers set status = 'merged', merged_into = $2 where id = $1`, [
    gone.id,
    kept.id,
  ])
  const owners = ({ data }: Page) => data.map(({ customer_id }) => customer_id)
  const all = [first.id, gone.id, kept.id, gone.id, gone.id]
  for (const id of [kept, gone, first]) expect(owners(await timeline(merchant, id))).toEqual(all)
  const page = await timeline(merchant, kept, { limit: '2' })
  expect([...owners(page), ...owners(await timeline(merchant, kept, { cursor: page.next_cursor }))]).toEqual(
    all,
  )
})

type Node = {
  'Node Type': string
  'Index Name'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Node[]
}
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

let worker: pg.Client
beforeAll(async () => {
  worker = new Client(stack.databases.sandbox.workerUrl)
  await worker.connect()
})
afterAll(() => worker?.end())

test('a page deep in a long timeline costs what the first does, beside hundreds of small workspaces', async () => {
  const [merchant, small] = [await newMerchant(), await smallWorkspaces()]
  const [ana, eva] = [await newCustomer(merchant), await newCustomer(merchant)]
  const sql = adminSql('sandbox')
  await sql(
    `insert into customers (tenant_id, id, status, addresses, tags, metadata, field_stamps, terms, created_at, updated_at)
     select t, gen_random_uuid(), 'active', '[]', '{}', '{}', '{}', '{}', now(), now() from unnest($1::uuid[]) t`,
    [small],
  )
  await sql(
    `insert into customer_timeline (tenant_id, id, customer_id, source, event_key, resource_type, type, resource_id, summary, occurred_at)
     select c.tenant_id, gen_random_uuid(), c.id, 'sync:shop', c.id || '-' || n, (array['order', 'visit'])[1 + n % 2], 'order.placed', n::text, '{}',
       now() - n * interval '1 minute'
     from customers c, generate_series(1, case when c.id = $1 then 20000 when c.id = $2 then 2000 else 5 end) n
     where c.tenant_id = any ($3)`,
    [ana.id, eva.id, [merchant.tenantId, ...small]],
  )
  await sql('analyze customer_timeline')
  await sql('analyze customers')
  const cost = async (minutes: number | null, more: object = {}) => {
    const at = new Date(Date.now() - (minutes ?? 0) * 60_000)
    const after = minutes === null ? {} : { afterCreatedAt: at, afterId: ana.id }
    const { text, values } = timelinePage({ rows: 21, ofCustomer: ana.id, ...after, ...more })
    await worker.query('begin read only')
    try {
      await pin(worker, merchant.tenantId)
      const { rows } = await worker.query(
        `explain (analyze, buffers, format json) ${text}`,
        values as unknown[],
      )
      const nodes = nodesOf((rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan)
      expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
      return nodes[0]!['Shared Hit Blocks']! + nodes[0]!['Shared Read Blocks']!
    } finally {
      await worker.query('rollback')
    }
  }
  const merge = () =>
    sql(`update customers set status = 'merged', merged_into = $2 where id = $1`, [eva.id, ana.id])
  for (const more of [{}, { resource_type: 'visit' }]) {
    await cost(null, more)
    const first = await cost(null, more)
    for (const minutes of [10_000, 19_900])
      expect(await cost(minutes, more)).toBeLessThanOrEqual(1.2 * first + 2)
  }
  const alone = await cost(10_000)
  await merge()
  expect(await cost(10_000)).toBeLessThan(3 * alone)
})
