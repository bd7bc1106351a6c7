import { expect, test } from 'vitest'
import { pageHeaders } from '../../functions/payment-links/pages/headers.ts'
import { newMerchant } from '../support/merchant.ts'
import { stack } from '../support/stack.ts'

const { directUrl } = stack.sandbox

test.each([
  ['a list', '/v1/payment-links', 200],
  ['a refusal', '/v1/payment-links?limit=0', 422],
  ['nothing there', '/v1/nothing', 404],
  ['the root, which leads to the documentation', '/', 302],
])('%s: kept by nobody, read as what it says it is', async (_, path, status) => {
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
])('%s, %s, %s: %i as a page for a person', async (path, method, language, status, title) => {
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
])('%s, accepting %s: JSON for a program', async (path, accept) => {
  const response = await fetch(directUrl + path, { headers: { accept } })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ error: { code: 'route_not_found' } })
})

test('assets may be kept', async () => {
  for (const file of ['pay.css', 'pay.js', 'sandbox-card.js', 'spindle.svg']) {
    const response = await fetch(`${directUrl}/assets/${file}`)
    expect([file, response.status]).toEqual([file, 200])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toMatch(/max-age/)
  }
})
