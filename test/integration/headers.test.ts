import { request } from 'node:http'
import { expect, test } from 'vitest'
import { pageHeaders } from '../../functions/page/hosted-payment/pages/frame/headers.ts'
import { newLink, newMerchant, openLink } from '../support/merchant.ts'
import { adminSql, stack } from '../support/stack.ts'

const { directUrl } = stack.sandbox

test.each([
  ['a list', '/v1/payment-links', 200],
  ['a refusal', '/v1/payment-links?limit=0', 422],
  ['nothing there', '/v1/nothing', 404],
  ['the root, which leads to the documentation', '/', 302],
])('%s: no cache stores it, and browsers read it as the type it states', async (_, path, status) => {
  const { apiKey } = await newMerchant()
  const response = await fetch(directUrl + path, {
    headers: { authorization: `Bearer ${apiKey}` },
    redirect: 'manual',
  })
  expect(response.status).toBe(status)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

const asked = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test.each([
  ['/nothing', 'GET', 'es', 404, 'No encontramos esta página'],
  ['/nothing', 'GET', 'en', 404, 'We could not find this page'],
  ['/nothing', 'POST', 'en', 404, 'We could not find this page'],
  ['/docs/nothing', 'GET', 'en', 404, 'We could not find this page'],
  ['/assets/nothing.css', 'GET', 'en', 404, 'We could not find this page'],
  ['/splink_1', 'GET', 'en', 404, 'We could not find this page'],
  [`/splink_${'0'.repeat(32)}`, 'PUT', 'en', 405, 'There is nothing to send here'],
  [`/splink_${'0'.repeat(32)}/attempts`, 'DELETE', 'es', 405, 'Aquí no hay nada que enviar'],
  [
    '/simulator/3ds/0190a6d2-7c3e-7b1a-9f00-000000000003',
    'PATCH',
    'en',
    405,
    'There is nothing to send here',
  ],
])('%s, %s, %s: a person gets %i as a page', async (path, method, language, status, title) => {
  const headers = { accept: asked, 'accept-language': language }
  const response = await fetch(directUrl + path, { method, headers })
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  for (const [name, value] of Object.entries(pageHeaders))
    expect(response.headers.get(name), name).toBe(value)
  expect(await response.text()).toContain(`<title>${title}</title>`)
})

test.each([
  ['/nothing', '*/*'],
  ['/nothing', 'application/json'],
  ['/docs/nothing', '*/*'],
  ['/v1/nothing', asked],
  ['/v1', asked],
])('%s, accepting %s: a program gets JSON', async (path, accept) => {
  const response = await fetch(directUrl + path, { headers: { accept } })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ error: { code: 'route_not_found' } })
})

test('assets may be cached', async () => {
  for (const file of ['pay.css', 'pay.js', 'sandbox-card.js', 'spindle.svg']) {
    const response = await fetch(`${directUrl}/assets/${file}`)
    expect([file, response.status]).toEqual([file, 200])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toMatch(/max-age/)
  }
})

test.each([
  ['a list', 'GET', '/v1/payment-links'],
  ['a refusal', 'GET', '/v1/payment-links?limit=0'],
  ['a body that is none', 'POST', '/v1/payment-links'],
  ['no credential', 'POST', '/v1/auth/sign-out'],
  ['nothing there', 'GET', '/v1/nothing'],
  ['another method', 'DELETE', '/v1/payment-links'],
  ['a redirect', 'GET', '/'],
  ['the documentation', 'GET', '/docs'],
  ['a file', 'GET', '/assets/pay.css'],
  ['a file that is not there', 'GET', '/assets/nothing.css'],
  ['a page', 'GET', '/splink_00000000000000000000000000000000'],
  ['the bank of the sandbox', 'GET', '/simulator/3ds/0190a6d2-7c3e-7b1a-9f00-000000000000'],
  ['a notification', 'POST', '/v1/processors/stripe/notifications'],
  ['nothing at all', 'GET', '/nothing'],
])('%s: only over https afterwards', async (_what, method, path) => {
  const { apiKey } = await newMerchant()
  const headers = { authorization: `Bearer ${apiKey}` }
  const reply = await fetch(directUrl + path, { method, headers, redirect: 'manual' })
  await reply.arrayBuffer()
  expect(reply.status).toBeLessThan(500)
  expect(reply.headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
})

test('addresses come from the settings, whatever Host says', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const form = await openLink(link.public_id)
  const host = 'evil.example'
  const told: string[] = []
  const ask = async (method: string, path: string, headers: Record<string, string>, body = '') => {
    const reply = await forged(method, path, { host, ...headers }, body)
    told.push(JSON.stringify(reply))
    return reply
  }
  const paid = await ask(
    'POST',
    `/${link.public_id}/attempts`,
    { 'content-type': 'application/x-www-form-urlencoded' },
    new URLSearchParams({ ...form, card_token: 'tok_sbx_3ds_challenge' } as Record<
      string,
      string
    >).toString(),
  )
  expect([paid.status, paid.body]).toEqual([303, ''])
  const [charge] = await adminSql('sandbox')<{ reference: string; return_url: string }>(
    `select reference, return_url from simulator.charges where return_url like '%' || $1 || '%'`,
    [link.public_id],
  )
  expect(charge?.return_url).toContain(`https://${stack.sandbox.linkBaseUrl}/${link.public_id}/spcs_`)
  const bank = `/simulator/3ds/${charge?.reference}`
  await ask('GET', paid.headers.location ?? '', {})
  await ask('GET', bank, {})
  const back = await ask(
    'POST',
    bank,
    { 'content-type': 'application/x-www-form-urlencoded' },
    'outcome=approve',
  )
  expect([back.status, back.headers.location]).toEqual([303, expect.stringMatching(/^\/splink_/)])
  const bearer = { authorization: `Bearer ${merchant.apiKey}` }
  for (const path of ['/', '/docs', '/openapi.json', '/nothing', `/${link.public_id}`])
    await ask('GET', path, {})
  await ask('GET', '/v1/payment-links', bearer)
  await ask('GET', '/v1/auth/passkey/generate-authenticate-options', {})
  expect(told.filter((each) => each.includes(host))).toEqual([])
})

type Told = { status: number; headers: Record<string, string | undefined>; body: string }

/** fetch() writes Host itself. */
function forged(method: string, path: string, headers: Record<string, string>, body: string): Promise<Told> {
  return new Promise((resolve, reject) => {
    const asked = request(directUrl + path, { method, headers }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers as Told['headers'], body: text }),
      )
    })
    asked.on('error', reject).end(body)
  })
}
