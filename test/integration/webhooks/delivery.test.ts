import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, newLink, newMerchant } from '../../support/merchant.ts'
import {
  type Event,
  type Issued,
  newEndpoint,
  type Receiver,
  startReceiver,
  verify,
} from '../../support/receiver.ts'
import { adminSql } from '../../support/stack.ts'
import { act, arrived, deliveryIn, endpointNow, newPath, whenDue } from './story.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

describe('a change reaches the merchant', () => {
  test('within a second', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    const delaysMs: number[] = []
    // A busy machine delays one or another.
    while (delaysMs.length < 5 && !delaysMs.some((ms) => ms < 1_000)) {
      const startedAt = Date.now()
      await newLink(merchant)
      await arrived(receiver, path, delaysMs.length + 1)
      delaysMs.push(receiver.at(path).at(-1)!.atMs - startedAt)
    }
    expect(
      delaysMs.some((ms) => ms < 1_000),
      String(delaysMs),
    ).toBe(true)
  })

  test('signed, and as the interface shows it', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const { secret } = await newEndpoint(merchant, receiver.url + path, ['payment_link.*'])
    const startedAt = Date.now()
    const link = await newLink(merchant, { description: 'Silla ñ 🪑', metadata: { order: '"1"' } })
    await arrived(receiver, path)
    const [received] = receiver.at(path)
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
    await arrived(receiver, path, 2)
    expect(verify(secret, receiver.at(path)[1]!)).toMatchObject({
      type: 'payment_link.archived',
      sequence: 2,
      data: { previous_attributes: { status: 'active' } },
    })
  })

  test('to those subscribed: by type, by tenant, a test only to its endpoint', async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()]
    const [all, payments, links, others] = [newPath(), newPath(), newPath(), newPath()]
    const first = await newEndpoint(merchant, receiver.url + all, ['*'])
    await newEndpoint(merchant, receiver.url + payments, ['payment.*', 'refund.created'])
    const third = await newEndpoint(merchant, receiver.url + links, ['payment_link.created'])
    await newEndpoint(other, receiver.url + others, ['payment_link.*'])
    await newLink(merchant)
    await act(merchant, `endpoints/${third.id}/test`)
    await arrived(receiver, links, 2)
    const types = (path: string) => receiver.at(path).map(({ body }) => (JSON.parse(body) as Event).type)
    expect(types(links).sort()).toEqual(['payment_link.created', 'webhook_endpoint.test'])
    await expect.poll(() => types(all)).toContain('payment_link.created')
    expect(types(all)).not.toContain('webhook_endpoint.test')
    expect([types(payments), types(others)]).toEqual([[], []])
    expect(verify(first.secret, receiver.at(all)[0]!).type).toBe('webhook_endpoint.created')
  })

  test('again and again until it is accepted: the same id, the same bytes, every attempt listed', async () => {
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
    await arrived(receiver, path, 2)
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

  test('410 disables the endpoint, and the other endpoints are notified', async () => {
    const merchant = await newMerchant()
    const [path, watching] = [newPath(), newPath()]
    receiver.answer(path, 410)
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newEndpoint(merchant, receiver.url + watching, ['webhook_endpoint.disabled'])
    await newLink(merchant)
    expect((await deliveryIn(merchant, id, 'exhausted')).attempts[0]!.failure).toBe('gone')
    expect(await endpointNow(merchant, id)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    await arrived(receiver, watching)
    expect(JSON.parse(receiver.at(watching)[0]!.body)).toMatchObject({
      type: 'webhook_endpoint.disabled',
      data: {
        object: { id, disabled_reason: 'gone' },
        previous_attributes: { status: 'enabled', disabled_reason: null },
      },
    })
  })

  test('secrets of which none decrypts disable the endpoint; with another one what waited is sent', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    const sql = adminSql('sandbox')
    await sql(`update webhook_secrets set ciphertext = '1.AAAA' where endpoint_id = $1`, [id])
    await newLink(merchant)
    expect((await deliveryIn(merchant, id, 'retrying')).attempts[0]!.failure).toBe('secret')
    expect(await endpointNow(merchant, id)).toMatchObject({ status: 'disabled', disabled_reason: 'secret' })
    const notices = await sql(`select 1 from mail_notices where tenant_id = $1`, [merchant.tenantId])
    expect(notices).toHaveLength(1)
    expect(receiver.at(path)).toEqual([])
    await act(merchant, `endpoints/${id}/rotate-secret`, {})
    await act(merchant, `endpoints/${id}/enable`)
    await arrived(receiver, path)
    expect(await endpointNow(merchant, id)).toMatchObject({ status: 'enabled', disabled_reason: null })
  })

  test('no server at the address; an answer that breaks off', async () => {
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

  test('no answer for ten seconds', async () => {
    const merchant = await newMerchant()
    const path = newPath()
    receiver.answer(path, () => {})
    const { id } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
    await newLink(merchant)
    const { attempts } = await deliveryIn(merchant, id, 'retrying')
    expect(attempts[0]).toMatchObject({ failure: 'timeout', response_status: null })
    expect(attempts[0]!.duration_ms).toBeGreaterThanOrEqual(9_900)
  })

  test('the first KiB of an answer is stored, for the merchant alone, without card numbers', async () => {
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
    await arrived(receiver, path)
    for (const each of [secret, fresh]) verify(each, receiver.at(path)[0]!)
    await adminSql('sandbox')(
      `update webhook_secrets set expires_at = now() - interval '1 second' where endpoint_id = $1 and expires_at is not null`,
      [id],
    )
    await newLink(merchant)
    await arrived(receiver, path, 2)
    const second = receiver.at(path)[1]!
    verify(fresh, second)
    expect(() => verify(secret, second)).toThrow('No matching signature found')
    // After a leak: the old one ends at once.
    await act(merchant, `endpoints/${id}/rotate-secret`, { previous_secret_hours: 0 })
    await newLink(merchant)
    await arrived(receiver, path, 3)
    expect(() => verify(fresh, receiver.at(path)[2]!)).toThrow('No matching signature found')
  })
})
