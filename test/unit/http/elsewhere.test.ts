import { expect, test } from 'vitest'
import { meantBy } from '../../../src/http/elsewhere.ts'

test.each([
  ['GET', '/v1/payments', 'GET /v1/payment-operations/payments'],
  ['GET', '/v1/payments/0197', 'GET /v1/payment-operations/payments/:id'],
  ['GET', '/v1/disputes', 'GET /v1/payment-operations/disputes'],
  ['GET', '/v1/customers', 'GET /v1/customer-hub/customers'],
  ['POST', '/v1/payment-link', 'POST /v1/payment-links'],
  ['GET', '/v1/paymentlinks', 'GET /v1/payment-links'],
  ['GET', '/v1/x', null],
  ['GET', '/v1', null],
  ['GET', '/v2/payments', null],
  ['GET', '/payments', null],
  ['PUT', '/v1/payments', null],
])('%s %s means %s', (method, path, meant) => {
  expect(meantBy(method, path)).toBe(meant)
})
