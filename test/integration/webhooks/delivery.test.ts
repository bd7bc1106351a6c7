import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, type Merchant, newLink, newMerchant } from '../../support/merchant.ts'
import {
  type Endpoint,
  type Event,
  type Issued,
  newEndpoint,
  type Receiver,
  startReceiver,
  verify,
} from '../../support/receiver.ts'
import { adminSql, trigger } from '../../support/stack.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

let paths = 0
const newPath = () => {
  paths += 1
  return `/hooks/${paths}`
}

const arrived = (path: string, count = 1) =>
  expect.poll(() => receiver.at(path).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(count)

type Delivery = {
  id: string
  event_id: string
  event_type: string
  origin: string
  status: string
  attempts_count: number
  attempts: {
    number: number
    status: string
    failure: string | null
    response_status: number | null
    response_body: string | null
    duration_ms: number
  }[]
}

const deliveriesOf = async ({ apiKey }: Merchant, query: string) =>
  (await call<{ data: Delivery[] }>('GET', `/v1/webhooks/deliveries?${query}`, { bearer: apiKey })).body.data

async function deliveryIn(merchant: Merchant, endpointId: string, status: string): Promise<Delivery> {
  const query = `endpoint_id=${endpointId}&status=${status}`
  await expect
    .poll(async () => (await deliveriesOf(merchant, query)).length, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(1)
  const [found] = await deliveriesOf(merchant, query)
  return (await call<Delivery>('GET', `/v1/webhooks/deliveries/${found!.id}`, { bearer: merchant.apiKey }))
    .body
}

/** As if the time of what waits had come; then the sweep. */
async function whenDue(endpointId: string): Promise<void> {
  await adminSql('sandbox')(
    `update webhook_deliveries set next_attempt_at = now() - interval '1 second'
     where endpoint_id = $1 and status = 'retrying'`,
    [endpointId],
  )
  await trigger('sandbox')
}

const endpointNow = async ({ apiKey }: Merchant, id: string) =>
  (await call<Endpoint>('GET', `/v1/webhooks/endpoints/${id}`, { bearer: apiKey })).body

const act = <Body = Record<string, unknown>>({ apiKey }: Merchant, path: string, body?: unknown) =>
  call<Body>('POST', `/v1/webhooks/${path}`, { bearer: apiKey, ...(body === undefined ? {} : { body }) })

describe('a change reaches the merchant', () => {
  test('signed, within a second, and as the interface shows it', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const { secret } = await newEndpoint(merchant, receiver.url + path, ['payment_link.*'])
    const startedAt = Date.now()
    const link = await newLink(merchant, { description: 'Silla ñ 🪑', metadata: { order: '"1"' } })
    await arrived(path)
    const [received] = receiver.at(path)
    expect(received!.atMs - startedAt).toBeLessThan(1_000)
    const event = verify(secret, received!)
    expect(event).toMatchObject({
      object: 'event',
      type: 'payment_link.created',
      api_version: '2026-06-13',
      environment: 'sandbox',
      sequence: 1,
      data: { object: { id: link.id, description: 'Silla ñ 🪑' }, previous_attributes: {} },
    })
    const shown = await call<Event>('GET', `/v1/webhooks/events/${event.id}`, { bearer: merchant.apiKey })
    expect(shown.body).toEqual(event)
    expect(received!.headers).toMatchObject({
      'webhook-id': event.id,
      'content-type': 'application/json',
      'user-agent': 'Spindle/2026-06-13',
    })
    expect(Number(received!.headers['webhook-timestamp']) * 1000).toBeGreaterThan(startedAt - 2_000)
    await call('POST', `/v1/payment-links/${link.id}/archive`, { bearer: merchant.apiKey })
    await arrived(path, 2)
    expect(verify(secret, receiver.at(path)[1]!)).toMatchObject({
      type: 'payment_link.archived',
      sequence: 2,
      data: { previous_attributes: { status: 'active' } },
    })
  })

  test('to those who want it: by type, by tenant, a test to the one it is about', async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()]
    const [all, payments, links, others] = [newPath(), newPath(), newPath(), newPath()]
    const first = await newEndpoint(merchant, receiver.url + all, ['*'])
    await newEndpoint(merchant, receiver.url + payments, ['payment.*', 'refund.created'])
    const third = await newEndpoint(merchant, receiver.url + links, ['payment_link.created'])
    await newEndpoint(other, receiver.url + others, ['payment_link.*'])
    await newLink(merchant)
    await act(merchant, `endpoints/${third.id}/test`)
    await arrived(links, 2)
    const types = (path: string) => receiver.at(path).map(({ body }) => (JSON.parse(body) as Event).type)
    expect(types(links).sort()).toEqual(['payment_link.created', 'webhook_endpoint.test'])
    await expect.poll(() => types(all)).toContain('payment_link.created')
    expect(types(all)).not.toContain('webhook_endpoint.test')
    expect([types(payments), types(others)]).toEqual([[], []])
    expect(verify(first.secret, receiver.at(all)[0]!).type).toBe('webhook_endpoint.created')
  })

  test('again and again until it is taken: the same id, the same bytes, every attempt told', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    let failures = 2
    receiver.answer(path, (_received, response) => {
      failures -= 1
      response.writeHead(failures < 0 ? 204 : 503).end(failures < 0 ? '' : 'not now')
    })
    const { id, secret } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newLink(merchant)
    await deliveryIn(merchant, id, 'retrying')
    expect((await endpointNow(merchant, id)).failing_since).not.toBeNull()
    await whenDue(id)
    await arrived(path, 2)
    await deliveryIn(merchant, id, 'retrying')
    await whenDue(id)
    const { attempts, attempts_count } = await deliveryIn(merchant, id, 'succeeded')
    expect(attempts_count).toBe(3)
    expect(attempts.map(({ response_status, failure }) => [response_status, failure])).toEqual([
      [503, 'status'],
      [503, 'status'],
      [204, null],
    ])
    expect(attempts[0]!.response_body).toBe('not now')
    const received = receiver.at(path)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    for (const each of received) verify(secret, each)
    expect((await endpointNow(merchant, id)).failing_since).toBeNull()
  })
})

describe('what is no success', () => {
  test('a redirect is not followed', async () => {
    const merchant = await newMerchant()
    const [path, target] = [newPath(), newPath()]
    receiver.answer(path, (_received, response) =>
      response.writeHead(307, { Location: receiver.url + target }).end(),
    )
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newLink(merchant)
    const { attempts } = await deliveryIn(merchant, id, 'retrying')
    expect(attempts[0]).toMatchObject({ failure: 'redirect', response_status: 307 })
    expect(receiver.at(target)).toEqual([])
  })

  test('410 disables, and the other endpoints are told', async () => {
    const merchant = await newMerchant()
    const [path, watching] = [newPath(), newPath()]
    receiver.answer(path, 410)
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newEndpoint(merchant, receiver.url + watching, ['webhook_endpoint.disabled'])
    await newLink(merchant)
    expect((await deliveryIn(merchant, id, 'exhausted')).attempts[0]!.failure).toBe('gone')
    expect(await endpointNow(merchant, id)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    await arrived(watching)
    expect(JSON.parse(receiver.at(watching)[0]!.body)).toMatchObject({
      type: 'webhook_endpoint.disabled',
      data: { object: { id, disabled_reason: 'gone' }, previous_attributes: { status: 'enabled' } },
    })
  })

  test('nobody there; an answer that breaks off', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    receiver.answer(path, (_received, response) => response.destroy())
    const nobody = await newEndpoint(merchant, 'http://127.0.0.1:9/', ['payment_link.created'])
    const broken = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newLink(merchant)
    for (const { id } of [nobody, broken]) {
      const { attempts } = await deliveryIn(merchant, id, 'retrying')
      expect(attempts[0]).toMatchObject({ failure: 'connection', response_status: null })
    }
  })

  test('silence for ten seconds', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    receiver.answer(path, () => {})
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newLink(merchant)
    const { attempts } = await deliveryIn(merchant, id, 'retrying')
    expect(attempts[0]).toMatchObject({ failure: 'timeout', response_status: null })
    expect(attempts[0]!.duration_ms).toBeGreaterThanOrEqual(9_900)
  })

  test('of an answer the first KiB is kept, for the merchant alone, without card numbers', async () => {
    const merchant = await newMerchant()
    const [long, card] = [newPath(), newPath()]
    receiver.answer(long, (_received, response) => response.writeHead(500).end(`secret-${'é'.repeat(5_000)}`))
    receiver.answer(card, (_received, response) =>
      response.writeHead(400).end('card 4242 4242 4242 4242\u0000'),
    )
    const ends = [long, card].map((path) =>
      newEndpoint(merchant, receiver.url + path, ['payment_link.created']),
    )
    const [first, second] = await Promise.all(ends)
    await newLink(merchant)
    const kept = (await deliveryIn(merchant, first!.id, 'retrying')).attempts[0]!.response_body!
    expect(kept).toMatch(/^secret-é/)
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(1_026)
    const other = (await deliveryIn(merchant, second!.id, 'retrying')).attempts[0]!.response_body
    expect(other).not.toContain('4242')
    const events = await call('GET', '/v1/webhooks/events', { bearer: merchant.apiKey })
    expect(events.text).not.toContain('secret-')
  })
})

describe('secrets', () => {
  test('shown once, sealed at rest', async () => {
    const merchant = await newMerchant()
    const url = receiver.url + newPath()
    const headers = { 'idempotency-key': 'webhooks-secret-1' }
    const body = { url, event_types: ['payment.*'] }
    const sent = { bearer: merchant.apiKey, headers, body }
    const first = await call<Issued>('POST', '/v1/webhooks/endpoints', sent)
    const again = await call<Issued>('POST', '/v1/webhooks/endpoints', sent)
    const secret = first.body.one_time_value!
    expect(secret).toMatch(/^whsec_/)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual({ object: first.body.object, endpoint: first.body.endpoint })
    const everything = await adminSql('sandbox')(
      `select (select jsonb_agg(e) from events e where tenant_id = $1)::text
         || (select jsonb_agg(s) from webhook_secrets s where tenant_id = $1)::text
         || (select jsonb_agg(c) from idempotency_claims c where tenant_id = $1)::text as text`,
      [merchant.tenantId],
    )
    expect(String(everything[0]!.text)).not.toContain(secret.slice(6, 20))
    expect(String(everything[0]!.text)).not.toContain('whsec_')
  })

  test('rotated: both sign until the old one ends', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const { id, secret } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    const rotated = await act<Issued>(merchant, `endpoints/${id}/rotate-secret`, {})
    const fresh = rotated.body.one_time_value!
    await newLink(merchant)
    await arrived(path)
    for (const each of [secret, fresh]) verify(each, receiver.at(path)[0]!)
    await adminSql('sandbox')(
      `update webhook_secrets set expires_at = now() - interval '1 second' where endpoint_id = $1 and expires_at is not null`,
      [id],
    )
    await newLink(merchant)
    await arrived(path, 2)
    const second = receiver.at(path)[1]!
    verify(fresh, second)
    expect(() => verify(secret, second)).toThrow('No matching signature found')
    // After a leak: the old one is over at once.
    await act(merchant, `endpoints/${id}/rotate-secret`, { previous_secret_hours: 0 })
    await newLink(merchant)
    await arrived(path, 3)
    expect(() => verify(fresh, receiver.at(path)[2]!)).toThrow('No matching signature found')
  })
})

describe('nothing is lost', () => {
  test('what happens while it is paused waits', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await act(merchant, `endpoints/${id}/pause`)
    await newLink(merchant)
    await trigger('sandbox')
    expect(receiver.at(path)).toEqual([])
    expect(await deliveriesOf(merchant, `endpoint_id=${id}&status=pending`)).toHaveLength(1)
    await act(merchant, `endpoints/${id}/enable`)
    await arrived(path)
  })

  test('what happened while it was disabled, or was exhausted, is recovered', async () => {
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
    await arrived(path, 3)
    const objects = receiver.at(path).map((each) => verify(secret, each).data.object.id)
    expect(objects.slice(1).sort()).toEqual(missed.map((link) => link.id).sort())
    const bearer = merchant.apiKey
    const done = await call('GET', `/v1/webhooks/recoveries/${asked.body.id}`, { bearer })
    expect(done.body).toMatchObject({ status: 'completed', deliveries_count: 2 })
    // Once more: nothing is missing.
    const again = await act<{ id: string }>(merchant, `endpoints/${id}/recover`, { since })
    const nothing = await call('GET', `/v1/webhooks/recoveries/${again.body.id}`, { bearer })
    expect(nothing.body).toMatchObject({ status: 'completed', deliveries_count: 0 })
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
          return (await call('GET', `/v1/webhooks/recoveries/${body.id}`, { bearer: merchant.apiKey })).body
        },
        { timeout: 30_000 },
      )
      .toMatchObject({ status: 'completed', deliveries_count: 2100 })
    await expect.poll(() => receiver.at(path).length, { timeout: 30_000 }).toBe(2100)
  })

  test('a delivery is sent once more, as it was', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newLink(merchant)
    const first = await deliveryIn(merchant, id, 'succeeded')
    const again = await act<Delivery>(merchant, `deliveries/${first.id}/redeliver`)
    expect(again.body).toMatchObject({ origin: 'redelivery', event_id: first.event_id })
    expect(again.body.id).not.toBe(first.id)
    await arrived(path, 2)
    const [one, two] = receiver.at(path)
    expect([two!.body, two!.headers['webhook-id']]).toEqual([one!.body, one!.headers['webhook-id']])
  })

  test('deleted: what waits is canceled, its past can be read', async () => {
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
      'select door.claim_deliveries($1, $2, 5) as c',
      [merchant.tenantId, id],
    ),
  )
  const claimed = (await Promise.all(claims)).flatMap(([row]) => row!.c?.deliveries ?? [])
  // Twenty at a time, each by one.
  expect(claimed).toHaveLength(20)
  expect(new Set(claimed.map((each) => each.id)).size).toBe(20)
})
