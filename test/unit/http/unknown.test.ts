import { expect, test } from 'vitest'
import { accept } from '../../../src/http/envelope.ts'
import { Hono } from '../../../src/http/hono.ts'
import type { Operation } from '../../../src/http/operation.ts'
import type { Env } from '../../../src/http/router.ts'
import type { Services } from '../../../src/http/services.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'

const operations = [
  { contract: { method: 'GET', path: '/v1/things/:id', idempotency: 'none' } },
  { contract: { method: 'PATCH', path: '/v1/things/:id', idempotency: 'none' } },
  { contract: { method: 'POST', path: '/v1/things/:id', idempotency: 'required' } },
] as unknown as Operation[]

const app = accept(
  new Hono<Env>(),
  () => ({ settings: { baseUrl: 'https://api.example' } }) as Services,
  operations,
)
app.all('/v1/things/:id', () => {
  throw new OutcomeUnknown('the processor does not tell')
})

test.each([
  ['GET', 'We could not read this in time. Retry.'],
  ['PATCH', 'We cannot tell yet whether this happened. Read what it changes before you retry.'],
  ['POST', 'We cannot tell yet whether this happened. Retry with the same Idempotency-Key.'],
])('%s: an unknown outcome is 503, and says how to retry this operation', async (method, message) => {
  const response = await app.request('/v1/things/7', { method })
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  expect([response.status, response.headers.get('retry-after'), error.code, error.message]).toEqual([
    503,
    '1',
    'outcome_unknown',
    message,
  ])
})
