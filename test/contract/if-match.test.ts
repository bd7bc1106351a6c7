import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { operationOf } from '../../local/samples.ts'
import { leftOut } from '../../src/generated/event-fields.ts'
import { changesVersion } from '../../src/http/request-context.ts'
import { call, newLink, newMerchant } from '../support/merchant.ts'
import { share } from '../support/share.ts'
import { adminSql } from '../support/stack.ts'
import {
  expectEnvelope,
  expectProblem,
  fieldsOf,
  newWorld,
  type Request,
  ready,
  request,
  rowsOf,
  send,
  type World,
  withHeaders,
} from './requests.ts'

/* `version` is what a caller has read; with If-Match a request changes that version or nothing. */

const changing = rowsOf(({ contract }) => changesVersion(contract))
const others = rowsOf(({ contract }) => contract.method !== 'GET' && !changesVersion(contract))
const patching = changing.filter(([, { contract }]) => contract.method === 'PATCH')
/** Of an image its item is shown: test/integration/digital-catalogs/images.test.ts has its changes at once. */
const patchingShown = patching.filter(([id]) => id !== 'catalog_images.update')
const reading = rowsOf(({ contract }) => contract.method === 'GET' && contract.versioned === true)

/** An image is a part of its item, whose version counts. */
async function itemOf(image: string): Promise<string> {
  const sql = 'select item_id from catalog_images where id = $1'
  const [row] = await adminSql('sandbox')<{ item_id: string }>(sql, [image])
  return `/v1/catalog-items/${row!.item_id}`
}

/** The current version of the resource that a request is about: a line of a bill is a part of it. */
async function versionNow({ merchant }: World, { path }: Request): Promise<number> {
  const [whole] = /^.*[0-9a-f]{8}-[0-9a-f-]{27}/.exec(path.replace(/\/lines\/.*$/, '')) ?? [
    path.replace(/\/logo$/, ''),
  ]
  const resource = whole.includes('/catalog-images/') ? await itemOf(whole.split('/').at(-1)!) : whole
  const { body } = await call<{ version?: number; data: { version: number }[] }>('GET', resource, {
    bearer: merchant.apiKey,
  })
  return body.version ?? body.data[0]!.version
}

async function existing(id: string, world: World): Promise<Request> {
  const made = await request(operationOf(id), world)
  if (id !== 'payout_settings.update') return made
  await send(made)
  return request(operationOf(id), world)
}

test.each(share(changing, 3, 1))(
  '%s: changes the version that is named, or nothing',
  async (id, operation) => {
    const world = await newWorld()
    const made = await existing(id, world)
    const version = await versionNow(world, made)
    for (const other of [version + 1, version + 1000, ...(version > 1 ? [version - 1] : [])]) {
      const refused = await send(withHeaders(made, { 'if-match': `"${other}"` }))
      expectProblem(refused, 'version_changed', 'If-Match')
    }
    expect(await versionNow(world, made)).toBe(version)

    const matched = withHeaders(made, { 'if-match': `"${version}"` })
    const first = await send(matched)
    expect(first.status, first.text).toBe(operation.contract.reply.status)
    expect(first.headers.get('etag')).toBe(first.body.version === undefined ? null : `"${version + 1}"`)
    if (operation.contract.idempotency === 'none') return
    const again = await send(matched)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect([again.text, again.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')])
  },
)

test.each(share(reading, 3, 2))('%s: its ETag names the version', async (_id, operation) => {
  const reply = await send(await ready(operation))
  expect(reply.headers.get('etag')).toBe(`"${(reply.body as { version: number }).version}"`)
})

/** What the version counts alone may be answered without a body. */
const still = reading.filter(([, { contract }]) => !contract.showsLive)
const live = reading.filter(([, { contract }]) => contract.showsLive)

test.each(share(live, 3, 3))(
  '%s: shows what moves without a new version, so it has a body each time',
  async (_id, operation) => {
    const made = await ready(operation)
    const { version } = (await send(made)).body as { version: number }
    const again = await send(withHeaders(made, { 'if-none-match': `"${version}"` }))
    expect([again.status, again.body.version]).toEqual([200, version])
  },
)

test.each(share(still, 3, 4))('%s: a caller who has the version gets no body', async (_id, operation) => {
  const made = await ready(operation)
  const { version } = (await send(made)).body as { version: number }
  const cases: [named: string, status: number][] = [
    [`"${version}"`, 304],
    [`W/"${version}"`, 304],
    [`"7", W/"${version}"`, 304],
    ['*', 304],
    [`"${version + 1}"`, 200],
    [`${version}`, 200],
    ['', 200],
  ]
  for (const [named, status] of cases) {
    const reply = await send(withHeaders(made, { 'if-none-match': named }))
    expect([named, reply.status, reply.headers.get('etag')]).toEqual([named, status, `"${version}"`])
    expect([named, reply.text === '']).toEqual([named, status === 304])
    expectEnvelope(reply)
  }
})

/** Not a resource that can be read by itself: a membership, a secret, and facts of the simulated outside world. */
const unread = [
  'workspaces.create',
  'connection_tokens.create',
  'sandbox.spei.deposit',
  'sandbox.webhooks.duplicate',
  'sandbox.webhooks.reorder',
]
const creating = rowsOf(({ contract }) => contract.reply.status === 201 && !unread.includes(contract.id))

test.each(share(creating, 3, 5))(
  '%s: names the address and version of what it made',
  async (_id, operation) => {
    const made = await ready(operation)
    const reply = await send(made)
    expect(reply.status, reply.text).toBe(201)
    const { authorization } = made.headers
    const path = reply.headers.get('location')!
    const found = await send({
      method: 'GET',
      path,
      query: {},
      headers: { authorization: authorization! },
      body: undefined,
    })
    expect(found.status, found.text).toBe(200)
    expect(reply.text).toContain(found.body.id)
    expect(reply.headers.get('etag')).toBe(found.headers.get('etag'))
    if (operation.contract.idempotency === 'none') return
    const again = await send(made)
    expect(['location', 'etag'].map((name) => again.headers.get(name))).toEqual([
      path,
      found.headers.get('etag'),
    ])
  },
)

test.each(share(patching, 3, 6))('%s: does without an Idempotency-Key', async (_id, operation) => {
  const made = withHeaders(await ready(operation), { 'idempotency-key': undefined })
  const [first, again] = [await send(made), await send(made)]
  expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 200, null])
  expect(again.body.version).toBeGreaterThan(first.body.version as number)
})

test.each(share(others, 3, 7))('%s: changes nothing that has a version', async (_id, operation) => {
  const made = await ready(operation)
  expectProblem(await send(withHeaders(made, { 'if-match': '"1"' })), 'if_match_invalid', 'If-Match')
})

type Shown = { id: string; version: number; [field: string]: unknown }
type Said = { type: string; sequence: number; data: { object: Shown; previous_attributes: Partial<Shown> } }

test.each(share(patchingShown, 3, 8))(
  '%s: 50 at once without If-Match all happen, and the last one stays',
  async (_id, operation) => {
    const world = await newWorld()
    const made = await request(operation, world)
    const fields = fieldsOf(operation.contract.body).map(({ name }) => name)
    const counts = ['low_quantity', 'uses_max']
    const field = ['description', 'name', 'brand_name', ...counts].find((name) => fields.includes(name))!
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        send({
          ...withHeaders(made, { 'idempotency-key': randomUUID() }),
          body: { [field]: counts.includes(field) ? at + 1 : `Change ${at}` },
        }),
      ),
    )
    expect(replies.map(({ status, body }) => [status, body.error])).toEqual(Array(50).fill([200, undefined]))
    const shown = replies.map(({ body }) => body as Shown).sort((a, b) => a.version - b.version)
    expect(shown.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, at) => at + 2))

    const { apiKey } = world.merchant
    expect((await call('GET', made.path, { bearer: apiKey })).body).toEqual(shown.at(-1))
    const { body } = await call<{ data: Said[] }>(
      'GET',
      `/v1/webhooks/events?limit=100&resource_id=${shown[0]!.id}`,
      {
        bearer: apiKey,
      },
    )
    const told = body.data
      .filter(({ type }) => type.endsWith('.updated'))
      .sort((a, b) => a.sequence - b.sequence)
    const [subject] = told[0]!.type.split('.')
    const left: readonly string[] = { ...leftOut }[subject as keyof typeof leftOut] ?? []
    expect(told.map(({ data }) => data.object)).toEqual(
      shown.map((each) => Object.fromEntries(Object.entries(each).filter(([name]) => !left.includes(name)))),
    )
    const before = told.slice(1).map(({ data }) => data.previous_attributes)
    expect(before).toMatchObject(shown.slice(0, -1).map((each) => ({ [field]: each[field] })))
  },
)

describe('two callers who have read the same version', () => {
  test('50 changes of one version: one happens', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        call('PATCH', `/v1/payment-links/${link.id}`, {
          bearer: merchant.apiKey,
          headers: { 'if-match': '"1"', 'idempotency-key': randomUUID() },
          body: { metadata: { at } },
        }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const reply of replies) if (reply.status !== 200) expectProblem(reply, 'version_changed', 'If-Match')
  })

  test('a request that is refused for another reason keeps that reason', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const path = `/v1/payment-links/${link.id}`
    await call('POST', `${path}/archive`, { bearer: merchant.apiKey })
    const headers = { 'if-match': '"1"' }
    const reply = await call('PATCH', path, { bearer: merchant.apiKey, headers, body: { description: 'x' } })
    expectProblem(reply, 'payment_link_archived')
  })
})

test('a weak ETag, as a compressing edge sends it, counts like the strong one', async () => {
  const made = await ready(operationOf('payment_links.update'))
  expectProblem(await send(withHeaders(made, { 'if-match': 'W/"2"' })), 'version_changed', 'If-Match')
  const matched = await send(withHeaders(made, { 'if-match': 'W/"1"' }))
  expect([matched.status, matched.headers.get('etag')]).toEqual([200, '"2"'])
})

test.each(['1', 'w/"1"', '*', '""', '"0"', '"01"', '"1", "2"', '"1.5"', '"1e1"', '"9999999999"'])(
  'refused as no version: %s',
  async (given) => {
    const made = await ready(operationOf('payment_links.update'))
    expectProblem(await send(withHeaders(made, { 'if-match': given })), 'if_match_invalid', 'If-Match')
  },
)
