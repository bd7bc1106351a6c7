import { expect, test } from 'vitest'
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

test('assets may be kept', async () => {
  for (const file of ['pay.css', 'pay.js', 'sandbox-card.js', 'spindle.svg']) {
    const response = await fetch(`${directUrl}/assets/${file}`)
    expect([file, response.status]).toEqual([file, 200])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toMatch(/max-age/)
  }
})
