import { expect, test } from 'vitest'
import { call, type Merchant, newLink, newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import type { Event } from '../../support/receiver.ts'
import { adminSql, stack } from '../../support/stack.ts'

/* GET /v1/webhooks/events?order=asc: each event once, in the order of the commits, whatever transactions are open. */

type Page = { data: Event[]; has_more: boolean; next_cursor: string; error?: { code: string; param: string } }

const page = (merchant: Merchant, query: Record<string, string> = {}) =>
  call<Page>('GET', `/v1/webhooks/events?${new URLSearchParams({ order: 'asc', ...query })}`, {
    bearer: merchant.apiKey,
  })

/** What comes after a cursor, in pages of two, and the cursor that goes on from there. */
async function since(merchant: Merchant, cursor: string, query: Record<string, string> = {}) {
  const seen: Event[] = []
  for (let next = cursor; ; ) {
    const { status, body, text } = await page(merchant, {
      limit: '2',
      ...query,
      ...(next && { cursor: next }),
    })
    if (status !== 200) throw new Error(text)
    expect(body.next_cursor).not.toBe('')
    seen.push(...body.data)
    next = body.next_cursor
    if (!body.has_more) return { seen, cursor: next }
  }
}

const idsOf = (events: readonly Event[]) => events.map(({ data }) => data.object.id)

/** Other files of this stack briefly hold transactions open as well: reads until the follower has seen this many. */
async function follow(merchant: Merchant, cursor: string, count: number) {
  const all: Event[] = []
  let at = cursor
  await expect
    .poll(async () => {
      const more = await since(merchant, at)
      at = more.cursor
      return all.push(...more.seen)
    })
    .toBeGreaterThanOrEqual(count)
  return { seen: all, cursor: at }
}

/** The fields of a payment link's event: none that a person gave. */
const link = JSON.stringify({
  ...(await newLink(await newMerchant())),
  collected: undefined,
  customer_email: undefined,
  customer_name: undefined,
})

/** A transaction of its own that makes an event and stays open. */
async function holding(merchant: Merchant, resource: string, sequence = 1) {
  const client = new Client(stack.databases.sandbox.adminUrl)
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  const insert = () => client.query(insertEvent, [merchant.tenantId, resource, sequence, link])
  return {
    insert,
    async release() {
      await client.query('commit')
      await client.end()
    },
  }
}

const insertEvent = `insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object,
    previous_attributes, request_id, created_at)
  values ($1, gen_random_uuid(), 'payment_link.updated', 'payment_link', $2::uuid, $3, $4::jsonb || jsonb_build_object('id', $2::text),
    '{}', 'req_following', now())`

test('an open transaction holds back what was committed after it began, and comes in its place', async () => {
  const merchant = await newMerchant()
  const before = await newLink(merchant)
  const { seen, cursor } = await follow(merchant, '', 1)
  expect(idsOf(seen)).toEqual([before.id])

  const slow = crypto.randomUUID()
  const held = await holding(merchant, slow)
  await held.insert()
  const later = [await newLink(merchant), await newLink(merchant), await newLink(merchant)].map(
    ({ id }) => id,
  )
  const meanwhile = await since(merchant, cursor)
  expect(meanwhile.seen).toEqual([])
  // Newest first shows them already: looking back does not wait.
  const listed = await call<Page>('GET', '/v1/webhooks/events', { bearer: merchant.apiKey })
  expect(idsOf(listed.body.data)).toEqual([...later, before.id].sort().reverse())

  await held.release()
  const after = await follow(merchant, meanwhile.cursor, 4)
  expect(idsOf(after.seen)).toEqual([slow, ...later])
  expect((await since(merchant, after.cursor)).seen).toEqual([])
  // From the beginning and from the old cursor: the same, in the same order.
  expect(idsOf((await since(merchant, '')).seen)).toEqual([before.id, slow, ...later])
  expect(idsOf((await since(merchant, cursor)).seen)).toEqual([slow, ...later])
})

test('a transaction that began first, but waited, has the second event of its resource', async () => {
  const merchant = await newMerchant()
  const resource = crypto.randomUUID()
  const waiting = await holding(merchant, resource, 2)
  await adminSql('sandbox')(insertEvent, [merchant.tenantId, resource, 1, link])
  await waiting.insert()
  await waiting.release()
  const { seen } = await follow(merchant, '', 2)
  expect(seen.map(({ sequence }) => sequence)).toEqual([1, 2])
})

test('following can be narrowed, and can begin at a time', async () => {
  const merchant = await newMerchant()
  const sql = adminSql('sandbox')
  await sql(
    `insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
     select $1, gen_random_uuid(), 'payout.paid', 'payout', gen_random_uuid(), 1, '{}', '{}', 'r',
       date_trunc('milliseconds', now()) - n * interval '1 hour' from generate_series(5, 1, -1) n`,
    [merchant.tenantId],
  )
  const link = await newLink(merchant)
  const { seen } = await follow(merchant, '', 6)
  const narrowed = async (query: Record<string, string>) => (await since(merchant, '', query)).seen
  expect(await narrowed({ type: 'payment_link.created' })).toEqual(seen.slice(5))
  expect(await narrowed({ resource_id: link.id })).toEqual(seen.slice(5))
  expect(await narrowed({ type: 'payout.failed' })).toEqual([])
  for (const at of [0, 1, 3, 5])
    expect(await narrowed({ 'created_at.gte': seen[at]!.created_at })).toEqual(seen.slice(at))
})

test('a cursor continues only the list it comes from', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const { cursor } = await since(merchant, '')
  await newLink(merchant)
  await newLink(merchant)
  const newest = await call<Page>('GET', '/v1/webhooks/events?limit=1', { bearer: merchant.apiKey })
  for (const [who, query] of [
    [other, { cursor }],
    [merchant, { cursor, type: 'payout.paid' }],
    [merchant, { cursor, 'created_at.gte': '2026-01-01T00:00:00Z' }],
    [merchant, { cursor, order: 'desc' }],
    [merchant, { cursor: newest.body.next_cursor }],
    [merchant, { cursor: `${cursor}A` }],
  ] as const) {
    const { status, body } = await page(who, query)
    expect([query, status, body.error?.code]).toEqual([query, 400, 'cursor_invalid'])
  }
  expect((await page(merchant, { cursor: '' })).status).toBe(200)
  const { status, body } = await page(merchant, { 'created_at.lte': '2026-01-01T00:00:00Z' })
  expect([status, body.error]).toMatchObject([422, { code: 'parameter_invalid', param: 'created_at.lte' }])
})
