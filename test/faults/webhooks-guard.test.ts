import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileAddresses } from '../support/hostile.ts'
import { call, newLink, newMerchant } from '../support/merchant.ts'
import { type Endpoint, newEndpoint } from '../support/receiver.ts'
import { share } from '../support/share.ts'
import { adminSql, control, trigger } from '../support/stack.ts'

/*
 * The address guard as deployed: no delivery may reach this machine, and a resolver answers for names. The resolver is
 * ours, so that a test can change its answer.
 */
const answers = new Map<string, string[]>()
const resolver = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://resolver.test')
  const known = searchParams.get('type') === 'A' ? answers.get(searchParams.get('name')!) : []
  const Answer = (known ?? []).map((data) => ({ type: 1, data }))
  response.writeHead(200, { 'Content-Type': 'application/dns-json' })
  response.end(JSON.stringify({ Status: known ? 0 : 3, Answer }))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => resolver.listen(0, '127.0.0.1', resolve))
  const { port } = resolver.address() as AddressInfo
  await control.reconfigure('sandbox', {
    vars: { WEBHOOKS_TO_THIS_MACHINE: null, DNS_OVER_HTTPS_URL: `http://127.0.0.1:${port}/dns-query` },
  })
})
afterAll(async () => {
  await control.reconfigure('sandbox')
  resolver.close()
})

const sql = adminSql('sandbox')
const publicAddress = '93.184.215.14'
answers.set('shop.example.com', [publicAddress])

describe('on save', () => {
  test('every hostile address is refused, created and changed', async () => {
    const merchant = await newMerchant()
    const { id } = await newEndpoint(merchant, 'https://shop.example.com/hooks')
    const bearer = merchant.apiKey
    for (const [why, url] of hostileAddresses) {
      const body = { url, event_types: ['*'] }
      const created = await call('POST', '/v1/webhooks/endpoints', { bearer, body })
      const changed = await call('PATCH', `/v1/webhooks/endpoints/${id}`, { bearer, body: { url } })
      for (const { status, body: reply } of [created, changed]) {
        expect([why, status, (reply.error as { param: string })?.param]).toEqual([why, 422, 'url'])
      }
    }
    const kept = await call<Endpoint>('GET', `/v1/webhooks/endpoints/${id}`, { bearer })
    expect(kept.body.url).toBe('https://shop.example.com/hooks')
  })

  test.each([
    ['loopback', ['127.0.0.1']],
    ['a private one beside a public one', [publicAddress, '10.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['nothing', []],
  ])('a name that resolves to %s is refused', async (_what, resolved) => {
    const merchant = await newMerchant()
    answers.set('rebind.example.com', resolved)
    const body = { url: 'https://rebind.example.com/', event_types: ['*'] }
    const reply = await call('POST', '/v1/webhooks/endpoints', { bearer: merchant.apiKey, body })
    expect(reply.body.error).toMatchObject({ code: 'webhook_url_refused', param: 'url' })
  })

  test('a name that does not exist is refused', async () => {
    const merchant = await newMerchant()
    const body = { url: 'https://nowhere.example.com/', event_types: ['*'] }
    const reply = await call('POST', '/v1/webhooks/endpoints', { bearer: merchant.apiKey, body })
    expect(reply.body.error).toMatchObject({ code: 'webhook_url_refused' })
  })
})

type Attempt = { failure: string | null; response_status: number | null }

/** The outcome of sending to the endpoint, as the merchant sees it. */
async function attemptsOf(apiKey: string, endpointId: string): Promise<Attempt[]> {
  const list = await call<{ data: { id: string }[] }>(
    'GET',
    `/v1/webhooks/deliveries?endpoint_id=${endpointId}`,
    { bearer: apiKey },
  )
  const found = list.body.data.map(({ id }) =>
    call<{ attempts: Attempt[] }>('GET', `/v1/webhooks/deliveries/${id}`, { bearer: apiKey }),
  )
  return (await Promise.all(found)).flatMap(({ body }) => body.attempts)
}

describe('on send', () => {
  test('every hostile address that came in some other way is refused', async () => {
    const sendable = share(hostileAddresses, 3).filter(([, url]) => url !== '')
    // A workspace has fifty endpoints at most.
    while (sendable.length > 0) {
      const merchant = await newMerchant()
      const ends: [why: string, id: string][] = []
      for (const [why, url] of sendable.splice(0, 45)) {
        const { id } = await newEndpoint(merchant, 'https://shop.example.com/', ['webhook_endpoint.deleted'])
        await sql('update webhook_endpoints set url = $2 where id = $1', [id, url])
        await call('POST', `/v1/webhooks/endpoints/${id}/test`, { bearer: merchant.apiKey })
        ends.push([why, id])
      }
      const attempted = async () => {
        await trigger('sandbox')
        const rows = await sql('select distinct delivery_id from webhook_attempts where tenant_id = $1', [
          merchant.tenantId,
        ])
        return rows.length
      }
      await expect.poll(attempted).toBe(ends.length)
      for (const [why, id] of ends) {
        const refused = expect.objectContaining({ failure: 'address', response_status: null })
        // The second is due 5 seconds after the first.
        const made = await attemptsOf(merchant.apiKey, id)
        expect([why, made.length > 0, made]).toEqual([why, true, made.map(() => refused)])
      }
    }
  })

  test('a name whose answer has changed since it was saved is refused', async () => {
    const merchant = await newMerchant()
    answers.set('changing.example.com', [publicAddress])
    const { id } = await newEndpoint(merchant, 'https://changing.example.com/hooks', ['payment_link.created'])
    answers.set('changing.example.com', ['169.254.169.254'])
    await newLink(merchant)
    await expect
      .poll(() => attemptsOf(merchant.apiKey, id))
      .toEqual([expect.objectContaining({ failure: 'dns', response_status: null })])
  })
})
