import { beforeAll, expect, test } from 'vitest'
import { eventScopes } from '../../../src/generated/events.ts'
import { scopes as allScopes } from '../../../src/http/contract.ts'
import { eventTypeNames, resourceOf } from '../../../src/kernel/event-types.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { call, type Merchant, newApiKey, newLink, newMerchant } from '../../support/merchant.ts'
import { type Event, type Issued, newEndpoint } from '../../support/receiver.ts'
import { adminSql } from '../../support/stack.ts'

/* A key reads the events of the resources that it may read, and can have no others sent. */

type Page = { data: Event[]; has_more: boolean; next_cursor: string }

/** A merchant who has had an event of every type, the ids by type. */
async function eventful() {
  const merchant = await newMerchant()
  writtenByHand(merchant.tenantId)
  // Events of a customer enter its timeline, so it must exist.
  const rows = await adminSql('sandbox')<{ id: string; type: string }>(
    `with customer as (
       insert into customers (tenant_id, id, status, addresses, tags, metadata, field_stamps, terms, version, created_at, updated_at)
       values ($1, gen_random_uuid(), 'active', '[]', '{}', '{}', '{}', '{}', 1, now(), now()) returning id)
     insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
     select $1, gen_random_uuid(), type, split_part(type, '.', 1),
       case when type like 'customer.%' then customer.id else gen_random_uuid() end, at, '{}', '{}', 'r', now()
     from unnest($2::text[]) with ordinality listed (type, at), customer returning id, type`,
    [merchant.tenantId, eventTypeNames],
  )
  return { merchant, rows }
}

const keyWith = async (merchant: Merchant, scopes: readonly string[]) =>
  (await newApiKey(merchant, { scopes })).apiKey

async function typesListed(bearer: string, order: string): Promise<string[]> {
  const types: string[] = []
  for (let cursor = ''; ; ) {
    const query = new URLSearchParams({ order, limit: '100', ...(cursor && { cursor }) })
    const { status, body, text } = await call<Page>('GET', `/v1/webhooks/events?${query}`, { bearer })
    if (status !== 200) throw new Error(text)
    types.push(...body.data.map(({ type }) => type))
    cursor = body.next_cursor
    if (!body.has_more) return types
  }
}

const single = [...new Set(Object.values(eventScopes).flat())].filter((scope) => scope !== 'webhooks:read')
const keys: [held: string, scopes: readonly string[]][] = [
  ['nothing beside webhooks:read', []],
  ...single.map((scope): [string, string[]] => [scope, [scope]]),
  ['every scope to write, and none to read', allScopes.filter((scope) => !scope.endsWith(':read'))],
  ['every scope', allScopes],
]

let world: Awaited<ReturnType<typeof eventful>>
beforeAll(async () => {
  world = await eventful()
})

test.each(keys)('%s: lists and gets the events of what the key may read, and no others', async (_, held) => {
  const { merchant, rows } = world
  const scopes = [...new Set(['webhooks:read', ...held])]
  const bearer = await keyWith(merchant, scopes)
  const mayRead = (type: string) =>
    eventScopes[resourceOf(type as 'payment.created')].some((s) => scopes.includes(s))
  const expected = eventTypeNames.filter(mayRead).sort()
  expect((await typesListed(bearer, 'desc')).sort()).toEqual(expected)
  await expect.poll(async () => (await typesListed(bearer, 'asc')).sort()).toEqual(expected)

  const get = (id: string) => call('GET', `/v1/webhooks/events/${id}`, { bearer })
  const withoutIds = (text: string) => text.replace(/req_\w+/g, '')
  const missing = withoutIds((await get(crypto.randomUUID())).text)
  const oneOfEach = new Map(rows.map((row) => [resourceOf(row.type as 'payment.created'), row]))
  await Promise.all(
    [...oneOfEach.values()].map(async ({ id, type }) => {
      const { status, body, text } = await get(id)
      if (mayRead(type)) expect([type, status, body.id]).toEqual([type, 200, id])
      else expect([type, status, withoutIds(text)]).toEqual([type, 404, missing])
    }),
  )
})

test('a key cannot filter for what it may not read, and pages stay full', async () => {
  const bearer = await keyWith(world.merchant, ['webhooks:read', 'refunds:read'])
  const list = async (query: string) =>
    (await call<Page>('GET', `/v1/webhooks/events?${query}`, { bearer })).body
  for (const order of ['asc', 'desc']) {
    expect((await list(`order=${order}&type=transfer.paid`)).data).toEqual([])
    await expect.poll(async () => (await list(`order=${order}&type=refund.created`)).data.length).toBe(1)
    const page = await list(`order=${order}&limit=10`)
    expect([page.data.length, page.has_more]).toEqual([10, true])
  }
})

const change = (bearer: string, id: string, body: object) =>
  call('PATCH', `/v1/webhooks/endpoints/${id}`, { bearer, body })

test('where events are sent is for a key that may read them', async () => {
  const merchant = await newMerchant()
  const limited = await keyWith(merchant, ['webhooks:read', 'webhooks:write', 'refunds:read'])
  const create = (bearer: string, event_types: string[]) =>
    call<Issued & { error?: { code: string; param: string; message: string } }>(
      'POST',
      '/v1/webhooks/endpoints',
      {
        bearer,
        body: { url: 'http://127.0.0.1:9/hook', event_types },
      },
    )
  for (const [patterns, lacks] of [
    [['*'], 'workspace:read'],
    [['refund.*', 'transfer.paid'], 'transfers:read'],
    [['payment.*'], 'reporting:read or payment_links:read'],
    [['api_key.created'], 'workspace:read'],
  ] as const) {
    const { status, body } = await create(limited, [...patterns])
    expect([status, body.error?.code, body.error?.param]).toEqual([403, 'insufficient_scope', 'event_types'])
    expect(body.error?.message).toContain(lacks)
  }
  const own = await create(limited, ['refund.*', 'unapplied_funds.*', 'webhook_endpoint.disabled'])
  expect(own.status, own.text).toBe(201)
  expect((await create(merchant.apiKey, ['*'])).status).toBe(201)

  const { id } = await newEndpoint(merchant, 'http://127.0.0.1:9/all', ['*'])
  const url = 'http://127.0.0.1:9/elsewhere'
  expect((await change(limited, id, { url })).status).toBe(403)
  expect((await change(limited, id, { event_types: ['transfer.*'] })).status).toBe(403)
  expect((await change(limited, id, { description: 'All of it' })).status).toBe(200)
  expect((await change(limited, id, { url, event_types: ['refund.*'] })).status).toBe(200)
})

test('a key that may not read what an endpoint has deliveries of cannot move them to another address', async () => {
  const merchant = await newMerchant()
  const limited = await keyWith(merchant, ['webhooks:read', 'webhooks:write', 'refunds:read'])
  const { id } = await newEndpoint(merchant, 'http://127.0.0.1:9/all', ['*'])
  await newLink(merchant)
  const url = 'http://127.0.0.1:9/elsewhere'
  const refused = async (body: object) => {
    const reply = await change(limited, id, body)
    const { error } = reply.body as { error?: { code: string; param: string; message: string } }
    expect([reply.status, error?.code, error?.param], reply.text).toEqual([403, 'insufficient_scope', 'url'])
    expect(error?.message).toContain('payment_link.created')
    expect(error?.message).toContain('payment_links:read')
  }
  await refused({ url, event_types: ['refund.*'] })
  expect((await change(limited, id, { event_types: ['refund.*'] })).status).toBe(200)
  await refused({ url })
  // Not even once the delivery is over: it can be sent again.
  await adminSql('sandbox')(
    `update webhook_deliveries set status = 'succeeded', next_attempt_at = null, finished_at = now() where endpoint_id = $1`,
    [id],
  )
  await refused({ url })
  const reader = await keyWith(merchant, [
    'webhooks:write',
    'webhooks:read',
    'refunds:read',
    'payment_links:read',
  ])
  expect((await change(reader, id, { url })).status).toBe(200)
})
